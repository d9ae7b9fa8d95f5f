// Package oslock knows what the operating system has to say about who may write
// a file: advisory locks on open files, and what is known of a process.
//
// A lock belongs to an open file, is given up when that is closed or the process
// ends, however it ends, and keeps nobody from reading.
package oslock

import (
	"errors"
	"os"
)

// Open opens the file name for reading and writing, and makes it if create is
// set and it is not there. It may be removed while it is open. created reports
// whether it was made, with mode 0600.
func Open(name string, create bool) (f *os.File, created bool, err error) {
	const tries = 10 // somebody may remove the file between the two calls
	for range tries {
		if create {
			f, err = open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
			if err == nil || !errors.Is(err, os.ErrExist) {
				return f, err == nil, err
			}
		}
		f, err = open(name, os.O_RDWR)
		if err == nil || !create || !errors.Is(err, os.ErrNotExist) {
			return f, false, err
		}
	}
	return nil, false, err
}
