package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hygeia/transcript"
)

// talk writes a session: entries e1, e2 … one behind the other, a word each.
//
//	u20      user turn of 20 tokens          a20      answer
//	cX:20    assistant turn with the call X  rX:20    its result
//	c:X,Y:20 one with two calls              sX       a stand-in for a result
//	f20      failed turn                     m20      row of a delivery mirror
//	gX:20    failed turn with the call X
//	x20      custom message                  b20      branch summary
//	k2       compaction that keeps from e2   kself, k? from itself, from nowhere
//	n, d     a note, a change of model
func talk(words string) string {
	lines := []string{`{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/srv/app"}`}
	for i, w := range strings.Fields(words) {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf("%q", "e"+strconv.Itoa(i))
		}
		lines = append(lines, fmt.Sprintf(`{"type":%s,"id":"e%d","parentId":%s,"timestamp":"2026-03-01T09:00:%02d.000Z"}`,
			typed(w, i+1), i+1, parent, (i+1)%60))
	}
	return strings.Join(lines, "\n") + "\n"
}

// typed returns the type of an entry and its own members.
func typed(w string, n int) string {
	kind, rest := w[:1], w[1:]
	switch kind {
	case "n":
		return `"custom","customType":"note"`
	case "d":
		return `"model_change","provider":"p","modelId":"m` + strconv.Itoa(n) + `"`
	case "k":
		kept := "e" + rest
		if rest == "self" {
			kept = "e" + strconv.Itoa(n)
		}
		return fmt.Sprintf(`"compaction","summary":"summary %d","firstKeptEntryId":%q,"tokensBefore":1`, n, kept)
	case "x":
		return `"custom_message","customType":"t","display":false,"content":` + filler(rest, n, 0)
	case "b":
		return `"branch_summary","fromId":"root","summary":` + filler(rest, n, 0)
	case "c", "g":
		ids, size, _ := strings.Cut(strings.TrimPrefix(rest, ":"), ":")
		var blocks []string
		for id := range strings.SplitSeq(ids, ",") {
			blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"ff","arguments":{}}`, id))
		}
		return `"message","message":{"role":"assistant","stopReason":"` + map[string]string{"c": "toolUse", "g": "error"}[kind] + `","content":[{"type":"text","text":` + filler(size, n, 4*len(blocks)) + `},` + strings.Join(blocks, ",") + `]}`
	case "r", "s":
		id, size, _ := strings.Cut(rest, ":")
		text, more := `"aborted"`, `,"isError":true`
		if kind == "r" {
			text, more = filler(size, n, 0), ""
		}
		return fmt.Sprintf(`"message","message":{"role":"toolResult","toolCallId":%q,"toolName":"ff"%s,"content":[{"type":"text","text":%s}]}`, id, more, text)
	case "u":
		return `"message","message":{"role":"user","content":` + filler(rest, n, 0) + `}`
	}
	more := map[string]string{"a": `"stop"`, "f": `"error"`, "m": `"stop","provider":"openclaw","model":"delivery-mirror"`}[kind]
	return `"message","message":{"role":"assistant","stopReason":` + more + `,"content":[{"type":"text","text":` + filler(rest, n, 0) + `}]}`
}

// filler returns a JSON string of that many tokens, less some characters.
func filler(tokens string, n, less int) string {
	size, err := strconv.Atoi(tokens)
	if err != nil {
		panic(tokens)
	}
	text := strings.Repeat(fmt.Sprintf("text %d ", n), size*charsPerToken/7+1)
	return strconv.Quote(text[:max(0, size*charsPerToken-less)])
}

func readTalk(t testing.TB, words string) *Session {
	t.Helper()
	s, err := Read(strings.NewReader(talk(words)), "s-1.jsonl", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// origins returns where messages come from.
func origins(list []*transcript.Message) (ids []string) {
	for _, m := range list {
		ids = append(ids, m.Origin.Entry)
	}
	return ids
}

// C-03: where a compaction cuts. want is the first kept entry, then the entries
// of what is summed up: whole turns, and behind a bar the beginning of a turn.
func TestCompactionCut(t *testing.T) {
	for _, c := range []struct {
		name, words string
		keep        int
		want        string
	}{
		{"at a user turn", "u10 a10 u10 a10", 20, "e3: e1 e2"},
		{"the budget is reached in a message", "u10 a10 u10 a10", 15, "e3: e1 e2"},
		{"a little less than a turn", "u10 a10 u10 a10", 10, "e4: e1 e2 | e3"},
		{"all in one turn", "u10 a10 a10", 10, "e3: | e1 e2"},
		{"never in front of a result", "u10 c1:10 r1:10 a10 u10 a10", 35, "e4: | e1 e2 e3"},
		{"a round that is larger than the budget", "u10 a10 u10 c1:10 r1:90", 20, "e4: e1 e2 | e3"},
		{"between two rounds", "u10 c1:10 r1:10 c2:10 r2:10 a10", 30, "e4: | e1 e2 e3"},
		{"calls in two turns, results behind both", "u10 c1:10 c2:10 r1:10 r2:10 a10", 40, "e6: | e1 e2 e3 e4 e5"},
		{"two calls in a turn", "u10 c:1,2:10 r1:10 r2:10 a10", 15, "e5: | e1 e2 e3 e4"},
		{"a row between call and result", "u10 a10 u10 c1:10 m10 r1:10", 15, "e4: e1 e2 | e3"},
		{"a question between call and result", "u10 a10 c1:10 u10 r1:10 a10", 25, "e6: e1 e2 e3 | e4 e5"},
		{"an open call", "u10 a10 u10 c1:10 m10", 10, "e4: e1 e2 | e3"},
		{"one of two calls is open", "u10 a10 u10 c:1,2:10 r1:10 m10", 10, "e4: e1 e2 | e3"},
		{"an open call that nobody waits for", "u10 c1:10 u10 a10", 20, "e3: e1 e2"},
		{"a failed turn with an open call", "u10 a10 u10 g1:10 m10", 10, "e5: e1 e2 | e3 e4"},
		{"a row behind a whole round", "u10 a10 u10 c1:10 r1:10 m10", 10, "e6: e1 e2 | e3 e4 e5"},
		{"a row behind a stand-in", "u10 a10 u10 c1:10 s1 m10", 10, "e6: e1 e2 | e3 e4 e5"},
		{"a stand-in, then the real result", "u10 c1:10 s1 u10 c2:10 r2:10 a10 r1:10 a10", 45, "e9: e1 e2 e3 | e4 e5 e6 e7 e8"},
		{"a late result of one of two calls", "u10 c1:10 u10 c1:10 u10 c2:10 r2:10 r1:10 a10", 35, "e6: e1 e2 e3 e4 | e5"},
		{"the same id again and again", "u10 c1:10 u10 c1:10 r1:10 u10 c1:10 r1:10", 20, "e7: e1 e2 e3 e4 e5 | e6"},
		{"a result without a call", "u10 a10 u10 r9:10 a10", 15, "e5: e1 e2 | e3 e4"},
		{"a result again, long behind its round", "u10 c1:10 r1:10 a10 u10 c2:10 r2:10 r1:10 a10", 35, "e6: e1 e2 e3 e4 | e5"},
		{"notes in front stay with it", "u10 a10 n d u10 a10", 20, "e3: e1 e2"},
		{"so do messages of no person", "u10 a10 x10 u10 a10", 20, "e3: e1 e2"},
		{"and summaries of branches", "u10 a10 b10 n u10 a10", 20, "e3: e1 e2"},
		{"a custom message is a place to cut", "u10 a10 x10 a10", 20, "e3: e1 e2"},
		{"behind the last compaction", "u10 a10 k2 u10 a10 u10 a10", 20, "e6: e2 e4 e5"},
		{"in what the last one kept", "u10 a10 u10 a10 k2 u10 a10", 30, "e4: e2 | e3"},
		{"not over the last compaction", "u10 a10 x10 k1 u10 a10", 20, "e5: e1 e2 e3"},
		{"the last one kept nothing", "u10 a10 kself u10 a10 u10 a10", 20, "e6: e4 e5"},
		{"the last one kept from nowhere", "u10 a10 u10 a10 k? u10 a10", 20, "e6: e3 e4"}, // C-B02
		{"of what is in front of the last one nothing is kept", "a10 k? u10 a10 u10", 10, "e5: e3 e4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := readTalk(t, c.words).active.PlanCompaction(CompactOptions{KeepTokens: c.keep})
			if err != nil {
				t.Fatal(err)
			}
			got := p.KeptFrom + ": " + strings.Join(origins(p.Messages), " ")
			if len(p.Prefix) > 0 {
				got = strings.TrimSpace(got) + " | " + strings.Join(origins(p.Prefix), " ")
			}
			if got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// C-04: there is nothing to do for an empty conversation, one that ends with a
// compaction, and one that fits.
func TestNothingToCompact(t *testing.T) {
	for words, o := range map[string]CompactOptions{
		"n":                {},
		"u10 a10":          {},
		"u10 a10 k1":       {KeepTokens: 1},
		"u10 a10 k1 n d":   {Hard: true},
		"u10 a10 kself":    {Hard: true},
		"c1:10 r1:10":      {KeepTokens: 1},
		"u10 a10 k2 u10":   {},
		"u10 a10 u10 a10 ": {KeepFrom: "e1"},
	} {
		_, err := readTalk(t, words).active.PlanCompaction(o)
		if !errors.Is(err, ErrNothingToCompact) || !strings.HasPrefix(err.Error(), "session s-1.jsonl: nothing to compact: ") {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// An entry that is named as the first kept one has to be a place where the
// conversation may be cut (C-03).
func TestCompactionKeepFrom(t *testing.T) {
	s := readTalk(t, "u10 c1:10 r1:10 a10 n u10 a10 n")
	for id, want := range map[string]error{
		"e2": nil, "e3": ErrNoCut, "e4": nil, "e5": nil, "e6": nil, "e8": ErrNoCut, "e9": ErrUnknownEntry, "": nil,
	} {
		p, err := s.active.PlanCompaction(CompactOptions{KeepFrom: id, KeepTokens: 10})
		if !errors.Is(err, want) {
			t.Errorf("from %s: %v, want %v", id, err, want)
		}
		if err == nil && id != "" && p.KeptFrom != id && !(id == "e6" && p.KeptFrom == "e5") {
			t.Errorf("from %s: kept from %s", id, p.KeptFrom)
		}
	}
}

// C-03: four characters are a token, a picture is 4 800 of them.
func TestEstimateTokens(t *testing.T) {
	for text, want := range map[string]int{
		`{"role":"user","content":"12345678"}`:                        2,
		`{"role":"user","content":"123456789"}`:                       3,
		`{"role":"user","content":"\ud83d\ude00\ud83d\ude00é\u00e9"}`: 2,

		`{"role":"user","content":[{"type":"text","text":"1234"},{"type":"image","data":"AAAA","mimeType":"image/png"}]}`:       1201,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"12345678","thinkingSignature":"long enough to count"}]}`: 2,
		`{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"a":1}}]}`:                      3,
		`{"role":"assistant","content":[{"type":"redacted_thinking","data":"` + strings.Repeat("x", 9000) + `"}]}`:              1200,
		`{"role":"toolResult","toolCallId":"c1","content":[{"type":"text","text":"1234"}]}`:                                     1,
		`{"role":"bashExecution","command":"ls -","output":"1234"}`:                                                             2,
		`{"role":"bashExecution","command":"ls -","output":"1234","excludeFromContext":true}`:                                   0,
		`{"role":"branchSummary","summary":"12345678","fromId":"root"}`:                                                         2,
		`{"role":"user","content":""}`: 0,
	} {
		if got := EstimateTokens(messageOf(t, text)); got != want {
			t.Errorf("%.90s: %d tokens, want %d", text, got, want)
		}
	}
}

func withUsage(line string, usage string) string {
	return strings.Replace(line, `"stopReason"`, `"usage":`+usage+`,"stopReason"`, 1)
}

// What a service counted counts, unless it is from before a compaction (C-07,
// R-86) or the turn failed.
func TestContextTokens(t *testing.T) {
	for _, c := range []struct {
		words string
		usage map[int]string // of the n-th entry
		want  int
	}{
		{"u10 a10 u10", nil, 30},
		{"u10 a10 u10", map[int]string{2: `{"totalTokens":500}`}, 510},
		{"u10 a10 u10 a10", map[int]string{2: `{"totalTokens":500}`, 4: `{"input":600,"output":7}`}, 607},
		{"u10 a10 u10 f10", map[int]string{2: `{"totalTokens":500}`, 4: `{"totalTokens":9000}`}, 520},
		{"u10 a10 u10", map[int]string{2: `{"totalTokens":500,"contextUsage":{"state":"unavailable"}}`}, 30},
		{"u10 a10 u10", map[int]string{2: `{"totalTokens":500,"contextUsage":{"state":"available","promptTokens":80,"totalTokens":90}}`}, 100},
		{"u10 a10 k2 u10", map[int]string{2: `{"totalTokens":500}`}, 3 + 20}, // "summary 3"
	} {
		lines := strings.Split(talk(c.words), "\n")
		for n, u := range c.usage {
			lines[n] = withUsage(lines[n], u)
		}
		s, err := Read(strings.NewReader(strings.Join(lines, "\n")), "s-1.jsonl", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := ContextTokens(s.context); got != c.want {
			t.Errorf("%s %v: %d tokens, want %d", c.words, c.usage, got, c.want)
		}
	}
}

// C-04: what makes a session too large.
func TestCompactionDue(t *testing.T) {
	c := readTalk(t, "u50000 a50000").context
	for _, l := range []struct {
		limits CompactionLimits
		size   int64
		want   bool
	}{
		{CompactionLimits{}, 1 << 40, false},
		{CompactionLimits{Window: 100_000 + defaultReserve}, 0, false},
		{CompactionLimits{Window: 100_000 + defaultReserve - 1}, 0, true},
		{CompactionLimits{Window: 100_000 + defaultReserve, Embedded: true}, 0, true},
		{CompactionLimits{Window: 100_000 + embeddedReserve, Embedded: true}, 0, false},
		{CompactionLimits{Window: 100_000 + 30_000, Reserve: 30_001}, 0, true},
		{CompactionLimits{Window: 200_000, Reserve: 1 << 30}, 0, false},
		{CompactionLimits{Window: 199_998, Reserve: 1 << 30}, 0, true},
		{CompactionLimits{MaxBytes: 10}, 10, false},
		{CompactionLimits{MaxBytes: 10}, 11, true},
	} {
		if got := l.limits.Due(c, l.size); got != l.want {
			t.Errorf("%+v, %d bytes: due is %v", l.limits, l.size, got)
		}
	}
}

// compacted compacts what talk writes and returns the path.
func compacted(t *testing.T, words string, o CompactOptions) (string, *Compaction) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s-1.jsonl")
	if err := os.WriteFile(path, []byte(talk(words)), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Compact(t.Context(), path, o, writeOptions())
	if err != nil {
		t.Fatal(err)
	}
	return path, c
}

// contextOf returns what the active branch of a file says.
func contextOf(t testing.TB, path string) *transcript.Context {
	t.Helper()
	s, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s.context
}

// C-01, C-02, C-05, C-B03: an entry is appended and nothing else changes; the
// context is the summary and what was to be kept.
func TestCompactAppends(t *testing.T) {
	for _, c := range []struct {
		name  string
		o     CompactOptions
		entry string
		want  []string
	}{
		{
			"kept",
			CompactOptions{KeepTokens: 20, Summary: "They said\n\"hello\"."},
			`{"type":"compaction","id":"00000001","parentId":"e6","timestamp":"2026-03-01T10:00:00.000Z","summary":"They said\n\"hello\".","firstKeptEntryId":"e5","tokensBefore":60}`,
			[]string{"00000001", "e5", "e6"},
		},
		{
			"hard",
			CompactOptions{Hard: true, Summary: "all"},
			`{"type":"compaction","id":"00000001","parentId":"e6","timestamp":"2026-03-01T10:00:00.000Z","summary":"all","firstKeptEntryId":"00000001","tokensBefore":60}`,
			[]string{"00000001"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			const words = "u10 a10 u10 a10 u10 a10"
			path, done := compacted(t, words, c.o)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			entry, ok := strings.CutPrefix(string(text), talk(words))
			if !ok {
				t.Error("what was there is no longer there")
			}
			if d := cmp.Diff(c.entry+"\n", entry); d != "" {
				t.Errorf("the entry (-want +got)\n%s", d)
			}
			got := contextOf(t, path)
			if d := cmp.Diff(c.want, origins(got.Messages)); d != "" {
				t.Errorf("the context (-want +got)\n%s", d)
			}
			if n := ContextTokens(got); n != done.TokensAfter() {
				t.Errorf("%d tokens announced, %d there", done.TokensAfter(), n)
			}
			if done.Entry != "00000001" || done.Leaf != "e6" {
				t.Errorf("done: %+v", done)
			}
			if _, err := Compact(t.Context(), path, c.o, writeOptions()); !errors.Is(err, ErrNothingToCompact) {
				t.Errorf("once more: %v", err)
			}
		})
	}
}

// C-02: what comes later goes on from the compaction, and a second one takes the
// summary of the first along.
func TestCompactAgain(t *testing.T) {
	path, first := compacted(t, "u10 a10 u10 a10", CompactOptions{KeepTokens: 20, Summary: "one"})
	w := openWriter(t, path, WriteOptions{Lock: brief})
	question := put(t, w, user("and then?"))
	put(t, w, answer("then this"))
	got, err := w.Compact(t.Context(), CompactOptions{KeepTokens: 1, Summarise: func(_ context.Context, in CompactionInput) (string, error) {
		return fmt.Sprintf("%s+%d", in.Previous, len(in.Messages)), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "one+2\n\nThe turn that goes on below began like this:\n\n+1"; got.Summary != want {
		t.Errorf("summary %q, want %q", got.Summary, want)
	}
	next := put(t, w, user("go on"))
	if w.Close() != nil {
		t.Fatal("not closed")
	}
	want := []string{got.Entry, got.Plan.KeptFrom, next}
	if d := cmp.Diff(want, origins(contextOf(t, path).Messages)); d != "" {
		t.Error(d)
	}
	if ids := branchOf(t, path); !slices.Contains(ids, first.Entry) || !slices.Contains(ids, question) {
		t.Errorf("the branch lost entries: %v", ids)
	}
}

// C-03: of a turn that is split the beginning is summed up by itself, and a
// summary that nothing is added to stays.
func TestCompactSplitTurn(t *testing.T) {
	for _, c := range []struct {
		words string
		calls []string
		want  string
	}{
		{"u10 a10 u10 a10", []string{`""`}, "<2>"},
		{"u10 a10 u10 c1:10 r1:10 a10", []string{`""`, "turn"}, "<2>\n\nThe turn that goes on below began like this:\n\n<3>"},
		{"u10 c1:10 r1:10 a10", []string{"turn"}, "<3>"},
		{"u10 a10 kself u10 c1:10 r1:10 a10", []string{"turn"}, "summary 3\n\nThe turn that goes on below began like this:\n\n<3>"},
		{"u10 a10 kself u10 a10 u10 a10", []string{`"summary 3"`}, "<2>"},
	} {
		t.Run(c.words, func(t *testing.T) {
			keep := 20
			if !strings.HasSuffix(c.words, "u10 a10") {
				keep = 10
			}
			var calls []string
			_, done := compacted(t, c.words, CompactOptions{KeepTokens: keep, Summarise: func(_ context.Context, in CompactionInput) (string, error) {
				what := fmt.Sprintf("%q", in.Previous)
				if in.OfTurn {
					what = "turn"
				}
				calls = append(calls, what)
				return fmt.Sprintf("<%d>", len(in.Messages)), nil
			}})
			if !slices.Equal(calls, c.calls) || done.Summary != c.want {
				t.Errorf("calls %v gave %q, want %v and %q", calls, done.Summary, c.calls, c.want)
			}
		})
	}
}

// C-01: a summary that is made here says which files were read and changed, those
// of the one before included.
func TestCompactDetails(t *testing.T) {
	call := func(id, parent, tool, path string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"assistant","stopReason":"toolUse","content":[{"type":"toolCall","id":"c-%s","name":%q,"arguments":{"path":%q}}]}}`,
			id, parent, id, tool, path)
	}
	path := file(t, strings.TrimSpace(talk("u10 a10")),
		entryLine("compaction", "k1", "e2", `,"summary":"s","firstKeptEntryId":"k1","tokensBefore":5,"details":{"readFiles":["old.go","both.go"],"modifiedFiles":["was.go"]}`),
		said("b1", "k1", "user", "go on"),
		call("b2", "b1", "read", "read.go"),
		call("b3", "b2", "edit", "both.go"),
		call("b4", "b3", "write", "new.go"),
		call("b5", "b4", "read", "new.go"),
		call("b6", "b5", "search", "elsewhere.go"),
		said("b7", "b6", "user", "fine"))
	o := CompactOptions{Hard: true, Summarise: func(context.Context, CompactionInput) (string, error) { return "sum", nil }}
	c, err := Compact(t.Context(), path, o, writeOptions())
	if err != nil {
		t.Fatal(err)
	}
	lines := linesOf(t, path)
	want := `"details":{"readFiles":["old.go","read.go"],"modifiedFiles":["both.go","new.go","was.go"]}}`
	if last := lines[len(lines)-1]; !strings.HasSuffix(last, want) {
		t.Errorf("entry %s: %s", c.Entry, last)
	}
	path, _ = compacted(t, "u10 a10", o)
	if lines := linesOf(t, path); strings.Contains(lines[len(lines)-1], "details") {
		t.Error("there is nothing to say about files")
	}
}

// C-B05: a summary that fails or is empty writes nothing, and the writer goes on.
func TestCompactFailedSummary(t *testing.T) {
	broken := errors.New("no credit")
	for name, c := range map[string]struct {
		o    CompactOptions
		want error
	}{
		"none":        {CompactOptions{Hard: true}, ErrEmptySummary},
		"blank":       {CompactOptions{Hard: true, Summary: " \n"}, ErrEmptySummary},
		"model blank": {CompactOptions{Hard: true, Summarise: func(context.Context, CompactionInput) (string, error) { return "\t", nil }}, ErrEmptySummary},
		"model fails": {CompactOptions{Hard: true, Summarise: func(context.Context, CompactionInput) (string, error) { return "half", broken }}, broken},
		"half fails": {CompactOptions{KeepTokens: 10, Summarise: func(_ context.Context, in CompactionInput) (string, error) {
			if in.OfTurn {
				return "", broken
			}
			return "first half", nil
		}}, broken},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s-1.jsonl")
			before := talk("u10 a10 u10 a10")
			if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			w := openWriter(t, path, writeOptions())
			ctx, stop := context.WithCancel(t.Context())
			stop()
			if _, err := w.Compact(ctx, c.o); !errors.Is(err, c.want) || strings.Count(err.Error(), "session ") != 1 {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if text, _ := os.ReadFile(path); string(text) != before {
				t.Error("something was written")
			}
			put(t, w, user("never mind"))
		})
	}
}

// F-43, C-05: a branch without an entry, or without a file, is nothing to compact, and
// an entry that somebody adds without the lock is a takeover.
func TestCompactWriter(t *testing.T) {
	o := CompactOptions{Hard: true, Summary: "s"}
	w := openWriter(t, filepath.Join(t.TempDir(), "s-1.jsonl"), writeOptions())
	put(t, w, user("hi"))
	if _, err := w.Compact(t.Context(), o); !errors.Is(err, ErrNothingToCompact) {
		t.Errorf("unwritten: %v", err)
	}
	path := file(t, strings.Split(strings.TrimSpace(talk("u10 a10")), "\n")...)
	w = openWriter(t, path, writeOptions())
	if err := w.Select(""); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Compact(t.Context(), o); !errors.Is(err, ErrNothingToCompact) {
		t.Errorf("nothing selected: %v", err)
	}
	if err := w.Select("e2"); err != nil {
		t.Fatal(err)
	}
	appendText(t, path, `{"type":"message","id":"x","parentId":"e2","message":{"role":"user","content":"I am here too"}}`+"\n")
	before := linesOf(t, path)
	if _, err := w.Compact(t.Context(), o); !errors.Is(err, ErrTakeover) {
		t.Errorf("written to by somebody else: %v", err)
	}
	sameLines(t, path, before...)
}

// F-43: while the summary is made others may write what a run need not know; what
// it should have known of is a takeover, and nothing is written.
func TestCompactWhileOthersWrite(t *testing.T) {
	for name, c := range map[string]struct {
		add  string
		want error
	}{
		"a mirror": {`{"type":"message","id":"x1","parentId":"e4","timestamp":"2026-03-01T09:30:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"said"}],"provider":"openclaw","model":"delivery-mirror","stopReason":"stop"}}`, nil},
		"a turn":   {`{"type":"message","id":"x1","parentId":"e4","timestamp":"2026-03-01T09:30:00.000Z","message":{"role":"user","content":"I am here too"}}`, ErrTakeover},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s-1.jsonl")
			if err := os.WriteFile(path, []byte(talk("u10 a10 u10 a10")), 0o600); err != nil {
				t.Fatal(err)
			}
			done, err := Compact(t.Context(), path, CompactOptions{KeepTokens: 20, Summarise: func(context.Context, CompactionInput) (string, error) {
				f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					return "", err
				}
				_, err = f.WriteString(c.add + "\n")
				return "summary", errors.Join(err, f.Close())
			}}, writeOptions())
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			want := []string{"e1", "e2", "e3", "e4", "x1"}
			if err == nil {
				want = []string{done.Entry, "e3", "e4"}
			}
			if got := origins(contextOf(t, path).Messages); !slices.Equal(got, want) {
				t.Errorf("the context is %v, want %v", got, want)
			}
		})
	}
}

// What is no session to compact is refused, and nothing appears beside it.
func TestCompactRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text *string
		want error
	}{
		"missing.jsonl": {nil, fs.ErrNotExist},
		"empty.jsonl":   {new(string), ErrEmpty},
		"notes.jsonl":   {ptr("dear diary\n"), ErrNotSession},
		"header.jsonl":  {ptr(talk("")), ErrNothingToCompact},
	} {
		path := filepath.Join(dir, name)
		if c.text != nil {
			if err := os.WriteFile(path, []byte(*c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Compact(t.Context(), path, CompactOptions{Hard: true, Summary: "x"}, writeOptions()); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		text, err := os.ReadFile(path)
		if c.text != nil && string(text) != *c.text || c.text == nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s became %q", name, text)
		}
	}
}

func ptr(s string) *string { return &s }

// C-06, Q-03: a damaged file is repaired before it is compacted. What a compaction
// keeps is found on the whole branch.
func TestCompactRepairsFirst(t *testing.T) {
	lines := strings.SplitAfter(talk("u10 a10 u10 a10 u10 a10"), "\n")
	lines[4] = lines[4][:60] + "\n" // e4 is torn
	path := filepath.Join(t.TempDir(), "s-1.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Compact(t.Context(), path, CompactOptions{KeepTokens: 30, Summary: "s"}, writeOptions())
	if err != nil {
		t.Fatal(err)
	}
	if c.Repair == nil || !c.Repair.Repaired || c.Repair.QuarantinePath == "" {
		t.Errorf("repair: %+v", c.Repair)
	}
	if got, want := branchOf(t, path), []string{"e1", "e2", "e3", "e5", "e6", c.Entry}; !slices.Equal(got, want) {
		t.Errorf("branch %v, want %v", got, want)
	}
	if got, want := origins(contextOf(t, path).Messages), []string{c.Entry, "e3", "e5", "e6"}; !slices.Equal(got, want) {
		t.Errorf("context %v, want %v", got, want)
	}
}

// A file of version 1 is migrated, since the entry cannot stand in it (D-22), and
// what is kept is the same.
func TestCompactOldVersion(t *testing.T) {
	var lines []string
	for i, line := range strings.Split(strings.TrimSpace(talk("u10 a10 u10 a10")), "\n") {
		line = strings.Replace(line, `"version":3,`, "", 1)
		if i > 0 {
			line = strings.Replace(line, fmt.Sprintf(`"id":"e%d",`, i), "", 1)
			line = line[:strings.Index(line, `"parentId"`)] + line[strings.Index(line, `"timestamp"`):]
		}
		lines = append(lines, line)
	}
	path := file(t, lines...)
	before := contextOf(t, path).Messages
	c, err := Compact(t.Context(), path, CompactOptions{KeepTokens: 20, Summary: "s"}, writeOptions())
	if err != nil {
		t.Fatal(err)
	}
	want := append([]string{c.Entry}, origins(before[2:])...)
	if got := origins(contextOf(t, path).Messages); !slices.Equal(got, want) {
		t.Errorf("context %v, want %v", got, want)
	}
}

// C-B05: wherever the line of a compaction is torn, repair leaves the context as
// it was before, and only the whole line makes it the new one.
func TestCompactionTornAnywhere(t *testing.T) {
	const words = "u10 a10 u10 a10"
	path, c := compacted(t, words, CompactOptions{KeepTokens: 20, Summary: "short"})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	start := len(talk(words))
	if !bytes.HasPrefix(whole, []byte(talk(words))) {
		t.Fatal("not appended")
	}
	for n := start; n <= len(whole); n++ {
		torn := filepath.Join(memory(t), "s-1.jsonl")
		if err := os.WriteFile(torn, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := OpenWriter(t.Context(), torn, WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		want := []string{"e1", "e2", "e3", "e4"}
		if n >= len(whole)-1 {
			want = []string{c.Entry, "e3", "e4"}
		}
		if got := origins(contextOf(t, torn).Messages); !slices.Equal(got, want) {
			t.Fatalf("%d of %d bytes: context %v, want %v", n-start, len(whole)-start, got, want)
		}
	}
}

// A lock that somebody else has is waited for and named.
func TestCompactLocked(t *testing.T) {
	path := file(t, strings.Split(strings.TrimSpace(talk("u10 a10")), "\n")...)
	lock, err := Acquire(t.Context(), path, LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := Compact(t.Context(), path, CompactOptions{Hard: true, Summary: "s"}, writeOptions()); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
}

// F-48: a summary is stored without secrets, whoever made it, and that is said.
func TestCompactRedacts(t *testing.T) {
	secret := "ghp_" + x(36)
	for _, c := range []struct {
		name, want string
		o          CompactOptions
		redacted   bool
	}{
		{"given", "the token is ***", CompactOptions{Hard: true, Summary: "the token is " + secret}, true},
		{"made", "the token is ***", CompactOptions{Hard: true, Summarise: func(context.Context, CompactionInput) (string, error) { return "the token is " + secret, nil }}, true},
		{"harmless", "no token", CompactOptions{Hard: true, Summary: "no token"}, false},
		{"switched off", "the token is " + secret, CompactOptions{Hard: true, Summary: "the token is " + secret, Redactor: new(Redactor)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := file(t, said("a", "null", "user", "one"), said("b", "a", "assistant", "two"))
			done, err := Compact(t.Context(), path, c.o, writeOptions())
			if err != nil {
				t.Fatal(err)
			}
			s, err := Load(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.active.Context().Messages[0].Get("summary").String(); got != c.want || done.Summary != c.want || done.Redacted != c.redacted {
				t.Errorf("%q is stored; %+v", got, done)
			}
		})
	}
}
