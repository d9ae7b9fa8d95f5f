package wrappers

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hygeia/internal/texts"
)

var strips = map[string]func(string) string{
	"StripInternal":  StripInternal,
	"StripAssistant": StripAssistant,
	"StripUser":      StripUser,
	"ShowUser":       func(s string) string { return ShowUser(s).Text },
	"ShowAssistant":  func(s string) string { return ShowAssistant(s).Text },
	"StripMarker":    StripMarker,
	"StripClose":     StripClose,
}

// pieces are what generated texts are made of: every sentinel, and what may stand between.
var pieces = []string{
	texts.InternalBegin, texts.InternalEnd, texts.KnownCarrierHeader, texts.KnownEventHeader, texts.KnownCarrierNotice,
	texts.CarrierHeader, texts.CarrierNotice, texts.LegacyContextHeader, texts.LegacyEvent, texts.ChildResultBegin,
	texts.ChildResultEnd, texts.LegacyAction, texts.LegacySeparator, texts.ConversationHeader, texts.SenderHeader,
	texts.ChatHistoryHeader, "Last messages (untrusted, chronological):", "Location (untrusted metadata):",
	texts.UntrustedContext, texts.ActiveMemoryOpen, texts.ActiveMemoryClose, "Source: web", "Source:",
	"Delivery: to send a message, use the `message` tool.", "[message_id: 7]", texts.SourceReceiptOpen,
	texts.SourceReceiptClose, "[Working directory: ~]", "[Mon 2026-03-02 08:00] ", "[Slack Bo] ", "```json", "```", "{}",
	texts.InterSessionMarker, "[Inter-session message", "]", " isUser=false", " sourceTool=x", texts.InterSessionEnd,
	texts.InterSessionExplanation, texts.KnownInterSessionExplanation, texts.InterSessionFollows, "[label]",
	"hi", "é\u0301", "\xff", " ", "\t", "\r", "\n", "\n", "\n", "\n\n", "\n\n\n",
	texts.LegacyContextHeader + "\n" + texts.KnownCarrierNotice + "\n\n" + texts.LegacyEvent + "\n",
	texts.KnownEventHeader + "\n" + texts.KnownCarrierNotice + "\n", texts.SenderHeader + "\n```json\n{}\n```\n",
	texts.InternalBegin + "\n", "\n" + texts.InternalEnd + "\n",
}

func wrapped() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(t, "pieces"), "")
	})
}

// checkStrip states what holds for every function that removes.
func checkStrip(t interface{ Fatalf(string, ...any) }, name string, strip func(string) string, in string) {
	out := strip(in)
	if again := strip(out); again != out {
		t.Fatalf("%s is not idempotent (R-B23):\n in  %q\n out %q\n out %q", name, in, out, again)
	}
	if len(out) > len(in) {
		t.Fatalf("%s(%q) is longer: %q", name, in, out)
	}
	if utf8.ValidString(in) && !utf8.ValidString(out) {
		t.Fatalf("%s(%q) is not valid UTF-8: %q", name, in, out)
	}
}

func checkAnnotate(t interface{ Fatalf(string, ...any) }, in string, s Source) {
	out := Annotate(in, s)
	if again := Annotate(out, s); again != out {
		t.Fatalf("Annotate is not idempotent (S-12):\n in  %q\n out %q\n out %q", in, out, again)
	}
	if !strings.HasPrefix(out, s.line()+"\n") || strings.Count(s.line(), "\n") > 0 {
		t.Fatalf("Annotate(%q, %+v) = %q", in, s, out)
	}
	if utf8.ValidString(in) && !utf8.ValidString(out) {
		t.Fatalf("Annotate(%q) is not valid UTF-8: %q", in, out)
	}
}

func TestStripProperties(t *testing.T) { // R-B23, G-2
	for name, strip := range strips {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) { checkStrip(t, name, strip, wrapped().Draw(t, "text")) }))
	}
}

func TestAnnotateProperties(t *testing.T) { // S-12, S-B01
	rapid.Check(t, func(t *rapid.T) {
		field := rapid.OneOf(rapid.String(), wrapped())
		s := Source{field.Draw(t, "session"), field.Draw(t, "channel"), field.Draw(t, "tool")}
		checkAnnotate(t, wrapped().Draw(t, "text"), s)
		if got, _, ok := ParseMarker(Marker(s)); !ok || got.line() != s.line() && !strings.Contains(s.line(), "~") {
			t.Fatalf("%+v comes back as %+v", s, got)
		}
	})
}

func FuzzStrip(f *testing.F) {
	for _, p := range pieces {
		f.Add(p + "\nx")
	}
	for _, c := range append(append(internalCases, metadataCases...), stampCases...) {
		f.Add(plainText.Replace(c.in))
	}
	f.Fuzz(func(t *testing.T, in string) {
		for name, strip := range strips {
			checkStrip(t, name, strip, in)
		}
		IsSilent(in)
		SenderLabel(in)
		NormalizeUser(in)
		IsHeartbeatPrompt(in, "")
	})
}

func FuzzAnnotate(f *testing.F) {
	for _, p := range pieces {
		f.Add(p, "a:b", "slack", "x y")
	}
	f.Fuzz(func(t *testing.T, in, session, channel, tool string) {
		checkAnnotate(t, in, Source{session, channel, tool})
	})
}

// hostile are texts made to cost more than one walk.
var hostile = map[string]string{
	"begins":           texts.InternalBegin + "\n",
	"begin end":        texts.InternalBegin + "\n" + texts.InternalEnd + "\n",
	"padded begins":    texts.InternalBegin + " \n" + texts.InternalBegin + "\n" + texts.InternalEnd + "\n",
	"stamped blocks":   "[Mon 2026-03-02 08:00] " + texts.InternalBegin + "\n" + texts.InternalEnd + "\n",
	"stamps":           "[Mon 2026-03-02 08:00] ",
	"stamped ids":      "[Mon 2026-03-02 08:00] [message_id: 1]\n",
	"stamped prefaces": "[Slack x] " + texts.KnownEventHeader + "\n" + texts.KnownCarrierNotice + "\n",
	"open brackets":    "[Mon 2026-03-02 08:00 ",
	"events":           texts.LegacyContextHeader + "\n" + texts.KnownCarrierNotice + "\n\n" + texts.LegacyEvent + "\n" + texts.ChildResultBegin + "\n",
	"event lines":      texts.LegacyEvent + "\n" + texts.ChildResultBegin + "\n\n",
	"contexts":         texts.UntrustedContext + "\n" + texts.ActiveMemoryOpen + "\n",
	"context line":     texts.UntrustedContext + " ",
	"receipts":         texts.SourceReceiptOpen + "\n",
	"fences":           texts.SenderHeader + "\n```json\n",
	"closed fences":    texts.SenderHeader + "\n```json\n{}\n```\n",
	"markers":          texts.InterSessionMarker,
	"marker pairs":     texts.InterSessionMarker + "[a isUser=false]",
	"marker fields":    "[a isUser=false]",
	"marker lines":     "[a] isUser=false\n",
	"close lines":      texts.InterSessionEnd + "\n",
	"think":            "<think>",
	"think blocks":     "<think></",
	"tokens":           "NO_REPLY ",
	"braces":           `{"action":`,
	"blank":            " \n",
	"carriage returns": "\r",
}

// TestLinear runs every function on hostile text of half a megabyte and more: linear work takes some 50 ms, quadratic work
// would not end within the time of a test (G-6, R-B23).
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts")
	}
	const size = 500_000
	for name, unit := range hostile {
		text := strings.Repeat(unit, size/len(unit))
		nested := strings.Repeat(texts.KnownEventHeader+"\n", len(text)/100) + strings.Repeat(texts.KnownCarrierNotice+"\n", len(text)/100)
		for _, in := range []string{text, text + nested, nested + text} {
			for _, strip := range strips {
				strip(in)
			}
			IsSilent(in)
			SenderLabel(in)
			NormalizeUser(in)
			Annotate(in, Source{SourceTool: in})
			if CloseRouted(in) == "" {
				t.Errorf("%s: the closing line is missing", name)
			}
		}
	}
}

func BenchmarkClean(b *testing.B) {
	text := strings.Repeat("A plain line of what somebody said, with (brackets), [links](x) and `code`.\n", 200)
	b.ReportAllocs()
	for _, name := range []string{"StripInternal", "StripAssistant", "StripUser", "ShowUser"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				strips[name](text)
			}
		})
	}
	b.Run("IsSilent", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			IsSilent(text)
		}
	})
}

func BenchmarkGrowth(b *testing.B) {
	unit := "[Mon 2026-03-02 08:00] " + texts.InternalBegin + "\nx\n" + texts.InternalEnd + "\n" + texts.SenderHeader + "\n```json\n{}\n```\n"
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		text := strings.Repeat(unit, n/len(unit)+1) + "hi"
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				StripUser(text)
			}
		})
	}
}

func TestCleanTextAllocatesNothing(t *testing.T) {
	text := strings.Repeat("plain (text) [with] brackets\n", 50)
	for _, name := range []string{"StripInternal", "StripAssistant", "StripUser", "ShowUser", "ShowAssistant", "StripMarker"} {
		if n := testing.AllocsPerRun(20, func() { strips[name](text) }); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	if n := testing.AllocsPerRun(20, func() { IsSilent(text); HasMarker(text) }); n != 0 {
		t.Errorf("recognition allocates %v times", n)
	}
}
