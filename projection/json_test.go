package projection

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/transcript"
)

func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"role":"user","content":"a"}`:                                          `{"role":"user","content":"a"}`,
		`{"role":"user","content":"a\ud83d"}`:                                    `{"role":"user","content":"a` + "\ufffd" + `"}`,
		"{\"role\":\"user\",\"content\":\"a\xff\"}":                              `{"role":"user","content":"a` + "\ufffd" + `"}`,
		`{"role":"user","content":"x","content":"y","n":1e400}`:                  `{"role":"user","content":"y","n":1e400}`,
		`{"role":"user","x":{"a":1,"b":[{"a":2,"a":3}],"a":{"c":4}}}`:            `{"role":"user","x":{"b":[{"a":3}],"a":{"c":4}}}`,
		`{"role":"user","x":["x","y",{"x":["\ud83d","x"]}],"n":1,"n":2,"n":[3]}`: `{"role":"user","x":["x","y",{"x":["` + "\ufffd" + `","x"]}],"n":[3]}`,
		`{"role":"user","\ud83d":1,"\ud83e":2}`:                                  `{"role":"user","` + "\ufffd" + `":2}`,
	} {
		got := JSON(read(t, in)[0])
		if string(got) != want || !got.IsValid() {
			t.Errorf("%s:\n%s, want\n%s", in, got, want)
		}
	}
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"role":"user","content":"\ud83d","a":{"b":1,"b":[2]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r transcript.Reader
		m, err := r.Message(text)
		if err != nil || !m.IsObject() {
			return
		}
		if got := JSON(m); !jsontext.Value(got).IsValid() {
			t.Fatalf("%q becomes %q", text, got)
		}
	})
}
