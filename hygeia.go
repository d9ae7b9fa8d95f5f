// Package hygeia keeps the transcripts of LLM agents healthy. It reads a stored
// session, a list of messages or the body of a request, turns it into a request that the chosen
// provider accepts, and says exactly what it changed and why. What is stored is
// changed only by a repair that is asked for.
//
// [Open] and [Read] give a [Transcript]; its Replay method gives a [Replay]:
// the messages that go out, the request body and the report.
//
//	t, err := hygeia.Open("session.jsonl", hygeia.OpenOptions{})
//	…
//	r, err := t.Replay(target, hygeia.ReplayOptions{})
//	os.Stdout.Write(r.Body)
//
// The rooms below can be used alone: session reads files, policy decides what a
// target needs, hygiene and its passes work on messages, payload builds bodies.
package hygeia

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"hygeia/internal/jsonline"
	"hygeia/session"
	"hygeia/transcript"
	"hygeia/wire"
)

// Format is the form of an input.
type Format string

// The formats, besides those of [FormatRequest]. FormatAuto looks at the first
// bytes.
const (
	FormatAuto     Format = "auto"
	FormatSession  Format = "session"  // a session file, JSON lines
	FormatMessages Format = "messages" // a JSON array of messages, or one message per line

	// formatList is a list of messages of which it is not said whose words they are
	// in: those of this package or of an API.
	formatList Format = "list"
)

// OpenOptions says how to read an input. The zero value reads any format.
type OpenOptions struct {
	Format Format
	// Leaf is the entry at which the branch to replay ends, "" for the active
	// one. Session files only.
	Leaf string
	// Session says how a session file is opened. Without more it is repaired in
	// memory where it needs that; with Write it is on the disk, which takes
	// a file with a name.
	Session session.OpenOptions
}

// Transcript is an input that was read.
type Transcript struct {
	Name    string
	Format  Format
	Context *transcript.Context
	// Session is the file behind the context, nil for anything else.
	Session *session.Session
	// Repair says what was repaired of the session file, in memory or on the disk,
	// nil for anything else and with AsIs. Repairs are the changes, the first 10 000
	// of them. Whoever opened it has to tell people of the paths (F-B25).
	Repair  *session.RepairReport
	Repairs []session.RepairChange
	// Request is the request behind the context, nil for anything else.
	Request *wire.Request

	leaf string // of the branch that was asked for
	last atomic.Pointer[grown]
}

// What Open and Read answer, besides the errors of package session.
var (
	ErrFormat = errors.New("no session file, list of messages or request body")
	ErrWrite  = errors.New("only a session file can be repaired on the disk")
)

// Open reads the file at path, or standard input when path is "-". The errors wrap
// ErrFormat, ErrWrite, ErrNoDecoder, or those of packages session, wire and os, and
// name the file, and the line where there is one.
func Open(path string, o OpenOptions) (*Transcript, error) {
	if path == "-" {
		return Read(os.Stdin, "standard input", o)
	}
	if err := regular(path); err != nil {
		return nil, err
	}
	if o.Format == FormatSession {
		return openFile(path, o)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	if o.Format, err = formatOf(in, path, o); err != nil {
		return nil, err
	}
	if o.Format == FormatSession {
		f.Close() // it may be replaced
		return openFile(path, o)
	}
	return read(in, path, o)
}

// regular refuses what is no file: a pipe would wait for somebody who writes to it,
// and a device need not end.
func regular(path string) error {
	switch info, err := os.Stat(path); {
	case err != nil: // opening it says what is wrong
	case info.IsDir():
		return fmt.Errorf("%s: is a directory, not a session file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w; a pipe is read as -, from standard input", path, session.ErrNotRegular)
	}
	return nil
}

// Read reads an input; name stands for it in errors, which are those of [Open]. A
// session is repaired in memory.
func Read(r io.Reader, name string, o OpenOptions) (*Transcript, error) {
	text, sized := r.(sizedText)
	from := int64(0)
	if sized {
		from = text.Size() - int64(text.Len())
	}
	in := bufio.NewReaderSize(r, 1<<16)
	var err error
	if o.Format, err = formatOf(in, name, o); err != nil {
		return nil, err
	}
	if sized && o.Format == FormatSession {
		return openText(io.NewSectionReader(text, from, text.Size()-from), name, o)
	}
	return read(in, name, o)
}

// sizedText is a reader of what is in memory already.
type sizedText interface {
	io.ReaderAt
	Size() int64
	Len() int
}

// read reads an input of a format that is known.
func read(in *bufio.Reader, name string, o OpenOptions) (*Transcript, error) {
	switch o.Format {
	case FormatSession:
		text, err := io.ReadAll(in) // a repair reads it more than once
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return openText(bytes.NewReader(text), name, o)
	case FormatMessages, formatList:
		return readMessages(in, name, o)
	}
	if api, ok := o.Format.API(); ok {
		return readRequest(in, name, api, o)
	}
	return nil, fmt.Errorf("%s: format %q: %w", name, o.Format, ErrFormat)
}

func readMessages(r io.Reader, name string, o OpenOptions) (*Transcript, error) {
	if o.Leaf != "" {
		return nil, fmt.Errorf("%s: a list of messages has no entry %q", name, o.Leaf)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	list, err := parseMessages(text, name)
	if err != nil {
		return nil, err
	}
	if o.Format == formatList {
		if api := wire.DetectList(text); api != "" {
			return decodeRequest(text, name, api)
		}
	}
	return &Transcript{Name: name, Format: FormatMessages, Context: transcript.NewContext(list)}, nil
}

// parseMessages reads an array, or one message per line.
func parseMessages(text []byte, name string) ([]*transcript.Message, error) {
	var r transcript.Reader
	if first := bytes.TrimLeft(text, " \t\r\n"); len(first) > 0 && first[0] == '[' {
		list, err := r.Messages(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, inLine(text, err))
		}
		return list, nil
	}
	var list []*transcript.Message
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		m, err := r.Message(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		m.Origin.Index = len(list)
		list = append(list, m)
	}
	return list, nil
}

// inLine puts the number of the line in front of a syntax error and counts its
// bytes from the start of that line.
func inLine(text []byte, err error) error {
	var syntax *jsonline.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	before := text[:min(syntax.Offset, len(text))]
	at := *syntax
	at.Offset -= bytes.LastIndexByte(before, '\n') + 1
	return fmt.Errorf("line %d: %w", bytes.Count(before, []byte("\n"))+1, &at)
}

// formatOf returns the format, and looks for it where it is not told.
func formatOf(in *bufio.Reader, name string, o OpenOptions) (format Format, err error) {
	if format = o.Format; format == "" || format == FormatAuto {
		format, err = detect(in, name)
	}
	if err == nil && o.Session.Write && format != FormatSession {
		err = fmt.Errorf("%s: %w", name, ErrWrite)
	}
	return format, err
}

// detect looks at what an input begins with. Anything that is no list of
// messages and no request is taken for a session, whose reader says what is
// wrong with it.
func detect(in *bufio.Reader, name string) (Format, error) {
	head, err := in.Peek(1 << 16)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n\x00")
	if len(head) > 0 && head[0] == '[' {
		return formatList, nil
	}
	has, whole := opening(head)
	switch {
	case has["type"]:
		return FormatSession, nil
	case has["role"]:
		return formatList, nil
	case has["messages"], has["contents"], has["input"], has["request"], has["model"] && !whole:
		return formatRequest, nil
	}
	return FormatSession, nil
}

// opening returns which members the object at the start of a text has, as far as
// the text goes, and whether it goes to the end of the object.
func opening(head []byte) (has map[string]bool, whole bool) {
	var s jsonline.Scanner
	_, err := s.Scan(head, jsonline.Options{Depth: 1, InvalidUTF8: true})
	has = map[string]bool{}
	if len(s.Nodes) > 0 && s.Nodes[0].Kind == jsonline.ObjectKind {
		for _, n := range s.Nodes[1:] {
			has[string(head[n.NameStart:n.NameEnd])] = true
		}
	}
	return has, err == nil
}
