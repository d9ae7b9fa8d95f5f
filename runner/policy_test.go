package runner

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hygeia"
	"hygeia/emulator"
	"hygeia/policy"
	"hygeia/runner/model"
)

// TestPolicyOfARun holds P-12: the policy is resolved before the session is opened,
// so one that cannot be leaves no trace on the disk, and it is the same for each
// request of a run, also for those behind tool results.
func TestPolicyOfARun(t *testing.T) {
	t.Parallel()
	profile := func(sets string) *policy.Catalogue {
		c, err := policy.Load(policy.File{Name: "mine.json", Data: []byte(`{"providers":[{"id":"mybox","source":"s","verified":"2026-01-02","rules":[` + sets + `]}]}`)})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	target := hygeia.Target{Provider: "mybox", Model: "m"}

	path := filepath.Join(t.TempDir(), "s.jsonl")
	o := Options{Target: target, Model: model.New(model.Config{})}
	o.Replay.Policy.Catalogue = profile(`{"set":{"wire":{"maxImages":1}}},{"set":{"wire":{"maxImages":2}}}`)
	var tie *policy.TieError
	if r, err := New(o); !errors.As(err, &tie) || r != nil {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the session was opened: %v", err)
	}

	var ids [][]string
	call := regexp.MustCompile(`"tool_call_id":"([^"]*)"`)
	again := emulator.Answer{Content: []emulator.Part{{Call: "weather", Arguments: []byte(`{"city":"Bern"}`)}}}
	steps := emulator.Script(emulator.Step{Times: 2, Answer: again}, emulator.Step{Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Text: "Rain."}}}})
	b := newBench(t, target, func(r *emulator.Request) *emulator.Answer {
		var list []string
		for _, m := range call.FindAllStringSubmatch(string(r.Body), -1) {
			list = append(list, m[1])
		}
		ids = append(ids, list)
		return steps(r)
	}, func(o *Options) {
		withTools(o)
		o.Replay.Policy.Catalogue = profile(`{"set":{"toolCallIdMode":"strict9"}}`)
	})
	b.say(t, "weather?")
	if len(ids) != 3 || len(ids[1]) != 1 || len(ids[2]) != 2 || ids[2][0] != ids[1][0] {
		t.Fatalf("the ids of %d requests: %q", len(ids), ids)
	}
	for _, id := range ids[2] {
		if len(id) != 9 || strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			t.Errorf("id %q", id)
		}
	}
}
