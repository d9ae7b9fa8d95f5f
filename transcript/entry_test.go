package transcript

import (
	"bytes"
	"testing"

	"hygeia/internal/jsonline"
)

// F-B11: bytes that are not UTF-8 are read leniently, noticed and kept.
func TestEntryInvalidUTF8(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       bool
	}{
		{"clean", `{"type":"message","id":"a","message":{"role":"user","content":"grüße"}}`, false},
		{"in the text", "{\"type\":\"message\",\"id\":\"a\",\"message\":{\"role\":\"user\",\"content\":\"caf\xe9\"}}", true},
		{"deep in arguments", "{\"type\":\"message\",\"id\":\"a\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"arguments\":{\"a\":{\"b\":[\"\xff\"]}}}]}}", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r Reader
			e, n, err := r.Entry([]byte(c.line))
			if err != nil || n != len(c.line) {
				t.Fatalf("read %d of %d bytes: %v", n, len(c.line), err)
			}
			if e.InvalidUTF8 != c.want {
				t.Errorf("InvalidUTF8 = %v, want %v", e.InvalidUTF8, c.want)
			}
			if got := string(e.AppendJSON(nil)); got != c.line {
				t.Errorf("bytes changed: %q", got)
			}
		})
	}
}

// F-12, F-13: the base of an entry, absent and odd members told apart.
func TestEntryBase(t *testing.T) {
	for in, want := range map[string]Entry{
		`{"type":"message","id":"a","parentId":"b"}`:                  {Type: EntryMessage, ID: "a", Parent: "b", HasParent: true},
		`{"type":"custom","id":"a","parentId":null}`:                  {Type: EntryCustom, ID: "a", HasParent: true},
		`{"type":"label","id":"a"}`:                                   {Type: EntryLabel, ID: "a"},
		`{"type":"future","id":7,"parentId":7,"appendMode":"side"}`:   {Type: "future", HasParent: true, Side: true},
		`{"type":"leaf","id":"a","appendMode":"main"}`:                {Type: EntryLeaf, ID: "a"},
		`{"id":"x","type":"leaf","id":"\u0061"}`:                      {Type: EntryLeaf, ID: "a"},
		`{"typ\u0065":"compaction","\u0069d":"a","parent\u0049d":""}`: {Type: EntryCompaction, ID: "a", HasParent: true},
		`[]`: {},
	} {
		var r Reader
		e, n, err := r.Entry([]byte(in + " \n{}"))
		if err == nil && string(bytes.Join(e.Parts(), nil)) != in {
			t.Errorf("%s in pieces: %q", in, e.Parts())
		}
		if err != nil || n != len(in)+2 {
			t.Errorf("%s: %d bytes, %v", in, n, err)
			continue
		}
		got := Entry{Type: e.Type, ID: e.ID, Parent: e.Parent, HasParent: e.HasParent, Side: e.Side}
		if got.Type != want.Type || got.ID != want.ID || got.Parent != want.Parent || got.HasParent != want.HasParent || got.Side != want.Side {
			t.Errorf("%s: %+v", in, got)
		}
		if s := string(e.AppendJSON(nil)); s != in {
			t.Errorf("%s became %s", in, s)
		}
	}
}

// F-13: only an object is a message; of two the last counts, as everywhere.
func TestEntryMessage(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"message","message":{"role":"user","content":"x"}}`:                       `{"role":"user","content":"x"}`,
		`{"type":"message","message":{"role":"user"},"message":{"role":"assistant"}}`:      `{"role":"assistant"}`,
		`{"type":"message","message":{"role":"user"},"message":null}`:                      "",
		`{"type":"message","message":"x"}`:                                                 "",
		`{"type":"message"}`:                                                               "",
		`{"type":"custom","message":{"role":"user"}}`:                                      "",
		`{"type":"message","m\u0065ssage":{"role":"user"}}`:                                `{"role":"user"}`,
		`{"type":"message","message":{"role":"user"},"m\u0065ssage":{"role":"assistant"}}`: `{"role":"assistant"}`,
	} {
		var r Reader
		e, _, err := r.Entry([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		got := ""
		if e.Message != nil {
			got = string(e.Message.AppendJSON(nil))
		}
		if got != want {
			t.Errorf("%s: message %q, want %q", in, got, want)
		}
	}
}

// F-30: the time of an entry.
func TestEntryTimestamp(t *testing.T) {
	var r Reader
	e, _, err := r.Entry([]byte(`{"type":"message","timestamp":"2026-01-01T00:00:01Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	if ms, ok := e.Timestamp(); !ok || ms != 1767225601000 {
		t.Errorf("%v %v", ms, ok)
	}
}

// F-12: an entry that a program makes says what was put into it, and each copy
// is its own.
func TestNewEntry(t *testing.T) {
	e := NewMessageEntry(NewText(User, "hi"))
	a := e.With("id", jsonline.Text("a")).With("parentId", jsonline.Text("p")).With("appendMode", jsonline.Text("side"))
	want := `{"type":"message","message":{"role":"user","content":"hi"},"id":"a","parentId":"p","appendMode":"side"}`
	if got := string(a.AppendJSON(nil)); got != want || a.ID != "a" || a.Parent != "p" || !a.HasParent || !a.Side || a.Message == nil {
		t.Errorf("got %s of %+v", got, a)
	}
	if b := a.With("parentId", jsonline.Value{}); b.HasParent || !a.HasParent || e.ID != "" {
		t.Errorf("a copy changed another: %+v, %+v", e, a)
	}
	if got := NewEntry(EntryLabel).With("type", jsonline.Text("leaf")); got.Type != EntryLeaf {
		t.Errorf("type %s", got.Type)
	}
}
