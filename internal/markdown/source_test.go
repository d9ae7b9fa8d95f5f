package markdown

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"pgregory.net/rapid"
)

// Design §9 for documents: what people read in a viewer is text, whatever was said.
func TestSource(t *testing.T) {
	for in, want := range map[string]string{
		"a **b** `<c>`":            "a **b** `<c>`",
		"a < b <script>x</script>": "a &lt; b &lt;script>x&lt;/script>",
		`\<b> \\<b>`:               `\<b> \\&lt;b>`,
		`\![x](https://a.b/c) \\![y](https://a.b/c)`: `\![x](https://a.b/c) \\&#33;[y](https://a.b/c)`,
		"<https://a.example>":                        "&lt;https://a.example>",
		"![leak](https://a.example/p.png)":           "&#33;[leak](https://a.example/p.png)",
		"![leak][r]\n\n[r]: https://a.example/p":     "&#33;[leak][r]\n\n[r]: https://a.example/p",
		"[x](javascript:1) [y](https://a.b/c)":       "[x]&#40;javascript:1) [y](https://a.b/c)",
		"[x](<javascript:1>)":                        "[x]&#40;&lt;javascript:1>)",
		"[x](JaVaScRiPt&#58;1)":                      "[x]&#40;JaVaScRiPt&#58;1)",
		"[x]\n\n[x]: javascript:1":                   "[x]\n\n[x]&#58; javascript:1",
		"[x](mailto:a@b.example)":                    "[x](mailto:a@b.example)",
		"list[0](x) and wow!":                        "list[0]&#40;x) and wow!",
		"```html\n<b>\n```\n<b>":                     "```html\n<b>\n```\n&lt;b>",
		"```\n<b>":                                   "```\n<b>\n```",
		"~~~~\n```\n<b>":                             "~~~~\n```\n<b>\n~~~~",
		"    <b>":                                    "&lt;b>",
		"a\n\n    <b>":                               "a\n\n    <b>",
		"a\r<b>\x00\xff":                             "a\n&lt;b>\uFFFD\uFFFD",
		// HTML that holds a backtick, without which another one pairs.
		"<a \"`\"> ` <img src=x> `": "&lt;a \"`\"> ` &lt;img src=x> `",
		"":                          "",
	} {
		if got := Source(in); got != want {
			t.Errorf("%q:\n%q, want\n%q", in, got, want)
		}
	}
	for in, want := range map[string]string{"a": "`a`", "a`b": "`` a`b ``", "`": "`` ` ``", "a\nb": "`a b`"} {
		if got := Code(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got, want := Fenced("a\n```\n"), "````\na\n```\n````"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Line("a\n# <b>"), "a # &lt;b>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// acts says what in a document does something, "" if nothing does.
func acts(source string) (what string) {
	d := read(source)
	d.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.HTMLBlock, *ast.RawHTML, *ast.Image:
			what = n.Kind().String()
		case *ast.Link:
			if !harmlessURL(n.Destination) {
				what = "a link to " + string(n.Destination)
			}
		}
	})
	return what
}

var hostile = []string{
	"<img src=x>", "<a title=\"", "\">", "`", "``", "```", "~~~", "\n", "\n\n", " ", "  ", "    ", "\t", "- a", "10. ", "> ", "![", "[", "]", "(", ")", "](", "[r]: ", "[r]", "javascript:1", "https://a.example/p.png",
	"<!--", "-->", "<script>", "<pre>", "\\", "&lt;", "&#60;", "| a | b |\n|-|-|\n", "# ", "***", "===", "x", "<", ">", "<b", "\r", "<?", "<![CDATA[",
}

// Two messages of any hostile pieces, one behind the other, do nothing together, and
// the heading behind them is one.
func TestPropertySource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostile), 0, 14).Draw(t, name), "")
		}
		a, b := part("a"), part("b")
		document := Source(a) + "\n\n" + Source(b) + "\n\n" + Fenced(a) + "\n\n## " + Line(b) + "\n\n" + Quote(a) + "\n\ncalls " + Code(b) + "\n\n# behind\n"
		if what := acts(document); what != "" {
			t.Fatalf("%q and %q hold %s:\n%s", a, b, what, document)
		}
		last, ok := read(document).root.LastChild().(*ast.Heading)
		if !ok || string(last.Lines().Value([]byte(document))) != "behind" {
			t.Fatalf("%q and %q hide what follows:\n%s", a, b, document)
		}
	})
}
