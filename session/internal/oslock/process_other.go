//go:build !linux

package oslock

// StartTime knows nothing on this system.
func StartTime(int) (ticks int64, ok bool) { return 0, false }

// CommandLine knows nothing on this system.
func CommandLine(int) []string { return nil }
