package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia/runner/model"
)

// Unknown keeps the answers of providers that refused a request in words that the
// rulebook does not know, for an operator to look at: one JSON object per line in a
// file of mode 0600, without secrets. Of a file that gets too large the newer half
// stays. It is safe for concurrent use within one process.
type Unknown struct {
	path string
	max  int64

	mu sync.Mutex
}

// NewUnknown keeps answers in the file at path, at most max bytes of them, 0 for
// 1 MiB. The folder is made with mode 0700 when there is something to keep.
func NewUnknown(path string, max int64) *Unknown {
	if max <= 0 {
		max = 1 << 20
	}
	return &Unknown{path: path, max: max}
}

// answerLine is a line of the file.
type answerLine struct {
	Time   string     `json:"time"`
	Target string     `json:"target"`
	Kind   model.Kind `json:"kind"`
	Status int        `json:"status,omitzero"`
	Code   string     `json:"code,omitzero"`
	Text   string     `json:"text"`
	Body   string     `json:"body,omitzero"`
}

// keep adds an answer.
func (u *Unknown) keep(now time.Time, e *model.Error) error {
	r := redactor()
	text, err := json.Marshal(answerLine{
		Time: now.UTC().Format(time.RFC3339), Target: e.Target, Kind: e.Kind, Status: e.Status, Code: r.Text(e.Code),
		Text: r.Text(e.Text), Body: r.Text(strings.ToValidUTF8(string(e.Body), "\uFFFD")),
	})
	if err != nil {
		return err
	}
	return u.add(append(text, '\n'))
}

func (u *Unknown) add(line []byte) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(u.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(u.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", u.path, errors.ErrUnsupported)
	}
	if err := f.Chmod(0o600); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	if info.Size()+int64(len(line)) > u.max {
		if err := shorten(f, max(0, u.max/2-int64(len(line)))); err != nil {
			return err
		}
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return err
	}
	_, err = f.Write(line)
	return err
}

// shorten leaves the whole lines of the last n bytes.
func shorten(f *os.File, n int64) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	rest := make([]byte, min(n, info.Size()))
	if _, err := f.ReadAt(rest, info.Size()-int64(len(rest))); err != nil && err != io.EOF {
		return err
	}
	if int64(len(rest)) < info.Size() {
		_, rest, _ = bytes.Cut(rest, []byte{'\n'})
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(rest, 0)
	return err
}
