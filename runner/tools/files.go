package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

func unmarshal(text []byte, to any) error {
	if len(text) == 0 {
		text = []byte("{}")
	}
	return json.Unmarshal(text, to, json.MatchCaseInsensitiveNames(true))
}

// What a call to Read returns at most.
const (
	maxText    = 256 << 10 // bytes of text
	maxPicture = 20 << 20  // bytes of a picture
)

// Read is the tool that reads a file below root: text, or a picture.
func Read(root *os.Root) Tool { return reader{root} }

type reader struct{ root *os.Root }

func (reader) Name() string { return "read_file" }

func (reader) Description() string {
	return "Read a file of the working folder. Text comes back as it is, from the line offset on; PNG, JPEG, GIF and WebP as a picture."
}

func (reader) Schema() string {
	return `{"type":"object","properties":{"path":{"type":"string","description":"path below the working folder"},` +
		`"offset":{"type":"integer","description":"first line, from 1"},"limit":{"type":"integer","description":"number of lines"}},"required":["path"]}`
}

func (t reader) Run(_ context.Context, c Call) (Result, error) {
	var in struct {
		Path          string `json:"path"`
		Offset, Limit int
	}
	if err := arguments(c, &in); err != nil {
		return Result{}, err
	}
	f, err := t.root.Open(below(in.Path))
	if err != nil {
		return Result{}, plain(err)
	}
	defer f.Close()
	switch info, err := f.Stat(); {
	case err != nil:
		return Result{}, plain(err)
	case info.IsDir():
		return Result{}, fmt.Errorf("%s is a folder; list_files shows what is in it", in.Path)
	case !info.Mode().IsRegular():
		return Result{}, fmt.Errorf("%s is no regular file", in.Path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxPicture+1))
	if err != nil {
		return Result{}, plain(err)
	}
	if kind := http.DetectContentType(data); slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, kind) {
		if len(data) > maxPicture {
			return Result{}, fmt.Errorf("%s is a picture of more than %d MiB", in.Path, maxPicture>>20)
		}
		return Result{Text: in.Path, Images: []Image{{MediaType: kind, Data: data}}}, nil
	}
	if !utf8.Valid(data[:min(len(data), maxText)]) && strings.IndexByte(string(data[:min(len(data), maxText)]), 0) >= 0 {
		return Result{}, fmt.Errorf("%s holds no text (%d bytes)", in.Path, len(data))
	}
	return Result{Text: lines(string(data), in.Offset, in.Limit)}, nil
}

// lines returns limit lines from the line offset on, all for 0, and says what is
// left out.
func lines(text string, offset, limit int) string {
	for range max(offset, 1) - 1 {
		_, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return "(the file has fewer lines)"
		}
		text = rest
	}
	end, n := len(text), 0
	for i := range text {
		if text[i] != '\n' {
			continue
		}
		if n++; n == limit {
			end = i + 1
			break
		}
	}
	cut := text[:end]
	if len(cut) > maxText {
		cut = strings.ToValidUTF8(cut[:maxText], "")
	}
	if len(cut) < len(text) {
		cut += fmt.Sprintf("\n(%d more bytes)", len(text)-len(cut))
	}
	return strings.ToValidUTF8(cut, "\uFFFD")
}

// List is the tool that lists a folder below root.
func List(root *os.Root) Tool { return lister{root} }

type lister struct{ root *os.Root }

func (lister) Name() string { return "list_files" }

func (lister) Description() string {
	return "List a folder of the working folder: one name per line, folders with a slash, files with their size in bytes."
}

func (lister) Schema() string {
	return `{"type":"object","properties":{"path":{"type":"string","description":"folder below the working folder, . for itself"}}}`
}

const maxNames = 1000 // that a call to List returns

func (t lister) Run(_ context.Context, c Call) (Result, error) {
	var in struct {
		Path string `json:"path"`
	}
	if err := arguments(c, &in); err != nil {
		return Result{}, err
	}
	list, err := fs.ReadDir(t.root.FS(), below(in.Path))
	if err != nil {
		return Result{}, plain(err)
	}
	var b strings.Builder
	for i, d := range list {
		if i == maxNames {
			fmt.Fprintf(&b, "(%d more)\n", len(list)-i)
			break
		}
		switch info, err := d.Info(); {
		case d.IsDir():
			fmt.Fprintf(&b, "%s/\n", d.Name())
		case err == nil:
			fmt.Fprintf(&b, "%s\t%d\n", d.Name(), info.Size())
		default:
			fmt.Fprintln(&b, d.Name())
		}
	}
	if b.Len() == 0 {
		return Result{Text: "(the folder is empty)"}, nil
	}
	return Result{Text: b.String()}, nil
}

// below returns a path as the root takes it: relative, without what is of no
// meaning. A path that leads out stays one, so that the root refuses it.
func below(p string) string {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	if p == "/" {
		return "."
	}
	return p
}

// plain takes the path of the machine out of an error.
func plain(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}
