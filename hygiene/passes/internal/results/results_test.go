package results

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"hygeia/internal/texts"
	"hygeia/transcript"
)

// D-03, R-76: marks, texts, and what only looks like them.
func TestIsSynthetic(t *testing.T) {
	block := func(text string) string { return fmt.Sprintf(`"content":[{"type":"text","text":%q}]`, text) }
	for fields, want := range map[string]bool{
		`"content":[],"details":{"openclawSyntheticMissingToolResult":true}`:           true,
		`"content":[],"details":{"synthetic":true}`:                                    true,
		`"content":[],"details":{"synthetic":false}`:                                   false,
		`"content":[],"details":null`:                                                  false,
		block(texts.MissingResult):                                                     true,
		block(texts.KnownMissingResult):                                                true,
		block(texts.KnownMissingResult) + `,"isError":true`:                            true,
		fmt.Sprintf(`"content":%q`, texts.KnownMissingResult):                          true,
		block("aborted") + `,"isError":true`:                                           true,
		block("aborted") + `,"isError":false`:                                          false,
		block("No result provided") + `,"isError":true`:                                true,
		block("No result provided"):                                                    false,
		block("aborted by the user") + `,"isError":true`:                               false,
		block(strings.Repeat("x", 2000)) + `,"isError":true`:                           false,
		`"content":[{"type":"text","text":"aborted"},{"type":"image"}],"isError":true`: false,
		`"content":null`: false,
	} {
		var r transcript.Reader
		m, err := r.Message([]byte(`{"role":"toolResult","toolCallId":"c",` + fields + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := IsSynthetic(m); got != want {
			t.Errorf("%s: got %t", fields, got)
		}
	}
}

// G-6: a long result that was edited is not copied for each short one that is held
// against it.
func TestSameCopiesNothing(t *testing.T) {
	const long = 1 << 22
	result := func(text string) *transcript.Message {
		return transcript.New(transcript.ToolResult, transcript.NewTextBlock(text))
	}
	a, b := result(strings.Repeat("x", long)), result("x")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	same := Same(a, b) || Same(b, a)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; same || n > long/2 {
		t.Errorf("%d bytes to find that they are the same: %t", n, same)
	}
	if !Same(a, result(strings.Repeat("x", long))) || Same(result("y"), b) {
		t.Error("the texts are not compared")
	}
}
