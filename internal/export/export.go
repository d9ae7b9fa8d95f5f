// Package export writes the shown messages of a session as a document: plain
// text, Markdown, or one HTML page that needs nothing else and fetches nothing.
// The messages come from package projection.
package export

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"hygeia/internal/jsonline"
	"hygeia/internal/markdown"
	"hygeia/projection"
	"hygeia/transcript"
)

// Document is what is exported.
type Document struct {
	Title    string
	Messages []*transcript.Message
	// MaxTool is the greatest length of what a tool is given or returns, in characters
	// as people take them, 0 for none. The projection leaves these whole.
	MaxTool int
}

// Parts returns what one of the messages holds, in order.
func (d Document) Parts(m *transcript.Message) []Part {
	parts := Parts(m)
	for i := range parts {
		if kind := parts[i].Kind; kind == "call" || kind == "result" {
			parts[i].Text = projection.Cut(parts[i].Text, d.MaxTool)
		}
	}
	return parts
}

// Part is one piece of a shown message.
type Part struct {
	Kind string // text, thinking, call, result, other
	Name string // of a tool; the type of another block
	Text string // arguments of a call as JSON
}

// Author returns who speaks in a shown message.
func Author(m *transcript.Message) string {
	if sender := projection.MetaOf(m).Sender; sender != "" {
		return tidy(sender)
	}
	switch m.Role() {
	case transcript.ToolResult:
		return "result of " + tidy(m.ToolName())
	case "":
		return "unknown"
	}
	return tidy(string(m.Role()))
}

// Parts returns what a shown message holds, in order.
func Parts(m *transcript.Message) []Part {
	kind := "text"
	if m.Is(transcript.ToolResult) {
		kind = "result"
	}
	if v := m.Text(); v.Exists() {
		return []Part{{Kind: kind, Text: v.String()}}
	}
	var parts []Part
	if v := m.Get("text"); v.IsString() && len(m.Blocks()) == 0 {
		parts = append(parts, Part{Kind: kind, Text: v.String()})
	}
	for _, b := range m.Blocks() {
		switch {
		case b.Get("text").IsString():
			parts = append(parts, Part{Kind: kind, Text: b.Get("text").String()})
		case b.IsThinking():
			parts = append(parts, Part{Kind: "thinking", Text: b.Text()})
		case b.IsToolCall():
			parts = append(parts, Part{Kind: "call", Name: tidy(b.Name()), Text: tidy(arguments(b))})
		default:
			parts = append(parts, Part{Kind: "other", Name: tidy(string(b.Type())), Text: tidy(describe(b))})
		}
	}
	return parts
}

func arguments(b *transcript.Block) string {
	v := b.Get("arguments")
	if v.IsString() {
		return v.String()
	}
	return string(v.Raw)
}

// tidy makes text of any bytes text.
func tidy(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// describe says what a block is whose content is not shown.
func describe(b *transcript.Block) string {
	kind := b.Get("mimeType").String()
	if v := b.Get("bytes"); v.Kind == jsonline.Number {
		kind = strings.TrimSpace(kind + " " + string(v.Raw) + " characters of base64")
	}
	return kind
}

// When returns the time of a shown message, the zero time if it has none.
func When(m *transcript.Message) time.Time {
	ms, ok := m.Timestamp()
	if !ok {
		ms = projection.MetaOf(m).RecordTime
	}
	if !ok && ms == 0 || ms < 0 || ms > 253402300799999 { // the end of the year 9999
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

func clock(m *transcript.Message) string {
	if at := When(m); !at.IsZero() {
		return at.Format("2006-01-02 15:04:05 UTC")
	}
	return ""
}

// Markdown writes the document as Markdown. A viewer shows words of a session as
// words: none of them becomes HTML, a picture from elsewhere, or a part of what stands
// around it (design §9).
func Markdown(w io.Writer, d Document) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", markdown.Line(d.Title))
	for _, m := range d.Messages {
		fmt.Fprintf(&b, "\n## %s\n", strings.TrimSpace(markdown.Line(Author(m))+"  "+clock(m)))
		for _, p := range d.Parts(m) {
			switch p.Kind {
			case "text":
				fmt.Fprintf(&b, "\n%s\n", markdown.Source(p.Text))
			case "thinking":
				fmt.Fprintf(&b, "\n%s\n", markdown.Quote(p.Text))
			case "call":
				fmt.Fprintf(&b, "\ncalls %s\n\n%s\n", markdown.Code(p.Name), markdown.Fenced(p.Text))
			case "result":
				fmt.Fprintf(&b, "\n%s\n", markdown.Fenced(p.Text))
			default:
				fmt.Fprintf(&b, "\n%s\n", markdown.Line("["+strings.TrimSpace(p.Name+" "+p.Text)+"]"))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"author": Author, "clock": clock,
	"kind": func(m *transcript.Message) string { return projection.MetaOf(m).Kind },
	// What markdown.HTML returns is safe by its own rule.
	"markdown": func(text string) template.HTML { return template.HTML(markdown.HTML(text)) },
}).Parse(pageText))

// HTML writes the document as one page. It holds no script and refers to
// nothing outside.
func HTML(w io.Writer, d Document) error { return page.Execute(w, d) }
