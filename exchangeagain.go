package hygeia

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"

	"hygeia/internal/jsonline"
	"hygeia/proxy/coding"
)

// maxRefusal is how much of the answer of a provider that refuses a request is
// looked at.
const maxRefusal = 64 << 10

// again sends the request once more where the answer names a rule of the rulebook
// whose change alters the body (W-901, W-902, W-903), and returns the answer that
// counts. Nothing of the first answer has been passed on before.
func (x *exchange) again(first *http.Response) *http.Response {
	if first.StatusCode != http.StatusBadRequest && first.StatusCode != http.StatusUnprocessableEntity {
		return first
	}
	if x.Why != "" || x.t.DryRun || signed(x.in) {
		return first
	}
	start := time.Now()
	remedy := x.remedy(first)
	if remedy == nil {
		return first
	}
	s, err := x.sanitize(x.body, remedy)
	sent := x.sent
	if sent == nil {
		sent = x.body
	}
	if err != nil || !s.Changed() || bytes.Equal(s.Body, sent) {
		return first
	}
	x.names = s.names
	r := x.request(s.Body)
	x.Overhead += time.Since(start)
	second, err := x.next(r)
	if err != nil {
		return first // which says more
	}
	first.Body.Close()
	x.Report, x.Remedy, x.Outcome = s.Report, remedy.Rule, Changed
	return second
}

// remedy reads the beginning of an answer, puts it back, and returns what it asks
// for, nil if that is nothing.
func (x *exchange) remedy(answer *http.Response) *Remedy {
	head, err := io.ReadAll(io.LimitReader(answer.Body, maxRefusal))
	rest := answer.Body
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), rest), rest}
	if err != nil {
		return nil
	}
	plain, err := coding.Decode(answer.Header.Get("Content-Encoding"), head, maxRefusal)
	if err != nil {
		return nil
	}
	remedy, _ := FindRemedy(strings.Join(refusalTexts(plain, maxNested), "\n"))
	return remedy
}

// maxNested is how deep errors are wrapped in errors as text.
const maxNested = 4

// refusalTexts returns the texts in an answer: all strings of its JSON, and those
// of JSON that stands in strings, as gateways put what they were answered.
func refusalTexts(answer []byte, depth int) []string {
	var s jsonline.Scanner
	if s.ScanAll(answer, jsonline.Options{InvalidUTF8: true, Depth: maxRefusal}) != nil || depth == 0 {
		return []string{string(answer)}
	}
	var texts []string
	for i := range s.Nodes {
		text := s.Value(i, answer).String()
		switch {
		case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["):
			texts = append(texts, refusalTexts([]byte(text), depth-1)...)
		case text != "":
			texts = append(texts, text)
		}
	}
	return texts
}
