package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// smallDisk mounts a disk in memory, or says why it cannot and skips the test.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("no disk can be mounted here: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// F-B17, G-8: on a disk that is full, and on one that is read-only, the file stays
// as it is, nothing is left beside it, and the session is read repaired from
// memory.
func TestRepairRealDisk(t *testing.T) {
	dir := smallDisk(t, "512k")
	path := filepath.Join(dir, "s.jsonl")
	text := torn + behindC(300)
	write(t, path, text)

	check := func(what string, want error) {
		t.Helper()
		s, r, err := Open(path, OpenOptions{RepairOptions: RepairOptions{Write: true}})
		if err != nil || !r.InMemoryOnly || r.Reason != want.Error() || r.Repaired {
			t.Fatalf("%s: %+v, %v", what, r, err)
		}
		if len(s.Problems()) > 0 || len(s.Entries()) < 300 {
			t.Errorf("%s: %d entries, %v", what, len(s.Entries()), s.Problems())
		}
		for _, lock := range []func(string) (Held, error){nil, LockOptions{}.Locker(context.Background())} {
			if r, err := Repair(path, RepairOptions{Write: true, Lock: lock}); !errors.Is(err, want) || !r.InMemoryOnly {
				t.Errorf("%s, locked %v: %v, want %v", what, lock != nil, err, want)
			}
		}
		if content(t, path) != text || len(names(t, dir)) != 1 {
			t.Errorf("%s: the disk holds %q", what, names(t, dir))
		}
	}
	check("full", ErrNoSpace)

	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	check("read-only", ErrReadOnly)

	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, "size=4m"); err != nil {
		t.Fatal(err)
	}
	if r, err := Repair(path, RepairOptions{Write: true}); err != nil || !r.Repaired || content(t, path) == text {
		t.Errorf("with room: %+v, %v", r, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
