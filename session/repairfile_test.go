package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"hygeia/internal/swap"
	"hygeia/internal/swap/swaptest"
)

// torn is a session in which a line is torn.
const (
	tornLine = `{"type":"message","id":"b","parentId":"a","mess` + "\n"
	torn     = header1 + lineA + tornLine + lineC
	mended   = header1 + lineA + lineC2
	lineA    = `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"one"}}` + "\n"
	lineC    = `{"type":"message","id":"c","parentId":"b","message":{"role":"user","content":"three"}}` + "\n"
	lineC2   = `{"type":"message","id":"c","parentId":"a","message":{"role":"user","content":"three"}}` + "\n"
)

func tornFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, torn)
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// names returns what is in a folder.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// Q-01, F-B26, B135-1: a plan tells what would change, and touches nothing.
func TestRepairPlan(t *testing.T) {
	path := tornFile(t)
	var changes []RepairChange
	r, err := Repair(path, RepairOptions{Each: func(c *RepairChange) { changes = append(changes, *c) }})
	if err != nil || r.Repaired || r.Changes != 2 || r.DroppedLines != 1 || r.RelinkedEntries != 1 ||
		r.BytesBefore != int64(len(torn)) || r.BytesAfter != int64(len(mended)) {
		t.Errorf("%+v, %v", r, err)
	}
	if content(t, path) != torn || len(names(t, filepath.Dir(path))) != 1 {
		t.Errorf("something was written: %q", names(t, filepath.Dir(path)))
	}
	want := []RepairChange{
		{Line: 3, Last: 3, Rule: "F-51", Op: "drop", Entry: "b", Reason: "47 bytes that are no record: unexpected end of a string at byte 47", Lossy: true},
		{Line: 4, Last: 4, Rule: "F-B01", Op: "replace", Entry: "c", Reason: "parent b is no whole record; linked to a"},
	}
	if !reflect.DeepEqual(changes, want) {
		t.Errorf("%+v", changes)
	}
	if got := r.String(); got != "s.jsonl: 1 line dropped, 1 entry relinked" {
		t.Errorf("F-61: %q", got)
	}
}

// Q-02, F-62, F-B05, F-B08, F-B16: the file is rewritten with the same mode, the
// backup goes, what was left out is kept beside it, and the folder is as it was.
func TestRepairWrite(t *testing.T) {
	path := tornFile(t)
	dir := filepath.Dir(path)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := Repair(path, RepairOptions{Write: true})
	if err != nil || !r.Repaired || r.BackupPath != "" || r.Reason != "" || len(r.Leftovers) > 0 || r.BytesAfter != int64(len(mended)) {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := content(t, path); got != mended {
		t.Errorf("%s", got)
	}
	if got := names(t, dir); len(got) != 2 || !strings.HasPrefix(got[1], "s.jsonl.dropped-20") || r.QuarantinePath != filepath.Join(dir, got[1]) {
		t.Errorf("%q, reported %s", got, r.QuarantinePath)
	}
	if got := content(t, r.QuarantinePath); got != tornLine {
		t.Errorf("kept %q", got)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]fs.FileMode{path: 0o640, r.QuarantinePath: 0o600, dir: 0o755 | fs.ModeDir} {
			if info, err := os.Stat(path); err != nil || info.Mode() != want {
				t.Errorf("%s: %v, want %v", path, info.Mode(), want)
			}
		}
	}
	// F-57, F-B28: whoever comes next sees a clean file and changes nothing.
	before, _ := os.Stat(path)
	again, err := Repair(path, RepairOptions{Write: true})
	after, _ := os.Stat(path)
	if err != nil || again.Repaired || again.Changes > 0 || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("%+v, %v", again, err)
	}
}

// F-B05, B135-1: a backup that is to stay is the original to the byte.
func TestRepairKeepBackup(t *testing.T) {
	path := tornFile(t)
	r, err := Repair(path, RepairOptions{Write: true, KeepBackup: true})
	if err != nil || content(t, r.BackupPath) != torn || content(t, path) != mended {
		t.Errorf("%+v, %v", r, err)
	}
	// Found by whoever comes next, and not taken for a session.
	again, err := Repair(path, RepairOptions{})
	if err != nil || !slices.Equal(again.Leftovers, []string{r.BackupPath}) || IsSessionFile(r.BackupPath) {
		t.Errorf("%+v, %v", again, err)
	}
}

// stuck is a file system on which nothing can be removed.
type stuck struct{ swap.FS }

func (stuck) Remove(string) error { return errors.New("stuck") }

// stuckWhole is a disk that takes nothing and gives nothing back.
type stuckWhole struct{ stuck }

func (stuckWhole) Rename(_, to string) error {
	return &fs.PathError{Op: "rename", Path: to, Err: errors.ErrUnsupported}
}

// F-B05: where the swap fails and what it made cannot be removed, the report names it.
func TestRepairStuckTemp(t *testing.T) {
	path := tornFile(t)
	r, err := Repair(path, RepairOptions{Write: true, fs: stuckWhole{stuck{swap.OS}}})
	if err == nil || r.Repaired || r.BackupPath == "" || len(r.Leftovers) != 1 || content(t, path) != torn {
		t.Fatalf("%+v, %v", r, err)
	}
	if list, _ := Leftovers(filepath.Dir(path)); len(list) != 2 || !slices.Contains(list, r.BackupPath) || !slices.Contains(list, r.Leftovers[0]) {
		t.Errorf("left %q, told of %+v", list, r)
	}
}

// Q-02, F-62: a backup that cannot be removed is no failure; its path is returned.
func TestRepairStuckBackup(t *testing.T) {
	path := tornFile(t)
	r, err := Repair(path, RepairOptions{Write: true, fs: stuck{swap.OS}})
	if err != nil || !r.Repaired || content(t, path) != mended || content(t, r.BackupPath) != torn {
		t.Errorf("%+v, %v", r, err)
	}
}

// F-B08, F-B26: quarantine and copy may go elsewhere.
func TestRepairElsewhere(t *testing.T) {
	path := tornFile(t)
	dir := t.TempDir()
	r, err := Repair(path, RepairOptions{Write: true, Quarantine: filepath.Join(dir, "q", "r")})
	if err != nil || filepath.Dir(r.QuarantinePath) != filepath.Join(dir, "q", "r") || content(t, r.QuarantinePath) != tornLine {
		t.Errorf("%+v, %v", r, err)
	}
	write(t, path, torn)
	out := filepath.Join(dir, "copy.jsonl")
	r, err = Repair(path, RepairOptions{Out: out})
	if err != nil || !r.Repaired || content(t, path) != torn || content(t, out) != mended || filepath.Dir(r.QuarantinePath) != dir {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = Repair(path, RepairOptions{Out: out}); !errors.Is(err, ErrExists) || r.Repaired || !strings.Contains(err.Error(), out) || !strings.Contains(r.Reason, out) {
		t.Errorf("%+v, %v", r, err)
	}
	write(t, path, mended)
	if r, err = Repair(path, RepairOptions{Out: filepath.Join(dir, "clean.jsonl")}); err != nil || !r.Repaired || content(t, filepath.Join(dir, "clean.jsonl")) != mended {
		t.Errorf("%+v, %v", r, err)
	}
}

// F-58, F-60, F-B25: refusals, with counters that are 0.
func TestRepairRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "", "blank": "\n \n", "rubbish": "hello\n" + tornLine, "future": `{"type":"future"}` + "\n"} {
		write(t, filepath.Join(dir, name), text)
	}
	for _, c := range []struct {
		path, reason string
		err          error
	}{
		{"", "missing session file", fs.ErrNotExist},
		{"missing", "missing session file", fs.ErrNotExist},
		{"empty", "empty session file", ErrEmpty},
		{"blank", "empty session file", ErrEmpty},
		{"rubbish", "empty session file", ErrNotSession},
		{"future", "invalid session header", ErrNotSession},
		{".", "is a directory", ErrDirectory},
	} {
		path := c.path
		if path != "" {
			path = filepath.Join(dir, path)
		}
		r, err := Repair(path, RepairOptions{Write: true})
		if !errors.Is(err, c.err) || r.Reason != c.reason {
			t.Errorf("%s: %v, reason %q", c.path, err, r.Reason)
		}
		if want := (&RepairReport{File: path, Reason: c.reason, BytesBefore: r.BytesBefore, ElapsedMS: r.ElapsedMS}); !reflect.DeepEqual(r, want) {
			t.Errorf("%s: %+v", c.path, r)
		}
	}
	if got := names(t, dir); len(got) != 4 {
		t.Errorf("something was written: %q", got)
	}
}

// F-58: what cannot be read.
func TestRepairUnreadable(t *testing.T) {
	path := tornFile(t)
	for at, fault := range []swaptest.Fault{swaptest.Fails, swaptest.Fails, swaptest.Fails} {
		r, err := Repair(path, RepairOptions{Write: true, fs: &swaptest.FS{FS: swap.OS, At: at, Fault: fault}})
		if !errors.Is(err, swaptest.ErrInjected) || !strings.HasPrefix(r.Reason, "failed to read session file: ") {
			t.Errorf("call %d: %q, %v", at, r.Reason, err)
		}
	}
}

// growing appends to the file whenever it is looked at again.
type growing struct {
	swap.FS
	path  string
	times int
}

func (g *growing) Stat(name string) (fs.FileInfo, error) {
	if name == g.path && g.times > 0 {
		g.times--
		if err := appendLine(g.path); err != nil {
			return nil, err
		}
	}
	return g.FS.Stat(name)
}

const lateLine = `{"type":"message","id":"x","parentId":"c","message":{"role":"user","content":"late"}}` + "\n"

func appendLine(path string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(lateLine)
	return errors.Join(err, f.Close())
}

// F-B06: a file that grows is read again and repaired with what it grew by, three
// times at most; then it stays as it is.
func TestRepairFence(t *testing.T) {
	for times, want := range map[int]bool{0: true, 1: true, 2: true, 3: false} {
		path := tornFile(t)
		told := 0
		r, err := Repair(path, RepairOptions{Write: true, fs: &growing{swap.OS, path, times}, Each: func(c *RepairChange) {
			if told++; c == nil {
				told = 0
			}
		}})
		text := content(t, path)
		if !want {
			if !errors.Is(err, ErrBusy) || r.Reason != "changed during repair" || r.Repaired || r.Changes != 0 || text != torn+strings.Repeat(lateLine, 3) {
				t.Errorf("%+v, %v\n%s", r, err, text)
			}
			if got := names(t, filepath.Dir(path)); len(got) != 1 {
				t.Errorf("left %q", got)
			}
			continue
		}
		if err != nil || !r.Repaired || told != r.Changes || !strings.HasPrefix(text, mended) || strings.Count(text, "late") != times {
			t.Errorf("%d times: %+v, %v, told %d\n%s", times, r, err, told, text)
		}
	}
}

// F-B07: a last line that is torn may be being written: that is waited for,
// unless a lock keeps writers away.
func TestRepairTail(t *testing.T) {
	tail := strings.TrimSuffix(lateLine, "\"late\"}}\n")
	locked := func(string) (Held, error) { return unguarded{}, nil }
	for _, c := range []struct {
		name  string
		lock  func(string) (Held, error)
		times int
		busy  bool
		ends  string
	}{
		{"stable", nil, 0, false, lineC2},
		{"ended in the meantime", nil, 1, false, "late\"}}\n"},
		{"growing", nil, 3, true, lateLine},
		{"locked", locked, 0, false, lineC2},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		write(t, path, torn+tail)
		fsys := &tailWriter{growing{swap.OS, path, c.times}}
		r, err := Repair(path, RepairOptions{Write: true, fs: fsys, Lock: c.lock})
		text := content(t, path)
		if c.busy != errors.Is(err, ErrBusy) || !c.busy && err != nil || r.PendingTail != c.busy || !strings.HasSuffix(text, c.ends) {
			t.Errorf("%s: %+v, %v\n%s", c.name, r, err, text)
		}
		if c.busy && !strings.HasPrefix(text, torn) {
			t.Errorf("%s: it was rewritten:\n%s", c.name, text)
		}
	}
}

// tailWriter ends the last line the first time, and begins another one.
type tailWriter struct{ growing }

func (w *tailWriter) Stat(name string) (fs.FileInfo, error) {
	if name == w.path && w.times > 0 {
		w.times--
		f, err := os.OpenFile(w.path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		text := "\"late\"}}\n"
		if w.times > 0 {
			text += `{"type":"message","id":"y`
		} else if strings.Count(contentOf(w.path), "\"y") > 0 {
			text = "\"}\n" + lateLine
		}
		_, err = f.WriteString(text)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	return w.FS.Stat(name)
}

func contentOf(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// F-B15: of a link the file that it leads to is repaired, in its own folder; one
// that leads out of the folder is refused.
func TestRepairLink(t *testing.T) {
	path := tornFile(t)
	dir := t.TempDir()
	link := filepath.Join(dir, "link.jsonl")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no links here: ", err)
	}
	r, err := Repair(link, RepairOptions{Write: true, Root: dir})
	if !errors.Is(err, ErrOutside) || content(t, path) != torn {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Repair(link, RepairOptions{Write: true})
	if err != nil || content(t, path) != mended || len(names(t, dir)) != 1 || filepath.Dir(r.QuarantinePath) != filepath.Dir(path) {
		t.Errorf("%+v, %v", r, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	write(t, path, torn)
	if r, err = Repair(link, RepairOptions{Write: true, Root: filepath.Dir(path)}); err != nil || content(t, path) != mended {
		t.Errorf("%+v, %v", r, err)
	}
}

// F-40, F-B28: of two repairs at the same time the second waits for the lock and
// sees a clean file.
func TestRepairTwice(t *testing.T) {
	path := tornFile(t)
	var mutex sync.Mutex
	taken := 0
	lock := func(locked string) (Held, error) {
		if locked != path {
			t.Errorf("locked %s", locked)
		}
		mutex.Lock()
		taken++
		return release{mutex.Unlock}, nil
	}
	var w sync.WaitGroup
	reports := make([]*RepairReport, 8)
	for i := range reports {
		w.Go(func() {
			var err error
			if reports[i], err = Repair(path, RepairOptions{Write: true, Lock: lock}); err != nil {
				t.Error(err)
			}
		})
	}
	w.Wait()
	n := 0
	for _, r := range reports {
		if r.Repaired {
			n++
		} else if r.Changes > 0 {
			t.Errorf("%+v", r)
		}
	}
	if n != 1 || content(t, path) != mended {
		t.Errorf("repaired %d times\n%s", n, content(t, path))
	}
	refused := errors.New("held by 4711")
	if _, err := Repair(path, RepairOptions{Write: true, Lock: lock}); err != nil || taken > len(reports) {
		t.Errorf("%v: the lock of a clean file was taken", err)
	}
	write(t, path, torn)
	r, err := Repair(path, RepairOptions{Lock: func(string) (Held, error) { return nil, refused }})
	if !errors.Is(err, refused) || r.Reason != "locking: held by 4711" {
		t.Errorf("%+v, %v", r, err)
	}
}

// release is a lock that is given up that way.
type release struct{ unlock func() }

func (release) Do(write func() error) error { return write() }
func (r release) Release() error            { r.unlock(); return nil }

// F-63: a file that is still what it was is not read again.
func TestRepairChecked(t *testing.T) {
	path := tornFile(t)
	first, err := Repair(path, RepairOptions{Write: true})
	if err != nil || first.Snapshot == nil {
		t.Fatalf("%+v, %v", first, err)
	}
	calls := &swaptest.FS{FS: swap.OS, At: -1}
	if r, err := Repair(path, RepairOptions{Checked: first.Snapshot, fs: calls}); err != nil || r.Changes > 0 || slices.Contains(calls.Calls, "read") {
		t.Errorf("%+v, %v, calls %q", r, err, calls.Calls)
	}
	write(t, path, torn)
	if r, err := Repair(path, RepairOptions{Checked: first.Snapshot}); err != nil || r.Changes == 0 || r.Snapshot != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// F-B09: a line over the limit is not looked at and stays, and so does what hangs
// from it.
func TestRepairOversized(t *testing.T) {
	long := `{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"` + strings.Repeat("long ", 100) + `"}}` + "\n"
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, header1+lineA+long+lineC+tornLine)
	r, err := Repair(path, RepairOptions{Write: true, MaxLine: 200})
	if err != nil || r.OversizedLines != 1 || r.RelinkedEntries != 0 || r.DroppedLines != 1 || content(t, path) != header1+lineA+long+lineC {
		t.Errorf("%+v, %v\n%s", r, err, content(t, path))
	}
	// One that may be any entry may be a parent.
	long = strings.Replace(long, `"id":"b",`, "", 1)
	write(t, path, header1+lineA+long+lineC)
	if r, err := Repair(path, RepairOptions{Write: true, MaxLine: 200}); err != nil || r.Changes > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// B134-1: a message of nine million characters is no damage.
func TestRepairLongMessage(t *testing.T) {
	text := header1 + `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"` + strings.Repeat("abc ", 2_250_000) + `keep this tail"}}` + "\n"
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, text+tornLine)
	if r, err := Repair(path, RepairOptions{Write: true}); err != nil || r.DroppedLines != 1 || content(t, path) != text {
		t.Errorf("%+v, %v", r, err)
	}
}

// full is a file system that takes nothing.
type full struct {
	swap.FS
	err error
}

func (f full) Create(name string, _ fs.FileInfo) (swap.File, error) {
	return nil, &fs.PathError{Op: "create", Path: name, Err: f.err}
}

func (f full) Link(name, other string) error {
	return &os.LinkError{Op: "link", Old: name, New: other, Err: f.err}
}

// F-B17: on a full or read-only disk the file stays, the reason is plain, and the
// session can be read repaired all the same.
func TestRepairInMemory(t *testing.T) {
	for err, want := range map[error]error{syscall.ENOSPC: ErrNoSpace, syscall.EROFS: ErrReadOnly, fs.ErrPermission: ErrReadOnly} {
		if runtime.GOOS == "windows" && want == ErrNoSpace {
			err = syscall.Errno(112)
		}
		path := tornFile(t)
		o := RepairOptions{Write: true, fs: full{swap.OS, err}}
		r, got := Repair(path, o)
		if !errors.Is(got, want) || r.Reason != want.Error() || !r.InMemoryOnly || r.Repaired || r.Changes != 0 || content(t, path) != torn {
			t.Errorf("%v: %+v, %v", err, r, got)
		}
		s, r, got := Open(path, OpenOptions{RepairOptions: o})
		if got != nil || !r.InMemoryOnly || r.Reason != want.Error() {
			t.Fatalf("%v: %+v, %v", err, r, got)
		}
		if len(s.Problems()) > 0 || s.Leaf() != "c" || len(s.Entries()) != 2 {
			t.Errorf("%v: %v", err, s.Problems())
		}
	}
	path := tornFile(t)
	s, r, err := Open(path, OpenOptions{RepairOptions: RepairOptions{Write: true}})
	if err != nil || !r.Repaired || r.InMemoryOnly || len(s.Problems()) > 0 || content(t, path) != mended {
		t.Errorf("%+v, %v", r, err)
	}
	if s, r, err := Open(filepath.Join(t.TempDir(), "x"), OpenOptions{}); !errors.Is(err, fs.ErrNotExist) || s != nil || r == nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// G-8, B135-1: whichever call fails or is the last before a crash, the file is
// the old or the repaired one, nothing that was left out is lost, and what is
// left beside it is reported or found by the next repair.
func TestRepairFaults(t *testing.T) {
	for fault := range swaptest.Fault(swaptest.NumberFaults) {
		for at := 0; ; at++ {
			path := tornFile(t)
			f := &swaptest.FS{FS: swap.OS, At: at, Fault: fault}
			r, err := Repair(path, RepairOptions{Write: true, fs: f})
			if len(f.Calls) <= at {
				if err != nil || at < 20 {
					t.Errorf("only %q: %v", f.Calls, err)
				}
				break
			}
			where := fmt.Sprintf("fault %d at call %d, %s", fault, at, f.Calls[at])
			text := content(t, path)
			if text != torn && text != mended || err == nil && text != mended {
				t.Errorf("%s: %v\n%s", where, err, text)
			}
			if !f.Dead && (text == mended) != r.Repaired {
				t.Errorf("%s: %+v", where, r)
			}
			checkLeft(t, where, path, r, f.Dead)
		}
	}
}

// checkLeft asserts that everything beside a file is known.
func checkLeft(t *testing.T, where, path string, r *RepairReport, crashed bool) {
	t.Helper()
	dir := filepath.Dir(path)
	left, err := Leftovers(dir)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, name := range names(t, dir) {
		other := filepath.Join(dir, name)
		switch {
		case other == path:
		case strings.Contains(name, ".dropped-"):
			kept++
			if !crashed && other != r.QuarantinePath {
				t.Errorf("%s: %s is not reported", where, name)
			}
		case !slices.Contains(left, other):
			t.Errorf("%s: %s would not be found", where, name)
		case !crashed && other != r.BackupPath && !slices.Contains(r.Leftovers, other):
			t.Errorf("%s: %s is not reported", where, name)
		}
	}
	if content(t, path) == mended && kept != 1 {
		t.Errorf("%s: what was left out is lost", where)
	}
	next, err := Repair(path, RepairOptions{Write: true})
	if err != nil || content(t, path) != mended || !slices.Equal(next.Leftovers, left) {
		t.Errorf("%s: next: %+v, %v", where, next, err)
	}
}

// F-62: a backup is put back with all that the file held in between kept.
func TestRestore(t *testing.T) {
	path := tornFile(t)
	r, err := Repair(path, RepairOptions{Write: true, KeepBackup: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := appendLine(path); err != nil {
		t.Fatal(err)
	}
	back, err := Restore(r.BackupPath, RepairOptions{})
	if err != nil || back.File != path || back.Bytes != int64(len(torn)) || content(t, path) != torn || content(t, r.BackupPath) != torn {
		t.Fatalf("%+v, %v", back, err)
	}
	if got := content(t, back.BackupPath); got != mended+lateLine {
		t.Errorf("kept %q", got)
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode() != 0o640) {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if back, err = Restore(r.BackupPath, RepairOptions{}); err != nil || back.BackupPath != "" || content(t, path) != torn {
		t.Errorf("%+v, %v", back, err)
	}
	for path, want := range map[string]error{path: ErrNotBackup, path + ".bak-1-2": fs.ErrNotExist} {
		if back, err := Restore(path, RepairOptions{}); !errors.Is(err, want) || back != nil {
			t.Errorf("%s: %+v, %v", path, back, err)
		}
	}
}

// F-02, F-05, F-B27: which files of a folder are sessions.
func TestIsSessionFile(t *testing.T) {
	for name, want := range map[string]bool{
		"0f9b2c.jsonl": true, "2026-02-01T08-00-00-000Z_0f9b2c.jsonl": true, "a-topic-b%20c.jsonl": true, "a b.jsonl": true,
		"a.jsonl.lock": false, "a.jsonl.reset.2026-02-01T08-00-00Z": false, "a.trajectory.jsonl": false, "sessions.json": false,
		"a.checkpoint.11111111-2222-4333-8444-555555555555.jsonl": false, "a.jsonl.bak-1-2": false, ".jsonl": false,
		"a.jsonl.corrupt-2026-02-01T08-00-00Z-0a1b2c3d.jsonl": false, "a.jsonl.dropped-2026-02-01T08-00-00.000Z": false,
		"a.jsonl.repair.1.11111111-2222-4333-8444-555555555555.tmp": false,
	} {
		if IsSessionFile(filepath.Join("x.jsonl", name)) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}

// TestRepairBehindALook holds that what was found before there was a lock counts only
// for the file that it was found in: a writer who had the lock until then loses
// nothing.
func TestRepairBehindALook(t *testing.T) {
	const header, first, torn = `{"type":"session","version":3,"id":"s"}` + "\n", `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"one"}}` + "\n", `{"type":"mess` + "\n"
	const second = `{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"two"}}` + "\n"
	for name, meanwhile := range map[string]func(t *testing.T, path string){
		"nothing":          func(*testing.T, string) {},
		"an entry":         func(t *testing.T, path string) { write(t, path, header+first+torn+second) },
		"the repair":       func(t *testing.T, path string) { write(t, path, header+first+second) },
		"another file":     func(t *testing.T, path string) { swapped(t, path, header+torn+first+second) },
		"one of that size": func(t *testing.T, path string) { swapped(t, path, header+torn+first) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			write(t, path, header+first+torn)
			locker := LockOptions{Wait: -1}.Locker(t.Context())
			r, err := Repair(path, RepairOptions{Write: true, Quarantine: t.TempDir(), Lock: func(path string) (Held, error) {
				meanwhile(t, path)
				return locker(path)
			}})
			if err != nil {
				t.Fatal(err)
			}
			want := header + first
			if name != "nothing" && name != "one of that size" {
				want += second
			}
			if got := content(t, path); got != want {
				t.Errorf("%s, want %s (%+v)", got, want, r)
			}
		})
	}
}

// swapped puts another file in the place of one.
func swapped(t *testing.T, path, text string) {
	t.Helper()
	write(t, path+".new", text)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}
