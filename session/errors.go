package session

import "errors"

// What Load, Read and Branch answer instead of a session or a branch. The
// errors around them name the file.
var (
	ErrDirectory    = errors.New("is a directory")
	ErrEmpty        = errors.New("is empty")
	ErrNotSession   = errors.New("not a session file") // it holds no header and no valid entry
	ErrUnknownEntry = errors.New("no such entry")
)
