// Package markdown renders the words of people and models as HTML that can do
// nothing: no HTML of theirs, no pictures from elsewhere, and links only to
// http, https and mailto (design §9).
package markdown

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// HTML returns text, read as GitHub's Markdown, as HTML that is safe to put into
// a page. It never fails: text is shown as it is where it is no Markdown.
func HTML(text string) string {
	var b bytes.Buffer
	if err := converter.Convert([]byte(text), &b); err != nil {
		return "<pre>" + string(util.EscapeHTML([]byte(text))) + "</pre>"
	}
	return b.String()
}

var converter = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(harmless{}, 0))),
)

// harmless renders the nodes that could do something.
type harmless struct{}

func (harmless) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, htmlBlock)
	r.Register(ast.KindRawHTML, rawHTML)
	r.Register(ast.KindImage, image)
	r.Register(ast.KindLink, link)
	r.Register(ast.KindAutoLink, autoLink)
}

// htmlBlock shows HTML as the text that it is.
func htmlBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.HTMLBlock)
	w.WriteString("<p>")
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		w.Write(util.EscapeHTML(line.Value(source)))
	}
	if n.HasClosure() {
		line := n.ClosureLine
		w.Write(util.EscapeHTML(line.Value(source)))
	}
	w.WriteString("</p>\n")
	return ast.WalkSkipChildren, nil
}

func rawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		n := node.(*ast.RawHTML)
		for i := range n.Segments.Len() {
			segment := n.Segments.At(i)
			w.Write(util.EscapeHTML(segment.Value(source)))
		}
	}
	return ast.WalkSkipChildren, nil
}

// image names a picture instead of fetching it: that would tell its server who
// reads.
func image(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Image)
	if entering {
		w.WriteString("[picture: ")
		return ast.WalkContinue, nil
	}
	w.WriteString("]")
	if harmlessURL(n.Destination) {
		w.WriteString(" ")
		anchor(w, n.Destination)
		w.Write(util.EscapeHTML(n.Destination))
		w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Link)
	if !harmlessURL(n.Destination) {
		return ast.WalkContinue, nil // its words alone
	}
	if entering {
		anchor(w, n.Destination)
	} else {
		w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func autoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.AutoLink)
	if !entering {
		return ast.WalkContinue, nil
	}
	target, label := n.URL(source), n.Label(source)
	if n.AutoLinkType == ast.AutoLinkEmail {
		target = append([]byte("mailto:"), target...)
	}
	if !harmlessURL(target) {
		w.Write(util.EscapeHTML(label))
		return ast.WalkContinue, nil
	}
	anchor(w, target)
	w.Write(util.EscapeHTML(label))
	w.WriteString("</a>")
	return ast.WalkContinue, nil
}

func anchor(w util.BufWriter, target []byte) {
	w.WriteString(`<a rel="noopener noreferrer nofollow" target="_blank" href="`)
	w.Write(util.EscapeHTML(util.URLEscape(target, true)))
	w.WriteString(`">`)
}

// harmlessURL reports whether a link may be followed from a page.
func harmlessURL(target []byte) bool {
	u, err := url.Parse(strings.TrimSpace(string(util.ResolveEntityNames(util.ResolveNumericReferences(target)))))
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return u.Host != ""
	case "mailto":
		return u.Opaque != ""
	}
	return false
}
