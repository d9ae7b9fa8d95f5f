//go:build !linux

package swap

import "os"

// newFile returns a file that is being written.
func newFile(f *os.File) File { return f }
