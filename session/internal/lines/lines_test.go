package lines

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// events writes down what a sink was given.
type events struct{ list []string }

func (s *events) Record(r Record) {
	s.list = append(s.list, fmt.Sprintf("%d-%d %s %s", r.Line, r.Last, r.Digest, r.Entry.AppendJSON(nil)))
}

func (s *events) Fault(f Fault) {
	s.list = append(s.list, fmt.Sprintf("%d-%d %s %s %v %v %v", f.Line, f.Last, f.Rule, f.Reason, f.Note, f.Lost, f.Link))
}

func read(t *testing.T, text string, opt Options) []string {
	t.Helper()
	var s events
	n, err := Read(iotest.HalfReader(strings.NewReader(text)), opt, &s)
	if err != nil || n != int64(len(text)) {
		t.Fatalf("read %d of %d bytes: %v", n, len(text), err)
	}
	return s.list
}

// message returns an entry on a line.
func message(id, parent, text string) string {
	return `{"type":"message","id":"` + id + `","parentId":"` + parent + `","message":{"role":"user","content":"` + text + `"}}`
}

var damaged = strings.Join([]string{
	"\xef\xbb\xbf" + `{"type":"session","version":3,"id":"s"}`,
	message("a", "", "one"),
	"",
	message("b", "a", "two\nand\n\nmore") + message("c", "b", "glued") + "\r",
	message("d", "c", "torn")[:30] + message("e", "d", "behind"),
	message("f", "e", "outer")[:40] + message("g", "f", "inner"),
	message("f", "e", "outer")[40:],
	"\x00\x00" + message("h", "g", strings.Repeat("long ", 60)),
	`{"type":"custom","data":[1,2]}`,
	message("k", "h", "half of it")[:84], message("l", "h", "of another"), message("m", "l", "who goes on"), message("k", "h", "half of it")[84:],
	"rubbish", `{"type":"mess`, "null",
	message("i", "h", "caf\xe9"),
	message("j", "i", "the end")[:50],
}, "\n")

// F-B09, G-3: what is read depends neither on where the chunks end nor on where
// they lie nor on the number of workers.
func TestChunksDoNotMatter(t *testing.T) {
	for _, maxLine := range []int{0, 200} {
		want := read(t, damaged, Options{MaxLine: maxLine, Workers: 1})
		if len(want) < 20 {
			t.Fatalf("too little happens: %q", want)
		}
		for chunk := 1; chunk < len(damaged)+2; chunk += 1 + chunk/16 {
			for workers := 1; workers <= 3; workers++ {
				for _, large := range []int{0, 1} {
					got := read(t, damaged, Options{MaxLine: maxLine, chunk: chunk, Workers: workers, large: large})
					if d := cmp.Diff(want, got); d != "" {
						t.Fatalf("chunk %d, workers %d, large from %d:\n%s", chunk, workers, large, d)
					}
				}
			}
		}
	}
}

// F-B09: a line over the cap is skipped and reported, with its place in the tree
// as far as its head tells, and the lines around it are read.
func TestOversizedLine(t *testing.T) {
	for _, at := range []struct{ name, behind string }{{"inside", "\n" + message("c", "b", "three")}, {"last", ""}, {"last line ended", "\n"}} {
		t.Run(at.name, func(t *testing.T) {
			long := message("b", "a", strings.Repeat("x", 500))
			text := message("a", "", "one") + "\n" + long + at.behind
			want := []string{
				"1-1  " + message("a", "", "one"),
				fmt.Sprintf("2-2 F-B09 %d bytes long, more than the limit of 300 false true {b a true}", len(long)),
			}
			if len(at.behind) > 1 {
				want = append(want, "3-3  "+message("c", "b", "three"))
			}
			for _, chunk := range []int{1, 64, 400, 0} {
				if d := cmp.Diff(want, read(t, text, Options{MaxLine: 300, chunk: chunk})); d != "" {
					t.Errorf("chunk %d:\n%s", chunk, d)
				}
			}
		})
	}
}

// F-B09, D-18: nor is a record put together that is longer than a line may be.
func TestOversizedRejoin(t *testing.T) {
	text := message("a", "", strings.Repeat("x", 100)+"\n"+strings.Repeat("y", 100))
	if got := read(t, text, Options{MaxLine: 300}); len(got) != 2 || !strings.HasPrefix(got[0], "1-2  {") {
		t.Errorf("not joined: %q", got)
	}
	if got := read(t, text, Options{MaxLine: 200}); len(got) != 2 || !strings.Contains(got[0], "F-51") || !strings.Contains(got[1], "F-51") {
		t.Errorf("joined: %q", got)
	}
}

// The last buffer of a file is given back when little is in it.
func TestTrim(t *testing.T) {
	for length, want := range map[int]bool{49: true, 51: false} {
		buf := make([]byte, length, 100)
		if got := trim(buf); (cap(got) < 100) != want || len(got) != length {
			t.Errorf("%d of 100 bytes: %d of %d", length, len(got), cap(got))
		}
	}
}

// F-B09: an oversized line is not held in memory.
func TestOversizedLineMemory(t *testing.T) {
	const size = 256 << 20
	text := io.MultiReader(
		strings.NewReader(message("a", "", "one")+"\n"),
		io.LimitReader(endless{}, size),
		strings.NewReader("\n"+message("b", "a", "two")),
	)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var s events
	if _, err := Read(text, Options{MaxLine: 1 << 20}, &s); err != nil || len(s.list) != 3 {
		t.Fatalf("%q: %v", s.list, err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d bytes allocated for a line of %d", used, size)
	}
}

// endlessAt is a file with one line of that length between two records.
type endlessAt struct {
	head, tail string
	line       int64
}

func (f endlessAt) size() int64 { return int64(len(f.head)) + f.line + int64(len(f.tail)) }

func (f endlessAt) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && at < f.size() {
		switch rest := at - int64(len(f.head)); {
		case rest < 0:
			n, at = n+copy(p[n:], f.head[at:]), at+int64(copy(p[n:], f.head[at:]))
		case rest < f.line:
			m := int(min(int64(len(p)-n), f.line-rest))
			endless{}.Read(p[n : n+m])
			n, at = n+m, at+int64(m)
		default:
			m := copy(p[n:], f.tail[rest-f.line:])
			n, at = n+m, at+int64(m)
		}
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// F-B09: in a file the end of a line is looked for before it is read, so that one
// just over the default limit takes next to no memory, and one under it no more
// than itself.
func TestLongLineMemory(t *testing.T) {
	for _, c := range []struct {
		line, bound int64
		fault       string
	}{
		{257 << 20, 8 << 20, "2-2 F-B09"},
		{20 << 20, 20<<20 + 8<<20, "2-2 F-51"},
	} {
		f := endlessAt{message("a", "", "one") + "\n", "\n" + message("b", "a", "two"), c.line}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var s events
		n, err := Read(io.NewSectionReader(f, 0, f.size()), Options{Workers: 1}, &s)
		if err != nil || n != f.size() || len(s.list) != 3 || !strings.HasPrefix(s.list[1], c.fault) {
			t.Fatalf("%d bytes, %v, %.200q", n, err, s.list)
		}
		runtime.ReadMemStats(&after)
		if used := int64(after.TotalAlloc - before.TotalAlloc); used > c.bound {
			t.Errorf("%d bytes allocated for a line of %d", used, c.line)
		}
	}
}

// Looking ahead changes nothing, wherever the stream begins and chunks end.
func TestLookAhead(t *testing.T) {
	file := ""
	for i, size := range []int{10, 30_000, 9_000, 10_500, 9_999, 100, 20_000} {
		file += message(fmt.Sprint("e", i), fmt.Sprint("e", i-1), strings.Repeat("long ", size/5)) + "\n"
	}
	file += message("z", "", strings.Repeat("long ", 4_000))
	for _, maxLine := range []int{0, 10_000, 10_600} {
		want := read(t, file, Options{MaxLine: maxLine})
		for chunk := 100; chunk < len(file); chunk *= 2 {
			text := strings.NewReader("xyz" + file)
			text.Seek(3, io.SeekStart)
			var s events
			n, err := Read(text, Options{MaxLine: maxLine, chunk: chunk}, &s)
			if err != nil || n != int64(len(file)) {
				t.Fatalf("%d, %v", n, err)
			}
			if d := cmp.Diff(want, s.list); d != "" {
				t.Fatalf("limit %d, chunk %d:\n%s", maxLine, chunk, d)
			}
		}
	}
}

type endless struct{}

var rubbish = strings.Repeat("x", 64<<10)

func (endless) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		n += copy(p[n:], rubbish)
	}
	return len(p), nil
}

// A line nested too deep is a fault that names it, not a crash.
func TestDepth(t *testing.T) {
	bomb := `{"type":"message","id":"b","parentId":"a","message":` + strings.Repeat("[", 1<<20)
	got := read(t, message("a", "", "one")+"\n"+bomb+"\n"+message("c", "b", "two"), Options{})
	want := []string{
		"1-1  " + message("a", "", "one"),
		fmt.Sprintf("2-2 F-51 %d bytes that are no record: nested deeper than 10000 at byte 10052 false true {b a true}", len(bomb)),
		"3-3  " + message("c", "b", "two"),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// G-6: lines made to be searched again and again cost time in proportion to
// their length. Any of these takes hours if that is not so.
func TestHostileLines(t *testing.T) {
	const n = 1 << 17
	for name, text := range map[string]string{
		"nested beginnings":    strings.Repeat(`{"type":"message","x":`, n),
		"torn beginnings":      strings.Repeat(`{"type":"message","x":"`, n),
		"beginnings per line":  strings.Repeat(`{"type":"message","x":"`+"\n", n),
		"open strings":         `{"type":"message","x":"` + strings.Repeat("\n", n),
		"objects and openings": strings.Repeat(`{}{"type":"message`+"\n", n),
		"ids":                  strings.Repeat(`"id":`, n),
		"controls":             strings.Repeat(`{"type":"message","x":"`+"\t", n),
		"NUL runs":             strings.Repeat("{}\x00", n),
	} {
		t.Run(name, func(t *testing.T) { read(t, text, Options{}) })
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("disk gone")
	var s events
	text := message("a", "", "one") + "\n"
	n, err := Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), Options{}, &s)
	if !errors.Is(err, broken) || n != int64(len(text)) {
		t.Errorf("read %d bytes: %v", n, err)
	}
}
