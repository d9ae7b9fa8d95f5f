package pairing

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hygeia/internal/casetest"
)

// G-6: 200 000 messages, each kind of damage at its worst.
func TestLinear(t *testing.T) {
	const n = 100_000
	turn := func(ids ...string) string {
		var calls []string
		for _, id := range ids {
			calls = append(calls, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"read","arguments":{}}`, id))
		}
		return `{"role":"assistant","content":[` + strings.Join(calls, ",") + "]}\n"
	}
	result := func(id, text string) string {
		return fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"toolName":"read","content":%q,"isError":true}`+"\n", id, text)
	}
	var ids, same []string
	for i := range n {
		ids, same = append(ids, fmt.Sprint(i)), append(same, "c")
	}
	cases := map[string]func(b *strings.Builder){
		"displaced to the end": func(b *strings.Builder) {
			for i := range n {
				b.WriteString(turn(ids[i]))
			}
			for i := range n {
				b.WriteString(result(ids[n-1-i], "x"))
			}
		},
		"one id everywhere": func(b *strings.Builder) {
			for range n {
				b.WriteString(turn("c"))
				b.WriteString(`{"role":"user","content":"u"}` + "\n" + result("c", "x"))
			}
		},
		"one id, results at the end": func(b *strings.Builder) {
			for range n {
				b.WriteString(turn("c"))
			}
			b.WriteString(turn("d"))
			for range n {
				b.WriteString(result("c", "x"))
			}
		},
		"one turn, results reversed": func(b *strings.Builder) {
			b.WriteString(turn(ids...))
			for i := range n {
				b.WriteString(result(ids[n-1-i], "x"))
			}
		},
		"one turn, one id, stand-ins first": func(b *strings.Builder) {
			b.WriteString(turn(same...))
			for range n {
				b.WriteString(result("c", "aborted"))
			}
			for range n {
				b.WriteString(result("c", "x"))
			}
		},
		"nothing answered": func(b *strings.Builder) {
			for i := range 2 * n {
				b.WriteString(turn(fmt.Sprint(i)))
			}
		},
		"one call, surplus results": func(b *strings.Builder) {
			b.WriteString(turn("c"))
			for range 2 * n {
				b.WriteString(result("c", "x"))
			}
		},
	}
	for name, write := range cases {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			write(&b)
			list := casetest.Messages(t, []byte(b.String()))
			start := time.Now()
			res := sanitize(list, on)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("%d messages took %v", len(list), d)
			}
			if err := Check(res.Messages); err != nil {
				t.Error(err)
			}
		})
	}
}

// Every second result is displaced or missing.
func BenchmarkDamaged(b *testing.B) {
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, `{"role":"assistant","content":[{"type":"toolCall","id":"c%d","name":"read","arguments":{}}]}`+"\n", i)
		fmt.Fprintln(&text, `{"role":"user","content":"u"}`)
		if i%2 == 0 {
			fmt.Fprintf(&text, `{"role":"toolResult","toolCallId":"c%d","toolName":"read","content":"x"}`+"\n", i)
		}
	}
	list := casetest.Messages(b, []byte(text.String()))
	b.ReportAllocs()
	for b.Loop() {
		sanitize(list, on)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(list)), "ns/message")
}
