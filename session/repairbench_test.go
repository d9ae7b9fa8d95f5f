package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// big is a session file of about 100 MB.
func big() []byte { return synthetic(80_000, 3) }

// onDisk writes a file and returns its path.
func onDisk(tb testing.TB, text []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "big.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// BenchmarkRepairLarge takes turns with four jobs on a file of 100 MB: to validate
// its lines with encoding/json, to look through it for damage on one core, to copy
// it and bring the copy to the disk, and to rewrite it because one line is cut. The
// aims: to look through takes at most 0.3 of the time of the processor that
// validating takes, to rewrite at most twice as long as to copy.
func BenchmarkRepairLarge(b *testing.B) {
	text := big()
	at := len(text) / 2
	at += bytes.IndexByte(text[at:], '\n')
	clean, cut := onDisk(b, text), onDisk(b, append(bytes.Clone(text[:at-100]), text[at:]...))
	var valid, survey, copied, rewritten times
	for b.Loop() {
		valid.of(func() {
			for line := range bytes.Lines(text) {
				if !json.Valid(line) {
					b.Fatal("not valid")
				}
			}
		})
		survey.of(func() {
			if r, err := Repair(clean, RepairOptions{Write: true, Workers: 1}); err != nil || r.Repaired {
				b.Fatal(r, err)
			}
		})
		copied.of(func() {
			if err := copySynced(cut+".copy", cut); err != nil {
				b.Fatal(err)
			}
		})
		rewritten.of(func() {
			if r, err := Repair(cut, RepairOptions{Write: true}); err != nil || r.DroppedLines != 1 {
				b.Fatal(r, err)
			}
		})
		if err := os.Rename(cut+".copy", cut); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op") // of all four it says nothing
	b.ReportMetric(median(survey.cpu)/median(valid.cpu), "survey/Valid-cpu")
	b.ReportMetric(median(survey.wall)/median(copied.wall), "survey/copy")
	b.ReportMetric(median(rewritten.wall)/median(copied.wall), "rewrite/copy")
	b.ReportMetric(median(rewritten.cpu)/median(valid.cpu), "rewrite/Valid-cpu")
	b.ReportMetric(1e3*median(copied.wall), "copy-ms")
}

// times are those of several runs, by the clock and of the processors.
type times struct{ wall, cpu []time.Duration }

func (t *times) of(f func()) {
	start := time.Now()
	used := cpu(f)
	t.wall, t.cpu = append(t.wall, time.Since(start)), append(t.cpu, used)
}

// median returns the one in the middle, in seconds: what a disk does best counts no
// more than what it does worst.
func median(d []time.Duration) float64 {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2].Seconds()
}

func copySynced(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Sync()
}

// BenchmarkRepairSmall surveys a folder of 10 000 small sessions on one core and
// on two, as the command line does.
func BenchmarkRepairSmall(b *testing.B) {
	dir := b.TempDir()
	const files = 10_000
	path := func(i int) string { return filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i)) }
	for i := range files {
		if err := os.WriteFile(path(i), synthetic(10, 3), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for cores := 1; cores <= 2; cores++ {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			took := cpu(func() {
				for b.Loop() {
					var w sync.WaitGroup
					var next atomic.Int64
					for range cores {
						w.Go(func() {
							for i := next.Add(1) - 1; i < files; i = next.Add(1) - 1 {
								r, err := Repair(path(int(i)), RepairOptions{Workers: 1, SkipLeftovers: true})
								if err != nil || r.Changes > 0 {
									b.Error(r, err)
								}
							}
						})
					}
					w.Wait()
				}
			})
			b.ReportMetric(float64(files)*float64(b.N)/took.Seconds(), "files/cpu-s")
			b.ReportMetric(float64(files)*float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}

// F-B09: however long a file is, a repair takes 64 MB, 32 bytes for each entry,
// and the longest line.
func TestRepairMemory(t *testing.T) {
	if !inFull() {
		t.Skip("600 MB are written; HYGEIA_FULL=1 does that")
	}
	type file struct {
		path    string
		entries int
		lines   int // what long lines may take
	}
	const long, blankBehind = 100 << 20, `"},{"type":"text","text":" "}]`
	files := map[string]file{
		"clean":                   {path: onDisk(t, big()), entries: 80_000},
		"version 1":               {path: onDisk(t, synthetic(80_000, 1)), entries: 80_000},
		"every tenth line is cut": {path: onDisk(t, cutLines(big(), 10)), entries: 80_000},
		"a long line stays":       {path: onDisk(t, longLine(long, `"`)), entries: 3, lines: long},
		"a long line is torn":     {path: onDisk(t, longLine(long, ``)), entries: 3, lines: long},
		"a long line changes":     {path: onDisk(t, longLine(long, blankBehind)), entries: 3, lines: long},
		"long lines change":       {path: onDisk(t, slices.Concat(longLine(long/2, blankBehind), longLine(long/2, blankBehind), longLine(long/2, blankBehind))), entries: 9, lines: long / 2},
	}
	if os.Getenv("HYGEIA_FULL") == "5GB" {
		const entries = 4 << 20
		files["5 GB, the last line cut"] = file{path: huge(t, entries), entries: entries}
	}
	for name, f := range files {
		runtime.GC()
		before := heap()
		var most atomic.Uint64
		stop := make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				most.Store(max(most.Load(), heap()))
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond):
				}
			}
		}()
		r, err := Repair(f.path, RepairOptions{Write: true})
		if err != nil {
			t.Fatal(err)
		}
		close(stop)
		<-done
		if used, bound := most.Load()-min(before, most.Load()), uint64(64<<20+32*f.entries+f.lines); used > bound {
			t.Errorf("%s: %d bytes, more than %d", name, used, bound)
		} else {
			t.Logf("%s, %d bytes long: %d bytes in %d ms, %s", name, r.BytesBefore, used, r.ElapsedMS, r.Counters())
		}
	}
}

// longLine is a session with a user turn of n bytes, whose text ends so, and a torn
// line.
func longLine(n int, end string) []byte {
	open := `"`
	if len(end) > 1 {
		open = `[{"type":"text","text":"`
	}
	text := header1 + `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":` + open + strings.Repeat("abcd efg", n/8) + end
	if end != "" {
		text += "}}"
	}
	return []byte(text + "\n" + behindC(2) + tornLine)
}

// huge writes a session of so many entries, 1 280 bytes each, and cuts its last
// line off.
func huge(t *testing.T, entries int) string {
	path := filepath.Join(t.TempDir(), "huge.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	text := strings.Repeat("Read the file and say what the second function does. ", 22)
	w.WriteString(header1)
	parent := "null"
	for i := range entries {
		id := fmt.Sprintf(`"%08x"`, i)
		fmt.Fprintf(w, `{"type":"message","id":%s,"parentId":%s,"message":{"role":"user","content":"%s"}}`+"\n", id, parent, text)
		parent = id
	}
	w.WriteString(`{"type":"mess`)
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
