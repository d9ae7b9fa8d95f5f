package thoughtsignatures

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/policy"
)

var base64Only = &policy.Policy{SanitizeThoughtSignatures: &policy.ThoughtSignatureFilter{AllowBase64Only: true, IncludeCamelCase: true}}

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestRandom(t *testing.T) { // G-2, G-3, G-4
	passtest.Attack(t, &policy.Policy{}, Pass)
	passtest.Attack(t, base64Only, Pass)
}

func TestStable(t *testing.T) { passtest.Stable(t, base64Only, Pass) } // G-5

func TestCleanIsFree(t *testing.T) { passtest.Free(t, Pass, base64Only, 8) } // G-6

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, base64Only) }

// R-33, the table.
func TestIsBase64(t *testing.T) {
	for text, want := range map[string]bool{
		"QUJD": true, "QUI": true, "QUI=": true, "QUI==": true, "ab-_": true, "a b c d": true, " QUJD\n": true,
		"skip_thought_signature_validator": true,
		"QUJ":                              false, "A": false, "a+b-": false, "msg_x": false, "": false, "=": false, "QU=I": false, "é": false,
	} {
		if got := isBase64(jsonline.Text(text)); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
	if isBase64(jsonline.Value{Raw: []byte("4"), Kind: jsonline.Number}) {
		t.Error("a number is taken for base64")
	}
}

// The closed form equals what R-33 describes: decode leniently, encode again,
// compare without the padding.
func TestIsBase64AsDescribed(t *testing.T) {
	shape := regexp.MustCompile(`^[A-Za-z0-9+/=_-]+$`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("AQUgw09+/-_= ")), 0, 12, -1).Draw(t, "text")
		c := strings.Join(strings.Fields(text), "")
		want := shape.MatchString(c)
		if want {
			enc := base64.RawStdEncoding
			if strings.ContainsAny(c, "-_") {
				enc = base64.RawURLEncoding
			}
			body, _, _ := strings.Cut(c, "=")
			body = strings.NewReplacer("-", "+", "_", "/").Replace(body)
			if len(body)%4 == 1 {
				body = body[:len(body)-1]
			}
			decoded, err := base64.RawStdEncoding.DecodeString(body)
			want = err == nil && len(decoded) > 0 && enc.EncodeToString(decoded) == strings.TrimRight(c, "=")
		}
		if got := isBase64(jsonline.Text(text)); got != want {
			t.Fatalf("%q: got %t, want %t", text, got, want)
		}
	})
}
