package naming_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/proxy/naming"
)

// members are names that stand on the way to those of tools.
var members = []string{
	"choices", "message", "delta", "tool_calls", "function", "custom", "name", "type", "content", "content_block", "output", "item", "response",
	"tools", "tool_choice", "candidates", "parts", "functionCall", "start", "toolUse", "input", "text",
}

var words = []string{wire, "read", "tool_use", "function_call", "response.function_call_arguments.done", `a\"{`, `}\\`, "é"}

// value appends a random JSON value.
func value(t *rapid.T, dst []byte, depth int) []byte {
	space := func() { dst = append(dst, rapid.SampledFrom([]string{"", "", "", " "}).Draw(t, "space")...) }
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 {
		kind = min(kind, 2)
	}
	switch {
	case kind == 0:
		return append(dst, rapid.SampledFrom([]string{"0", "null", "1.50", "[]", "{}"}).Draw(t, "literal")...)
	case kind <= 2:
		return append(append(append(dst, '"'), rapid.SampledFrom(words).Draw(t, "word")...), '"')
	case kind == 3:
		dst = append(dst, '[')
		for i := range rapid.IntRange(0, 3).Draw(t, "elements") {
			if i > 0 {
				dst = append(dst, ',')
			}
			space()
			dst = value(t, dst, depth-1)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i := range rapid.IntRange(0, 4).Draw(t, "members") {
		if i > 0 {
			dst = append(dst, ',')
		}
		space()
		dst = append(append(append(dst, '"'), rapid.SampledFrom(members).Draw(t, "member")...), `":`...)
		space()
		dst = value(t, dst, depth-1)
	}
	return append(dst, '}')
}

// answerOf draws an answer: values that look like answers, one of those of the table,
// or any bytes.
func answerOf(t *rapid.T, kind string) string {
	var b []byte
	for range rapid.IntRange(1, 4).Draw(t, "pieces") {
		piece := named(rapid.SampledFrom(answers).Draw(t, "answer").text, wire)
		switch rapid.IntRange(0, 3).Draw(t, "what") {
		case 0:
			piece = string(value(t, nil, 8))
		case 1:
			piece = string(rapid.SliceOfN(rapid.SampledFrom([]byte("{}[]\"\\:, \n\rdata:\x00\x10a")), 0, 20).Draw(t, "bytes"))
		}
		if kind == sse && rapid.Bool().Draw(t, "as data") {
			piece = "data: " + piece + "\n\n"
		}
		b = append(append(b, piece...), rapid.SampledFrom([]string{"", "\n", "\r\n\r\n", ","}).Draw(t, "between")...)
	}
	return string(b)
}

// pieces is a reader that gives as many bytes at a time as it is told to.
type pieces struct {
	in    io.Reader
	sizes []int
}

func (p *pieces) Read(b []byte) (int, error) {
	if n := len(p.sizes); n > 0 {
		b = b[:min(len(b), p.sizes[0])]
		p.sizes = append(p.sizes[1:], p.sizes[0])
	}
	return p.in.Read(b)
}

// W-176: mapping back changes nothing but names: an answer in which none goes back is
// the one that came, whatever it holds, and one in which some do is the one that came
// once they are put in again. It does not matter in which pieces it comes.
func TestAnswerProperty(t *testing.T) {
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		api := rapid.SampledFrom(answers).Draw(t, "api").api
		kind := rapid.SampledFrom([]string{json, sse, aws, "application/x-ndjson"}).Draw(t, "kind")
		came := answerOf(t, kind)
		through := func(names map[string]string, in io.Reader) string {
			out, err := io.ReadAll(naming.Answer(io.NopCloser(in), kind, api, names, 1<<31-1))
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
		if got := through(map[string]string{"x": "y"}, strings.NewReader(came)); got != came {
			t.Fatalf("without a name that went out as another one\n%q becomes\n%q", came, got)
		}
		got := through(names, strings.NewReader(came))
		if back := strings.ReplaceAll(got, `"`+own+`"`, `"`+wire+`"`); back != came {
			t.Fatalf("%q becomes\n%q", came, got)
		}
		if got != came {
			changed++
		}
		sizes := rapid.SliceOfN(rapid.IntRange(1, 40), 1, 5).Draw(t, "sizes")
		if again := through(names, &pieces{bytes.NewReader([]byte(came)), sizes}); again != got {
			t.Fatalf("in pieces of %d: %q becomes\n%q, not\n%q", sizes, came, again, got)
		}
	})
	if changed == 0 {
		t.Error("no answer had a name to be mapped back")
	}
}
