package oslock

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// open is os.OpenFile for a file that others may remove in the meantime. A file
// that was removed and is still open somewhere cannot be opened or made again,
// which passes.
func open(name string, flag int) (*os.File, error) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	how := uint32(windows.OPEN_EXISTING)
	if flag&os.O_EXCL != 0 {
		how = windows.CREATE_NEW
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	for tries := 0; ; tries++ {
		h, err := windows.CreateFile(path, windows.GENERIC_READ|windows.GENERIC_WRITE, share, nil, how,
			windows.FILE_ATTRIBUTE_NORMAL, 0)
		if err == nil {
			return os.NewFile(uintptr(h), name), nil
		}
		if tries == 50 || !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
			return nil, &os.PathError{Op: "open", Path: name, Err: err}
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Try takes the lock on f without waiting. ok is false when another open file
// has it. Locked is a byte far behind the text: on this system nobody else can
// read what is locked.
func Try(f *os.File) (ok bool, err error) {
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	case errors.Is(err, windows.ERROR_INVALID_FUNCTION), errors.Is(err, windows.ERROR_NOT_SUPPORTED):
		return false, errors.ErrUnsupported
	}
	return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
}

// Alive reports whether a process of that id exists.
func Alive(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer windows.CloseHandle(h)
	const stillActive = 259
	var code uint32
	return windows.GetExitCodeProcess(h, &code) != nil || code == stillActive
}
