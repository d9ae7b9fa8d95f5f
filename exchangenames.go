package hygeia

import (
	"errors"
	"mime"
	"net/http"

	"hygeia/proxy/naming"
)

// errPacked says that an answer came packed although that was not asked for.
var errPacked = errors.New("the answer came packed, so that the names of tools in it cannot be mapped back")

// rename maps the names of tools in an answer back, if they went out as others
// (W-176, W-231).
func (x *exchange) rename(answer *http.Response) error {
	if x.names == nil || answer.StatusCode != http.StatusOK {
		return nil
	}
	if packed := answer.Header.Get("Content-Encoding"); packed != "" && packed != "identity" {
		answer.Body.Close()
		return errPacked
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	answer.Body = naming.Answer(answer.Body, kind, x.endpoint.API, x.names, defaultMaxBody)
	answer.ContentLength = -1
	answer.Header.Del("Content-Length")
	return nil
}
