package acceptance_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hygeia"
	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/internal/gen"
	"hygeia/policy"
)

// handoff is a provider, and whether a session that stays with it takes thinking
// along from turns that are over.
type handoff struct {
	provider, api, model string
	replays              bool
}

func (h handoff) name() string { return h.provider + "/" + h.model }

func (h handoff) target() policy.Target {
	return policy.Target{Provider: h.provider, API: h.api, Model: h.model}
}

// handoffs are the providers of the matrix (Q-20…Q-37).
var handoffs = []handoff{
	{"openai", "openai-responses", "gpt-5.1", true},
	{"openai-codex", "openai-codex-responses", "gpt-5.4", true},
	{"azure-openai", "azure-openai-responses", "gpt-5.1", true},
	{"openai", "openai-completions", "gpt-4o", false},
	{"vllm", "openai-completions", "qwen3", false},
	{"deepseek", "openai-completions", "deepseek-reasoner", true},
	{"google", "google-generative-ai", "gemini-3-pro-preview", true},
	{"google-antigravity", "google-gemini-cli", "claude-sonnet-4-5", true},
	{"anthropic", "anthropic-messages", "claude-opus-4-6", true},
	{"minimax", "anthropic-messages", "MiniMax-M2.7", true},
	{"amazon-bedrock", "bedrock-converse-stream", "anthropic.claude-opus-4-6-v1:0", true},
	{"mistral", "openai-completions", "mistral-large-latest", false},
	{"openrouter", "openai-completions", "google/gemini-2.5-pro", true},
	{"openrouter", "openai-completions", "anthropic/claude-sonnet-4.5", true},
}

// One session, as each provider would have recorded it, goes on at each
// provider: the request is accepted, nothing that only the old route
// understands is in it, and all that was said and done still is.
func TestHandoff(t *testing.T) {
	turns := readTurns(t)
	for _, from := range handoffs {
		file := record(turns, routeOf(t, from.provider, from.api, from.model))
		for _, to := range handoffs {
			t.Run(from.name()+" to "+to.name(), func(t *testing.T) {
				t.Parallel()
				r := carry(t, file, to.target())
				same := from == to
				found := foreign(r.Body, file)
				if !same && len(found) > 0 {
					t.Errorf("the body still has %q of the old route", found)
				}
				if same && to.replays != (len(found) > 0) {
					t.Errorf("thinking goes out: %v, want %v", found, to.replays)
				}
			})
		}
	}
}

// A session that changed its provider in the middle goes on at the second one
// with what that recorded, and back at the first one with what the first did
// (D-23).
func TestHandoffAndBack(t *testing.T) {
	turns := readTurns(t)
	half := slices.IndexFunc(turns, func(u handoffTurn) bool { return strings.HasPrefix(u.User, "TEXT-04") })
	for _, first := range handoffs {
		for _, second := range handoffs {
			if first == second {
				continue
			}
			old := record(turns[:half], routeOf(t, first.provider, first.api, first.model))
			now := recordFrom(turns, half, routeOf(t, second.provider, second.api, second.model))
			for _, to := range []struct {
				handoff
				own, other []byte
			}{{first, old, now}, {second, now, old}} {
				t.Run(first.name()+" and "+second.name()+" to "+to.name(), func(t *testing.T) {
					t.Parallel()
					r := carry(t, slices.Concat(old, now), to.target())
					if found := foreign(r.Body, to.other); len(found) > 0 {
						t.Errorf("the body has %q of the other route", found)
					}
					if found := foreign(r.Body, to.own); to.replays != (len(found) > 0) {
						t.Errorf("thinking of its own goes out: %v, want %v", found, to.replays)
					}
				})
			}
		}
	}
}

// carry replays a session file to a target and asserts what holds wherever it
// came from.
func carry(t *testing.T, file []byte, target policy.Target) *hygeia.Replay {
	t.Helper()
	read, err := hygeia.Read(bytes.NewReader(file), "handoff", hygeia.OpenOptions{Format: hygeia.FormatSession})
	if err != nil {
		t.Fatal(err)
	}
	r, err := read.Replay(target, hygeia.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	findings, err := check.Payload(r.Body, r.Resolution.Target, check.Options{})
	if err != nil || len(findings) > 0 {
		t.Errorf("G-1: %v %+v", err, findings)
	}
	if err := complete(r); err != nil {
		t.Errorf("%v\n%s", err, r.Body)
	}
	second, err := with(read, r.Messages).Replay(target, hygeia.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(r.Body, second.Body) || slices.ContainsFunc(second.Report.Changes, ofPass) {
		t.Errorf("G-2: a second run changes %v", second.Report.Changes)
	}
	return r
}

// ofPass reports whether a change was made by a pass: those of converters
// concern the body and come again.
func ofPass(c hygiene.Change) bool { return !strings.HasPrefix(c.Rule, "W-") }

var marks = regexp.MustCompile(`(?:TEXT|RESULT|ARG)-\d\d`)

// complete asserts that each text, argument and result stands in the body once,
// in order of its kind, and each picture if the model sees any.
func complete(r *hygeia.Replay) error {
	seen := map[string]int{}
	for _, m := range marks.FindAllString(string(r.Body), -1) {
		kind, number, _ := strings.Cut(m, "-")
		if seen[kind]++; fmt.Sprintf("%02d", seen[kind]) != number {
			return fmt.Errorf("%s stands where the one with number %d must", m, seen[kind])
		}
	}
	if seen["TEXT"] != 10 || seen["RESULT"] != 7 || seen["ARG"] != 7 {
		return fmt.Errorf("of 10 texts, 7 results and 7 arguments there are %v", seen)
	}
	want := 0
	if r.Resolution.Policy.Model.Images {
		want = 1
	}
	for i, p := range gen.Pictures[1:4] {
		if n := bytes.Count(r.Body, []byte(p)); n != want {
			return fmt.Errorf("picture %d stands there %d times, want %d", i+1, n, want)
		}
	}
	return nil
}
