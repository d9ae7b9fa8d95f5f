package session

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// Limits bounds what of a tool result is stored (F-47). The zero value means the
// defaults.
type Limits struct {
	Text    int // characters of all its texts together, 0 means 16 000; less than 2 000 count as that
	Details int // bytes of its details as JSON, 0 means 8 KiB
}

const (
	textLimit    = 16_000
	leastText    = 2_000
	detailsLimit = 8 << 10
)

// Result returns m, or if that is a tool result over the limits what of it is to
// be stored, and why. What it returns is within the limits.
func (l Limits) Result(m *transcript.Message) (*transcript.Message, []Problem) {
	if !m.Is(transcript.ToolResult) {
		return m, nil
	}
	var notes []Problem
	note := func(format string, args ...any) {
		notes = append(notes, Problem{Rule: "F-47", Reason: fmt.Sprintf(format, args...)})
	}
	c := cutter{left: textLimit}
	if l.Text != 0 {
		c.left = max(l.Text, leastText)
	}
	if m = c.message(m); c.dropped > 0 {
		note("%d characters of the result left out", c.dropped)
	}
	bound := detailsLimit
	if l.Details != 0 {
		bound = l.Details
	}
	if d := m.Get("details"); len(d.Raw) > bound {
		m = m.With("details", summary(d, bound).Value())
		note("details of %d bytes replaced by a summary", len(d.Raw))
	}
	return m, notes
}

// cutter cuts the texts of a result, from the one that is too much on.
type cutter struct {
	left    int // characters that may still be kept
	dropped int // characters
}

func (c *cutter) message(m *transcript.Message) *transcript.Message {
	if m.ContentKind() == transcript.TextContent {
		text, _ := c.take(m.Text())
		if c.dropped == 0 {
			return m
		}
		return m.WithText(notice(text, c.dropped))
	}
	var kept []*transcript.Block
	cut := -1
	for _, b := range m.Blocks() {
		if b.IsText() {
			text, whole := c.take(b.TextValue())
			switch {
			case whole:
			case cut < 0:
				b, cut = b.WithText(text), len(kept)
			default:
				continue // nothing is left of a text behind the one that was cut
			}
		}
		kept = append(kept, b)
	}
	if c.dropped == 0 {
		return m
	}
	kept[cut] = kept[cut].WithText(notice(kept[cut].Text(), c.dropped))
	return m.WithBlocks(kept)
}

// take takes a text as far as there is room for it. The notice of an earlier cut
// takes none.
func (c *cutter) take(v jsonline.Value) (text string, whole bool) {
	text = v.String()
	n := utf8.RuneCountInString(text)
	counted := n - len(noticed.FindString(text[max(0, strings.LastIndexByte(text, '\n')):]))
	if c.dropped == 0 && counted <= c.left {
		c.left -= counted
		return text, true
	}
	text = firstChars(text, c.left)
	c.dropped += n - utf8.RuneCountInString(text)
	c.left = 0
	return text, false
}

// noticed is the notice in the last line of a text that was cut.
var noticed = regexp.MustCompile(`^\n` + strings.Replace(regexp.QuoteMeta(texts.CutResult), "%d", `\d+`, 1) + `$`)

func notice(text string, dropped int) string {
	return text + "\n" + fmt.Sprintf(texts.CutResult, dropped)
}

// firstChars returns the first n characters of a text.
func firstChars(text string, n int) string {
	for at := range text {
		if n == 0 {
			return text[:at]
		}
		n--
	}
	return text
}

const (
	maxKeys    = 40    // names that a summary lists
	maxName    = 200   // characters of one
	maxDetail  = 2_000 // characters of a string
	maxSession = 10    // rows about sessions
)

// kept are the members of details that a summary keeps where they hold no list
// and no object.
var kept = []string{
	"status", "sessionId", "pid", "name", "cwd", "startedAt", "endedAt", "durationMs", "exitCode", "exitSignal",
	"timedOut", "truncated", "fullOutputPath", "openclawSyntheticMissingToolResult",
}

// summary returns what is kept of details that are too big.
func summary(d jsonline.Value, bound int) jsonline.Object {
	o := jsonline.Object{}.With("persistedDetailsTruncated", jsonline.Bool(true)).With("originalDetailsBytes", jsonline.Int(len(d.Raw)))
	least := o.With("finalDetailsTruncated", jsonline.Bool(true))
	names := []byte{'['}
	n := 0
	for name := range d.Object().Members() {
		if n++; n > maxKeys {
			break
		}
		if n > 1 {
			names = append(names, ',')
		}
		names = jsonline.AppendQuoted(names, firstChars(name, maxName))
	}
	o = scalars(o.With("originalDetailKeys", jsonline.Parse(append(names, ']'))), d.Object())
	if rows := sessionRows(d.Object().Get("sessions")); rows.Exists() {
		o = o.With("sessions", rows)
	}
	if len(o.AppendTo(nil)) > bound {
		return least
	}
	return o
}

// scalars gives o the members of from that a summary keeps.
func scalars(o, from jsonline.Object) jsonline.Object {
	for _, name := range kept {
		switch v := from.Get(name); v.Kind {
		case jsonline.Null, jsonline.True, jsonline.False, jsonline.Number:
			o = o.With(name, v)
		case jsonline.String:
			if text := v.String(); utf8.RuneCountInString(text) > maxDetail {
				v = jsonline.Text(firstChars(text, maxDetail) + texts.CutText)
			}
			o = o.With(name, v)
		}
	}
	return o
}

// sessionRows returns the first of a list of sessions, of each what a summary
// keeps.
func sessionRows(list jsonline.Value) jsonline.Value {
	rows := []byte{'['}
	n := 0
	for row := range list.Elements() {
		if n++; n > maxSession {
			break
		}
		if n > 1 {
			rows = append(rows, ',')
		}
		if o := scalars(jsonline.Object{}, row.Object()); o.Exists() {
			rows = o.AppendTo(rows)
		} else {
			rows = append(rows, "{}"...)
		}
	}
	if n == 0 {
		return jsonline.Value{}
	}
	return jsonline.Parse(append(rows, ']'))
}
