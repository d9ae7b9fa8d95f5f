package images

import (
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/blanks"
	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/imaging"
	"hygeia/internal/casetest"
	"hygeia/policy"
)

// I-34: the reason of a change names the file, what was wrong, the size and
// quality that were chosen, both sizes in bytes and their ratio; that of a
// failure the limit and the smallest try. Neither holds image bytes.
func TestOutcome(t *testing.T) {
	wide := asPNG(t, shot(2400, 60))
	members := func(more string) string {
		return `{"type":"image","data":"` + wide + `","mimeType":"image/png"` + more + `}`
	}
	const was = "2400x60 is over 1200 px; goes out as 1200x30 image/jpeg of quality 85, 4.4KB of 293.6KB (2%)"
	for in, want := range map[string]string{
		members(""): was,
		members(`,"fileName":"C:\\shots\\first shot.png","path":"/other.png"`): "first shot.png: " + was,
		members(`,"fileName":" ","filename":"b.png"`):                          "b.png: " + was,
		members(`,"path":"/home/me/c.png"`):                                    "c.png: " + was,
		members(`,"url":"https://example.org/pictures/d.png?key=secret"`):      "d.png: " + was,
		members(`,"url":"data:image/png;base64,` + passtest.PNG + `"`):         was,
		members(`,"name":"e / f"`):                                             "e / f: " + was,
		members(`,"name":"g\u001b[2J\u202e"`):                                  "g[2J: " + was,
		`{"type":"image","data":"AAAA","mimeType":"image/png","name":"h.png"}`: "h.png: image is left out: not a picture, declared as image/png",
	} {
		res := sanitize(read(t, user(in)), seeing, Pass)
		if len(res.Report.Changes) != 1 || res.Report.Changes[0].Reason != want {
			t.Errorf("%s:\n%s", strings.ReplaceAll(in, wide, "…"), casetest.Changes(&res.Report))
		}
	}
	few := user(members(""), members(`,"name":"same picture"`))
	res := sanitize(read(t, few), seeing, New(bg, imaging.Limits{MaxBytes: 300}))
	const failure = "image is left out: cannot be reduced below 300B (got 656B)"
	if got := res.Report.Changes; len(got) != 2 || got[0].Reason != failure || got[1].Reason != "same picture: "+failure {
		t.Errorf("failure: %s", casetest.Changes(&res.Report))
	}
	m := read(t, `{"role":"toolResult","content":[`+block("AAAA", "image/png")+`]}`).Messages[0]
	w, err := walked(bg, m.Blocks(), ReadLabel("/tmp/i.png"), imaging.Limits{})
	if _, e := w.result(m.Blocks()[0]); err != nil || !strings.HasPrefix(e.Reason, "i.png: ") {
		t.Errorf("%v, reason %q", err, e.Reason)
	}
}

// I-01: pictures of user turns, tool results and assistant turns are all walked,
// by the same label. I-03: one block in, one block out, in its place, blocks of
// other kinds untouched and what else an image block says kept.
func TestWalk(t *testing.T) {
	const text, odd = `{"type":"text","text":" "}`, `{"type":"whatever","data":"AAAA"}`
	good := `{"type":"image","data":"` + passtest.PNG + `","mimeType":"image/jpeg","fileName":"a.png","note":1.50}`
	bad := `{"type":"image","data":"!","mimeType":"image/png"}`
	for _, role := range []string{"user", "toolResult", "assistant"} {
		res := sanitize(read(t, `{"role":"`+role+`","content":[`+strings.Join([]string{text, bad, odd, good}, ",")+`]}`), seeing, Pass)
		want := `{"role":"` + role + `","content":[` + text + `,{"type":"text","text":"[session:history] image payload omitted: invalid base64"},` + odd + `,` +
			strings.Replace(good, "image/jpeg", "image/png", 1) + `]}`
		if got := string(res.Messages[0].AppendJSON(nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// I-32: what stands in the place of a picture that cannot go out, in each
// situation. I-B09: the reasons are fixed ones.
func TestPlaceholders(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"image"}`:                                       "[session:history] image payload omitted: missing data",
		block(" \n", "image/png"):                                "[session:history] empty image payload omitted",
		block("QUJ", "image/png"):                                "[session:history] image payload omitted: invalid base64",
		block("AAAA", "image/png"):                               "[session:history] image payload omitted: not a picture, declared as image/png",
		block("iVBORw0KGgo=", "x"):                               "[session:history] image payload omitted: cannot decode",
		block(strings.Repeat("AAAA", imaging.MaxInput/3+1), "x"): "[session:history] image payload omitted: image exceeds input size limit (32.00MB)",
		block("AAAA", ""):                                        "[session:history] image payload omitted: not a picture",
	} {
		res := sanitize(read(t, user(strings.ReplaceAll(in, "\n", `\n`))), seeing, Pass)
		if got := res.Messages[0].Blocks()[0].Text(); got != want {
			t.Errorf("%.60s: %s, want %s", in, got, want)
		}
	}
}

// The table of file 30 §6: blank text goes after the pictures were handled, so a
// note never counts as blank (I-40), and what is emptied gets its text (I-41).
func TestBlankText(t *testing.T) {
	const blank, omitted = `{"type":"text","text":" "}`, `{"type":"text","text":"[empty content omitted]"}`
	good := block(passtest.PNG, "image/png")
	for _, test := range []struct{ role, in, want string }{
		{"toolResult", blank + "," + good, good},
		{"toolResult", blank, omitted},
		{"toolResult", "", omitted},
		{"user", block("AAAA", "image/png"), `{"type":"text","text":"[session:history] image payload omitted: not a picture, declared as image/png"}`},
		{"user", blank + "," + blank, omitted},
		{"user", block("", "image/png") + "," + blank, `{"type":"text","text":"[session:history] empty image payload omitted"}`},
		{"assistant", blank, ""},
		{"assistant", blank + "," + good, good},
	} {
		c := read(t, `{"role":"`+test.role+`","content":[`+test.in+`]}`)
		res := hygiene.Sanitize(c, policy.Target{}, seeing, []*hygiene.Pass{Pass, blanks.Pass})
		got := ""
		for _, m := range res.Messages {
			got += string(m.AppendJSON(nil))
		}
		want := `{"role":"` + test.role + `","content":[` + test.want + `]}`
		if test.want == "" {
			want = ""
		}
		if got != want {
			t.Errorf("%s [%s]:\ngot  %s\nwant %s", test.role, test.in, got, want)
		}
	}
}
