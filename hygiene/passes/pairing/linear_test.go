package pairing

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/internal/casetest"
)

// script writes a list of messages.
type script struct{ strings.Builder }

func (s *script) turn(ids ...string) {
	var calls []string
	for _, id := range ids {
		calls = append(calls, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"read","arguments":{}}`, id))
	}
	fmt.Fprintf(s, `{"role":"assistant","content":[%s]}`+"\n", strings.Join(calls, ","))
}

func (s *script) result(id, text string) {
	fmt.Fprintf(s, `{"role":"toolResult","toolCallId":%q,"toolName":"read","content":%q,"isError":true}`+"\n", id, text)
}

func (s *script) user() { s.WriteString(`{"role":"user","content":"u"}` + "\n") }

func numbered(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	return ids
}

// each kind of damage at its worst, as a list of about 2n messages or calls.
var worst = map[string]func(s *script, n int){
	"displaced to the end": func(s *script, n int) {
		for i := range n {
			s.turn(fmt.Sprint(i))
		}
		for i := range n {
			s.result(fmt.Sprint(n-1-i), "x")
		}
	},
	"one id everywhere": func(s *script, n int) {
		for range n {
			s.turn("c")
			s.user()
			s.result("c", "x")
		}
	},
	"one id, results at the end": func(s *script, n int) {
		for range n {
			s.turn("c")
		}
		s.turn("d")
		for range n {
			s.result("c", "x")
		}
	},
	"one turn, results reversed": func(s *script, n int) {
		s.turn(numbered(n)...)
		for i := range n {
			s.result(fmt.Sprint(n-1-i), "x")
		}
	},
	"one turn, one id, stand-ins first": func(s *script, n int) {
		s.turn(strings.Fields(strings.Repeat("c ", n))...)
		for range n {
			s.result("c", "aborted")
		}
		for range n {
			s.result("c", "x")
		}
	},
	"nothing answered": func(s *script, n int) {
		for i := range 2 * n {
			s.turn(fmt.Sprint(i))
		}
	},
	"one call, surplus results": func(s *script, n int) {
		s.turn("c")
		for range 2 * n {
			s.result("c", "x")
		}
	},
}

// G-6: time grows with the list. What is quadratic takes minutes here.
func TestLinear(t *testing.T) {
	for name, write := range worst {
		t.Run(name, func(t *testing.T) {
			n := 20_000
			if strings.HasSuffix(name, "to the end") || strings.HasSuffix(name, "everywhere") {
				n = 100_000
			}
			var s script
			write(&s, n)
			list := casetest.Messages(t, []byte(s.String()))
			res := sanitize(list, on)
			if err := paired(res.Messages); err != nil {
				t.Error(err)
			}
		})
	}
}

// Every second result is displaced or missing.
func BenchmarkDamaged(b *testing.B) {
	for _, n := range []int{500, 50_000} {
		b.Run(fmt.Sprint(4*n), func(b *testing.B) {
			var s script
			for i := range n {
				s.turn(fmt.Sprint(i))
				s.user()
				if i%2 == 0 {
					s.result(fmt.Sprint(i), "x")
				}
			}
			list := casetest.Messages(b, []byte(s.String()))
			b.ReportAllocs()
			for b.Loop() {
				sanitize(list, on)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(list)), "ns/message")
		})
	}
}
