package export

import (
	"strings"
	"testing"

	"hygeia/projection"
	"hygeia/transcript"
)

func document(t *testing.T, lines ...string) Document {
	t.Helper()
	var r transcript.Reader
	d := Document{Title: `t </script><b>`}
	for _, line := range lines {
		m, err := r.Message([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		d.Messages = append(d.Messages, m)
	}
	d.Messages = projection.Project(d.Messages, projection.Options{Thinking: true, Tools: true})
	return d
}

var lines = []string{
	`{"role":"user","content":"hi <b> **you**","senderLabel":"Ada<","timestamp":1767323045000}`,
	`{"role":"assistant","content":[{"type":"thinking","thinking":"one\ntwo"},{"type":"text","text":"[x](javascript:1) </article><script>"},{"type":"toolCall","id":"1","name":"read","arguments":{"a":"</pre>"}},{"type":"image","data":"AAAA","mimeType":"image/png"}]}`,
	"{\"role\":\"toolResult\",\"toolCallId\":\"1\",\"toolName\":\"read\",\"content\":[{\"type\":\"text\",\"text\":\"```\\n</pre><script>\"}]}",
}

// a message without a time of its own has that of its record. What is no time that
// people know is none.
func TestWhen(t *testing.T) {
	for members, want := range map[string]string{
		`"timestamp":1767323045000,"__openclaw":{"recordTimestampMs":1}`: "2026-01-02 03:04:05 UTC",
		`"__openclaw":{"recordTimestampMs":1767323045000}`:               "2026-01-02 03:04:05 UTC",
		`"timestamp":0`:               "1970-01-01 00:00:00 UTC",
		`"timestamp":253402300799999`: "9999-12-31 23:59:59 UTC",
		`"timestamp":253402300800000`: "",
		`"timestamp":-1`:              "",
		`"timestamp":"soon"`:          "",
	} {
		var r transcript.Reader
		m, err := r.Message([]byte(`{"role":"user",` + members + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := clock(m); got != want {
			t.Errorf("%s: %q, want %q", members, got, want)
		}
	}
}

// the projection leaves what tools are given and return whole; a document cuts it
// where that is asked for, and nothing else. Arguments that are a text are told as it.
func TestParts(t *testing.T) {
	list := document(t,
		`{"role":"assistant","content":[{"type":"text","text":"abcdef"},{"type":"toolCall","id":"1","name":"f","arguments":"{\"torn"},{"type":"toolCall","id":"2","name":"g","arguments":{"a":1}}]}`,
		`{"role":"toolResult","toolCallId":"1","content":"abcdef"}`).Messages
	for most, want := range map[int]string{0: "text abcdef|call {\"torn|call {\"a\":1}|result abcdef", 5: "text abcdef|call {\"tor\n...(truncated)...|call {\"a\":\n...(truncated)...|result abcde\n...(truncated)..."} {
		var got []string
		for _, m := range list {
			for _, p := range (Document{MaxTool: most}).Parts(m) {
				got = append(got, p.Kind+" "+p.Text)
			}
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("at most %d: %q, want %q", most, s, want)
		}
	}
}

// Nothing of a session becomes markup of a viewer (design §9).
func TestMarkdown(t *testing.T) {
	var b strings.Builder
	if err := Markdown(&b, document(t, lines...)); err != nil {
		t.Fatal(err)
	}
	want := "# t &lt;/script>&lt;b>\n\n## Ada&lt;  2026-01-02 03:04:05 UTC\n\nhi &lt;b> **you**\n\n## assistant\n\n> one\n> two\n\n[x]&#40;javascript:1) &lt;/article>&lt;script>\n\n" +
		"calls `read`\n\n```\n{\"a\":\"</pre>\"}\n```\n\n[image image/png 4 characters of base64]\n\n## result of read\n\n````\n```\n</pre><script>\n````\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// Nothing of a session becomes markup of the page (design §9).
func TestHTML(t *testing.T) {
	var b strings.Builder
	if err := HTML(&b, document(t, lines...)); err != nil {
		t.Fatal(err)
	}
	html := b.String()
	for _, s := range []string{"<title>t &lt;/script&gt;&lt;b&gt;</title>", "<strong>Ada&lt;</strong><time>2026-01-02 03:04:05 UTC</time>", "hi &lt;b&gt; <strong>you</strong>", "x &lt;/article&gt;&lt;script&gt;", "<summary>calls read</summary><pre>{&#34;a&#34;:&#34;&lt;/pre&gt;&#34;}</pre>", "&lt;/pre&gt;&lt;script&gt;</pre>", "<p>[image image/png 4 characters of base64]</p>"} {
		if !strings.Contains(html, s) {
			t.Errorf("%s is missing in\n%s", s, html)
		}
	}
	for _, s := range []string{"<script", "javascript:", "<b>", "src=", "url("} {
		if strings.Contains(html, s) {
			t.Errorf("the page holds %s", s)
		}
	}
}
