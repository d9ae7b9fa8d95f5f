// Package acceptance_test holds the project to the faults that sessions have in
// practice. Each case is a txtar archive below testdata: what came from where
// in the comment, the targets, the input, and in plain words what must hold.
// README.md is the manual of the language; assert_test.go carries it out.
package acceptance_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"hygeia"
	"hygeia/policy"
)

// caseFile is a parsed archive.
type caseFile struct {
	name     string
	format   hygeia.Format
	input    []byte
	targets  []target
	sections map[string]string
}

// target is a line of the section of that name. Its name is that of the must
// section that holds for it alone.
type target struct {
	policy.Target
	messagesOnly bool
}

func (t target) name() string { return t.Provider + "/" + t.Model }

// readCases reads every archive below testdata.
func readCases(t *testing.T) []*caseFile {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	var cases []*caseFile
	for _, file := range files {
		c, err := readCase(file)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		cases = append(cases, c)
	}
	return cases
}

func readCase(file string) (*caseFile, error) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	c := &caseFile{name: strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), ".txtar"), sections: map[string]string{}}
	for _, f := range a.Files {
		switch name, arg, _ := strings.Cut(f.Name, " "); name {
		case "target":
			c.targets, err = readTargets(string(f.Data))
		case "in":
			c.format = hygeia.FormatMessages
			err = c.add(f.Data, arg)
		case "request":
			c.format, c.input = hygeia.FormatRequest(arg), bytes.TrimSpace(f.Data)
		case "session":
			c.format = hygeia.FormatSession
			err = c.add(f.Data, arg)
		case "session.quoted":
			c.format = hygeia.FormatSession
			err = c.addQuoted(string(f.Data))
		case "session.file":
			c.format = hygeia.FormatSession
			c.input, err = os.ReadFile(filepath.Join(filepath.Dir(file), strings.TrimSpace(string(f.Data))))
		case "must":
			c.sections[arg] = string(f.Data)
		default:
			err = fmt.Errorf("unknown section %q", f.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", f.Name, err)
		}
	}
	if len(c.targets) == 0 || c.format == "" || c.sections[""] == "" {
		return nil, fmt.Errorf("a case needs a target, an input and must lines")
	}
	return c, c.orphans()
}

// orphans finds must sections that belong to no target.
func (c *caseFile) orphans() error {
	for name := range c.sections {
		known := name == ""
		for _, t := range c.targets {
			known = known || t.name() == name
		}
		if !known {
			return fmt.Errorf("section must %s: no such target", name)
		}
	}
	return nil
}

func readTargets(text string) ([]target, error) {
	var list []target
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) != 3 && (len(words) != 4 || words[3] != "messages-only") {
			return nil, fmt.Errorf("want provider, api (or -), model and perhaps messages-only: %q", line)
		}
		if words[1] == "-" {
			words[1] = ""
		}
		list = append(list, target{policy.Target{Provider: words[0], API: words[1], Model: words[2]}, len(words) == 4})
	}
	return list, nil
}

// add appends lines to the input. The argument "xN" repeats them N times with
// {{n}} as the number; {{fill N}} stands for N bytes of text and {{png WxH}} for
// the base64 of a picture.
func (c *caseFile) add(lines []byte, arg string) error {
	times := 1
	if arg != "" {
		var err error
		if times, err = strconv.Atoi(strings.TrimPrefix(arg, "x")); err != nil {
			return fmt.Errorf("want xN: %w", err)
		}
	}
	for n := 1; n <= times; n++ {
		b, err := fill(bytes.ReplaceAll(lines, []byte("{{n}}"), strconv.AppendInt(nil, int64(n), 10)))
		if err != nil {
			return err
		}
		c.input = append(c.input, b...)
	}
	return nil
}

func fill(text []byte) ([]byte, error) {
	text, err := expand(text, "fill", func(size string) ([]byte, error) {
		n, err := strconv.Atoi(size)
		return bytes.Repeat([]byte("lorem "), n/6+1)[:n], err
	})
	if err != nil {
		return nil, err
	}
	return expand(text, "png", drawPNG)
}

// expand puts what make returns in the place of each {{name argument}}.
func expand(text []byte, name string, make func(arg string) ([]byte, error)) ([]byte, error) {
	before, rest, ok := bytes.Cut(text, []byte("{{"+name+" "))
	if !ok {
		return text, nil
	}
	arg, after, ok := bytes.Cut(rest, []byte("}}"))
	made, err := make(string(arg))
	if !ok || err != nil {
		return nil, fmt.Errorf("{{%s %s}}: %w", name, arg, err)
	}
	after, err = expand(after, name, make)
	return slices.Concat(before, made, after), err
}

// drawPNG returns the base64 of a picture of that size with stripes.
func drawPNG(size string) ([]byte, error) {
	var w, h int
	if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
		return nil, err
	}
	m := image.NewGray(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = byte(i % w / 40 * 8)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return nil, err
	}
	return base64.StdEncoding.AppendEncode(nil, b.Bytes()), nil
}

// addQuoted appends Go string literals, one a line, with nothing between.
func (c *caseFile) addQuoted(text string) error {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		s, err := strconv.Unquote(line)
		if err != nil {
			return fmt.Errorf("%w: %s", err, line)
		}
		c.input = append(c.input, s...)
	}
	return nil
}

// must returns the assertions of a target.
func (c *caseFile) must(t target) ([]assertion, error) {
	text := c.sections[""]
	if t.name() != "" {
		text += c.sections[t.name()]
	}
	return parseMust(text)
}
