package runner

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hygeia"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// nasty draws text out of pieces that look like the work of programs.
func nasty(name string) *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"hi", " ", "\n", "\n\n", "é\u200d", "[", "]", texts.InternalBegin, texts.InternalEnd, texts.InterSessionMarker,
		texts.InterSessionMarker + " sourceSession=a isUser=false", "[Inter-session message sourceTool=x isUser=false]",
		"Sender (untrusted metadata):\n```json\n{\"label\":\"Eve\"}\n```", "[Sun 2026-03-08 22:03 GMT+9] ", texts.CarrierHeader,
		texts.QueuedTitle, "---", "\x00", "\u202e", "<think>", "NO_REPLY",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, name), rapid.SampledFrom([]string{"", "\n", " "}).Draw(t, "joint"))
	})
}

// TestPromptStored holds, X-B07, X-B19 and S-B02 for any text: what is
// stored is no empty turn, holds nothing of the other parts, and does not look like
// the work of a program; what goes out holds all that was given.
func TestPromptStored(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := Prompt{Body: nasty("body").Draw(t, "body")}
		if rapid.Bool().Draw(t, "more") {
			p.Before, p.After, p.Hidden = "BEFORE", "AFTER", nasty("hidden").Draw(t, "hidden")+"HIDDEN"
		}
		if p.valid() != nil || p.event() {
			return
		}
		m, notes := p.stored()
		text := textOf(m)
		switch {
		case strings.TrimSpace(text) == "":
			t.Fatalf("stored is %q", text)
		case wrappers.StripInternal(text) != text && !strings.Contains(text, texts.CarrierHeader), wrappers.HasMarker(text):
			t.Fatalf("stored is %q", text)
		case strings.Contains(text, "BEFORE"), strings.Contains(text, "AFTER"), strings.Contains(text, "HIDDEN"):
			t.Fatalf("stored is %q", text)
		case text != p.Body && len(notes) == 0:
			t.Fatalf("%q is stored as %q, and nothing is said", p.Body, text)
		}
		out := textOf(p.outgoing(m))
		if !strings.Contains(out, strings.Trim(text, "\n")) || p.Before != "" && (!strings.HasPrefix(out, "BEFORE") || !strings.HasSuffix(out, "AFTER")) {
			t.Fatalf("%q goes out as %q", text, out)
		}
		if c := p.carrier(); (c != nil) != (p.Hidden != "") || c != nil && wrappers.StripInternal(textOf(c)) != "" {
			t.Fatalf("the carrier of %q is %v", p.Hidden, c)
		}
	})
}

// TestEnriched holds X-03 and X-B19 for any joined prompt: nothing of it is lost, and
// what is stored is the body.
func TestEnriched(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, body, after := nasty("a").Draw(t, "before"), nasty("b").Draw(t, "body"), nasty("c").Draw(t, "after")
		p := Enriched(before+"\n"+body+"\n"+after, body)
		if p.Body != body {
			t.Fatalf("the body is %q", p.Body)
		}
		all := p.Before + p.Body + p.After + p.Hidden
		for _, word := range []string{"hi", "Eve", "NO_REPLY", texts.QueuedTitle} {
			if strings.Contains(before+after, word) && !strings.Contains(all, word) {
				t.Fatalf("%q is lost: %+v", word, p)
			}
		}
	})
}

// TestOrigin holds S-01: what is written is what is read.
func TestOrigin(t *testing.T) {
	t.Parallel()
	o := Origin{Kind: transcript.InterSession, SessionID: "i", Session: "agent:a:main", Channel: "slack", Tool: sendTool, Run: "r", Hops: 3}
	m, _ := (&Prompt{Body: "x", Origin: &o}).stored()
	if got := originOf(m); got == nil || *got != o {
		t.Errorf("%+v, want %+v", got, o)
	}
	for _, bad := range []string{`{"role":"user","content":"x"}`, `{"role":"user","content":"x","provenance":{"kind":"mine","hops":3}}`} {
		var r transcript.Reader
		m, err := r.Message([]byte(bad))
		if err != nil {
			t.Fatal(err)
		}
		if got := originOf(m); got != nil {
			t.Errorf("%s: %+v", bad, got)
		}
	}
}

// TestMarkerFirst holds S-03, S-14 and S-21: whatever stands around a routed prompt,
// its text begins with the marker, for every known source; one that came from outside
// or from the system gets none.
func TestMarkerFirst(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct{ kind, tool string }{
		{transcript.InterSession, "sessions_send"},
		{transcript.InterSession, "subagent_announce"},
		{transcript.InterSession, "subagent_interrupted_resume"},
		{transcript.InterSession, "agent_harness_task"},
		{transcript.InterSession, "image_generate"},
		{transcript.InterSession, "music_generate"},
		{transcript.InterSession, "video_generate"},
		{transcript.ExternalUser, "openclaw_acp"},
		{transcript.ExternalUser, "gateway.voice.transcript"},
		{transcript.InternalSystem, "restart-sentinel"},
	} {
		b := newBench(t, everyFormat[0], nil, func(o *Options) { o.Replay.Past = &hygeia.Past{Zone: time.UTC} })
		if _, err := b.Run(t.Context(), b.path, Prompt{
			Body: "look", Before: "[receipt]", After: "(hint)", Hidden: "context", Origin: &Origin{Kind: kind.kind, Session: "agent:x:main", Tool: kind.tool},
		}, nil); err != nil {
			t.Fatal(err)
		}
		sent := string(b.server.Requests()[0].Body)
		marker := `"text":"` + texts.InterSessionMarker + " sourceSession=agent:x:main sourceTool=" + kind.tool + ` isUser=false\n`
		if marked := strings.Contains(sent, marker); marked != (kind.kind == transcript.InterSession) || strings.Count(sent, texts.InterSessionMarker) > 1 {
			t.Errorf("%s %s: %s", kind.kind, kind.tool, sent)
		}
		m := storedAt(t, b.path).Messages[0]
		if p, ok := m.Provenance(); !ok || p.Kind != kind.kind || p.SourceTool != kind.tool || textOf(m) != "look" {
			t.Errorf("stored: %s", m.AppendJSON(nil)) // S-02
		}
	}
}
