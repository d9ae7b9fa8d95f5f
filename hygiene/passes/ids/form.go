package ids

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"hygeia/policy"
)

// form is one form of ids.
type form struct {
	rule     string
	legal    string // in words
	native   bool   // native ids may stay (R-64…R-66)
	kimi     bool   // Kimi's ids may stay (D-24)
	conforms func(id string) bool
	// base makes a legal id of a seed.
	base func(seed string) string
	// again makes another one if base is taken; attempt counts from 1.
	again func(seed, base string, attempt int) string
}

// formOf returns the form that a policy asks for, nil if it asks for none. Mode
// strict is one that all providers share, for sessions that go from one to
// another; ids of a request need the form of its own format only.
func formOf(p *policy.Policy, request bool) *form {
	own := p.ToolCallIDForm
	switch {
	case request && p.ToolCallIDMode == policy.IDStrict && own.Max > 0 && !own.Alphanumeric:
		return wire(own.Max)
	case p.SanitizeToolCallIDs && p.ToolCallIDMode == policy.IDStrict:
		return strict
	case p.SanitizeToolCallIDs && p.ToolCallIDMode == policy.IDStrict9:
		return strict9
	case p.ToolCallIDForm.Max > 0:
		return wire(p.ToolCallIDForm.Max)
	}
	return nil
}

const maxStrict = 40

var strict = &form{
	rule: "R-60", legal: "made of at most 40 letters and digits", native: true, kimi: true,
	conforms: func(id string) bool { return id != "" && len(id) <= maxStrict && only(id, isAlphanumeric) },
	base: func(seed string) string {
		id := alphanumerics(seed)
		if id == "" {
			id = "sanitizedtoolid"
		}
		return id[:min(len(id), maxStrict)]
	},
	again: func(seed, base string, attempt int) string { return suffixed(seed, base, attempt, maxStrict) },
}

const nine = 9

var strict9 = &form{
	rule: "R-61", legal: "made of nine letters and digits",
	conforms: func(id string) bool { return len(id) == nine && only(id, isAlphanumeric) },
	base: func(seed string) string {
		switch id := alphanumerics(seed); {
		case len(id) >= nine:
			return id[:nine]
		case id == "":
			return digest("sanitized", nine)
		default:
			return digest(id, nine) // of what is left, not of the seed (D-01)
		}
	},
	again: func(seed, _ string, attempt int) string { return digest(seed+":"+strconv.Itoa(attempt-1), nine) },
}

// wire is the form of W-172 with ids of at most limit characters.
func wire(limit int) *form {
	return &form{
		rule: "W-172", legal: "made of letters, digits, '_' and '-', at most " + strconv.Itoa(limit), kimi: true,
		conforms: func(id string) bool { return isWire(id, limit) },
		base: func(seed string) string {
			if i := strings.IndexByte(seed, '|'); i > 0 && i < len(seed)-1 {
				seed = seed[:i] // W-175
			}
			id := strings.Map(func(c rune) rune {
				if c < 0x80 && isWireByte(byte(c)) {
					return c
				}
				return '_'
			}, seed)
			return id[:min(len(id), limit)]
		},
		again: func(seed, base string, attempt int) string { return suffixed(seed, base, attempt, limit) },
	}
}

// suffixed is base with a mark behind it: 8 digits of the hash of seed, from the
// second attempt also x2, x3, … (R-60, R-B12).
func suffixed(seed, base string, attempt, limit int) string {
	id := withSuffix(base, digest(seed, 8), limit)
	if attempt > 1 {
		id = withSuffix(id, "x"+strconv.Itoa(attempt), limit)
	}
	return id
}

// withSuffix cuts id so that it has at most limit characters with the suffix.
func withSuffix(id, suffix string, limit int) string {
	return id[:max(0, min(len(id), limit-len(suffix)))] + suffix
}

// digest returns the first n hex digits of the SHA-256 of s.
func digest(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:n]
}
