package session

import (
	"errors"
	"io/fs"
)

// What Load, Read and Branch answer instead of a session or a branch. The
// errors around them name the file.
var (
	ErrDirectory    = errors.New("is a directory")
	ErrNotRegular   = errors.New("not a regular file") // a pipe, a socket, a device
	ErrEmpty        = errors.New("is empty")
	ErrNotSession   = errors.New("not a session file") // it holds no header and no valid entry
	ErrUnknownEntry = errors.New("no such entry")
)

// What writing answers. The errors around them name the file.
var (
	ErrNoEntry  = errors.New("no valid entry")
	ErrTakeover = errors.New("changed by somebody else") // F-43
	ErrDamaged  = errors.New("damaged")                  // it has to be repaired before it can be rewritten
	ErrVersion  = errors.New("of a newer version")
)

// IsMissing reports whether an error of [Load] or [Open] says that there is no session
// yet: the file is not there, or holds nothing.
func IsMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrEmpty) }
