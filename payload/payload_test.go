package payload_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// calls returns a message list that calls tools of those names.
func calls(t interface{ Fatalf(string, ...any) }, names ...string) *payload.Input {
	var blocks []string
	for i, name := range names {
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":"c%d","name":%s,"arguments":{}}`, i, jsonline.Quote(name)))
	}
	text := `[{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}]`
	return &payload.Input{Messages: buildtest.Messages(t, text), Policy: &policy.Policy{}, Report: &hygiene.Report{}}
}

// W-176: what becomes of a name. The hashes are those of SHA-256.
func TestNames(t *testing.T) {
	tests := []struct {
		form       payload.NameForm
		name, want string
	}{
		{payload.NameForm{}, "read_file-2", "read_file-2"},
		{payload.NameForm{}, "fs.read", "fs_read_4074bc02"},
		{payload.NameForm{}, "größe", "gr__e_d353a267"},
		{payload.NameForm{}, strings.Repeat("n", 64), strings.Repeat("n", 64)},
		{payload.NameForm{}, strings.Repeat("n", 65), strings.Repeat("n", 55) + "_" + "1e3fb6d5"},
		{payload.NameForm{Max: 128}, strings.Repeat("n", 65), strings.Repeat("n", 65)},
		{payload.NameForm{Google: true}, "a.b:c", "a.b:c"},
		{payload.NameForm{Google: true}, "2fa", "_2fa_46897518"},
		{payload.NameForm{Google: true}, "-x", "_-x_a4209624"},
		{payload.NameForm{}, "2fa", "2fa"},
		{payload.NameForm{LetterFirst: true}, "2fa", "_2fa_46897518"},
		{payload.NameForm{LetterFirst: true}, "_a.b", "_a_b_4e7bafc2"},
		{payload.NameForm{}, "AZaz09_-", "AZaz09_-"},
		{payload.NameForm{Google: true}, "A", "A"},
		{payload.NameForm{Google: true}, "Z", "Z"},
		{payload.NameForm{Google: true}, "a", "a"},
		{payload.NameForm{Google: true}, "z", "z"},
	}
	for _, test := range tests {
		names := payload.NewNames(calls(t, test.name), test.form, "name")
		if got := names.Wire(test.name); got != test.want {
			t.Errorf("%+v %q: got %q, want %q", test.form, test.name, got, test.want)
		}
		if back := names.Original(names.Wire(test.name)); back != test.name {
			t.Errorf("%q comes back as %q", test.name, back)
		}
	}
}

// W-176: a legal name is never touched, different names never meet, and every
// name comes back.
func TestPropertyNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := payload.NameForm{Max: rapid.SampledFrom([]int{0, 12, 128}).Draw(t, "max"), Google: rapid.Bool().Draw(t, "google")}
		list := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "a b", "a.b", "a_b", "a b_5e0c3a6b", "ä", "ö", "a  b", strings.Repeat("x", 130), strings.Repeat("x", 131), "1", "_",
		}), 1, 8).Draw(t, "names")
		first := payload.NewNames(calls(t, list...), form, "name")
		for _, name := range list { // names that look like a changed one
			list = append(list, first.Wire(name))
		}
		names := payload.NewNames(calls(t, list...), form, "name")
		max := form.Max
		if max == 0 {
			max = 64
		}
		wire := map[string]string{}
		for _, name := range list {
			w := names.Wire(name)
			if other, met := wire[w]; met && other != name {
				t.Fatalf("%q and %q both go out as %q", name, other, w)
			}
			wire[w] = name
			if len(w) > max || w == "" || strings.ContainsAny(w, " ä") {
				t.Fatalf("%q goes out as %q", name, w)
			}
			if names.Original(w) != name {
				t.Fatalf("%q comes back as %q", name, names.Original(w))
			}
		}
		for _, name := range list {
			if legal := payload.NewNames(calls(t, name), form, "name").Wire(name); legal == name && names.Wire(name) != name {
				t.Fatalf("legal name %q goes out as %q", name, names.Wire(name))
			}
		}
	})
}

// W-176: definitions get the names of the calls, wherever the name stands.
func TestDefinition(t *testing.T) {
	in := calls(t, "a b")
	in.Options.Tools = jsonline.Parse([]byte(`[{"type":"function","function":{"name":"a b","x":1.0}},{"type":"function","function":{"name":"ok"}}]`))
	names := payload.NewNames(in, payload.NameForm{}, "function", "name")
	var got []string
	for def := range in.Options.Tools.Elements() {
		got = append(got, string(names.Definition(def, "function", "name").Raw))
	}
	want := []string{
		`{"type":"function","function":{"name":"` + names.Wire("a b") + `","x":1.0}}`, `{"type":"function","function":{"name":"ok"}}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || names.Wire("a b") == "a b" {
		t.Errorf("got %s", got)
	}
}

// W-176: a list on the way to the name stands for its elements, and a
// definition whose names are legal is the same bytes.
func TestDefinitionInLists(t *testing.T) {
	in := calls(t, "a b")
	in.Options.Tools = jsonline.Parse([]byte(`[{"googleSearch":{}},{"functionDeclarations":[{"name":"ok"}, {"name":"a b","x":1.0}]},{"functionDeclarations":[{"name": "ok"}]}]`))
	path := []string{"functionDeclarations", "name"}
	names := payload.NewNames(in, payload.NameForm{Google: true}, path...)
	var got []string
	for def := range in.Options.Tools.Elements() {
		got = append(got, string(names.Definition(def, path...).Raw))
	}
	want := []string{
		`{"googleSearch":{}}`, `{"functionDeclarations":[{"name":"ok"},{"name":"` + names.Wire("a b") + `","x":1.0}]}`,
		`{"functionDeclarations":[{"name": "ok"}]}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || names.Original(names.Wire("a b")) != "a b" {
		t.Errorf("got %s", got)
	}
}

// W-120, W-955: what no request may hold is left out, everything else keeps its
// spelling.
func TestLegal(t *testing.T) {
	for text, want := range map[string]string{
		`"caf\u00e9 \/ \ud83d\ude80"`:                `"caf\u00e9 \/ \ud83d\ude80"`,
		`"a\ud83dz"`:                                 `"az"`,
		`"\udc00\u0000"`:                             `""`,
		"\"\xff\"":                                   "\"\uFFFD\"",
		`{ "n":1.50, "s":["\ud83d", "\u00e9"] }`:     `{ "n":1.50, "s":["", "\u00e9"] }`,
		`{"k\ud800":1,"\u006b":{"x\u0000":"\n"}}`:    `{"k":1,"\u006b":{"x":"\n"}}`,
		"[\"a\", {\"b\xff\":\"\xe9\"}, \"\\u0041\"]": "[\"a\", {\"b\uFFFD\":\"\uFFFD\"}, \"\\u0041\"]",
		`[[["\uDFFF"]],2]`:                           `[[[""]],2]`,
		`12`:                                         `12`,
	} {
		v := jsonline.Parse([]byte(text))
		if got := string(payload.Legal(v).Raw); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func FuzzLegal(f *testing.F) {
	f.Add([]byte(`{"k\ud800":["\ud83d\ude80","\uDFFF"],"n":1.0}`))
	f.Add([]byte("[\"\xff\\u0000\"]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		v := jsonline.Parse(text)
		if !v.Exists() {
			t.Skip()
		}
		legal := payload.Legal(v)
		again := jsonline.Parse(legal.Raw)
		if !again.Exists() || !utf8.Valid(legal.Raw) || string(payload.Legal(again).Raw) != string(legal.Raw) {
			t.Fatalf("%q became %q", text, legal.Raw)
		}
	})
}

// W-123: the boundary divides the prompt or becomes one newline, and never goes
// out.
func TestSystem(t *testing.T) {
	const mark = texts.CacheBoundary
	tests := []struct{ in, stable, dynamic, text string }{
		{"", "", "", ""},
		{" \n", "", "", ""},
		{"a", "a", "", "a"},
		{"a\n\nb\n", "a\n\nb\n", "", "a\n\nb\n"},
		{"a\n" + mark + "\nb", "a", "b", "a\nb"},
		{"a" + mark + "b", "a", "b", "a\nb"},
		{mark + "\nb", "", "b", "b"},
		{"a\n" + mark, "a", "", "a"},
		{"a\n" + mark + "\nb\n" + mark + "\nc", "a", "b\nc", "a\nb\nc"},
		{"a\n" + mark + "\nb" + mark[:9] + mark + mark[9:], "a", "b", "a\nb"},
		{"a\x00\xed\xa0\x80z", "az", "", "az"}, // W-120
	}
	for _, test := range tests {
		stable, dynamic := payload.SplitSystem(test.in)
		if stable != test.stable || dynamic != test.dynamic {
			t.Errorf("%q: got %q and %q", test.in, stable, dynamic)
		}
		if text := payload.SystemText(test.in); text != test.text {
			t.Errorf("%q: got %q, want %q", test.in, text, test.text)
		}
	}
}

// D-38: the output limit.
func TestMaxTokens(t *testing.T) {
	for _, test := range []struct{ asked, limit, want int }{
		{0, 0, 8192}, {0, 4096, 4096}, {0, 64000, 32000}, {500, 0, 500}, {500, 4096, 500}, {99999, 4096, 4096}, {50000, 64000, 50000},
	} {
		in := &payload.Input{Policy: &policy.Policy{Model: policy.Model{MaxOutputTokens: test.limit}}, Options: payload.Options{MaxTokens: test.asked}}
		if got := in.MaxTokens(); got != test.want {
			t.Errorf("%+v: got %d", test, got)
		}
	}
}

// W-121, W-122: the text of a tool result.
func TestResultText(t *testing.T) {
	long := strings.Repeat("\U0001F680", 5000)
	tests := []struct{ content, want, changes string }{
		{`"plain\u0020text"`, `"plain\u0020text"`, ""},
		{`" "`, `"none"`, ""},
		{`null`, `"none"`, ""},
		{`[]`, `"none"`, ""},
		{`[{"type":"text","text":"a\/b"}]`, `"a\/b"`, ""},
		{`[{"type":"text","text":"a\/b"},{"type":"text","text":" "},{"type":"text","text":"\u00e9"}]`, `"a\/b\n\u00e9"`, ""},
		{`[{"type":"image","data":"AAAA"}]`, `"(image attached)"`, ""},
		{`[{"type":"audio","data":"AAAA"}]`, `"(audio attached)"`, "W-124"},
		{`[{"type":"audio","data":"AAAA"},{"type":"image","data":"AAAA"}]`, `"(media attached)"`, "W-124"},
		{`[{ "type" : "x", "n": [1.0, 2], "o":{}, "s":"\u00e9" }]`, `"{\"type\":\"x\",\"n\":[1.0,2],\"o\":{},\"s\":\"\\u00e9\"}"`, ""},
		{`[{"type":"x"},{"type":"y"},{"type":"image"}]`, `"{\"type\":\"x\"}\n{\"type\":\"y\"}"`, ""},
		{`[{"type":"text","text":"a"},{"type":"x"}]`, `"a"`, "W-124"},
		{
			`[{"type":"x","blob":"AA","deep":{"buffer":[1,2],"bytes":3,"encrypted_content":"s","encrypted_stdout":"t"}}]`,
			`"{\"type\":\"x\",\"blob\":\"[binary data omitted]\",\"deep\":{\"buffer\":\"[binary data omitted]\",\"bytes\":\"[binary data omitted]\",\"encrypted_content\":\"[binary data omitted]\",\"encrypted_stdout\":\"[binary data omitted]\"}}"`, "W-121",
		},
		{`[{"type":"x","mimeType":"text/csv","data":"a,b"}]`, `"{\"type\":\"x\",\"mimeType\":\"text/csv\",\"data\":\"a,b\"}"`, ""},
		{`[{"type":"x","media_type":"application/pdf","data":"JVBE"}]`, `"{\"type\":\"x\",\"media_type\":\"application/pdf\",\"data\":\"[data omitted, length 4]\"}"`, "W-121"},
		{`[{"type":"x","u":"data:image/png;base64,AAAA"}]`, `"{\"type\":\"x\",\"u\":\"[inline data omitted, length 26]\"}"`, "W-121"},
		{`["bare", 7]`, `"\"bare\"\n7"`, ""},
		{`[{"type":"x","t":"` + long + `"}]`, "", "W-121"},
	}
	for _, test := range tests {
		list := buildtest.Messages(t, `[{"role":"toolResult","toolCallId":"a","content":`+test.content+`}]`)
		log := payload.Log{Stage: "test", Report: &hygiene.Report{}}
		got := log.ResultText(list[0], "none")
		if test.want != "" && string(got.Raw) != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.content, got.Raw, test.want)
		}
		if test.want == "" {
			text, cut := strings.CutSuffix(got.String(), "\n"+texts.TruncatedNote)
			if n := len(utf16.Encode([]rune(text))); !cut || n > 8000 || n < 7990 {
				t.Errorf("%d units, cut %v", n, cut)
			}
		}
		var changes []string
		for _, c := range log.Report.Changes {
			changes = append(changes, c.Rule)
			if !c.Lossy {
				t.Errorf("%s: %s is not lossy", test.content, c.Rule)
			}
		}
		if strings.Join(changes, " ") != test.changes {
			t.Errorf("%s: changes %q", test.content, changes)
		}
	}
}

// A text of one block is spliced, not copied.
func TestResultTextSplices(t *testing.T) {
	list := buildtest.Messages(t, `[{"role":"toolResult","toolCallId":"a","content":[{"type":"text","text":"a\/b"}]}]`)
	log := payload.Log{Stage: "test", Report: &hygiene.Report{}}
	if n := testing.AllocsPerRun(100, func() { log.ResultText(list[0], "none") }); n > 1 { // the race detector may add one
		t.Errorf("%v allocations", n)
	}
}
