package coding_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/klauspost/compress/zstd"

	"hygeia/proxy/coding"
)

// packers are the encodings that clients send.
var packers = map[string]func(io.Writer) io.WriteCloser{
	"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	"zstd": func(w io.Writer) io.WriteCloser {
		e, err := zstd.NewWriter(w)
		if err != nil {
			panic(err)
		}
		return e
	},
}

func pack(encoding string, parts ...[]byte) []byte {
	var b bytes.Buffer
	w := packers[encoding](&b)
	for _, p := range parts {
		_, _ = w.Write(p)
	}
	_ = w.Close()
	return b.Bytes()
}

func TestDecode(t *testing.T) {
	text := []byte(`{"model":"m","messages":[]}`)
	for encoding := range packers {
		packed := pack(encoding, text)
		got, err := coding.Decode(encoding, packed, 1000)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %q, %v", encoding, got, err)
		}
		if got, err := coding.Decode(encoding, packed, int64(len(text))); err != nil || len(got) != len(text) {
			t.Errorf("%s at the limit: %v", encoding, err)
		}
		if _, err := coding.Decode(encoding, packed, int64(len(text))-1); !errors.Is(err, coding.ErrTooLarge) {
			t.Errorf("%s above the limit: %v", encoding, err)
		}
		for _, torn := range [][]byte{packed[:len(packed)/2], text, nil} {
			if _, err := coding.Decode(encoding, torn, 1000); len(torn) > 0 && err == nil {
				t.Errorf("%s: a torn body was read", encoding)
			}
		}
	}
	if _, err := coding.Decode("br", text, 1000); !errors.Is(err, coding.ErrUnknown) {
		t.Errorf("br: %v", err)
	}
	for _, header := range []string{"", "identity", "Identity"} {
		if got, err := coding.Decode(header, text, int64(len(text))); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%q at the limit: %q, %v", header, got, err)
		}
	}
	if _, err := coding.Decode("", text, 3); !errors.Is(err, coding.ErrTooLarge) {
		t.Errorf("plain above the limit: %v", err)
	}
}

// TestBomb unpacks 48 MiB of zeros under a limit of a megabyte.
func TestBomb(t *testing.T) {
	zeros := make([]byte, 1<<20)
	var parts [][]byte
	for range 48 {
		parts = append(parts, zeros)
	}
	for encoding := range packers {
		bomb := pack(encoding, parts...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := coding.Decode(encoding, bomb, 1<<20); !errors.Is(err, coding.ErrTooLarge) {
			t.Errorf("%s: %v", encoding, err)
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 32<<20 {
			t.Errorf("%s: %d MB were allocated", encoding, grown>>20)
		}
	}
}
