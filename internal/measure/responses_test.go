package measure

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/hygiene/passes"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

// The small vocabulary of lists in which almost every turn says what another
// one has said.
var (
	fewTexts   = []string{"a", "b", "a\n\nb", "a\nb", "ab", " "}
	fewAnswers = []string{`"responseId":"r"`, `"responseId":"r"`, `"responseId":"r"`, `"responseId":"s"`, ``}
	fewStops   = []string{"stop", "stop", "toolUse", "toolUse", "error", "aborted", "length"}
	fewBlocks  = []string{
		`{"type":"thinking","thinking":"t","thinkingSignature":"RXFzaWc="}`, `{"type":"thinking","thinking":"t"}`,
		`{"type":"toolCall","id":"c","name":"f","arguments":{}}`, `{"type":"toolCall","id":"d","name":"f","arguments":{"x":1}}`,
		`{"type":"toolCall","id":"c","name":"f","arguments":{}}`, `{"type":"toolCall","id":"c","name":"f"}`,
	}
)

// repetitive draws a list of few different turns with few response ids.
func repetitive(t *rapid.T, target policy.Target) []*transcript.Message {
	pick := func(what string, from []string) string { return rapid.SampledFrom(from).Draw(t, what) }
	var out []string
	for range rapid.IntRange(2, 9).Draw(t, "turns") {
		switch rapid.IntRange(0, 9).Draw(t, "turn") {
		case 0:
			out = append(out, fmt.Sprintf(`{"role":"user","content":%q}`, pick("question", fewTexts)))
			continue
		case 1, 2:
			out = append(out, fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"toolName":"f","content":[{"type":"text","text":%q}]}`,
				pick("of", []string{"c", "d"}), pick("result", fewTexts)))
			continue
		}
		var blocks []string
		for range rapid.IntRange(0, 3).Draw(t, "blocks") {
			if rapid.Bool().Draw(t, "speaks") {
				blocks = append(blocks, fmt.Sprintf(`{"type":"text","text":%q}`, pick("text", fewTexts)))
			} else {
				blocks = append(blocks, pick("block", fewBlocks))
			}
		}
		fields := []string{`"role":"assistant"`, `"content":[` + strings.Join(blocks, ",") + `]`, fmt.Sprintf(`"stopReason":%q`, pick("stop", fewStops))}
		if id := pick("response", fewAnswers); id != "" {
			fields = append(fields, id)
		}
		if rapid.Bool().Draw(t, "own") {
			fields = append(fields, fmt.Sprintf(`"provider":%q,"api":%q,"model":%q`, target.Provider, target.API, target.Model))
		}
		out = append(out, "{"+strings.Join(fields, ",")+"}")
	}
	var r transcript.Reader
	list, err := r.Messages([]byte("[" + strings.Join(out, ",") + "]"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPropertyRepeatedResponses is G-2 where turns of one response are many:
// joined with others, empty and failed ones among them, so that the first
// of them may not be the first any more when the pipeline runs again.
func TestPropertyRepeatedResponses(t *testing.T) {
	var list []*policy.Resolution
	for _, target := range kinds {
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, res)
	}
	rapid.Check(t, func(t *rapid.T) {
		res := rapid.SampledFrom(list).Draw(t, "to")
		in := repetitive(t, res.Target)
		first := hygiene.Sanitize(transcript.NewContext(in), res.Target, res.Policy, passes.Suite)
		second := hygiene.Sanitize(transcript.NewContext(first.Messages), res.Target, res.Policy, passes.Suite)
		if !second.Report.Empty() || !bytes.Equal(casetest.Lines(first.Messages), casetest.Lines(second.Messages)) {
			t.Fatalf("a second run to %+v changes\n%s\nfirst run:\n%s\ninput:\n%s\noutput:\n%s", res.Target,
				casetest.Changes(&second.Report), casetest.Changes(&first.Report), casetest.Lines(in), casetest.Lines(first.Messages))
		}
	})
}
