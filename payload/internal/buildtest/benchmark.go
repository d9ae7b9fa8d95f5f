package buildtest

import (
	"strconv"
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// Clean is what a clean session of a target has besides texts and calls: a block
// in front of the text of a turn, and members of that text and of the call
// behind it, each with a comma in front. $n stands for the number of the turn.
type Clean struct{ Block, Text, Call string }

// shapes are clean sessions: how many rounds, and how many bytes the result, the
// text and the arguments of each have.
var shapes = []struct {
	name                           string
	rounds, result, text, argument int
}{
	{"8MB of large results", 256, 32 << 10, 0, 0},
	{"8MB of long texts", 100, 0, 80 << 10, 0},
	{"8MB of short texts", 20_000, 0, 200, 0},
	{"8MB of arguments", 100, 0, 0, 80 << 10},
	{"1000 short messages", 250, 100, 0, 0},
	{"200 messages", 50, 1000, 0, 0},
	{"2000 messages", 500, 1000, 0, 0},
	{"20000 messages", 5000, 1000, 0, 0},
}

// session returns a clean session that the target itself wrote.
func (f *Format) session(rounds, result, text, argument int) string {
	long := func(size int) string { return strings.Repeat("line of output, plain text\\n", size/28) }
	block := f.Clean.Block
	if block != "" {
		block += ","
	}
	id := f.Vocabulary.CallIDs[len(f.Vocabulary.CallIDs)-1]
	round := `{"role":"user","content":"question $n","timestamp":1},` +
		`{"role":"assistant","content":[` + block + `{"type":"text","text":"Reading.` + long(text) + `"` + f.Clean.Text + `},` +
		`{"type":"toolCall","id":"` + id + `","name":"read","arguments":{"path":"file $n` + long(argument) + `"}` + f.Clean.Call + `}],` +
		`"stopReason":"toolUse"` + written(f.Target) + `},` +
		`{"role":"toolResult","toolCallId":"` + id + `","toolName":"read","content":[{"type":"text","text":"ok` + long(result) + `"}],"isError":false},` +
		`{"role":"assistant","content":[{"type":"text","text":"Answer $n."}],"stopReason":"stop"},`
	var b strings.Builder
	b.WriteByte('[')
	for i := range rounds {
		b.WriteString(strings.ReplaceAll(round, "$n", strconv.Itoa(10_000_000+i)))
	}
	b.WriteString(`{"role":"user","content":"and?"}]`)
	return b.String()
}

// Variant is another input to measure, without messages.
type Variant struct {
	Name string
	In   *payload.Input
}

// Benchmark builds bodies of clean sessions for the format's own target and
// policy, and for the variants. The growth from 200 to 20 000 messages is that of
// the input (G-6). The floor is to copy as many bytes.
func Benchmark(b *testing.B, f Format, variants ...Variant) {
	own := f.input()
	own.Options.Tools = jsonline.Parse([]byte(f.Tools[0]))
	for _, v := range append([]Variant{{"", own}}, variants...) {
		for _, s := range shapes {
			b.Run(strings.TrimSpace(v.Name+" "+s.name), func(b *testing.B) {
				in := *v.In
				in.Messages = Messages(b, f.session(s.rounds, s.result, s.text, s.argument))
				b.ReportAllocs()
				for b.Loop() {
					in.Report = &hygiene.Report{}
					body, err := f.Build(&in)
					if err != nil {
						b.Fatal(err)
					}
					b.SetBytes(int64(len(body)))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(in.Messages)), "ns/message")
			})
		}
	}
	b.Run("8MB copied", func(b *testing.B) {
		from := make([]byte, 8<<20)
		b.SetBytes(8 << 20)
		for b.Loop() {
			_ = append(make([]byte, 0, 8<<20), from...)
		}
	})
}
