package duplicates

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

// G-6: 20 000 turns, each kind of repetition at its worst.
func TestLinear(t *testing.T) {
	const n = 20_000
	big := strings.Repeat("x", 1<<20)
	blank := `{"type":"text","text":"` + strings.Repeat(`\n`, 1<<20)
	call := func(id, args string) string {
		return fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"f","arguments":%s}`, id, args)
	}
	turn := func(responseID string, blocks ...string) string {
		return fmt.Sprintf(`{"role":"assistant","responseId":%q,"content":[%s]}`+"\n", responseID, strings.Join(blocks, ","))
	}
	var many []string
	for i := range n {
		many = append(many, call(fmt.Sprint(i), "{}"))
	}
	for name, c := range map[string]struct {
		first string
		rest  func(i int) string
	}{
		"one response": {turn("a", many...), func(i int) string { return turn("a", many[i]) }},
		"one response, big arguments": {
			turn("a", call("c", `{"x":"`+big+`"}`)),
			func(i int) string { return turn("a", call("c", fmt.Sprintf(`{"n":%d}`, i))) },
		},
		"one response, big text": {
			turn("a", `{"type":"text","text":"\n`+big+`"}`),
			func(i int) string { return turn("a", fmt.Sprintf(`{"type":"text","text":"\n%d"}`, i)) },
		},
		"one row of calls": {turn("", many...), func(i int) string { return turn("", many[i]) }},
		"one row, big arguments": {
			turn("", call("c", `{ "x":"`+big+`"}`)),
			func(i int) string { return turn("", call("c", `{"x":""}`), call(fmt.Sprint(i), "{}")) },
		},
		"one row of calls, big text": {
			turn("", blank+`x"}`, call("c", "{}")),
			func(int) string { return turn("", `{"type":"text","text":"x"}`, call("c", "{}")) },
		},
		"one row of texts": {
			turn("", blank+`x"}`),
			func(int) string { return turn("", `{"type":"text","text":"x\n"}`) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(c.first)
			for i := range n {
				b.WriteString(c.rest(i))
			}
			list := casetest.Messages(t, []byte(b.String()))
			hygiene.Sanitize(transcript.NewContext(list), policy.Target{}, &policy.Policy{}, []*hygiene.Pass{Pass})
		})
	}
}
