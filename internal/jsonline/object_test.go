package jsonline

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func obj(t *testing.T, src string) Object {
	t.Helper()
	o := ParseObject([]byte(src))
	if !o.Exists() {
		t.Fatalf("%s is no object", src)
	}
	return o
}

// TestEditsAreSplices holds that an edit leaves every other byte as it was:
// spacing inside values, number literals, escapes, order.
func TestEditsAreSplices(t *testing.T) {
	const src = `{"big":12345678901234567890,"f":1.0,"o":{ "x" : [1, 2] },"s":"\u00e9\/","n":null}`
	for _, c := range []struct {
		name string
		edit func(Object) Object
		want string
	}{
		{"none", func(o Object) Object { return o }, src},
		{"replace", func(o Object) Object { return o.With("f", Text("x")) }, strings.Replace(src, `1.0`, `"x"`, 1)},
		{"remove", func(o Object) Object { return o.Without("o") }, strings.Replace(src, `"o":{ "x" : [1, 2] },`, ``, 1)},
		{"remove last", func(o Object) Object { return o.Without("n") }, strings.Replace(src, `,"n":null`, ``, 1)},
		{"remove absent", func(o Object) Object { return o.Without("q") }, src},
		{"add", func(o Object) Object { return o.With("q", Bool(true)) }, strings.TrimSuffix(src, "}") + `,"q":true}`},
		{"twice", func(o Object) Object { return o.With("f", Bool(true)).With("f", Bool(false)) }, strings.Replace(src, `1.0`, `false`, 1)},
		{"remove and put back", func(o Object) Object { return o.Without("f").With("f", Bool(true)) }, strings.Replace(src, `1.0`, `true`, 1)},
		{"add and remove", func(o Object) Object { return o.With("q", Bool(true)).Without("q") }, src},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := obj(t, src)
			if got := string(c.edit(o).AppendTo(nil)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := string(bytes.Join(c.edit(o).Parts("", nil), nil)); got != c.want {
				t.Errorf("in pieces %s\nwant %s", got, c.want)
			}
			if got := string(o.AppendTo(nil)); got != src {
				t.Errorf("the original became %s", got)
			}
		})
	}
}

// TestDuplicateNames holds the rule for duplicate names: the last counts, all
// survive, an edit leaves one.
func TestDuplicateNames(t *testing.T) {
	const src = `{"a":1,"b":2,"\u0061":3}`
	o := obj(t, src)
	if got := string(o.Get("a").Raw); got != "3" {
		t.Errorf("a is %s, want the last one", got)
	}
	if got := string(o.With("c", Bool(true)).AppendTo(nil)); got != `{"a":1,"b":2,"\u0061":3,"c":true}` {
		t.Errorf("another edit gives %s", got)
	}
	if got := string(o.With("a", Bool(true)).AppendTo(nil)); got != `{"b":2,"a":true}` {
		t.Errorf("an edit of the name gives %s", got)
	}
	if got := string(o.Without("a").AppendTo(nil)); got != `{"b":2}` {
		t.Errorf("removing it gives %s", got)
	}
}

// TestUnedited holds that an object that was not edited keeps the spacing between its
// members, and that what is no object is none.
func TestUnedited(t *testing.T) {
	const src = `{ "a" : 1 , "b":2}`
	o := obj(t, src)
	if got := string(o.AppendTo(nil)); got != src {
		t.Errorf("got %s", got)
	}
	if got := string(bytes.Join(o.Parts("", nil), nil)); got != src {
		t.Errorf("in pieces %s", got)
	}
	if got := string(bytes.Join(Object{}.Parts("", nil), nil)); got != "{}" {
		t.Errorf("nothing in pieces: %s", got)
	}
	for _, text := range []string{`[{"a":1}]`, `"a"`, `7`, `{"a":1`, ``} {
		if ParseObject([]byte(text)).Exists() {
			t.Errorf("%s is an object", text)
		}
	}
}

func TestNewObject(t *testing.T) {
	var o Object
	if o.Exists() || o.Has("a") {
		t.Error("the zero object is there")
	}
	if !o.With("a", Text("x")).Exists() {
		t.Error("an object with a member is not there")
	}
	if got := string(o.With("a", Text("x")).With("b", Bool(false)).AppendTo(nil)); got != `{"a":"x","b":false}` {
		t.Errorf("got %s", got)
	}
}

func TestBlank(t *testing.T) {
	for src, want := range map[string]bool{
		`""`: true, `"  "`: true, `"\n\t \u00a0\u3000"`: true, `"\ud83d"`: true, `"x"`: false, `" \u0041"`: false, `"é"`: false, `" ` + "\u00a0" + `"`: true,
		`"\u0000"`: false, `null`: false, `0`: false, `[]`: false,
	} {
		if got := Parse([]byte(src)).Blank(); got != want {
			t.Errorf("%s: blank %v", src, got)
		}
	}
}

func TestElements(t *testing.T) {
	var got []string
	for e := range Parse([]byte(`[1, "a", {"b":[2]}, null]`)).Elements() {
		got = append(got, string(e.Raw))
	}
	if want := `1|"a"|{"b":[2]}|null`; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// TestEditsMatchMaps compares random edits with the same on a Go map (G-7).
func TestEditsMatchMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SampledFrom([]string{"a", "b", "c", "type", "é", "x\"y"})
		o, want := Object{}, map[string]any{}
		src := rapid.MapOf(names, rapid.SampledFrom([]string{`1`, `"s"`, `null`, `{"k":[]}`})).Draw(t, "object")
		text := []byte("{")
		for k, v := range src {
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(append(AppendQuoted(text, k), ':'), v...)
			var value any
			if err := json.Unmarshal([]byte(v), &value); err != nil {
				t.Fatal(err)
			}
			want[k] = value
		}
		o = ParseObject(append(text, '}'))
		for range rapid.IntRange(0, 5).Draw(t, "edits") {
			name := names.Draw(t, "name")
			if rapid.Bool().Draw(t, "remove") {
				o = o.Without(name)
				delete(want, name)
			} else {
				o = o.With(name, Text("new"))
				want[name] = "new"
			}
		}
		var got map[string]any
		if err := json.Unmarshal(o.AppendTo(nil), &got); err != nil {
			t.Fatalf("%s: %v", o.AppendTo(nil), err)
		}
		name := names.Draw(t, "in pieces")
		for how, parts := range map[string][2]string{
			"as it is":       {string(bytes.Join(o.Parts("", nil), nil)), string(o.AppendTo(nil))},
			"with one value": {string(bytes.Join(o.Parts(name, [][]byte{{'['}, {']'}}), nil)), string(o.With(name, Parse([]byte(`[]`))).AppendTo(nil))},
		} {
			if parts[0] != parts[1] {
				t.Fatalf("%s: in pieces %s, want %s", how, parts[0], parts[1])
			}
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		if string(a) != string(b) {
			t.Fatalf("got %s, want %s", a, b)
		}
	})
}
