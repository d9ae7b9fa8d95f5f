//go:build unix

package session

import (
	"syscall"
	"time"
)

// cpu returns the time that f takes the processors: on a machine with other work
// to do that says more than a clock.
func cpu(f func()) time.Duration {
	before := used()
	f()
	return used() - before
}

func used() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
