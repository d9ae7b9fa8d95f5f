//go:build !linux

package oslock

import (
	"errors"
	"os"
)

// Make would make a file with that text in it, locked, all at once. The error is
// [errors.ErrUnsupported].
func Make(string, []byte, func(*os.File) (bool, error)) (*os.File, error) {
	return nil, errors.ErrUnsupported
}
