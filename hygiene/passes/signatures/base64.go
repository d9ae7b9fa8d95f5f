package signatures

import (
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// normalized returns a thinking block whose signature is base64 and stands in
// its one place, nil for a block that has no such signature.
func normalized(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
	v := first(b)
	signature := strings.TrimSpace(v.String())
	if !isBase64(signature) {
		return nil, lost("R-46", "the thinking has no base64 signature")
	}
	aliases := transcript.SignatureNames[1:]
	n := b.Without(aliases...)
	if n == b && len(signature) == len(v.String()) {
		return b, hygiene.Edit{}
	}
	return n.With(transcript.SignatureNames[0], jsonline.Text(signature)),
		hygiene.Edit{Rule: "R-46", Reason: "the signature is spelled in another way"}
}

// first returns the first signature member that is present.
func first(b *transcript.Block) jsonline.Value {
	for _, name := range transcript.SignatureNames {
		if v := b.Get(name); v.Exists() && v.Kind != jsonline.Null {
			return v
		}
	}
	return jsonline.Value{}
}

// isBase64 reports whether s is padded base64 of the standard alphabet.
func isBase64(s string) bool {
	digits := strings.TrimRight(s, "=")
	if digits == "" || len(s)%4 != 0 || len(s)-len(digits) > 2 {
		return false
	}
	for i := range len(digits) {
		c := digits[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '+' && c != '/' {
			return false
		}
	}
	return true
}
