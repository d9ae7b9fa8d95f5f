package lines

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hygeia/internal/jsonline"
)

// regions writes down the regions behind what was found in them.
type regions struct {
	events
	list []Region
}

func (s *regions) Region(r Region) {
	s.events.list = append(s.events.list, fmt.Sprintf("%d-%d stays %v", r.Line, r.Last, r.Stays))
	s.list = append(s.list, r)
}

func readRegions(t *testing.T, text string, opt Options) *regions {
	t.Helper()
	var s regions
	if _, err := Read(strings.NewReader(text), opt, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// F-B03: the regions are the whole stream, each line in one of them, with the
// end that it has.
func TestRegionsCover(t *testing.T) {
	for _, text := range []string{damaged, damaged + "\n", strings.ReplaceAll(damaged, "\n", "\r\n"), "", "\n", "x"} {
		for _, opt := range []Options{{}, {MaxLine: 200}, {chunk: 7, Workers: 3}} {
			at, line := int64(0), 1
			for _, r := range readRegions(t, text, opt).list {
				whole := text[r.From:r.To]
				if r.From != at || r.Line != line || !strings.HasSuffix(whole, r.End) || (r.End == "") != (whole[len(whole)-1] != '\n') ||
					strings.Count(text[:r.From], "\n") != r.Line-1 || strings.Count(text[:r.To-int64(len(r.End))], "\n") != r.Last-1 {
					t.Errorf("%+v is %q", r, whole)
				}
				at, line = r.To, r.Last+1
			}
			if at != int64(len(text)) {
				t.Errorf("%d of %d bytes: %q", at, len(text), text)
			}
		}
	}
}

// F-B03: what may stay as it is, and what may not.
func TestRegionStays(t *testing.T) {
	a, b := message("a", "", "one"), message("b", "a", "two")
	for text, want := range map[string]string{
		a + "\r\n":                        "1-1 true",
		a:                                 "1-1 true",
		"\n \n" + a:                       "1-1 true 2-2 true 3-3 true",
		"17\nnull\n":                      "1-1 true 2-2 true",
		message("a", "", "caf\xe9"):       "1-1 true",
		"\xef\xbb\xbf" + a + "\n":         "1-1 true",
		a + "\n\xef\xbb\xbf" + b:          "1-1 true 2-2 false",
		a + b:                             "1-1 false",
		"\x00" + a:                        "1-1 false",
		a + "\nrubbish\n" + b:             "1-1 true 2-2 false 3-3 true",
		message("a", "", "x\ny") + "\n":   "1-2 false",
		message("a", "", "x\ny") + b:      "1-2 false",
		a[:40] + "\nrubbish\n\n" + b:      "1-1 false 2-2 false 3-3 true 4-4 true",
		message("a", "", "a\ttab") + "\n": "1-1 false",
	} {
		var got []string
		for _, r := range readRegions(t, text, Options{}).list {
			got = append(got, fmt.Sprintf("%d-%d %v", r.Line, r.Last, r.Stays))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A part of a file that begins and ends with regions reads as it does in the
// file.
func TestPartsReadAlike(t *testing.T) {
	whole := readRegions(t, damaged, Options{})
	for i, r := range whole.list {
		var got []string
		part := readRegions(t, damaged[r.From:], Options{Line: r.Line, Offset: r.From})
		if d := cmp.Diff(whole.list[i:], part.list); d != "" {
			t.Errorf("from line %d:\n%s", r.Line, d)
		}
		got = part.events.list
		if d := cmp.Diff(whole.events.list[len(whole.events.list)-len(got):], got); d != "" {
			t.Errorf("from line %d:\n%s", r.Line, d)
		}
	}
}

// skimmer says of records that it is told to skim only the text.
type skimmer struct{ events }

func (s *skimmer) Record(r Record) {
	if r.Entry != nil {
		s.events.Record(r)
		return
	}
	s.list = append(s.list, fmt.Sprintf("%d-%d  %s", r.Line, r.Last, r.Text))
}

// F-B09: lines that are only skimmed come in their order with their text, and
// everything else as without a skim, although buffers are used again.
func TestSkim(t *testing.T) {
	text := strings.ReplaceAll(damaged, "rubbish", strings.Repeat(message("k", "i", "some text")+"\n", 50)+"rubbish")
	want := read(t, text, Options{})
	skim := func(scan *jsonline.Scanner, text []byte) (Brief, bool) {
		return Brief{ID: uint64(len(text))}, len(text)%3 > 0 && scan.Nodes[0].Kind == jsonline.ObjectKind && !strings.Contains(string(text), "data")
	}
	for chunk := 16; chunk < 2*len(text); chunk *= 2 {
		for workers := 1; workers <= 3; workers++ {
			var s skimmer
			if _, err := Read(strings.NewReader(text), Options{Skim: skim, chunk: chunk, Workers: workers}, &s); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, s.list); d != "" {
				t.Fatalf("chunk %d, workers %d:\n%s", chunk, workers, d)
			}
		}
	}
}

// F-B08: of a message cut off at the end of the file the whole part is kept, if
// that says something.
func TestCutOff(t *testing.T) {
	const head = `{"type":"message","id":"b","parentId":"a","message":{"role":"assistant",`
	const mark = `"__openclaw":{"salvaged":true}}}`
	const text = `"content":[{"type":"text","text":"one"}`
	for cut, want := range map[string]string{
		text:                                                                             text + `],` + mark,
		text + `],"stopReason":"sto`:                                                     text + `],` + mark,
		text + `],"stopReason":"stop"`:                                                   text + `],"stopReason":"stop",` + mark,
		text + `],"stopReason":"stop"}`:                                                  text + `],"stopReason":"stop",` + mark,
		text + `],"timestamp":17`:                                                        text + `],` + mark,
		text + `],"timestamp":17,"x":tr`:                                                 text + `],"timestamp":17,` + mark,
		text + `],"usage":{"input":100,"out`:                                             text + `],` + mark,
		text + `],"__openclaw":{"x":1},"u`:                                               text + `],"__openclaw":{"x":1,"salvaged":true}}}`,
		text + `,{"type":"text","text":"tw`:                                              text + `,{"type":"text","text":"tw"}],` + mark,
		text + `,{"type":"text","text":"t\u00e`:                                          text + `,{"type":"text","text":"t"}],` + mark,
		text + `,{"type":"text","text":"t` + "\xc3":                                      text + `,{"type":"text","text":"t"}],` + mark,
		text + `,{"type":"text","text":"t\ud83d`:                                         text + `,{"type":"text","text":"t"}],` + mark,
		text + `,{"type":"text","text":"t\ud83d\ude`:                                     text + `,{"type":"text","text":"t"}],` + mark,
		text + `,{"type":"text","text":" `:                                               text + `],` + mark,
		text + `,{"type":"text","text":"two","textSignature":"c2`:                        text + `],` + mark,
		text + `,{"type":"thinking","thinking":"hm","thinkingSignature":"c2`:             text + `],` + mark,
		text + `,{"type":"toolCall","id":"t","name":"f","arguments":{"path":"/tm`:        text + `],` + mark,
		text + `,{"type":"toolCall","id":"t","name":"f","arguments":{}},{"type":"toolCa`: text + `,{"type":"toolCall","id":"t","name":"f","arguments":{}}],` + mark,
		`"content":"one","stopRea`:                                                       `"content":"one",` + mark,
		`"content":"on`:                                                                  "",
		`"content":"  ","stopRea`:                                                        "",
		`"content":[`:                                                                    "",
		`"content":[{"type":"text","text":"o`:                                            "",
		`"content":[{"type":"toolCall","id":"t","name":"f","arguments":{}},{"type":"text","text":"o`: "",
		`"content":[{"type":"text","text":" "},{"type":"text","text":"o`:                             "",
		text + `]x`:     "",
		text + "],\x01": "",
	} {
		got := read(t, head+cut, Options{})
		switch {
		case want == "" && (len(got) != 1 || !strings.HasPrefix(got[0], "1-1 F-51")):
			t.Errorf("%s: %q", cut, got)
		case want != "" && (len(got) != 2 || got[0] != "1-1  "+head+want || !strings.HasPrefix(got[1], "1-1 F-B08 a message cut off")):
			t.Errorf("%s:\n%q\nwant %s", cut, got, head+want)
		}
		// With a line end it is torn and no more, and so it is in front of others.
		if got := read(t, head+cut+"\n", Options{}); len(got) != 1 || !strings.HasPrefix(got[0], "1-1 F-51") {
			t.Errorf("%s: %q", cut, got)
		}
	}
	for _, head := range []string{
		`{"type":"message","parentId":"a","message":{"role":"assistant",`,
		`{"type":"message","id":"b","parentId":"a","message":{`,
		`{"type":"message","id":"b","parentId":"a","message":{"role":"toolResult",`,
		`{"type":"custom_message","id":"b","parentId":"a","message":{"role":"user",`,
	} {
		if got := read(t, head+text, Options{}); len(got) != 1 || !strings.HasPrefix(got[0], "1-1 F-51") {
			t.Errorf("%s: %q", head, got)
		}
	}
}
