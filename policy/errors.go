package policy

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonfault"
)

// ErrTarget is wrapped by every error about a target text that cannot be read.
var ErrTarget = errors.New("bad target")

// ProfileError is a fault in a profile file.
type ProfileError struct {
	File string // name of the file
	Path string // JSON pointer
	Err  error
}

func (e *ProfileError) Error() string {
	where := e.File
	if e.Path != "" { // the file is JSON at least
		where += ": " + e.Path
	}
	return fmt.Sprintf("profile %s: %v", where, e.Err)
}

func (e *ProfileError) Unwrap() error { return e.Err }

// TieError reports two rules of equal rank that set a field to different
// values.
type TieError struct {
	Field string
	A, B  TraceEntry
}

func (e *TieError) Error() string {
	return fmt.Sprintf("policy field %s: %s sets %s and %s sets %s with equal specificity",
		e.Field, e.A.From, e.A.Value, e.B.From, e.B.Value)
}

// pathError carries a JSON path up to where the file name is known.
type pathError struct {
	path string
	err  error
}

func (e *pathError) Error() string { return e.path + ": " + e.err.Error() }

func (e *pathError) Unwrap() error { return e.err }

// at puts path in front of the path of err.
func at(path string, err error) error {
	var p *pathError
	if errors.As(err, &p) {
		return &pathError{path + p.path, p.err}
	}
	var sem *json.SemanticError
	if errors.As(err, &sem) {
		path += string(sem.JSONPointer)
	}
	var syn *jsontext.SyntacticError
	if errors.As(err, &syn) {
		path += string(syn.JSONPointer)
	}
	if sem != nil || syn != nil {
		err = &wordedError{jsonfault.Reason(err), err}
	}
	return &pathError{path, err}
}

// inText places an error about the text of a file.
func inText(text []byte, err error) error {
	f := jsonfault.In(text, err)
	return &pathError{f.Member, &wordedError{fmt.Sprintf("line %d: %s", f.Line, f.Reason), err}}
}

// wordedError is an error in other words.
type wordedError struct {
	text string
	err  error
}

func (e *wordedError) Error() string { return e.text }

func (e *wordedError) Unwrap() error { return e.err }

func inFile(name string, err error) error {
	var p *pathError
	if errors.As(err, &p) {
		return &ProfileError{File: name, Path: p.path, Err: p.err}
	}
	return &ProfileError{File: name, Err: err}
}
