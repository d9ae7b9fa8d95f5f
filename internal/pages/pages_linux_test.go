package pages

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// TestAdvised reads from the system whether it was asked for huge pages behind
// large texts, and behind no others.
func TestAdvised(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("the system has no huge pages")
	}
	small := Room(16 << 20)[:1]
	whole := Room(Large)[:1]
	part := Part(8<<20, Large)
	if flags := flagsAt(t, &small[0], 8<<20); strings.Contains(flags, " hg") {
		t.Errorf("a small text has huge pages: %s", flags)
	}
	for name, b := range map[string][]byte{"a text": whole, "a part of one": part} {
		if flags := flagsAt(t, &b[0], 4<<20); !strings.Contains(flags, " hg") {
			t.Errorf("%s has no huge pages: %s", name, flags)
		}
	}
}

// flagsAt returns what the system notes about the memory that lies so far behind b.
func flagsAt(t *testing.T, b *byte, behind uintptr) string {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	at := uintptr(unsafe.Pointer(b)) + behind
	in := false
	for s := bufio.NewScanner(f); s.Scan(); {
		var from, to uintptr
		if n, _ := fmt.Sscanf(s.Text(), "%x-%x ", &from, &to); n == 2 {
			in = from <= at && at < to
		} else if flags, ok := strings.CutPrefix(s.Text(), "VmFlags:"); ok && in {
			return flags
		}
	}
	t.Fatal("the system does not know this memory")
	return ""
}
