package hygeia

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"hygeia/hygiene"
)

// TestChangesHeader holds that the header has rule ids and counts only, the rule
// of the provider's answer in front, at most a kilobyte, and that it tells changes
// that were made from those that were not.
func TestChangesHeader(t *testing.T) {
	x := &exchange{}
	x.Outcome = Changed
	x.Remedy = "AN-20"
	x.Report = &hygiene.Report{Hidden: map[string]int{"R-79": 3}, Changes: []hygiene.Change{{Rule: "R-72", Reason: "secret"}, {Rule: "R-30"}, {Rule: "R-72"}}}
	if got := x.changes(); got != "AN-20=1, R-30=1, R-72=2" {
		t.Error(got)
	}
	x.Outcome, x.Remedy = Unchanged, ""
	if got := x.changes(); got != "R-30=1, R-72=2 (not made)" {
		t.Error(got)
	}
	if got := (&exchange{}).changes(); got != "" {
		t.Error(got)
	}
	x.Outcome, x.Remedy = Changed, "AN-20"
	for i := range 500 {
		x.Report.Changes = append(x.Report.Changes, hygiene.Change{Rule: fmt.Sprintf("W-%d", i)})
	}
	got := x.changes()
	if len(got) > maxChangesHeader || !strings.HasSuffix(got, "=1, ...") || !strings.HasPrefix(got, "AN-20=1, R-30=1, ") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	x.Outcome = Unchanged
	if got := x.changes(); len(got) > maxChangesHeader || !strings.HasSuffix(got, "=1, ... (not made)") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

// TestReadAll reads bodies whose size is known, not known, or not what was said, and
// sets no more aside than what has come vouches for.
func TestReadAll(t *testing.T) {
	const limit = 20 << 20
	for _, c := range []struct {
		name      string
		size, has int64
		err       bool
	}{
		{"nothing", 0, 0, false},
		{"a small one", 100, 100, false},
		{"one of unknown size", -1, 3 << 20, false},
		{"a megabyte", trustedSize, trustedSize, false},
		{"a little more", trustedSize + 1, trustedSize + 1, false},
		{"a large one", 10 << 20, 10 << 20, false},
		{"the largest", limit, limit, false},
		{"one too large", -1, limit + 1, true},
		{"one that is shorter than said", limit, 2000, false},
		{"one that ends at a border", limit, trustedSize, false},
		{"one that is longer than said", 10, 5000, false},
	} {
		want := strings.Repeat("0123456789abcdef", int(c.has)/16+1)[:c.has]
		got, err := readAll(strings.NewReader(want), c.size, limit)
		if (err != nil) != c.err || err == nil && string(got) != want {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
		if most := max(trustedSize, trustedGrowth*c.has) + 64<<10; c.size > c.has && int64(cap(got)) > most {
			t.Errorf("%s: %d bytes are set aside", c.name, cap(got))
		}
	}
}

type upstream func(*http.Request) (*http.Response, error)

func (u upstream) RoundTrip(r *http.Request) (*http.Response, error) { return u(r) }

// TestMeanwhile holds that a Transport remembers a body while its answer is waited
// for: one that is worth it, and only so many at a time.
func TestMeanwhile(t *testing.T) {
	tr := &Transport{Base: upstream(func(r *http.Request) (*http.Response, error) {
		_, _ = io.Copy(io.Discard, r.Body)
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	})}
	send := func(body []byte) {
		r, err := http.NewRequest(http.MethodPost, "http://x/v1/messages", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tr.RoundTrip(r); err != nil {
			t.Fatal(err)
		}
	}
	remembered := func() int {
		for tr.memo.learning.Load() > 0 && tr.memo.learning.Load() < maxLearning {
			runtime.Gosched()
		}
		tr.memo.mu.Lock()
		defer tr.memo.mu.Unlock()
		return tr.memo.newest.Len()
	}
	send([]byte(`{"model":"claude-opus-4-6","max_tokens":100,"messages":[{"role":"user","content":"q"}]}`))
	if n := remembered(); n != 0 {
		t.Errorf("%d small bodies are remembered", n)
	}
	tr.memo.learning.Store(maxLearning)
	send(conversation(12))
	if n := remembered(); n != 0 || tr.memo.learning.Load() != maxLearning {
		t.Errorf("%d bodies are remembered beyond what is done at a time", n)
	}
	tr.memo.learning.Store(0)
	send(conversation(12))
	if n := remembered(); n != 1 {
		t.Errorf("%d bodies are remembered, want the conversation", n)
	}
}
