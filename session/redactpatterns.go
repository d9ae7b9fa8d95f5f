package session

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hygeia/imaging"
	"hygeia/internal/texts"
)

// pattern is the form of a secret.
type pattern struct {
	// form finds it. If it has groups, the last that took part is the secret.
	form *regexp.Regexp
	// hints are lower-case words of which one is in every text that form fits;
	// without any, every text is searched.
	hints []string
	// digit demands one in the secret: without it the text is prose or a name.
	digit bool
}

// builtIn are the forms that are always looked for.
var builtIn = []struct {
	form  string
	hints string
	digit bool
}{
	{`-----BEGIN [A-Z ]*PRIVATE KEY-----([\s\S]+?)-----END [A-Z ]*PRIVATE KEY-----`, "private key-----", false},
	{`\bsk-[A-Za-z0-9_-]{16,}`, "sk-", true},
	{`\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`, "k_live_ k_test_", false},
	{`\bgh[pousr]_[A-Za-z0-9]{20,}`, "ghp_ gho_ ghu_ ghs_ ghr_", false},
	{`\bgithub_pat_[A-Za-z0-9_]{20,}`, "github_pat_", false},
	{`\bglpat-[A-Za-z0-9_-]{20,}`, "glpat-", false},
	{`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`, "xox", true},
	{`\bxapp-[A-Za-z0-9-]{10,}`, "xapp-", true},
	{`\bAIza[A-Za-z0-9_-]{30,}`, "aiza", false},
	{`\bya29\.[A-Za-z0-9_-]{20,}`, "ya29.", false},
	{`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`, "akia asia", false},
	{`\b(?:gsk|npm|hf)_[A-Za-z0-9]{20,}`, "gsk_ npm_ hf_", true},
	{`\b(?:xai|pplx)-[A-Za-z0-9]{20,}`, "xai- pplx-", true},
	{`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`, "sg.", true},
	{`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`, "eyj", false},
	{`\b(?:bot)?[0-9]{6,12}:[A-Za-z0-9_-]{30,}`, ":", false},
	{`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{16,})`, "bearer basic", true},
	{`(?i)\b(?:x-api-key|x-goog-api-key)["']?\s*[:=]\s*["']?([^\s"']{8,})`, "api-key", false},
	{`[a-z]://[^\s/:@"']*:([^\s/@"']+)@`, "://", false},
	{`(?i)[?&](?:key|api_?key|access_token|token|client_secret)=([^\s&#"']{8,})`, "key= token= secret=", false},
	{`\b[A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)\s*=\s*["']?([^\s"'$<{(*][^\s"']{7,})`, "key token secret password passwd", false},
	{`(?i)"(?:api_?key|(?:access|refresh|auth|bot)_?token|token|(?:client_?)?secret|password|passwd|private_?key)"\s*:\s*"([^"\\*][^"\\]{5,})"`, "key token secret password passwd", false},
	{`(?i)--(?:api-?key|(?:access-?)?token|secret|password|passwd)(?:=|\s+)["']?([^\s"'$<-][^\s"']{5,})`, "--", false},
}

// secretNames are the members, without case and punctuation, whose strings are
// secrets whatever their form.
var secretNames = strings.Fields(`
	apikey xapikey xgoogapikey accesskey secretkey secretaccesskey awssecretaccesskey privatekey signingkey encryptionkey
	token accesstoken refreshtoken authtoken bottoken sessiontoken bearertoken idtoken apitoken
	secret clientsecret appsecret webhooksecret signingsecret
	password passwd passphrase authorization proxyauthorization cookie setcookie`)

// NewRedactor returns a redactor that looks for the built-in forms and names,
// and for the given forms: regular expressions in the syntax of package regexp,
// also spelled /…/flags. The error names the one that is none.
func NewRedactor(forms ...string) (*Redactor, error) {
	r := &Redactor{names: map[string]bool{}}
	for _, name := range secretNames {
		r.names[name] = true
	}
	for _, b := range builtIn {
		r.patterns = append(r.patterns, pattern{regexp.MustCompile(b.form), strings.Split(b.hints, " "), b.digit})
	}
	for i, form := range forms {
		re, err := regexp.Compile(inGo(form))
		if err != nil {
			return nil, fmt.Errorf("form %d of secrets: %w", i+1, err)
		}
		r.patterns = append(r.patterns, pattern{form: re})
	}
	return r, nil
}

// inGo turns /…/flags into the syntax of Go.
func inGo(form string) string {
	end := strings.LastIndexByte(form, '/')
	if !strings.HasPrefix(form, "/") || end < 2 {
		return form
	}
	flags := ""
	for _, f := range "ims" {
		if strings.ContainsRune(form[end+1:], f) {
			flags += string(f)
		}
	}
	if flags != "" {
		flags = "(?" + flags + ")"
	}
	return flags + form[1:end]
}

// Text returns a text without the secrets that have the form of one. A second
// look finds nothing.
func (r *Redactor) Text(text string) string {
	const passes = 10 // one secret may stand in what shows another
	for range passes {
		redacted := r.pass(text)
		if redacted == text {
			break
		}
		text = redacted
	}
	return text
}

func (r *Redactor) pass(text string) string {
	lower := strings.ToLower(text)
	in := func(hint string) bool { return strings.Contains(lower, hint) }
	for _, p := range r.patterns {
		if len(p.hints) == 0 || slices.ContainsFunc(p.hints, in) {
			text = p.redact(text)
		}
	}
	return text
}

func (p pattern) redact(text string) string {
	var out strings.Builder
	at := 0
	for _, m := range p.form.FindAllStringSubmatchIndex(text, -1) {
		from, to := m[0], m[1]
		for g := len(m) - 2; g > 0; g -= 2 {
			if m[g] >= 0 {
				from, to = m[g], m[g+1]
				break
			}
		}
		if from == to || p.digit && !strings.ContainsAny(text[from:to], "0123456789") {
			continue
		}
		out.WriteString(text[at:from])
		out.WriteString(texts.Redacted)
		at = to
	}
	if at == 0 {
		return text
	}
	out.WriteString(text[at:])
	return out.String()
}

// plainName returns the name of a member without case and punctuation.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			return c
		case 'A' <= c && c <= 'Z':
			return c + 'a' - 'A'
		}
		return -1
	}, name)
}

const leastData = 256 // characters

// isData reports whether a text is a file in base64, in which any form may stand
// by chance: an image as a data URL, or a long run of nothing else.
func isData(text string) bool {
	if strings.HasPrefix(text, "data:image/") {
		_, err := imaging.Read(text, "")
		return err == nil
	}
	return len(text) >= leastData && isBase64(text)
}

func isBase64(text string) bool {
	body := strings.TrimRight(text, "=")
	for i := range len(body) {
		switch c := body[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '+', c == '/', c == '-', c == '_':
		default:
			return false
		}
	}
	return len(text)-len(body) <= 2
}
