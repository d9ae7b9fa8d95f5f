package acp

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/session"
)

// keys takes what looks like a key out of a text.
func keys(text string) string { return strings.ReplaceAll(text, "sk-secret", "[gone]") }

// collector returns a teller and what it has told.
func collector() (*teller, *[]update) {
	var got []update
	t := &teller{
		send: func(u update) { got = append(got, u) }, redact: keys,
		started: map[string][]string{}, calls: map[int]string{}, over: map[string]bool{}, times: map[string]int{},
	}
	return t, &got
}

func said(got []update) string {
	var b strings.Builder
	for _, u := range got {
		b.WriteString(u.Content.(*block).Text)
	}
	return b.String()
}

func say(t *teller, pieces ...string) {
	for _, p := range pieces {
		t.event(runner.Event{Kind: runner.Said, Model: model.Event{Kind: model.Text, Text: p}})
	}
	t.event(runner.Event{Kind: runner.Said, Model: model.Event{Kind: model.Stopped}})
}

// H-B10, X-65, X-B17: what is told of a growing answer is what is shown of the whole.
func TestGrowingText(t *testing.T) {
	for _, c := range []struct {
		name   string
		pieces []string
		want   string
	}{
		{"plain", []string{"He", "llo ", "there."}, "Hello there."},
		{"silent token", []string{"NO", "_RE", "PLY"}, ""},
		{"word that begins like one", []string{"NO", " way"}, "NO way"},
		{"word alone", []string{"NO"}, "NO"},
		{"directive", []string{"[[reply_to", "_current", "]]", "yes"}, "yes"},
		{"directive with a space", []string{"a [[reply_to: ", "12]]", "yes"}, "a yes"},
		{"no directive", []string{"a [[ b", " c"}, "a [[ b c"},
		{"reasoning in tags", []string{"<thi", "nk>let me ", "see</thi", "nk>", "the answer"}, "the answer"},
		{"reasoning that stays open", []string{"<think>", "so it ", "is"}, "so it is"},
		{"acknowledgement", []string{"**HEARTBEAT", "_OK", "**\n"}, ""},
		{"a key", []string{"take sk-", "sec", "ret now"}, "take [gone] now"},
		{"Chinese", []string{"你", "好", "吗"}, "你好吗"},
		{"half of a pair of emojis", []string{"👩", "\u200d", "💻 ", "x"}, "👩\u200d💻 x"},
		{"runtime block", []string{"a\n<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\n", "secret plan\n", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nb"}, "a\n\nb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tell, got := collector()
			say(tell, c.pieces...)
			if s := said(*got); s != c.want {
				t.Errorf("told %q, want %q", s, c.want)
			}
		})
	}
}

// H-B10: a text that begins otherwise than it did is told again from the line on in
// which it does, and loses nothing.
func TestTextThatChangesIsToldAgain(t *testing.T) {
	tell, got := collector()
	say(tell, "one line\nI have to think ", "about it </think>", "the answer")
	s := said(*got)
	if !strings.HasSuffix(s, "\n\nthe answer") {
		t.Errorf("told %q", s)
	}
	tell, got = collector()
	tell.kind = messageChunk
	tell.grow("first\nsecond änd")
	tell.grow("first\nsecond") // shorter: it may grow again
	tell.grow("first\nsecond ä")
	tell.grow("first\nsecond öther")
	if s, want := said(*got), "first\nsecond änd\n\nsecond öther"; s != want {
		t.Errorf("told %q, want %q", s, want)
	}
}

// A text without control text comes through in any pieces, whole and in UTF-8.
func TestAnyPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"hello", " ", "\n", "Grüße", "你好", "👩\u200d💻", "a < b", "x", ".", "`code`"})).Draw(t, "words")
		whole := "The " + strings.Join(words, "") + " end"
		tell, got := collector()
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			for n < len(rest) && !utf8.RuneStart(rest[n]) {
				n++
			}
			tell.piece(messageChunk, 0, rest[:n])
			rest = rest[n:]
		}
		tell.end()
		if s := said(*got); s != whole {
			t.Fatalf("told %q, want %q", s, whole)
		}
		for _, u := range *got {
			if !utf8.ValidString(u.Content.(*block).Text) {
				t.Fatalf("%q is no UTF-8", u.Content.(*block).Text)
			}
		}
	})
}

// Calls have ids of their own, whatever the model calls them, and all of them end.
func TestCallsOfOneID(t *testing.T) {
	tell, got := collector()
	for range 2 {
		tell.call("a", "read_file", nil)
		tell.call("", "\x1b[31mred\u202e", nil)
	}
	tell.result("a", "read_file", "1", false)
	tell.result("a", "read_file", "2", true)
	tell.result("z", "odd", "3", false) // its call was not told
	tell.finish()
	ids, states := map[string]bool{}, map[string]string{}
	for _, u := range *got {
		if u.Kind == toolCall {
			if ids[u.CallID] || u.CallID == "" {
				t.Errorf("id %q twice", u.CallID)
			}
			ids[u.CallID] = true
			if strings.ContainsAny(u.Title, "\x1b\u202e") { // H-B13
				t.Errorf("title %q", u.Title)
			}
		}
		states[u.CallID] = u.Status
	}
	for id, want := range map[string]string{"a": completed, "a#1": failed, "#1": failed, "#2": failed, "z": completed} {
		if states[id] != want {
			t.Errorf("call %q ends as %q, want %q", id, states[id], want)
		}
	}
}

// The texts that once leaked into a view (file 50 §5) do not leak while they come either,
// whatever the pieces are.
func TestControlTextDoesNotShowWhileItComes(t *testing.T) {
	for _, text := range []string{
		"I will see.\n<tool_call>\n<function=read>\n<parameter=path>\nplan.md\n</parameter>\n</function>\n</tool_call>\nThere it is.",
		"Trying:\n<minimax:tool_call>\n<invoke name=\"sh\">\n<parameter name=\"line\">pwd</parameter>\n</invoke>\n</minimax:tool_call>",
		"pre <tool_call>{\"n\":1, \"more\": [1, 2]}</tool_call> post",
		"use the <tool_call> tag please",
		"<|assistant|>It makes 9.</tool_call></arg_value><|end|>",
		"while (a < b || b > c) { y <| z }",
		"Like this:\n```xml\n<invoke name=\"y\"/>\n```\nThat is all.",
		"[Tool Call: read]\nArguments: {}\n\nHere it is.",
		"[a link](http://x) and [more",
		"see <relevant-memories>\nhe likes tea\n</relevant-memories> you",
		"<final>yes, so it is</final>",
		"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nnot for people, who\nsee the rest\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n\nThe rest.",
	} {
		for size := 1; size < 6; size++ {
			tell, got := collector()
			whole := ""
			tell.kind = messageChunk
			whole = tell.whole(text)
			tell.kind = ""
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				tell.piece(messageChunk, 0, rest[:n])
				rest = rest[n:]
			}
			tell.end()
			if s := said(*got); s != whole {
				t.Errorf("in pieces of %d: told %q, want %q", size, s, whole)
			}
		}
	}
}

// H-B10, X-B11: what came of any answer is what a reload shows, whatever stands in it
// and whatever its pieces are.
func TestLiveEqualsReload(t *testing.T) {
	parts := []string{
		"hello ", "world", "\n", "\n\n", "你好", "[[reply_to_current]]", "[[reply_to: 7]]", "<think>hidden </think>", "<think>", "<final>", "</final>",
		"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nhidden\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n", "sk-secret", "NO_REPLY", "`<think>`", "[x](y) ", "a < b ",
		"<tool_call>{\"hidden\":1}</tool_call>", "<|end|>", "\n```\n<think>code</think>\n```\n", "[Tool Result hidden]\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 8).Draw(t, "parts"), "")
		tell, got := collector()
		tell.kind = messageChunk
		whole := tell.whole(text)
		tell.kind = ""
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(12, len(rest))).Draw(t, "n")
			for n < len(rest) && !utf8.RuneStart(rest[n]) {
				n++
			}
			tell.piece(messageChunk, 0, rest[:n])
			rest = rest[n:]
		}
		tell.end()
		s := said(*got)
		if s != whole {
			t.Fatalf("told %q, want %q", s, whole)
		}
	})
}

// X-B17: nothing of a private key is told while it is not whole, neither as words nor as
// what is thought.
func TestGrowingKeyIsNotTold(t *testing.T) {
	redactor, err := session.NewRedactor()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []model.EventKind{model.Text, model.Thinking} {
		c, got := collector()
		c.redact = redactor.Text
		for _, piece := range []string{"It is -----BEGIN PRIVATE ", "KEY-----\n", "MIIE\n", "MIIF\n", "-----END PRIVATE", " KEY-----\n", "so."} {
			c.event(runner.Event{Kind: runner.Said, Model: model.Event{Kind: kind, Text: piece}})
		}
		c.event(runner.Event{Kind: runner.Said, Model: model.Event{Kind: model.Stopped}})
		if text := said(*got); strings.Contains(text, "MII") || !strings.HasPrefix(text, "It is ") || !strings.HasSuffix(text, "so.") {
			t.Errorf("told %q", text)
		}
	}
}
