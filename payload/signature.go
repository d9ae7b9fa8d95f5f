package payload

import "hygeia/internal/jsonline"

// SkipSignature goes out in the place of a thought signature that is missing,
// where Google's services demand one (W-431, W-612). It is a value of the wire
// and is never stored (W-613).
const SkipSignature = "skip_thought_signature_validator"

// StrictBase64 reports whether v is a string of standard base64 with its
// padding and nothing else: no white space, no other alphabet (W-511). A thought
// signature that fails is refused by every Google service.
func StrictBase64(v jsonline.Value) bool {
	if !v.IsString() {
		return false
	}
	s := v.Raw[1 : len(v.Raw)-1]
	if v.Flags&jsonline.FlagEscaped != 0 {
		s = []byte(v.String())
	}
	if len(s) == 0 || len(s)%4 != 0 {
		return false
	}
	end := len(s)
	for end > len(s)-2 && s[end-1] == '=' {
		end--
	}
	for _, c := range s[:end] {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '+', c == '/':
		default:
			return false
		}
	}
	return true
}
