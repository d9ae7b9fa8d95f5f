package markdown

import (
	"regexp"
	"strings"
	"testing"
)

func TestHTML(t *testing.T) {
	const rel = `<a rel="noopener noreferrer nofollow" target="_blank" href="`
	for in, want := range map[string]string{
		"a **b** `c`":                       "<p>a <strong>b</strong> <code>c</code></p>\n",
		"<script>alert(1)</script>":         "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
		"a <img src=x onerror=y> b":         "<p>a &lt;img src=x onerror=y&gt; b</p>\n",
		"[x](javascript:alert(1))":          "<p>x</p>\n",
		"[x](JaVaScRiPt&#58;alert(1))":      "<p>x</p>\n",
		"[x](data:text/html,a)":             "<p>x</p>\n",
		"[x](//evil.example)":               "<p>x</p>\n",
		"[x](https://a.example/?q=1&r=\"2)": "<p>" + rel + `https://a.example/?q=1&amp;r=%222">x</a></p>` + "\n",
		"![leak](https://a.example/p.png)":  "<p>[picture: leak] " + rel + `https://a.example/p.png">https://a.example/p.png</a></p>` + "\n",
		"![leak](data:image/png;base64,AA)": "<p>[picture: leak]</p>\n",
		"see https://a.example.":            "<p>see " + rel + `https://a.example">https://a.example</a>.</p>` + "\n",
		"<a@b.example>":                     "<p>" + rel + `mailto:a@b.example">a@b.example</a></p>` + "\n",
		"<vbscript:x>":                      "<p>vbscript:x</p>\n",
		"```html\n<b>\n```":                 "<pre><code class=\"language-html\">&lt;b&gt;\n</code></pre>\n",
	} {
		if got := HTML(in); got != want {
			t.Errorf("%s:\n%q, want\n%q", in, got, want)
		}
	}
}

// tag is every tag that the renderer may write.
var tag = regexp.MustCompile(`^</?(p|strong|em|del|code|pre|a|ul|ol|li|blockquote|h[1-6]|hr|br|table|thead|tbody|tr|th|td)( /)?( (class|style|start|href|rel|target)="[^"<>]*")*>$`)

// FuzzHTML holds that whatever comes, only known tags with known attributes go
// out, and links only to where they may.
func FuzzHTML(f *testing.F) {
	for _, s := range []string{"a", "[x](javascript:1)", "<b onclick=1>", "![a](http://b)", "| a | b |\n|:-|-:|\n| <c> | d |", "1. a\n2. b", "<http://a\">", "&lt;script&gt;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		html := HTML(text)
		for rest := html; ; {
			i := strings.IndexByte(rest, '<')
			if i < 0 {
				break
			}
			j := strings.IndexByte(rest[i:], '>')
			if j < 0 || !tag.MatchString(rest[i:i+j+1]) {
				t.Fatalf("%q becomes %q", text, html)
			}
			rest = rest[i+j+1:]
		}
		for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(html, -1) {
			if !regexp.MustCompile(`(?i)^(https?://|mailto:)`).MatchString(m[1]) {
				t.Fatalf("%q links to %q", text, m[1])
			}
		}
	})
}
