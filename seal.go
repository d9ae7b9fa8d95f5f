package hygeia

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// Seal signs what user turns say of where they come from, so that a file from
// elsewhere, or one that somebody has edited, cannot pass the turn of another session
// or of a program off as that of a user (S-B09). It is safe for concurrent use.
type Seal struct{ key []byte }

// ErrSealKey says that a key is too short to sign with.
var ErrSealKey = errors.New("a key of at least 16 bytes is needed")

// NewSeal returns the seal of an installation, whose key has at least 16 bytes. The
// error is ErrSealKey.
func NewSeal(key []byte) (*Seal, error) {
	if len(key) < 16 {
		return nil, fmt.Errorf("%w: it has %d", ErrSealKey, len(key))
	}
	return &Seal{slices.Clone(key)}, nil
}

// mac is the member of a provenance that holds the signature.
const mac = "mac"

// Sign returns the message with its provenance signed, itself where it has none or s
// is nil. The content must not change any more.
func (s *Seal) Sign(m *transcript.Message) *transcript.Message {
	p := m.Get("provenance")
	if s == nil || p.Kind != jsonline.ObjectKind {
		return m
	}
	signature := base64.RawStdEncoding.EncodeToString(s.sum(m))
	return m.With("provenance", p.Object().With(mac, jsonline.Text(signature)).Value())
}

// signed reports whether the provenance of a message was signed with this key, for
// this content.
func (s *Seal) signed(m *transcript.Message) bool {
	signature, err := base64.RawStdEncoding.DecodeString(m.Get("provenance").Object().Get(mac).String())
	return err == nil && hmac.Equal(signature, s.sum(m))
}

// sum signs provenance and content in canonical form: the file may be written anew.
func (s *Seal) sum(m *transcript.Message) []byte {
	h := hmac.New(sha256.New, s.key)
	for _, v := range []jsonline.Value{m.Get("provenance").Object().Without(mac).Value(), m.Get("content")} {
		text := jsontext.Value(slices.Clone(v.Raw))
		if err := text.Canonicalize(); err != nil {
			text = slices.Clone(v.Raw) // signed as it stands
		}
		h.Write(text)
		h.Write([]byte{0})
	}
	return h.Sum(nil)
}

// distrust tells turns that say that a user wrote them, and are not signed, as those
// of another session (S-B09).
func (h *Past) distrust(c *transcript.Context, report *hygiene.Report) *transcript.Context {
	if h == nil || h.Seal == nil {
		return c
	}
	out := *c
	own := false
	for i, m := range c.Messages {
		p, _ := m.Provenance()
		if !m.Is(transcript.User) || p.Kind != transcript.ExternalUser || h.Seal.signed(m) {
			continue
		}
		if !own {
			out.Messages, own = slices.Clone(c.Messages), true
		}
		n := m.With("provenance", m.Get("provenance").Object().With("kind", jsonline.Text(transcript.InterSession)).Value())
		out.Messages[i] = n
		report.Record(pastStage, hygiene.Replace, m, -1, m, n, hygiene.Edit{
			Rule: "S-B09", Reason: "the turn says that a user wrote it, and is not signed with the key of this installation",
		})
	}
	return &out
}
