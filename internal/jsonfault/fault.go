// Package jsonfault says what is wrong with a JSON text in words for whoever wrote
// it. In goes the text with the error of package json or jsontext that reading it
// returned, out comes a [Fault]: the line, the member, and what is expected there.
package jsonfault

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Fault is what is wrong with a JSON text.
type Fault struct {
	Line   int    // from 1
	Member string // JSON pointer, "" for the text as a whole
	Reason string

	err error
}

func (f *Fault) Error() string {
	if f.Member == "" {
		return fmt.Sprintf("line %d: %s", f.Line, f.Reason)
	}
	return fmt.Sprintf("line %d: %s: %s", f.Line, f.Member, f.Reason)
}

// Unwrap returns the error as it was.
func (f *Fault) Unwrap() error { return f.err }

// In returns the fault that err, which is not nil, is about in a text.
func In(text []byte, err error) *Fault {
	f := &Fault{Reason: Reason(err), err: err}
	offset := int64(len(text))
	var of *json.SemanticError
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &of):
		offset, f.Member = of.ByteOffset, string(of.JSONPointer)
	case errors.As(err, &syntax):
		offset, f.Member = syntax.ByteOffset, string(syntax.JSONPointer)
	}
	f.Line = Line(text, offset)
	return f
}

// Line returns the number of the line, from 1, of the first value at or behind an
// offset in bytes, or of the end of the last one.
func Line(text []byte, offset int64) int {
	text = bytes.TrimRight(text, " \t\r\n")
	at := int(min(max(offset, 0), int64(len(text))))
	at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\r\n,:"))
	return bytes.Count(text[:at], []byte("\n")) + 1
}

// Reason returns what is wrong, without the place.
func Reason(err error) string {
	var of *json.SemanticError
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &of):
		return mismatch(of)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the text ends too early"
	case errors.As(err, &syntax):
		return syntax.Err.Error()
	}
	return err.Error()
}

// mismatch says what a value should be.
func mismatch(e *json.SemanticError) string {
	if errors.Is(e.Err, json.ErrUnknownName) {
		return "unknown member"
	}
	if e.Err != nil && e.JSONKind == '"' && readsText(e.GoType) {
		return e.Err.Error() // in the words of the type
	}
	want := expected(e.GoType)
	var inner *json.SemanticError
	if errors.As(e.Err, &inner) && want == "" {
		return mismatch(inner)
	}
	if want == "" {
		return strings.TrimPrefix(fmt.Sprint(e.Err), "json: ")
	}
	return fmt.Sprintf("expected %s, found %s", want, found(e))
}

// kinds are the words for what a value may be.
var kinds = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.String: "a string",
	reflect.Slice: "a list", reflect.Array: "a list", reflect.Map: "an object", reflect.Struct: "an object",
	reflect.Int: "a whole number", reflect.Int8: "a whole number", reflect.Int16: "a whole number", reflect.Int32: "a whole number",
	reflect.Int64: "a whole number", reflect.Uint8: "a whole number from 0 on", reflect.Uint: "a whole number from 0 on",
	reflect.Uint16: "a whole number from 0 on", reflect.Uint32: "a whole number from 0 on", reflect.Uint64: "a whole number from 0 on",
	reflect.Float32: "a number", reflect.Float64: "a number",
}

var (
	durations = reflect.TypeFor[time.Duration]()
	texts     = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// expected returns what a value of a type looks like, "" where nobody knows.
func expected(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == nil:
		return ""
	case t == durations, t.Kind() == reflect.Int64 && readsText(t):
		return `a time such as "90s" or "50ms"`
	case readsText(t):
		return "a string"
	}
	return kinds[t.Kind()]
}

// readsText reports whether a type reads itself from a string.
func readsText(t reflect.Type) bool { return t != nil && reflect.PointerTo(t).Implements(texts) }

// maxFound is how long a value may be to be shown, in bytes.
const maxFound = 40

// found names what there is instead. Text may be a secret that stands in the wrong
// place, so it is not shown.
func found(e *json.SemanticError) string {
	switch e.JSONKind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		if len(e.JSONValue) > 0 && len(e.JSONValue) <= maxFound {
			return string(e.JSONValue)
		}
		return "a number"
	case 'n':
		return "null"
	case 't':
		return "true"
	case 'f':
		return "false"
	}
	return "something else"
}
