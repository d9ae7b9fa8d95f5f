package swap_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"hygeia/internal/swap"
	"hygeia/internal/swap/swaptest"
)

// G-8, F-B04: whichever call of a swap fails, or is the last before a crash, the
// file is the old or the new one complete. After an error nothing else is left
// that is not reported; after a crash it is found.
func TestFaults(t *testing.T) {
	for name, base := range map[string]swap.FS{"links": swap.OS, "copies": noLinks{swap.OS}} {
		for _, keep := range []bool{false, true} {
			for fault := range swaptest.Fault(swaptest.NumberFaults) {
				t.Run(fmt.Sprintf("%s keep %v fault %d", name, keep, fault), func(t *testing.T) {
					for at := 0; oneFault(t, base, keep, at, fault); at++ {
					}
				})
			}
		}
	}
}

// oneFault lets call number at go wrong. It returns false when there is no such
// call.
func oneFault(t *testing.T, base swap.FS, keep bool, at int, fault swaptest.Fault) bool {
	j := setUp(t)
	j.Keep = keep
	f := &swaptest.FS{FS: base, At: at, Fault: fault}
	r, err := swap.Do(f, j)
	if len(f.Calls) <= at {
		if err != nil || at < 15 {
			t.Errorf("only %q: %v", f.Calls, err)
		}
		return false
	}
	where := fmt.Sprintf("call %d, %s", at, f.Calls[at])
	text := content(t, j.Path)
	isNew := bytes.Equal(text, newText)
	if !isNew && !bytes.Equal(text, oldText) {
		t.Errorf("%s: the file is neither", where)
	}
	if !f.Dead && isNew != r.Replaced || err == nil && !isNew {
		t.Errorf("%s: %+v, %v, and new is %v", where, r, err, isNew)
	}
	left := others(t, j)
	found, lerr := swap.Leftovers(filepath.Dir(j.Path), "s.jsonl")
	if lerr != nil || !slices.Equal(found, left) {
		t.Errorf("%s: left %q, found %q, %v", where, left, found, lerr)
	}
	for _, path := range left {
		if !f.Dead && path != r.Backup && path != r.Temp {
			t.Errorf("%s: %s is left and not reported: %+v", where, path, r)
		}
	}
	if r.Backup != "" && !f.Dead && isNew && !bytes.Equal(content(t, r.Backup), oldText) {
		t.Errorf("%s: the backup is not the old file", where)
	}
	return true
}
