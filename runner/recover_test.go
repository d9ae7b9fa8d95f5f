package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"hygeia"
	"hygeia/emulator"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/runner/model"
	"hygeia/session"
	"hygeia/transcript"
)

// fails answers a prompt with an error, once.
func fails(contains string, status int, text string) emulator.Step {
	return emulator.Step{Contains: contains, Answer: emulator.Answer{Status: status, Error: text}}
}

// TestRejectedThinking holds W-901, R-110 to R-112: thinking that the provider
// refuses goes out no more, in this run and in the next ones, and only what was
// refused. The emulator that comes in between signs with another key.
func TestRejectedThinking(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	think := func(o *Options) { o.Replay.Payload.Thinking = payload.ThinkMedium }
	for _, target := range []hygeia.Target{everyFormat[0], everyFormat[2], everyFormat[8]} {
		first := emulator.NewServer(emulator.Options{Key: []byte("one"), Respond: emulator.Script(thoughtful, thoughtful)})
		defer first.Close()
		second := emulator.NewServer(emulator.Options{Key: []byte("two"), Respond: emulator.Script(thoughtful, thoughtful)})
		defer second.Close()
		path := path + target.Provider
		benchAt(t, first, path, target, think).say(t, "think")
		b := benchAt(t, second, path, target, think)
		r := b.say(t, "think again")
		if len(r.Resent) != 1 || r.Text != "Done." {
			t.Fatalf("%s: resent for %q, %q", target, r.Resent, r.Text)
		}
		if n := r.Report.Counts()["R-112"]; n != 1 {
			t.Errorf("%s: the report holds %v", target, r.Report.Counts())
		}
		if r := b.say(t, "and again"); len(r.Resent) != 0 || r.Requests != 1 {
			t.Errorf("%s: resent for %q", target, r.Resent)
		}
		if c := b.stored(t); c.RejectedThinking < 0 || !c.Messages[1].HasThinking() {
			t.Errorf("%s: the rejection is not stored, or more than it", target)
		}
	}
}

var thoughtful = emulator.Step{Contains: "think", Answer: emulator.Answer{Content: []emulator.Part{{Thinking: "Hm."}, {Text: "Done."}}}}

// TestResendOnce holds W-903, W-904 and, for what it has in common with them, R-111: one correction for a request, none where
// the request would be the same, none for what nobody knows, and none once the
// answer has begun.
func TestResendOnce(t *testing.T) {
	t.Parallel()
	const limit = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
	const prefill = "This model does not support assistant message prefill. The conversation must end with a user message."
	chat := hygeia.Target{Provider: "vllm", Model: "qwen3"}
	for name, test := range map[string]struct {
		steps    []emulator.Step
		requests int
		resent   int
		fails    bool
	}{
		"once":     {[]emulator.Step{fails("", 400, limit)}, 2, 1, false},
		"twice":    {[]emulator.Step{fails("", 400, limit), fails("", 400, limit)}, 2, 1, true},
		"same":     {[]emulator.Step{fails("", 400, prefill)}, 1, 0, true},
		"unknown":  {[]emulator.Step{fails("", 400, "the moon is full")}, 1, 0, true},
		"auth":     {[]emulator.Step{fails("", 401, limit)}, 1, 0, true},
		"began":    {[]emulator.Step{{Answer: emulator.Answer{Content: []emulator.Part{{Text: "a b c d"}}, Abort: &emulator.Abort{After: 3, Error: limit}}}}, 1, 0, true},
		"overload": {[]emulator.Step{fails("", 503, "Overloaded")}, 1, 0, true},
	} {
		b := newBench(t, chat, emulator.Script(test.steps...), nil)
		r, err := b.Run(t.Context(), b.path, Prompt{Body: "hi"}, nil)
		if n := len(b.server.Requests()); n != test.requests || len(r.Resent) != test.resent || (err != nil) != test.fails {
			t.Errorf("%s: %d requests, resent for %q: %v", name, n, r.Resent, err)
		}
		c := b.stored(t)
		if !test.fails {
			if got := roles(c); got != "user assistant" {
				t.Errorf("%s: stored are %s", name, got)
			}
			continue
		}
		// F-51, Q-04: what failed says so and is no empty turn.
		last := c.Messages[len(c.Messages)-1]
		if !last.Failed() || textOf(last) == "" || name != "began" && textOf(last) != texts.FailedTurn {
			t.Errorf("%s: %s", name, last.AppendJSON(nil))
		}
		if r := b.say(t, "again"); r.Text != "again" {
			t.Errorf("%s: the next run says %q", name, r.Text)
		}
	}
}

// TestUnknownFile holds that answers nobody knows are kept, without secrets, for
// their owner alone, and within bounds.
func TestUnknownFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "unknown.jsonl")
	u := NewUnknown(path, 3000)
	for range 40 {
		e := &model.Error{Kind: model.Shape, Target: "x/y", Status: 400, Text: "the moon is full, key sk-planted0123456789", Body: []byte("sk-planted0123456789\xff")}
		if err := u.keep(time.Now(), e); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() > 3000 || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Fatalf("%v, %v", info, err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "planted") || !strings.HasPrefix(string(text), `{"time"`) || !strings.HasSuffix(string(text), "}\n") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestOverflow holds C-04: what is too large is compacted, sent again, and answered,
// with the turn that is being answered and what stands around it.
func TestOverflow(t *testing.T) {
	t.Parallel()
	b := newBench(t, everyFormat[0], emulator.Script(
		emulator.Step{Contains: texts.ConversationOpen, Answer: emulator.Answer{Content: []emulator.Part{{Text: "A story was told."}}}},
		emulator.Step{Contains: "long story", Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Text: "I see."}}}},
		fails("the question", 400, "prompt is too long: 210000 tokens > 200000 maximum"),
		emulator.Step{Contains: "the question", Answer: emulator.Answer{Content: []emulator.Part{{Text: "The answer."}}}},
	), func(o *Options) { o.Keep.KeepTokens = 100 })
	for range 4 {
		b.say(t, strings.Repeat("a long story ", 100))
	}
	index := filepath.Join(filepath.Dir(b.path), "sessions.json")
	if err := os.WriteFile(index, []byte(`{"agent:main:main":{"sessionId":"s"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := b.Run(t.Context(), b.path, Prompt{Body: "the question", Before: "BEFORE"}, nil)
	if text, err := os.ReadFile(index); err != nil || !strings.Contains(string(text), `"reason":"overflow-retry"`) { // C-09
		t.Errorf("the index holds %s, %v", text, err)
	}
	if err != nil || r.Text != "The answer." || r.Compactions != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	requests := b.server.Requests()
	last := string(requests[len(requests)-1].Body)
	for _, want := range []string{"A story was told.", "BEFORE", "the question"} {
		if !strings.Contains(last, want) {
			t.Errorf("the last request lacks %q", want)
		}
	}
	if strings.Count(last, "a long story") >= 400 || len(last) > len(requests[4].Body) {
		t.Error("the last request is as long as before")
	}
	c := b.stored(t)
	if !c.Messages[0].Is(transcript.CompactionSummary) {
		t.Errorf("stored are %s", roles(c))
	}
	if r := b.say(t, "the question, once more"); r.Text != "the question, once more" {
		t.Errorf("%q", r.Text)
	}
}

// TestCompactionAfterTurn holds C-04: a session is compacted when a turn has nearly
// filled the window, in pieces where it is larger than the model can read, and a
// compaction that fails takes nothing away (C-B05).
func TestCompactionAfterTurn(t *testing.T) {
	t.Parallel()
	for name, summary := range map[string]emulator.Answer{
		"summary": {Content: []emulator.Part{{Text: "All of it."}}},
		"fails":   {Status: 500, Error: "no"},
		"empty":   {},
	} {
		b := newBench(t, everyFormat[0], emulator.Script(
			emulator.Step{Contains: texts.ConversationOpen, Times: -1, Answer: summary},
		), func(o *Options) {
			o.Limits = session.CompactionLimits{Window: 4000, Reserve: 2000}
			o.Keep.KeepTokens = 10
		})
		compactions := 0
		for range 8 {
			r := b.say(t, strings.Repeat("word ", 900))
			compactions += r.Compactions
			if name != "summary" && compactions == 0 && len(b.stored(t).Messages) > 6 && len(r.Notes) == 0 {
				t.Errorf("%s: nothing is said of it", name)
			}
		}
		if (compactions > 0) != (name == "summary") {
			t.Errorf("%s: %d compactions", name, compactions)
		}
		if c := b.stored(t); name != "summary" && len(c.Messages) != 16 {
			t.Errorf("%s: %s", name, roles(c))
		}
	}
}

// TestAbort ends runs at every event and while a tool works: the file needs no
// repair, what was said is in it, and the next run goes on.
func TestAbort(t *testing.T) {
	t.Parallel()
	for _, target := range []hygeia.Target{everyFormat[0], everyFormat[2], everyFormat[5]} {
		for _, at := range []int{1, 2, 3, 5, 8, 11} {
			b := newBench(t, target, script(), withTools)
			b.say(t, "Hello.")
			ctx, cancel := context.WithCancel(t.Context())
			n, said := 0, ""
			_, err := b.Run(ctx, b.path, Prompt{Body: "How is the weather?"}, func(e Event) {
				if n++; n == at {
					cancel()
				}
				if e.Kind == Said && e.Model.Kind == model.Text {
					said += e.Model.Text
				}
			})
			cancel()
			var failed *model.Error
			if err != nil && !errors.Is(err, context.Canceled) && !(errors.As(err, &failed) && failed.Kind == model.Aborted) {
				t.Errorf("%s at %d: %v", target, at, err)
			}
			c := b.stored(t)
			all := ""
			for _, m := range c.Messages[2:] {
				if m.Is(transcript.Assistant) {
					all += textOf(m)
				}
			}
			if strings.TrimSpace(said) != "" && all == "" {
				t.Errorf("%s at %d: %q was said and is not stored", target, at, said)
			}
			if r := b.say(t, "Go on."); r.Text == "" {
				t.Errorf("%s at %d: no answer", target, at)
			}
			for _, r := range b.server.Requests() {
				if r.Rule != "" {
					t.Errorf("%s at %d: refused by %s: %s", target, at, r.Rule, r.Body)
				}
			}
		}
	}
}

// TestTooManyCalls holds that a model that never stops calling is stopped.
func TestTooManyCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t, everyFormat[0], emulator.Script(emulator.Step{Times: 5, Answer: emulator.Answer{
		Content: []emulator.Part{{Call: "weather", Arguments: []byte(`{"city":"Bern"}`)}},
	}}), func(o *Options) {
		withTools(o)
		o.MaxCalls = 5
	})
	if _, err := b.Run(t.Context(), b.path, Prompt{Body: "hi"}, nil); !errors.Is(err, ErrTooManyCalls) {
		t.Error(err)
	}
	if r := b.say(t, "stop"); r.Text != "stop" {
		t.Errorf("%q", r.Text)
	}
	b.stored(t)
}

// TestTakeover holds F-43: a run does not write into a file that somebody else has
// changed, and what the model said is not lost to the caller.
func TestTakeover(t *testing.T) {
	t.Parallel()
	b := newBench(t, everyFormat[0], nil, nil)
	b.say(t, "hi")
	r, err := b.Run(t.Context(), b.path, Prompt{Body: "and?"}, func(e Event) {
		if e.Kind == Said && e.Model.Kind == model.Text {
			text, err := os.ReadFile(b.path)
			if err == nil {
				err = os.WriteFile(b.path, []byte(strings.Replace(string(text), `"hi"`, `"ho"`, 1)), 0o600)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	if !errors.Is(err, session.ErrTakeover) || r.Text != "and?" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestSecrets plants keys wherever a user, a tool, a provider or the configuration
// can bring them: none appears in the transcript, the report, notes, errors or what
// is kept for the operator.
func TestSecrets(t *testing.T) {
	t.Parallel()
	for _, target := range everyFormat {
		t.Run(target.Provider+" "+target.Model, func(t *testing.T) { plantKeys(t, target) })
	}
}

// behind is what stands behind the host in the base URL of a provider.
var behind = map[string]string{"openai": "/v1", "openai-codex": "/backend-api/codex", "google": "/v1beta"}

func plantKeys(t *testing.T, target hygeia.Target) {
	const key, other = "sk-ant-planted-0123456789abcdefghij", "sk-planted0123456789abcdefghij"
	path := filepath.Join(t.TempDir(), "unknown.jsonl")
	server := emulator.NewServer(emulator.Options{RequireHeaders: true, Respond: emulator.Script(
		emulator.Step{Contains: "call", Answer: emulator.Answer{Content: []emulator.Part{{Call: "weather", Arguments: []byte(`{"city":"` + other + `"}`)}}}},
		fails("odd", 400, "I do not like "+key+" nor "+other),
	)})
	defer server.Close()
	b := benchAt(t, server, filepath.Join(t.TempDir(), "s.jsonl"), target, func(o *Options) {
		withTools(o)
		o.Unknown = NewUnknown(path, 0)
		o.Model = model.New(model.Config{
			Retries: -1,
			Endpoints: map[string]model.Endpoint{target.Provider: {
				BaseURL: server.BaseURL(target.Provider) + behind[target.Provider], Key: key, Region: "eu-west-1", Location: "europe-west4", Project: "p1",
			}},
		})
	})
	var seen strings.Builder
	for _, text := range []string{"call with " + other, "odd " + key} {
		r, err := b.Run(t.Context(), b.path, Prompt{Body: text}, nil)
		if err != nil {
			seen.WriteString(err.Error())
		}
		seen.WriteString(strings.Join(append(r.Notes, r.Resent...), "\n"))
		report, err := (&hygeia.Transcript{}).ReportJSON(&hygeia.Replay{Report: r.Report})
		if err != nil {
			t.Fatal(err)
		}
		seen.Write(report)
	}
	for _, file := range []string{b.path, path} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err, seen.String())
		}
		seen.Write(text)
	}
	if got := seen.String(); strings.Contains(got, "planted") {
		i := strings.Index(got, "planted")
		t.Errorf("…%s", got[max(0, i-200):min(len(got), i+50)])
	}
	if len(server.Requests()) != 3 {
		t.Errorf("%d requests: %s", len(server.Requests()), seen.String())
	}
}

// TestUncalled holds F-46: a call that the model made and that was not carried out,
// since its turn was cut at the output limit, has a stand-in for its result.
func TestUncalled(t *testing.T) {
	t.Parallel()
	b := newBench(t, everyFormat[0], emulator.Script(emulator.Step{Answer: emulator.Answer{
		Stop: "length", Content: []emulator.Part{{Text: "Let me"}, {Call: "weather", Arguments: []byte(`{"city":"Bern"}`)}},
	}}), withTools)
	if r := b.say(t, "hi"); r.StopReason != model.Length {
		t.Errorf("%+v", r)
	}
	if got := roles(b.stored(t)); got != "user assistant toolResult" {
		t.Errorf("stored are %s", got)
	}
	b.say(t, "go on")
}

// uneven is a session as stricter hosts do not take it: two turns of the user in a row,
// words of the user behind a result.
const uneven = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}
{"type":"message","id":"m1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"first","timestamp":1}}
{"type":"message","id":"m2","parentId":"m1","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"user","content":"second","timestamp":2}}
{"type":"message","id":"m3","parentId":"m2","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"weather","arguments":{"city":"Bern"}}],"provider":"x","model":"y","api":"openai-completions","stopReason":"toolUse","timestamp":3}}
{"type":"message","id":"m4","parentId":"m3","timestamp":"2026-01-01T00:00:04.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"weather","content":[{"type":"text","text":"rain"}],"isError":false,"timestamp":4}}
{"type":"message","id":"m5","parentId":"m4","timestamp":"2026-01-01T00:00:05.000Z","message":{"role":"user","content":"third","timestamp":5}}
{"type":"message","id":"m6","parentId":"m5","timestamp":"2026-01-01T00:00:06.000Z","message":{"role":"assistant","content":[{"type":"text","text":"It rains."}],"provider":"x","model":"y","api":"openai-completions","stopReason":"stop","timestamp":6}}
`

// TestStricterChat holds W-903 for hosts of Chat Completions that are stricter than anybody
// knew: what the rule asks for is done, the one request more is accepted, and the report
// and the run name the rule.
func TestStricterChat(t *testing.T) {
	t.Parallel()
	for target, rules := range map[hygeia.Target][]string{
		everyFormat[1]: {"CC-23", "LO-03", "LO-04"}, everyFormat[11]: {"CC-09", "CC-23", "LO-03", "LO-04"},
	} {
		for _, rule := range rules {
			server := emulator.NewServer(emulator.Options{Rules: map[string]bool{rule: true}})
			t.Cleanup(server.Close)
			b := benchAt(t, server, filepath.Join(t.TempDir(), "s.jsonl"), target, withTools)
			if err := os.WriteFile(b.path, []byte(uneven), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := b.Run(t.Context(), b.path, Prompt{Body: "Thank you.", Hidden: "a note"}, nil)
			if err != nil || r.Requests != 2 || len(r.Resent) != 1 || !strings.HasPrefix(r.Resent[0], rule+":") {
				t.Errorf("%s, %s: %d requests, resent %q, %v", target.Provider, rule, r.Requests, r.Resent, err)
			}
			if list := server.Requests(); len(list) != 2 || list[0].Rule != rule || list[1].Rule != "" {
				t.Errorf("%s, %s: %d requests", target.Provider, rule, len(list))
			}
			if len(r.Report.Notes) == 0 || !strings.Contains(strings.Join(r.Report.Notes, "\n"), rule) {
				t.Errorf("%s, %s: the report says %q", target.Provider, rule, r.Report.Notes)
			}
		}
	}
}

// TestOutdatedProfile holds W-903 for profiles that say what is no longer so: the provider's
// answer names the rule, and the one request more follows it.
func TestOutdatedProfile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		target    hygeia.Target
		says, not string // the rule and what the profile says
	}{
		{everyFormat[1], "CC-19", `"wire":{"maxTokensField":"max_tokens"}`},
		{everyFormat[7], "CA-02", `"wire":{"legacyToolParameters":false}`},
		{everyFormat[7], "CA-03", `"wire":{"functionCallIds":false}`},
		{everyFormat[9], "MI-01", `"sanitizeToolCallIds":false,"toolCallIdForm":{"max":100}`},
		{everyFormat[9], "MI-02", `"bridgeToolResults":false`},
	} {
		c, err := policy.Load(policy.File{Name: "mine.json", Data: fmt.Appendf(nil,
			`{"providers":[{"id":%q,"source":"s","verified":"2026-01-02","rules":[{"specificity":9,"set":{%s}}]}]}`, test.target.Provider, test.not)})
		if err != nil {
			t.Fatal(err)
		}
		b := newBench(t, test.target, nil, func(o *Options) {
			withTools(o)
			o.Replay.Policy.Catalogue = c
		})
		if err := os.WriteFile(b.path, []byte(uneven), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := b.Run(t.Context(), b.path, Prompt{Body: "Thank you."}, nil)
		if list := b.server.Requests(); err != nil || len(list) != 2 || list[0].Rule != test.says || list[1].Rule != "" || len(r.Resent) != 1 {
			t.Errorf("%s: %d requests, resent %q, %v", test.says, len(list), r.Resent, err)
		}
	}
}

// TestStricterHosts switches rules of the rulebook on that are off by default, as
// hosts have them that no profile knows: each run succeeds, at most with one more
// request for each of its requests (W-903), and the next request of the run knows.
func TestStricterHosts(t *testing.T) {
	t.Parallel()
	chat := hygeia.Target{Provider: "vllm", Model: "qwen3"}
	for rule, target := range map[string]hygeia.Target{
		"LO-03": chat, "LO-04": chat, "LO-10": chat, "CC-09": chat, "CC-15": everyFormat[1], "CC-23": chat,
		"GG-02": everyFormat[5], "GG-12": everyFormat[5], "GG-21": everyFormat[5], "BR-08": everyFormat[8], "BR-11": everyFormat[8],
		"AN-01": everyFormat[0], "MI-11": everyFormat[9], "AN-34": everyFormat[0],
	} {
		server := emulator.NewServer(emulator.Options{Rules: map[string]bool{rule: true}, Respond: script()})
		defer server.Close()
		b := benchAt(t, server, filepath.Join(t.TempDir(), "s.jsonl"), target, func(o *Options) {
			withTools(o)
			o.Replay.Payload.System = "Be brief."
		})
		resent := 0
		for _, text := range []string{"Hello.", "", "How is the weather?", "Thank you."} {
			r, err := b.Run(t.Context(), b.path, Prompt{Body: text, Hidden: "a note"}, nil)
			if err != nil {
				t.Errorf("%s: %v", rule, err)
			}
			resent += len(r.Resent)
		}
		refused := 0
		for _, r := range server.Requests() {
			if r.Rule != "" {
				refused++
			}
		}
		if refused != resent {
			t.Errorf("%s: refused %d, resent %d", rule, refused, resent)
		}
	}
}
