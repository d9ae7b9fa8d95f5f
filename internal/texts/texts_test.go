package texts

import (
	"strings"
	"testing"
)

// D-03: the stand-in leaves the outcome open. D-12: own wording. D-46, W-161…W-164: these stay literal.
func TestOwnTexts(t *testing.T) {
	for _, word := range []string{"error", "fail", "success", "openclaw"} {
		if strings.Contains(strings.ToLower(MissingResult), word) {
			t.Errorf("MissingResult says %q", word)
		}
	}
	if MissingResult == KnownMissingResult || InterSessionExplanation == KnownInterSessionExplanation {
		t.Error("own text equals the text of another program")
	}
	literal := map[string]string{
		"aborted": AbortedResult,
		"[assistant turn failed before producing content]": FailedTurn,
		"[assistant reasoning omitted]":                    OmittedReasoning,
		"[empty content omitted]":                          OmittedContent,
		"[tool calls omitted]":                             OmittedCalls,
		"I have processed the tool results.":               BridgeAfterToolResults,
		"[End of inter-session message]":                   InterSessionEnd,
	}
	for want, got := range literal {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPredicates(t *testing.T) {
	for _, s := range []string{MissingResult, AbortedResult, KnownMissingResult, "No result provided"} { // D-03
		if !IsSyntheticResultText(s) {
			t.Errorf("%q is not recognised as a stand-in", s)
		}
	}
	for _, s := range []string{"", "aborted by user", "no result", NoOutput} {
		if IsSyntheticResultText(s) {
			t.Errorf("%q is taken for a stand-in", s)
		}
	}
	if !IsOmittedContent("(continue)") || !IsOmittedContent(OmittedContent) || IsOmittedContent("continue") { // D-46
		t.Error("IsOmittedContent")
	}
	if !IsSessionBootstrap("(session bootstrap)") || !IsSessionBootstrap(SessionBootstrap) {
		t.Error("IsSessionBootstrap")
	}
	if !IsOmittedImage(KnownOmittedImage) || !IsOmittedImage(OmittedToolImage) { // W-101
		t.Error("IsOmittedImage")
	}
	if !IsRuntimeTurn("Continue the OpenClaw runtime event.") || IsRuntimeTurn("go on") { // X-B13
		t.Error("IsRuntimeTurn")
	}
	if !IsFailedTurnText(FailedTurn) || !IsOmittedReasoning(OmittedReasoning) || !IsOmittedCalls(OmittedCalls) {
		t.Error("a text does not recognise itself")
	}
}

func TestImageTexts(t *testing.T) {
	if got, want := InvalidImage("session:history", "bad base64"), "[session:history] image payload omitted: bad base64"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := EmptyImage("x"), "[x] empty image payload omitted"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
