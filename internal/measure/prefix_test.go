package measure

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"hygeia"
	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// largeSession lies beside the project while it is being developed.
const largeSession = "../../../shared/data/large-session.jsonl"

// prefixTargets are those of the table in docs/prefix.md.
var prefixTargets = []hygeia.Target{
	{Provider: "anthropic", Model: "claude-opus-4-6"},
	{Provider: "anthropic", Model: "claude-sonnet-4-5"},
	{Provider: "anthropic", Model: "claude-opus-5-5"},
	{Provider: "minimax", Model: "MiniMax-M2.7"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-opus-4-6-v1:0"},
	{Provider: "amazon-bedrock", Model: "amazon.nova-pro-v1:0"},
	{Provider: "google-antigravity", Model: "claude-sonnet-4-5"},
	{Provider: "google", Model: "gemini-3-pro-preview"},
	{Provider: "google", Model: "gemini-2.5-pro"},
	{Provider: "openai", Model: "gpt-5.1"},
	{Provider: "openai-codex", Model: "gpt-5.4"},
	{Provider: "azure-openai", Model: "gpt-5.1"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-4o"},
	{Provider: "vllm", Model: "qwen3"},
	{Provider: "deepseek", Model: "deepseek-v4-pro"},
	{Provider: "moonshot", Model: "kimi-k2.5"},
	{Provider: "mistral", Model: "mistral-large-latest"},
	{Provider: "mistral", API: "mistral-conversations", Model: "magistral-medium-latest"},
	{Provider: "ollama", Model: "qwen3"},
	{Provider: "openrouter", Model: "anthropic/claude-sonnet-4.5"},
	{Provider: "openrouter", Model: "google/gemini-2.5-pro"},
}

// TestPrefix measures G-5: how much of a request is, byte for byte, the
// beginning of the next one. With the large session beside the project and
// HYGEIA_PREFIX set it prints the table of docs/prefix.md:
//
//	HYGEIA_PREFIX=1 go test -run Prefix -v -timeout 0 ./internal/measure
//
// Else it holds a small session of the project to the same.
func TestPrefix(t *testing.T) {
	file := "../../examples/poisoned.jsonl"
	if os.Getenv("HYGEIA_PREFIX") != "" {
		file = largeSession
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not there", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	read, err := hygeia.Read(bytes.NewReader(text), file, hygeia.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range prefixTargets {
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		own := *read.Context
		own.Messages, own.ThinkingLevel = thoughtful(own.Messages, res.Target), "medium"
		row := fmt.Sprintf("| `%s/%s` | `%s` |", target.Provider, target.Model, res.Target.API)
		for _, c := range []*transcript.Context{read.Context, &own} {
			p := measurePrefix(t, read, c, res, cuts(c.Messages, afterTurn))
			q := measurePrefix(t, read, c, res, cuts(c.Messages, beforeAnswer))
			row += p.share() + q.share()
			if c == &own {
				row += " " + p.rules() + " | " + q.rules() + " |"
			}
		}
		t.Log(row)
	}
}

// afterTurn cuts where a turn is complete: the next message is a user turn.
func afterTurn(_, next *transcript.Message) bool { return next.Is(transcript.User) }

// beforeAnswer cuts where a request was sent: the next message is an answer.
func beforeAnswer(last, next *transcript.Message) bool {
	return next.Is(transcript.Assistant) && !last.Is(transcript.Assistant)
}

// cuts returns the lengths to cut a list to, its own included.
func cuts(list []*transcript.Message, where func(last, next *transcript.Message) bool) []int {
	var at []int
	for i := 1; i < len(list); i++ {
		if where(list[i-1], list[i]) {
			at = append(at, i)
		}
	}
	return append(at, len(list))
}

// prefix is what was measured over all steps from one cut to the next.
type prefix struct {
	sent, kept    int // bytes of messages, and of those that begin the next request as well
	steps, losses int // all, and those that lost something
	why           map[string]int
}

// lose counts a step that lost something, and asserts that one of the rules
// behind it says that it may (D-21).
func (p *prefix) lose(t *testing.T, target hygeia.Target, rules map[string]bool) {
	t.Helper()
	p.losses++
	declared := false
	for _, r := range hygeia.Rules() {
		declared = declared || rules[r.ID] && r.Unstable != ""
	}
	if !declared {
		t.Errorf("G-5: to %v a request does not begin as the one before, and only %v changed anything", target, slices.Collect(maps.Keys(rules)))
	}
	for id := range rules {
		p.why[id]++
	}
}

// share is a cell of the table: the share of bytes that stayed, and how many
// steps lost some.
func (p *prefix) share() string {
	if p.losses == 0 {
		return " 100 % |"
	}
	return fmt.Sprintf(" %.3f %% (%d of %d) |", 100*float64(p.kept)/float64(p.sent), p.losses, p.steps)
}

// rules lists the rules behind the losses, the most frequent first.
func (p *prefix) rules() string {
	ids := slices.SortedFunc(maps.Keys(p.why), func(a, b string) int { return cmp.Or(p.why[b]-p.why[a], strings.Compare(a, b)) })
	for i, id := range ids {
		ids[i] = fmt.Sprintf("%s ×%d", id, p.why[id])
	}
	return strings.Join(ids, ", ")
}

func measurePrefix(t *testing.T, read *hygeia.Transcript, c *transcript.Context, res *policy.Resolution, at []int) *prefix {
	t.Helper()
	p := &prefix{why: map[string]int{}, steps: len(at) - 1}
	o := hygeia.ReplayOptions{Payload: payload.Options{Tools: tools[res.Target.API]}}
	var before [][]byte
	var was *hygiene.Report
	for n, k := range at {
		part := *c
		part.Messages = c.Messages[:k]
		in := hygeia.Transcript{Name: read.Name, Format: read.Format, Context: &part, Session: read.Session, Request: read.Request}
		r, err := in.Replay(res.Target, o)
		if err != nil {
			t.Fatal(err)
		}
		now := messagesOf(r.Body)
		if n > 0 {
			sent, kept := compare(before, now)
			p.sent, p.kept = p.sent+sent, p.kept+kept
			if kept < sent {
				p.lose(t, res.Target, changed(was, r.Report, at[n-1]))
			}
		}
		before, was = now, r.Report
	}
	return p
}
