package model

import (
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"

	"hygeia/internal/texts"
)

// secrets are texts that no error may hold.
type secrets []string

// shortest is the length below which a text is taken for no secret: to look for
// it would take words apart.
const shortest = 6

// add takes a secret in, in the forms in which others may write it.
func (s *secrets) add(values ...string) {
	for _, v := range values {
		if len(v) < shortest {
			continue
		}
		for _, form := range []string{
			v, url.QueryEscape(v), url.PathEscape(v), base64.StdEncoding.EncodeToString([]byte(v)), base64.RawURLEncoding.EncodeToString([]byte(v)),
			strings.ReplaceAll(v, "/", `\/`), strings.ReplaceAll(v, "+", `\u002B`), strings.ReplaceAll(v, "+", `\u002b`), // as some write JSON
		} {
			*s = append(*s, form)
		}
	}
	slices.SortFunc(*s, func(a, b string) int { return len(b) - len(a) }) // one may begin with another
}

// hide takes the secrets out of a text, and the beginning of one at its end: it may
// be cut.
func (s secrets) hide(text string) string {
	begun := 0
	for _, v := range s {
		n := min(len(v), len(text))
		for n >= shortest && !strings.HasSuffix(text, v[:n]) {
			n--
		}
		begun = max(begun, n)
	}
	if begun >= shortest {
		text = text[:len(text)-begun] + texts.Redacted
	}
	for _, v := range s {
		text = strings.ReplaceAll(text, v, texts.Redacted)
	}
	return text
}

// networkText is the text of an error of the network, without the URL.
func networkText(err error) string {
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}
