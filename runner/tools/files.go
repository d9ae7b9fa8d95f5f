package tools

import (
	"bufio"
	"bytes"
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

func (t reader) Run(ctx context.Context, c Call) (Result, error) {
	var args struct {
		Path          string `json:"path"`
		Offset, Limit int
	}
	if err := arguments(c, &args); err != nil {
		return Result{}, err
	}
	path := below(args.Path)
	info, err := t.root.Stat(path) // to open a pipe waits for who writes to it
	switch {
	case err != nil:
		return Result{}, plain(err)
	case info.IsDir():
		return Result{}, fmt.Errorf("%s is a folder; list_files shows what is in it", args.Path)
	case !info.Mode().IsRegular():
		return Result{}, fmt.Errorf("%s is no regular file", args.Path)
	}
	f, err := t.root.Open(path)
	if err != nil {
		return Result{}, plain(err)
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, maxText)
	head, err := in.Peek(maxText)
	if err != nil && !errors.Is(err, io.EOF) {
		return Result{}, plain(err)
	}
	if kind := http.DetectContentType(head); slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, kind) {
		data, err := io.ReadAll(io.LimitReader(in, maxPicture+1))
		switch {
		case err != nil:
			return Result{}, plain(err)
		case len(data) > maxPicture:
			return Result{}, fmt.Errorf("%s is a picture of more than %d MiB", args.Path, maxPicture>>20)
		}
		return Result{Text: args.Path, Images: []Image{{MediaType: kind, Data: data}}}, nil
	}
	if !utf8.Valid(head) && bytes.IndexByte(head, 0) >= 0 {
		return Result{}, fmt.Errorf("%s holds no text (%d bytes)", args.Path, info.Size())
	}
	text, err := lines(ctx, in, info.Size(), args.Offset, args.Limit)
	if err != nil {
		return Result{}, plain(err)
	}
	return Result{Text: text}, nil
}

// lines returns limit lines of a file of size bytes from the line offset on, all
// for 0, and says what is left out.
func lines(ctx context.Context, in *bufio.Reader, size int64, offset, limit int) (string, error) {
	for line := 1; line < offset; {
		part, err := in.ReadSlice('\n')
		size -= int64(len(part))
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err == nil:
			line++
		case errors.Is(err, io.EOF):
			return "(the file has fewer lines)", nil
		case !errors.Is(err, bufio.ErrBufferFull): // the line goes on
			return "", err
		}
	}
	text, err := io.ReadAll(io.LimitReader(in, maxText))
	if err != nil {
		return "", err
	}
	if len(text) == maxText {
		text = whole(text)
	}
	for at, n := 0, 0; at < len(text); at++ {
		if text[at] != '\n' {
			continue
		}
		if n++; n == limit {
			text = text[:at+1]
		}
	}
	out := strings.ToValidUTF8(string(text), "\uFFFD")
	if more := size - int64(len(text)); more > 0 {
		out += fmt.Sprintf("\n(%d more bytes)", more)
	}
	return out, nil
}

// whole returns a long text without the beginning of a character at its end.
func whole(text []byte) []byte {
	for i := 1; i < utf8.UTFMax; i++ {
		if end := text[len(text)-i:]; utf8.RuneStart(end[0]) && !utf8.FullRune(end) {
			return text[:len(text)-i]
		}
	}
	return text
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
