package emulator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// seal is what a signature says about the block that it signs. Nothing is kept
// about it: the signature holds the seal and a MAC over it, so that answers
// given by an emulator that was restarted verify too.
type seal struct {
	kind         byte // what is signed
	bound        bool // only good for its model and conversation (AN-38)
	index, count byte // place among the signed blocks of its answer
	turn         [8]byte
	model        [8]byte
	prefix       [16]byte
	text         [16]byte
}

// The kinds of seals.
const (
	thinkingSeal  = 't' // visible thinking of Claude
	redactedSeal  = 'r' // hidden thinking of Claude
	encryptedSeal = 'e' // encrypted content of a reasoning item
	thoughtSeal   = 'g' // thought signature of Gemini
)

const (
	sealSize = 4 + 8 + 8 + 16 + 16
	macSize  = sha256.Size
)

func (s *seal) bytes() []byte {
	b := []byte{s.kind, 0, s.index, s.count}
	if s.bound {
		b[1] = 1
	}
	b = append(b, s.turn[:]...)
	b = append(b, s.model[:]...)
	b = append(b, s.prefix[:]...)
	return append(b, s.text[:]...)
}

// issuer makes and verifies what only one service can make: signatures,
// encrypted content and ids. Issuers of different vendors or keys do not accept
// what the other made.
type issuer struct{ key []byte }

func newIssuer(key []byte, vendor string) issuer {
	return issuer{mac(key, []byte(vendor))}
}

func mac(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return h.Sum(nil)
}

// seal returns the raw signature for a seal.
func (is issuer) seal(s *seal) []byte {
	b := s.bytes()
	return append(b, mac(is.key, b)...)
}

// open returns the seal in a raw signature, nil if this issuer did not make it.
func (is issuer) open(raw []byte, kind byte) *seal {
	if len(raw) != sealSize+macSize || raw[0] != kind || !hmac.Equal(raw[sealSize:], mac(is.key, raw[:sealSize])) {
		return nil
	}
	s := &seal{kind: raw[0], bound: raw[1] == 1, index: raw[2], count: raw[3]}
	copy(s.turn[:], raw[4:])
	copy(s.model[:], raw[12:])
	copy(s.prefix[:], raw[20:])
	copy(s.text[:], raw[36:])
	return s
}

// The texts in which raw signatures travel.
var (
	signatureText = base64.StdEncoding.Strict()
	encryptedText = base64.URLEncoding.Strict()
)

// encryptedPrefix is how encrypted content begins.
const encryptedPrefix = "gAAAAAB"

func (is issuer) signature(s *seal) string { return signatureText.EncodeToString(is.seal(s)) }

func (is issuer) openSignature(text string, kind byte) *seal {
	raw, err := signatureText.DecodeString(text)
	if err != nil {
		return nil
	}
	return is.open(raw, kind)
}

func (is issuer) encrypted(s *seal) string {
	return encryptedPrefix + encryptedText.EncodeToString(is.seal(s))
}

func (is issuer) openEncrypted(text string) *seal {
	rest, ok := strings.CutPrefix(text, encryptedPrefix)
	raw, err := encryptedText.DecodeString(rest)
	if err != nil || !ok {
		return nil
	}
	return is.open(raw, encryptedSeal)
}

// itemID is what the id of an item of the Responses API says about the item.
type itemID struct {
	index     byte // place in its output
	reasoned  bool // a reasoning item led to it (OR-02)
	reasoning byte // the place of that
	turn      [8]byte
}

const itemMAC = 12

func (id itemID) bytes() []byte {
	b := []byte{id.index, 0, id.reasoning}
	if id.reasoned {
		b[1] = 1
	}
	return append(b, id.turn[:]...)
}

// itemID returns the id with its prefix, e.g. "rs" (OR-06).
func (is issuer) itemID(prefix string, id itemID) string {
	b := id.bytes()
	return prefix + "_" + hex.EncodeToString(append(b, mac(is.key, []byte(prefix), b)[:itemMAC]...))
}

// openItemID reads an id, ok is false if this issuer did not make it.
func (is issuer) openItemID(text string) (id itemID, ok bool) {
	prefix, digits, _ := strings.Cut(text, "_")
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) != len(id.bytes())+itemMAC {
		return itemID{}, false
	}
	n := len(raw) - itemMAC
	if !hmac.Equal(raw[n:], mac(is.key, []byte(prefix), raw[:n])[:itemMAC]) {
		return itemID{}, false
	}
	id = itemID{index: raw[0], reasoned: raw[1] == 1, reasoning: raw[2]}
	copy(id.turn[:], raw[3:])
	return id, is.itemID(prefix, id) == text // one spelling only
}

// digest returns the SHA-256 of the parts, each with its length.
func digest(parts ...string) [32]byte {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write([]byte(p))
	}
	return [32]byte(h.Sum(nil))
}

func digest8(parts ...string) [8]byte {
	sum := digest(parts...)
	return [8]byte(sum[:8])
}

func digest16(parts ...string) [16]byte {
	sum := digest(parts...)
	return [16]byte(sum[:16])
}

// letters returns n of [0-9A-Za-z] made of the parts, for ids.
func letters(n int, parts ...string) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	out := make([]byte, 0, n)
	for round := 0; len(out) < n; round++ {
		sum := digest(append(parts, fmt.Sprint(round))...)
		for _, b := range sum {
			if len(out) < n {
				out = append(out, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return string(out)
}
