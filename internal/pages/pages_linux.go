package pages

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// huge is the size of a huge page. Where they are larger the system takes what
// fits.
const huge = 2 << 20

// advise asks for huge pages behind the whole ones of b. It is a hint: whatever
// becomes of it, the memory is there.
func advise(b []byte) {
	if whole := inner(b); len(whole) > 0 {
		_ = unix.Madvise(whole, unix.MADV_HUGEPAGE)
	}
}

// inner returns the huge pages that lie in b as a whole.
func inner(b []byte) []byte {
	addr := int(uintptr(unsafe.Pointer(unsafe.SliceData(b))) % huge)
	if from := (huge - addr) % huge; from < len(b) {
		return b[from : from+(len(b)-from)/huge*huge]
	}
	return nil
}
