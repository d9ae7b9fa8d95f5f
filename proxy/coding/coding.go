// Package coding reads the bodies of requests that are compressed, within a
// limit on what comes out: a small body must not become a large one in memory. The
// header Content-Encoding and the bytes go in, the plain bytes come out.
package coding

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// ErrUnknown says that a content encoding is none that is read here.
var ErrUnknown = errors.New("unknown content encoding")

// ErrTooLarge says that a body is larger than the limit.
var ErrTooLarge = errors.New("body is larger than the limit")

// maxWindow is the memory in bytes that a zstd frame may ask for.
const maxWindow = 32 << 20

// opener returns a reader of what src holds. What is returned may be an
// io.Closer.
type opener func(src io.Reader) (io.Reader, error)

var openers = map[string]opener{
	"gzip":    func(src io.Reader) (io.Reader, error) { return gzip.NewReader(src) },
	"x-gzip":  func(src io.Reader) (io.Reader, error) { return gzip.NewReader(src) },
	"deflate": func(src io.Reader) (io.Reader, error) { return zlib.NewReader(src) },
	"zstd": func(src io.Reader) (io.Reader, error) {
		d, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	},
}

// plain reports whether a Content-Encoding header says that nothing was done.
func plain(header string) bool { return header == "" || strings.EqualFold(header, "identity") }

// Decode returns what src holds under the Content-Encoding header. The error
// wraps [ErrUnknown], [ErrTooLarge] for more than limit bytes, or says what is
// wrong with src.
func Decode(header string, src []byte, limit int64) ([]byte, error) {
	if plain(header) {
		if int64(len(src)) > limit {
			return nil, ErrTooLarge
		}
		return src, nil
	}
	open := openers[strings.ToLower(strings.TrimSpace(header))]
	if open == nil {
		return nil, fmt.Errorf("%w: %.40q", ErrUnknown, header)
	}
	r, err := open(bytes.NewReader(src))
	if err != nil {
		return nil, fmt.Errorf("%s body: %w", header, err)
	}
	if c, ok := r.(io.Closer); ok {
		defer c.Close()
	}
	out, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s body: %w", header, err)
	case int64(len(out)) > limit:
		return nil, ErrTooLarge
	}
	return out, nil
}
