package session

import (
	"bytes"
	"slices"

	"hygeia/internal/jsonline"
)

// Index is the list of the sessions of an agent: a row for each session key
// (F-06). A row is a JSON object; members that nobody here knows survive. It is
// not safe for concurrent use.
type Index struct {
	rows     map[string]jsonline.Value
	keys     []string // in the order of the file
	changed  bool
	problems []Problem
}

// Keys returns the keys of the rows, in the order of the file.
func (x *Index) Keys() []string { return slices.Clone(x.keys) }

// Row returns the row of a session, which does not exist where there is none. Of
// what stands in it see F-06: sessionId, sessionFile, updatedAt and so on, times
// in milliseconds.
func (x *Index) Row(key string) jsonline.Object { return x.rows[key].Object() }

// Set puts a row in the place of the one with that key, or behind all others. A
// row that does not exist takes that one away.
func (x *Index) Set(key string, row jsonline.Object) {
	if !row.Exists() {
		x.Delete(key)
		return
	}
	v := row.Value()
	old, ok := x.rows[key]
	if ok && bytes.Equal(old.Raw, v.Raw) {
		return
	}
	if !ok {
		x.keys = append(x.keys, key)
	}
	x.rows[key], x.changed = v, true
}

// Delete removes the row with that key.
func (x *Index) Delete(key string) {
	if _, ok := x.rows[key]; !ok {
		return
	}
	delete(x.rows, key)
	x.keys = slices.DeleteFunc(x.keys, func(k string) bool { return k == key })
	x.changed = true
}

// Problems returns what was wrong with the file.
func (x *Index) Problems() []Problem { return x.problems }

func newIndex() *Index { return &Index{rows: map[string]jsonline.Value{}} }

// readIndex reads the text of an index. It is not ok where that is none.
func readIndex(text []byte) (x *Index, ok bool) {
	x = newIndex()
	o := jsonline.ParseObject(bytes.TrimPrefix(text, []byte("\uFEFF")))
	for key, v := range o.Members() {
		if _, again := x.rows[key]; !again {
			x.keys = append(x.keys, key)
		}
		x.rows[key] = v
	}
	return x, o.Exists()
}

// appendTo appends the index as JSON, rows that did not change byte for byte.
func (x *Index) appendTo(dst []byte) []byte {
	dst = append(dst, '{')
	for i, key := range x.keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonline.AppendQuoted(append(dst, "\n  "...), key), ": "...)
		dst = append(dst, x.rows[key].Raw...)
	}
	return append(dst, "\n}\n"...)
}
