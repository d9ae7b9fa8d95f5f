package swap

import (
	"io/fs"
	"syscall"
	"time"
)

// Changed returns when a file or what is known of it changed last, which no
// program can set back; the zero time where the system does not say.
func Changed(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return time.Time{}
}
