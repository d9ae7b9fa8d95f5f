//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// columns returns the width of f, and whether it is a terminal.
func columns(f *os.File) (int, bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}
