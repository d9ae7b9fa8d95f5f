package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// columns returns the width of f, and whether it is a terminal.
func columns(f *os.File) (int, bool) {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil {
		return 0, false
	}
	return int(info.Window.Right-info.Window.Left) + 1, true
}
