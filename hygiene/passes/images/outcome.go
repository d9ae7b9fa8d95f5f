package images

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"hygeia/imaging"
	"hygeia/transcript"
)

// outcome says what goes out in the place of a picture that was worked on, for
// who reads the report (I-34).
func outcome(res *imaging.Result, was imaging.Picture) string {
	now := imaging.Probe(res.Picture)
	text := fmt.Sprintf("; goes out as %dx%d %s", now.Width, now.Height, now.MediaType)
	if res.Quality > 0 {
		text += fmt.Sprintf(" of quality %d", res.Quality)
	}
	before, after := was.Bytes(), res.Picture.Bytes()
	return text + fmt.Sprintf(", %s of %s (%d%%)", imaging.Size(after), imaging.Size(before), (100*after+before/2)/max(before, 1))
}

// fileMembers may name the file of a picture, in the order in which they count
// (I-34). All but the last may be paths.
var fileMembers = []string{"fileName", "filename", "path", "url", "name"}

// fileName returns the name of the file that a block says it comes from, or that
// a tool has read, as it stands in front of a reason; "" where nothing names one.
func fileName(b *transcript.Block, label string) string {
	name, _ := strings.CutPrefix(label, ReadLabel(""))
	if name == label {
		name = ""
	}
	for _, member := range fileMembers {
		if v := b.Get(member); v.IsString() && !v.Blank() && !isDataURL(v.String()) {
			name = v.String()
			if member == "name" {
				return shown(name)
			}
			if member == "url" {
				name, _, _ = strings.Cut(name, "?")
			}
			break
		}
	}
	if name = strings.TrimSpace(name); name == "" {
		return ""
	}
	return shown(path.Base(strings.ReplaceAll(name, `\`, "/")))
}

// shown is a name that comes from anywhere, without what is no text and not
// longer than a reason can bear.
func shown(name string) string {
	const most = 80
	var b strings.Builder
	for _, r := range strings.TrimSpace(name) {
		if unicode.IsPrint(r) && b.Len() < most {
			b.WriteRune(r)
		}
	}
	return b.String() + ": "
}
