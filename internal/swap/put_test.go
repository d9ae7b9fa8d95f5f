package swap_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"hygeia/internal/swap"
)

// A file that a program keeps is made with its folder, replaced whole, and leaves
// nothing beside it.
func TestPut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "deep")
	path := filepath.Join(dir, "shares.json")
	for _, want := range []string{"first", "second, longer", ""} {
		if err := swap.Put(path, []byte(want)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("%v, %v stand beside it", list, err)
		}
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
