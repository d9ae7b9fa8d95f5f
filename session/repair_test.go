package session

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/internal/jsonline"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// repaired is what a repair in memory gives.
type repaired struct {
	text       []byte
	report     RepairReport
	changes    []RepairChange
	kept       []byte // the quarantine
	forNothing bool   // it was written without a change
	err        error
}

// repairText repairs a file in memory.
func repairText(file []byte, name string, o surveyOptions) (r repaired) {
	s, err := newSurvey(bytes.NewReader(file), int64(len(file)), name, o)
	if err != nil {
		return repaired{err: err}
	}
	r.report.OversizedLines = s.long
	if s.clean() {
		r.text = file
		return r
	}
	var text bytes.Buffer
	_, r.err = s.write(output{
		text: &text, report: &r.report,
		each:       func(c *RepairChange) { r.changes = append(r.changes, *c) },
		quarantine: func(t []byte) error { r.kept = append(r.kept, t...); return nil },
	})
	r.text = text.Bytes()
	r.forNothing = r.report.Changes == 0
	return r
}

// checkRepair asserts what holds for every file: it is refused exactly if the
// reader refuses it; the repaired one is a session whose every line is a record,
// reads as the damaged one does, and has nothing to repair; no valid record is
// lost (G-7, G-8, D-14).
func checkRepair(t failer, file []byte) repaired {
	t.Helper()
	r := repairText(file, "x.jsonl", surveyOptions{})
	before, err := Read(bytes.NewReader(file), "x.jsonl", Options{})
	if (err != nil) != (r.err != nil) {
		t.Errorf("read: %v, repaired: %v\n%q", err, r.err, file)
		return r
	}
	if err != nil {
		return r
	}
	if r.forNothing {
		t.Errorf("written although nothing changes (F-57)\n%s", file)
	}
	if len(r.changes) != r.report.Changes || (len(r.changes) == 0) != bytes.Equal(r.text, file) {
		t.Errorf("%d changes, %d told, same text %v\n%s\n%s", r.report.Changes, len(r.changes), bytes.Equal(r.text, file), file, r.text)
	}
	// Neither the short look at clean messages nor where chunks end makes a
	// difference.
	other := repairText(file, "x.jsonl", surveyOptions{chunk: 1, Options: lines.Options{
		Workers: 1, Skim: func(*jsonline.Scanner, []byte) (b lines.Brief, ok bool) { return b, false },
	}})
	if !reflect.DeepEqual(r, other) {
		t.Errorf("with other chunks:\n%s\n%s", cmp.Diff(r, other, cmp.AllowUnexported(repaired{})), file)
	}
	again := repairText(r.text, "x.jsonl", surveyOptions{})
	if again.err != nil || len(again.changes) > 0 || !bytes.Equal(again.text, r.text) {
		t.Errorf("repaired again: %v %+v\n%s\n%s\n%s", again.err, again.changes, file, r.text, again.text)
	}
	after, err := Read(bytes.NewReader(r.text), "x.jsonl", Options{})
	if err != nil {
		t.Errorf("not readable: %v\n%s\n%s", err, file, r.text)
		return r
	}
	checkLines(t, r.text)
	for _, p := range after.Problems() {
		if !p.Note && !slices.Contains([]string{"F-14", "F-B14", "C-B02"}, p.Rule) {
			t.Errorf("left: %s %s\n%s\n%s", p.Rule, p, file, r.text)
		}
	}
	inserted, strict := r.report.InsertedToolResults > 0, !shuffled(before)
	same := func(what string, was, is []string) {
		if !slices.Equal(was, is) {
			t.Errorf("%s:\n%s\n%s\n%s", what, cmp.Diff(was, is), file, r.text)
		}
	}
	same("reads otherwise", digest(before, inserted, strict), digest(after, inserted, strict))
	checkStandIns(t, after, r.text)
	same("other records", records(before, inserted), records(after, inserted))
	checkOpened(t, file, r)
	return r
}

// checkLines asserts that each line is one JSON value and the first a header.
func checkLines(t failer, text []byte) {
	t.Helper()
	first := true
	for line := range bytes.Lines(text) {
		line = bytes.TrimPrefix(bytes.TrimSpace(line), []byte("\xef\xbb\xbf"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		v := jsonline.Parse(line)
		if !v.Exists() || first && v.Object().Get("type").String() != "session" {
			t.Errorf("line %q of\n%q", line, text)
		}
		first = false
	}
}

// digest writes down what a reader learns of a file that a repair must not
// change. Ids that version 1 did not store depend on line numbers.
func digest(s *Session, inserted, strict bool) (list []string) {
	list = append(list, "header "+s.Header().ID, "name "+s.Name())
	c, _ := s.Context("")
	for _, m := range c.Messages {
		id := m.Origin.Entry
		if s.version == 1 {
			id = ""
		}
		made := strings.HasPrefix(id, "repair-") || s.version == 1 && isMarked(m) // which has no id there
		if inserted && m.Is(transcript.ToolResult) && made {
			continue
		}
		m = (&RepairReport{}).mend(m, func(fault) {})
		list = append(list, id+" "+string(message1(m)))
	}
	if s.version > 1 && !inserted && strict {
		list = append(list, "leaf "+s.Leaf(), "cursor "+s.Cursor())
		for _, tip := range s.Branches() {
			list = append(list, fmt.Sprint("branch ", tip))
		}
	}
	return list
}

func isMarked(m *transcript.Message) bool {
	return m.Get("details").Object().Get("openclawSyntheticMissingToolResult").Bool()
}

// shuffled reports whether a record that is no entry has its parent behind it.
// When such a link is cut, that is where the cursor may go to at once.
func shuffled(s *Session) bool {
	for i := range int32(len(s.nodes)) {
		if at := s.holder(s.parentKey(i), i); at > i && (s.nodes[i].kind != canonical || s.nodes[at].kind != canonical) {
			return true
		}
	}
	return false
}

// message1 writes a message without what a compaction names.
func message1(m *transcript.Message) []byte {
	if m.Is(transcript.CompactionSummary) {
		m = m.Without("firstKeptEntryId")
	}
	return m.AppendJSON(nil)
}

// checkStandIns asserts that a result that repair put in is on the branch of its
// call (F-B02).
func checkStandIns(t failer, s *Session, text []byte) {
	t.Helper()
	path := s.path(s.leaf)
	for n, at := range path[:max(len(path)-1, 0)] {
		for i, e := range s.entries {
			own := strings.HasPrefix(e.ID, "repair-") && s.nodes[i].up == at
			if own && !s.nodes[i].is(side) && path[n+1] != int32(i) {
				t.Errorf("%s is beside the branch\n%s", e.ID, text)
			}
		}
	}
}

// records writes down all records without what names others, and where there are
// any without stand-ins for results.
func records(s *Session, inserted bool) (list []string) {
	for _, e := range s.Entries() {
		o := e.Members()
		if inserted && e.Message != nil && isMarked(e.Message) {
			continue
		}
		if !o.Exists() {
			list = append(list, string(e.AppendJSON(nil)))
			continue
		}
		o = o.Without("id", "parentId", "targetId", "appendParentId", "firstKeptEntryId", "firstKeptEntryIndex", "data")
		if e.Message != nil {
			m := (&RepairReport{}).mend(e.Message, func(fault) {})
			o = o.With("message", jsonline.Value{Raw: m.AppendJSON(nil), Kind: jsonline.ObjectKind})
		}
		list = append(list, string(o.AppendTo(nil)))
	}
	slices.Sort(list)
	return list
}

// The cases of reading are cases of repair, too.
func TestRepairOfReadingCases(t *testing.T) {
	for _, a := range archives(t, "testdata") {
		t.Run(a.name, func(t *testing.T) { checkRepair(t, a.input(t)) })
	}
}

// F-20…F-24, F-B01, F-B12, F-B13: links of every kind.
func TestPropertyRepairLinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRepair(t, drawLinks(t)) })
}

// F-51, F-B01, F-B08, F-B11, D-14, D-18: whatever happens to the lines of a
// conversation.
func TestPropertyRepairHarm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, _, _, _ := drawHarm(t)
		checkRepair(t, []byte(header1+strings.Join(c.lines, "")))
	})
}

// F-56, F-B02: calls without results, with whatever comes behind them.
func TestPropertyRepairStandIns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := checkRepair(t, drawCalls(t))
		if n := bytes.Count(r.text, []byte(`"id":"repair-`)); n != r.report.InsertedToolResults {
			t.Errorf("%d stand-ins, %d reported", n, r.report.InsertedToolResults)
		}
	})
}

// drawCalls draws a session in order, in which most entries go on from the one in
// front of them.
func drawCalls(t *rapid.T) []byte {
	var file strings.Builder
	file.WriteString(header1)
	n := rapid.IntRange(1, 10).Draw(t, "entries")
	for i := range n {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf(`"e%d"`, i-1-rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2}).Draw(t, "back")%i)
		}
		rest := map[string]string{
			"message": `"message":` + rapid.SampledFrom(linkMessages[4:]).Draw(t, "message"),
			"custom":  `"customType":"k"`, "label": `"targetId":"e0","label":"l"`, "future": `"x":1`,
			"leaf": fmt.Sprintf(`"targetId":"e%d"`, max(0, i-1)),
		}
		typ := rapid.SampledFrom([]string{"message", "message", "message", "message", "custom", "label", "future", "leaf"}).Draw(t, "type")
		side := rapid.SampledFrom([]string{"", "", "", "", `"appendMode":"side",`}).Draw(t, "side")
		fmt.Fprintf(&file, `{"type":"%s","id":"e%d","parentId":%s,%s%s}`+"\n", typ, i, parent, side, rest[typ])
	}
	return []byte(file.String())
}

const header1 = `{"type":"session","version":3,"id":"s"}` + "\n"

// F-51, G-7, D-14: real sessions, damaged at random places.
func TestPropertyRepairDamage(t *testing.T) {
	files := realSessions(t)
	rapid.Check(t, func(t *rapid.T) {
		file := bytes.Clone(rapid.SampledFrom(files).Draw(t, "file"))
		for range rapid.IntRange(1, 4).Draw(t, "damages") {
			file = drawDamage(t, file)
		}
		checkRepair(t, file)
	})
}

// realSessions are sessions with everything in them that there is: a real one,
// and those of the cases.
func realSessions(t *testing.T) (files [][]byte) {
	wildFile, err := os.ReadFile(wild)
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, wildFile, synthetic(12, 3), synthetic(12, 1))
	for _, name := range []string{"branches", "compaction-twice", "messages", "state", "side-chain", "opaque", "leaf-control", "rejected", "version-1", "line-ends"} {
		files = append(files, readArchive(t, "testdata/"+name+".txtar").input(t))
	}
	return files
}

// drawDamage harms a file in one place.
func drawDamage(t *rapid.T, file []byte) []byte {
	if len(file) == 0 {
		return file
	}
	at := rapid.IntRange(0, len(file)-1).Draw(t, "at")
	to := min(len(file), at+rapid.SampledFrom([]int{1, 2, 3, 10, 100, 1000}).Draw(t, "length"))
	switch rapid.SampledFrom([]string{"change", "cut out", "insert", "zero", "copy", "end", "move"}).Draw(t, "damage") {
	case "change":
		file[at] = rapid.SampledFrom([]byte("0123456789abcdef\"\\{}[],: \n\x00\xff")).Draw(t, "byte")
	case "cut out":
		return slices.Delete(file, at, to)
	case "insert":
		return slices.Insert(file, at, []byte(rapid.SampledFrom([]string{"\n", "\r\n", "\x00\x00", "}", "\"", "\n\n", "null\n", "{\"type\":\"mess"}).Draw(t, "text"))...)
	case "zero":
		clear(file[at:to])
	case "copy":
		return slices.Insert(file, at, bytes.Clone(file[at:to])...)
	case "end":
		return file[:at]
	case "move":
		piece := bytes.Clone(file[at:to])
		file = slices.Delete(file, at, to)
		return slices.Insert(file, rapid.IntRange(0, len(file)).Draw(t, "place"), piece...)
	}
	return file
}

func FuzzRepair(f *testing.F) {
	for _, dir := range []string{"testdata", "testdata/repair"} {
		for _, a := range archives(f, dir) {
			f.Add(a.input(f))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) { checkRepair(t, file) })
}
