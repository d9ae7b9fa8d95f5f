package proxy

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// closing is a body that tells when it is closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

// A RoundTripper closes the body of a request also where it refuses it.
func TestSignerClosesBodies(t *testing.T) {
	for name, body := range map[string]io.Reader{"too large": strings.NewReader("four"), "broken": io.MultiReader(strings.NewReader("a"), failing{})} {
		c := &closing{Reader: body}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://bedrock.invalid/", c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (&signer{maxBody: 3}).RoundTrip(r); err == nil || !c.closed {
			t.Errorf("%s: %v, closed %v", name, err, c.closed)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
