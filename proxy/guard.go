package proxy

import (
	"net/http"
	"net/url"
	"strings"

	"hygeia/internal/guard"
)

// plainPath reports whether an escaped path leads nowhere but down: no empty,
// "." or ".." segments, also not behind escapes, no backslashes or controls.
func plainPath(path string) bool {
	if path == "" || path == "/" {
		return true
	}
	if path[0] != '/' {
		return false
	}
	for i, segment := range strings.Split(path[1:], "/") {
		plain, err := url.PathUnescape(segment)
		if err != nil || plain == "" && i < strings.Count(path[1:], "/") {
			return false
		}
		for part := range strings.SplitSeq(plain, "/") {
			if part == "." || part == ".." || part == "" && plain != "" || strings.ContainsAny(part, "\\?#") || strings.ContainsFunc(part, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				return false
			}
		}
	}
	return true
}

// tokenHeader takes the token; it does not go on.
const tokenHeader = "Hygeia-Token"

// credentials are the headers in which providers take keys.
var credentials = []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key"}

// admit reports whether a request brings the token. A token in the place of a
// provider's key is taken out of the request.
func (s *state) admit(r *http.Request) bool {
	if !s.token.Given() {
		return true
	}
	if s.token.Is(r.Header.Get(tokenHeader)) || s.token.Is(bare(r.Header.Get("Proxy-Authorization"))) {
		return true
	}
	admitted := false
	for _, name := range credentials {
		if s.token.Is(bare(r.Header.Get(name))) {
			r.Header.Del(name)
			admitted = true
		}
	}
	return admitted
}

// bare returns a credential without the word Bearer, which some headers have.
func bare(header string) string {
	if token, ok := guard.Bearer(header); ok {
		return token
	}
	return header
}
