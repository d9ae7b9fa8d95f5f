package check

import "strings"

// letters, digits and the like are sets of ASCII characters.
type characters [256]bool

func set(ranges string) (c characters) {
	for i := 0; i < len(ranges); i += 2 {
		for b := int(ranges[i]); b <= int(ranges[i+1]); b++ {
			c[b] = true
		}
	}
	return c
}

var (
	alphanumeric = set("azAZ09")
	wordly       = set("azAZ09__")
	dashed       = set("azAZ09__--")
	dotted       = set("azAZ09__..::--")
	base64Chars  = set("azAZ09++//")
	urlChars     = set("azAZ09--__")
)

// all reports whether s holds nothing else.
func (c *characters) all(s string) bool {
	for i := range len(s) {
		if !c[s[i]] {
			return false
		}
	}
	return true
}

// The forms of ids and names, as the answers of the services tell them.
func anthropicID(s string) bool   { return len(s) >= 1 && len(s) <= 64 && dashed.all(s) }  // ^[a-zA-Z0-9_-]{1,64}$
func anthropicName(s string) bool { return len(s) >= 1 && len(s) <= 128 && dashed.all(s) } // ^[a-zA-Z0-9_-]{1,128}$
func chatName(s string) bool      { return anthropicID(s) }
func bedrockName(s string) bool   { return anthropicID(s) }
func mistralID(s string) bool     { return len(s) == 9 && alphanumeric.all(s) } // ^[a-zA-Z0-9]{9}$
func responsesID(s string) bool   { return dashed.all(s) }                      // ^[a-zA-Z0-9_-]*$

// serverToolID: ^srvtoolu_[a-zA-Z0-9_]+$
func serverToolID(s string) bool {
	rest, ok := strings.CutPrefix(s, "srvtoolu_")
	return ok && rest != "" && wordly.all(rest)
}

// googleName: ^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$
func googleName(s string) bool {
	return len(s) >= 1 && len(s) <= 64 && s[0] != '.' && s[0] != ':' && s[0] != '-' && (s[0] < '0' || s[0] > '9') && dotted.all(s)
}

// anyBase64: ^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)={0,2}$
func anyBase64(s string) bool {
	s = strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	return base64Chars.all(s) || urlChars.all(s)
}
