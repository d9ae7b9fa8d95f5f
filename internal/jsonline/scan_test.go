package jsonline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// valid and invalid hold texts on both sides of RFC 8259, as the standard
// library draws the line.
var valid = []string{
	`null`, `true`, `false`, `0`, `-0`, `1.5e+10`, `-12.0E-3`, `""`, `"a"`, `[]`, `{}`, ` [ 1 , 2 ] `, "\t{\"a\" : {} }\r\n",
	`{"a":[{"b":null}],"a":1}`, `"\"\\\/\b\f\n\r\t\u00e9\u00AFaf09"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"日本"`, `"\u0000"`,
	`"` + strings.Repeat("x", 40) + `\n` + strings.Repeat("é", 20) + `"`,
}

var invalid = []string{
	``, ` `, `nul`, `nulL`, `trve`, `falsy`, `True`, `01`, `-`, `1.`, `.5`, `1e`, `1e+`, `+1`, `"`, `"a`, `"\`, `"\x"`, `"\u12"`, `"\u12g4"`, `"\u00@0"`, `"\u00G0"`, `"\u00/0"`, `"\u00:0"`, "\"\\u00`0\"", "\"\n\"", "\"\x00\"", "\"\x1f\"",
	`[`, `[1`, `[1,`, `[1,]`, `[,1]`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `{1:2}`, `[1}`, `{"a":1]`, `]`, `1 2`, `{}{}`,
	"\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\ufeff1", `"` + strings.Repeat("x", 17) + "\x80" + `"`,
}

func TestValidAgreesWithStandardLibrary(t *testing.T) {
	for _, s := range valid {
		if !json.Valid([]byte(s)) || !Valid([]byte(s)) {
			t.Errorf("%q: standard library %v, scanner %v, want both true", s, json.Valid([]byte(s)), Valid([]byte(s)))
		}
	}
	for _, s := range invalid {
		if standard(s) || Valid([]byte(s)) {
			t.Errorf("%q: standard library %v, scanner %v, want both false", s, standard(s), Valid([]byte(s)))
		}
	}
}

func standard(s string) bool { return json.Valid([]byte(s)) && utf8.ValidString(s) }

// TestTruncated holds that a text that only ends too early is told from one
// that is wrong: the reader of session files depends on it.
func TestTruncated(t *testing.T) {
	whole := `{"a":[1.5e3,"x\u00e9\n",true,null],"b":{"c":"d"}}`
	for i := range len(whole) {
		var s Scanner
		err := s.ScanAll([]byte(whole[:i]), Options{Depth: 4})
		var se *SyntaxError
		if !errors.As(err, &se) || !se.Truncated {
			t.Errorf("%q: %v, want a truncated text", whole[:i], err)
		}
		for j := range s.Nodes {
			s.Value(j, []byte(whole)) // has a place in the text, also where its end is missing
		}
	}
	var se *SyntaxError
	if err := new(Scanner).ScanAll([]byte(`{"a":x`), Options{}); !errors.As(err, &se) || se.Truncated || se.Offset != 5 {
		t.Errorf("%v, want an error at byte 5 that is no truncation", err)
	}
}

func TestDepth(t *testing.T) {
	deep := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if !Valid(deep(DefaultMaxDepth)) {
		t.Error("a text at the limit is refused")
	}
	if err := new(Scanner).ScanAll(deep(1_000_000), Options{}); err == nil || !strings.Contains(err.Error(), "nested deeper") {
		t.Errorf("a depth bomb gives %v", err)
	}
	if err := new(Scanner).ScanAll(deep(5), Options{MaxDepth: 3}); err == nil {
		t.Error("MaxDepth does not count")
	}
}

// TestNodes holds that what is recorded are the places of the values, and only
// down to the depth asked for.
func TestNodes(t *testing.T) {
	src := []byte(` {"a": [10, {"deep": 1}], "b\u0062": "x\n"} tail`)
	var s Scanner
	n, err := s.Scan(src, Options{Depth: 2})
	if err != nil || string(src[n:]) != "tail" {
		t.Fatalf("read %d bytes, %v", n, err)
	}
	var got []string
	for i := range s.Nodes {
		nd := &s.Nodes[i]
		got = append(got, fmt.Sprintf("%s=%s->%d", src[nd.NameStart:nd.NameEnd], src[nd.Start:nd.End], nd.Next))
	}
	want := []string{
		`={"a": [10, {"deep": 1}], "b\u0062": "x\n"}->5`, `a=[10, {"deep": 1}]->4`, `=10->3`, `={"deep": 1}->4`, `b\u0062="x\n"->5`,
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if s.Nodes[3].Flags&FlagClosed == 0 || s.Nodes[1].Flags&FlagClosed != 0 || s.Nodes[4].Flags&FlagNameEscaped == 0 {
		t.Error("flags are wrong")
	}
}

// TestInvalidUTF8 holds the rule for bytes that are not UTF-8: refused, or
// accepted with the bytes kept and U+FFFD in the decoded text (F-B11).
func TestInvalidUTF8(t *testing.T) {
	src := []byte("{\"caf\xe9\":\"a\xffb\xc3\"}")
	var wrong *SyntaxError
	if err := new(Scanner).ScanAll(src, Options{}); !errors.As(err, &wrong) || wrong.Offset != 5 {
		t.Errorf("strict mode says %v, want an error at byte 5", err)
	}
	v := Parse(src)
	if string(v.Raw) != string(src) {
		t.Errorf("bytes became %q", v.Raw)
	}
	for _, e := range v.Object().members {
		if e.flags&FlagInvalidUTF8 == 0 {
			t.Error("the value is not marked")
		}
		if got := v.Object().value(&e).String(); got != "a\ufffdb\ufffd" {
			t.Errorf("decoded to %q", got)
		}
	}
}

// TestLoneSurrogates holds the rule of W-120: the bytes stay, the decoded text
// leaves them out, and the value is marked.
func TestLoneSurrogates(t *testing.T) {
	for src, want := range map[string]string{
		`"a\ud83db"`: "ab", `"\ude00"`: "", `"\ud83d\ude00"`: "\U0001F600", `"\ud83d\ud83d\ude00"`: "\U0001F600", `"\ud83d\u0041"`: "A",
		`"\ud83d.ude00"`: ".ude00", `"\ud83d\nde00"`: "\nde00",
	} {
		v := Parse([]byte(src))
		if v.String() != want || string(v.Raw) != src {
			t.Errorf("%s decodes to %q, want %q", src, v.String(), want)
		}
		lone := strings.Count(src, `\u`)*6+2 != len(src) || v.Flags&FlagLoneSurrogate != 0
		if lone != (src != `"\ud83d\ude00"`) {
			t.Errorf("%s: flags %b", src, v.Flags)
		}
	}
}

// FuzzScan compares with the standard library on any bytes.
func FuzzScan(f *testing.F) {
	for _, s := range append(append([]string(nil), valid...), invalid...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := Valid(b); got != standard(string(b)) {
			t.Fatalf("Valid(%q) = %v", b, got)
		}
		v := Parse(b)
		if !v.Exists() {
			return
		}
		again := v.Object().With("z", Text("x")).AppendTo(nil)
		if v.Kind == ObjectKind && !json.Valid(bytes.ToValidUTF8(again, []byte("?"))) {
			t.Fatalf("an edit of %q gives %q", b, again)
		}
		if v.Kind == String && v.Flags&(FlagLoneSurrogate|FlagInvalidUTF8) == 0 {
			var want string
			if json.Unmarshal(v.Raw, &want) == nil && want != v.String() {
				t.Fatalf("%q decodes to %q, want %q", v.Raw, v.String(), want)
			}
		}
	})
}

// FuzzQuote holds that quoting is the inverse of decoding and what the
// standard library reads.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", "\x00\x1f\"\\\n", "é日\U0001F600", "\xff", "</script>\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := Quote(s)
		want := strings.ToValidUTF8(s, "\ufffd")
		var std string
		if err := json.Unmarshal(q, &std); err != nil {
			t.Fatalf("%q: %v", q, err)
		}
		if got := Parse(q).String(); strings.ReplaceAll(got, "\ufffd", "") != strings.ReplaceAll(want, "\ufffd", "") || got != std {
			t.Fatalf("%q quoted is %s, decoded %q", s, q, got)
		}
		if Text(s).Flags != Parse(q).Flags&^FlagNUL {
			t.Fatalf("%q: Text has flags %b, the scan %b", s, Text(s).Flags, Parse(q).Flags)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	line := benchLine()
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	var s Scanner
	for b.Loop() {
		if _, err := s.Scan(line, Options{Depth: 4}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStandardValid(b *testing.B) {
	line := benchLine()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if !json.Valid(line) {
			b.Fatal()
		}
	}
}

// benchLine is a line as they stand in session files: a tool result of about
// 2 KB.
func benchLine() []byte {
	text := strings.Repeat(`some words of a file that was read\n\tand \"quoted\" ones, `, 32)
	return fmt.Appendf(nil, `{"type":"message","id":"a1b2c3d4","parentId":"00112233","timestamp":"2026-03-01T10:00:00.000Z",`+
		`"message":{"role":"toolResult","toolCallId":"toolu_01","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false,"timestamp":1772359200000}}`, text)
}
