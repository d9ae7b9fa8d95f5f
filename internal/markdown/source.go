package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Source returns words as Markdown that a viewer shows as HTML shows them: HTML is
// text, pictures are links, and links lead to http, https and mailto alone. It is
// whole: whatever stands behind it, after a blank line, is read by itself. Words that
// resist become a block of code.
func Source(words string) string {
	if source, ok := settled(strings.TrimLeft(lines(words), " \t\n")); ok {
		return closed(source, words)
	}
	return Fenced(words)
}

// Line is Source for the text of a heading, on one line.
func Line(words string) string {
	const mark = "# "
	line := strings.Join(strings.Fields(lines(words)), " ")
	if source, ok := settled(mark + line); ok {
		return source[len(mark):]
	}
	return Code(line)
}

// Quote is Source as a quotation. Tabs become spaces there, since the mark in front
// moves what they stand for.
func Quote(words string) string {
	source := Source(strings.ReplaceAll(words, "\t", "    "))
	return "> " + strings.ReplaceAll(source, "\n", "\n> ")
}

// settled escapes what could do something. It is not ok where that does not end.
func settled(source string) (string, bool) {
	if !strings.ContainsAny(source, "<[") {
		return source, true
	}
	const passes = 8 // an escape may show what stood in code before
	for range passes {
		d := read(source)
		next := d.escaped()
		if next == source {
			return source, d.harmless()
		}
		source = next
	}
	return source, false
}

// Fenced puts text into a block of code that it cannot end.
func Fenced(text string) string {
	text = lines(text)
	fence := strings.Repeat("`", max(3, longest(text, '`')+1))
	return fence + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

// Code puts a name into a span of code that it cannot end.
func Code(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	fence := strings.Repeat("`", longest(name, '`')+1)
	if name == "" || len(fence) > 1 {
		name = " " + name + " "
	}
	return fence + name + fence
}

// lines makes every line end the same way.
func lines(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(strings.ToValidUTF8(text, "\uFFFD"))
}

// longest returns the length of the longest run of a character.
func longest(text string, c byte) (most int) {
	n := 0
	for i := range len(text) {
		if n++; text[i] != c {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// document is Markdown as it is read.
type document struct {
	source string
	root   ast.Node
	code   []text.Segment // in order
	others bool           // a reference leads elsewhere than a link may
}

func read(source string) *document {
	c := parser.NewContext()
	d := &document{source: source, root: converter.Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(c))}
	for _, r := range c.References() {
		d.others = d.others || !harmlessURL(r.Destination())
	}
	d.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CodeSpan:
			for t := n.FirstChild(); t != nil; t = t.NextSibling() {
				if t, ok := t.(*ast.Text); ok {
					d.code = append(d.code, t.Segment)
				}
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				d.code = append(d.code, n.Lines().At(i))
			}
		}
	})
	slices.SortFunc(d.code, func(a, b text.Segment) int { return a.Start - b.Start })
	return d
}

func (d *document) each(f func(ast.Node)) {
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			f(n)
		}
		return ast.WalkContinue, nil
	})
}

// escaped returns the source with that escaped which could do something: it stands
// outside of code, where a character may be named by its number.
func (d *document) escaped() string {
	var b strings.Builder
	code := d.code
	for i := 0; i < len(d.source); i++ {
		for len(code) > 0 && code[0].Stop <= i {
			code = code[1:]
		}
		rest := d.source[i:]
		switch inCode := len(code) > 0 && code[0].Start <= i; {
		case inCode || !strings.ContainsRune("<!]", rune(rest[0])):
			b.WriteByte(rest[0])
		case rest[0] == ']' && len(rest) > 1 && (rest[1] == '(' && !leads(rest[2:]) || rest[1] == ':' && d.others):
			b.WriteString(map[byte]string{'(': "]&#40;", ':': "]&#58;"}[rest[1]])
			i++
		case rest[0] == '<' && !d.literal(i):
			b.WriteString("&lt;")
		case strings.HasPrefix(rest, "![") && !d.literal(i):
			b.WriteString("&#33;")
		default:
			b.WriteByte(rest[0])
		}
	}
	return b.String()
}

// literal reports whether a backslash stands before a character that makes it text.
func (d *document) literal(at int) bool {
	n := 0
	for n < at && d.source[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// leads reports whether a link with that destination may stay.
func leads(destination string) bool {
	destination = strings.TrimLeft(destination, " \t\n<")
	end := strings.IndexAny(destination, " \t\n)>")
	if end < 0 {
		end = len(destination)
	}
	return harmlessURL([]byte(destination[:end]))
}

// harmless reports whether nothing is left that could do something.
func (d *document) harmless() bool {
	ok := !d.others
	d.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.HTMLBlock, *ast.RawHTML, *ast.Image:
			ok = false
		case *ast.Link:
			ok = ok && harmlessURL(n.Destination)
		}
	})
	return ok
}

// closed ends a block of code that the words leave open.
func closed(source, words string) string {
	if !strings.Contains(source, "```") && !strings.Contains(source, "~~~") {
		return source
	}
	for _, end := range []string{"", "\n" + strings.Repeat("`", longest(source, '`')), "\n" + strings.Repeat("~", longest(source, '~'))} {
		const behind = "x"
		root := read(source + end + "\n\n" + behind).root
		if last, ok := root.LastChild().(*ast.Paragraph); ok && last.Lines().Len() == 1 {
			if line := last.Lines().At(0); line.Len() == len(behind) {
				return source + end
			}
		}
	}
	return Fenced(words)
}
