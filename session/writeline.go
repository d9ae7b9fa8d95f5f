package session

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"hygeia/internal/jsonline"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

const isoTime = "2006-01-02T15:04:05.000Z"

// base is what a writer says about an entry (F-12).
type base struct {
	id, parent string
	time       time.Time
	side       bool
}

// line returns the line of an entry: its base, and behind that what it says
// itself. Id, parent and side of e do not count; its timestamp does.
func (b base) line(e *transcript.Entry) []byte {
	dst := jsonline.AppendQuoted([]byte(`{"type":`), string(e.Type))
	dst = jsonline.AppendQuoted(append(dst, `,"id":`...), b.id)
	dst = append(dst, `,"parentId":`...)
	if b.parent == "" {
		dst = append(dst, "null"...)
	} else {
		dst = jsonline.AppendQuoted(dst, b.parent)
	}
	stamp := e.Get("timestamp").String()
	if stamp == "" {
		stamp = b.time.UTC().Format(isoTime)
	}
	dst = jsonline.AppendQuoted(append(dst, `,"timestamp":`...), stamp)
	if b.side {
		dst = append(dst, `,"appendMode":"side"`...)
	}
	for name, v := range e.Members().Members() {
		switch name {
		case "type", "id", "parentId", "timestamp", "appendMode":
			continue
		case "message":
			if e.Message != nil {
				continue
			}
		}
		dst = append(append(jsonline.AppendQuoted(append(dst, ','), name), ':'), v.Raw...)
	}
	if m := e.Message; m != nil {
		if !m.Members().Has("timestamp") { // F-30
			m = m.With("timestamp", jsonline.Int(b.time.UnixMilli()))
		}
		dst = m.AppendJSON(append(dst, `,"message":`...))
	}
	return oneLine(append(dst, '}'))
}

// oneLine returns a JSON text as one line of UTF-8. Line breaks can only be
// white space in it.
func oneLine(text []byte) []byte {
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	for i, c := range text {
		if c == '\n' || c == '\r' {
			text[i] = ' '
		}
	}
	return append(text, '\n')
}

// headerLine returns the line of a new header (F-11).
func headerLine(h Header) []byte {
	o := jsonline.Object{}.With("type", jsonline.Text("session")).
		With("version", jsonline.Value{Raw: []byte("3"), Kind: jsonline.Number}).
		With("id", jsonline.Text(h.ID)).With("timestamp", jsonline.Text(h.Timestamp)).With("cwd", jsonline.Text(h.CWD))
	if h.ParentSession != "" {
		o = o.With("parentSession", jsonline.Text(h.ParentSession))
	}
	return oneLine(o.AppendTo(nil))
}

// readBack reads a line as any reader of the file will, and says why it is no
// entry if it is none (F-51).
func readBack(r *transcript.Reader, line []byte) (*transcript.Entry, error) {
	e, n, err := r.Entry(line)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoEntry, err)
	}
	switch t := typeOf(e); {
	case n != len(line):
		return nil, fmt.Errorf("%w: more than one JSON value", ErrNoEntry)
	case t == message && !lines.HasMessage(e):
		return nil, fmt.Errorf("%w: %s", ErrNoEntry, noMessage)
	case t == header || e.Type == "":
		return nil, fmt.Errorf("%w: its type is %q", ErrNoEntry, e.Type)
	}
	return e, nil
}

// batch is what goes into the file in one write.
type batch struct {
	*journal
	cursor  string // the parent of the next entry
	text    []byte
	entries []*transcript.Entry
}

// add makes the line of an entry, with an id of that kind, and returns the entry
// as readers will see it.
func (b *batch) add(e *transcript.Entry, newID idKind, side bool) (*transcript.Entry, error) {
	id, err := newID(b.o.Random, b.taken)
	if err != nil {
		return nil, err
	}
	line := base{id: id, parent: b.cursor, time: b.o.Now(), side: side}.line(e)
	added, err := readBack(&b.reader, line)
	if err != nil {
		return nil, err
	}
	b.text = append(b.text, line...)
	b.entries = append(b.entries, added)
	return added, nil
}

func (b *batch) taken(id string) bool {
	return b.tail.known(id) || slices.ContainsFunc(b.entries, func(e *transcript.Entry) bool { return e.ID == id })
}

// done says that the batch is in the file, or will be.
func (b *batch) done() error {
	for _, e := range b.entries {
		if !b.tail.advance(e) {
			return b.load()
		}
	}
	return nil
}

// idKind makes an id that is not taken.
type idKind func(random io.Reader, taken func(string) bool) (string, error)

// shortID returns eight hex digits that are no other entry's id (F-12), four more
// for each try that met one.
func shortID(random io.Reader, taken func(string) bool) (string, error) {
	for n := 4; ; n += 2 {
		b := make([]byte, n)
		if _, err := io.ReadFull(random, b); err != nil {
			return "", fmt.Errorf("making an id: %w", err)
		}
		if id := hex.EncodeToString(b); !taken(id) {
			return id, nil
		}
	}
}

// fullID returns a random UUID, the id of an entry that is added out of band
// (F-12), and of a new session.
func fullID(random io.Reader, _ func(string) bool) (string, error) {
	b := make([]byte, 16)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("making an id: %w", err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return uuidForm(hex.EncodeToString(b)), nil
}
