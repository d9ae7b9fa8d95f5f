package pairing

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/results"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

// draw makes a list in which ids repeat, results stand anywhere and stand-ins
// are among them.
func draw(t *rapid.T) []*transcript.Message {
	var lines []string
	for i := range rapid.IntRange(0, 14).Draw(t, "messages") {
		id := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "id")
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			lines = append(lines, `{"role":"user","content":"u"}`)
		case 1, 2:
			calls := []string{`{"type":"text","text":"x"}`}
			for range rapid.IntRange(0, 3).Draw(t, "calls") {
				id := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "call id")
				calls = append(calls, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"read","arguments":{}}`, id))
			}
			lines = append(lines, `{"role":"assistant","content":[`+strings.Join(calls, ",")+`]}`)
		case 3:
			lines = append(lines, fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"toolName":"read","content":"aborted","isError":true}`, id))
		case 4:
			name := rapid.SampledFrom([]string{``, `,"toolName":"read"`, `,"toolName":"write"`}).Draw(t, "name")
			lines = append(lines, fmt.Sprintf(`{"role":"toolResult","content":"%d"%s}`, i, name))
		default:
			lines = append(lines, fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"toolName":"read","content":"%d"}`, id, i))
		}
	}
	var r transcript.Reader
	list, err := r.Messages([]byte("[" + strings.Join(lines, ",") + "]"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func sanitize(list []*transcript.Message, p *policy.Policy) *hygiene.Result {
	return hygiene.Sanitize(transcript.NewContext(list), policy.Target{}, p, []*hygiene.Pass{Pass})
}

// G-2, G-4.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := draw(t)
		res := sanitize(list, on)
		if err := paired(res.Messages); err != nil {
			t.Fatalf("%v\n%s", err, casetest.Lines(res.Messages))
		}
		again := sanitize(res.Messages, on)
		if !again.Report.Empty() {
			t.Fatalf("a second run changes the output (G-2):\n%s%s", casetest.Lines(res.Messages), casetest.Changes(&again.Report))
		}
		accounted(t, list, res)
	})
}

// accounted holds that every message is in the output or in a drop of the
// report, and that everything but the results keeps its order.
func accounted(t *rapid.T, list []*transcript.Message, res *hygiene.Result) {
	kept := map[int]bool{}
	last := -1
	for _, m := range res.Messages {
		if m.Origin.Index < 0 {
			continue
		}
		kept[m.Origin.Index] = true
		if !m.Is(transcript.ToolResult) {
			if m.Origin.Index < last {
				t.Fatalf("message %d went behind %d", m.Origin.Index, last)
			}
			last = m.Origin.Index
		}
	}
	for i := range res.Report.Changes {
		c := &res.Report.Changes[i]
		if c.Op != hygiene.Drop {
			continue
		}
		if kept[c.Message] {
			t.Fatalf("message %d was dropped and is there", c.Message)
		}
		kept[c.Message] = true
		if real := !results.IsSynthetic(list[c.Message]); real && !c.Lossy && !strings.Contains(c.Reason, "same result") {
			t.Fatalf("the loss of message %d is not reported as one: %s", c.Message, c.Reason)
		}
	}
	for i := range list {
		if !kept[i] {
			t.Fatalf("message %d is gone without a report (G-4)", i)
		}
	}
}

// G-5: the output of a list is the start of the output of a longer one, unless
// R-72 says that the real result came.
func TestPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := draw(t)
		n := rapid.IntRange(0, len(list)).Draw(t, "cut")
		short, long := sanitize(list[:n], on), sanitize(list, on)
		if strings.HasPrefix(string(casetest.Lines(long.Messages)), string(casetest.Lines(short.Messages))) {
			return
		}
		arrived := false
		for i := range long.Report.Changes {
			c := &long.Report.Changes[i]
			arrived = arrived || c.Rule == "R-72" && c.Op != hygiene.Insert // moved to its call, or a stand-in gave way to it
		}
		if !arrived && !insertedAtEnd(short) {
			t.Fatalf("%d of %d messages:\n%s---\n%s", n, len(list), casetest.Lines(short.Messages), casetest.Lines(long.Messages))
		}
	})
}

// insertedAtEnd reports whether the list ended before the results of its last
// calls had come.
func insertedAtEnd(res *hygiene.Result) bool {
	for i := range res.Report.Changes {
		if c := &res.Report.Changes[i]; c.Rule == "R-72" && c.Op == hygiene.Insert {
			return true
		}
	}
	return false
}
