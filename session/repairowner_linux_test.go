package session

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// F-B05: the repaired file belongs to whom the damaged one did, and so does the
// backup.
func TestRepairOwner(t *testing.T) {
	path := tornFile(t)
	const uid, gid = 1234, 2345
	if err := os.Chown(path, uid, gid); err != nil {
		t.Skip("files cannot be given away here: ", err)
	}
	r, err := Repair(path, RepairOptions{Write: true, KeepBackup: true})
	if err != nil || r.BackupPath == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, name := range []string{path, filepath.Clean(r.BackupPath)} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if s := info.Sys().(*syscall.Stat_t); s.Uid != uid || s.Gid != gid {
			t.Errorf("%s belongs to %d:%d", name, s.Uid, s.Gid)
		}
	}
}
