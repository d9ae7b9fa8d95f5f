package thoughtsignatures

import (
	_ "embed"
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass removes thought signatures that the target cannot read.
var Pass = &hygiene.Pass{
	Name: "thoughtsignatures",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{ID: "R-32", Title: "a message id in the place of a thought signature is removed"},
		{ID: "R-33", Title: "a thought signature that is not base64 is removed"},
	},
	After: []string{"shapes"},
	When:  func(p *policy.Policy) bool { return !p.PreserveSignatures },
	Run:   run,
}

// filter says which values of which members go, and under which rule.
type filter struct {
	names  []string
	rule   string
	reason string
	legal  func(jsonline.Value) bool
}

var messageIDs = filter{
	names: []string{snake}, rule: "R-32", reason: "the thought signature is a message id",
	legal: func(v jsonline.Value) bool { return !strings.HasPrefix(v.String(), "msg_") },
}

const (
	snake = "thought_signature"
	camel = "thoughtSignature"
)

func filterOf(f *policy.ThoughtSignatureFilter) filter {
	if f == nil || !f.AllowBase64Only {
		return messageIDs
	}
	names := []string{snake}
	if f.IncludeCamelCase {
		names = append(names, camel)
	}
	return filter{names: names, rule: "R-33", reason: "the thought signature is not base64", legal: isBase64}
}

func run(r *hygiene.Run) {
	f := filterOf(r.Policy.SanitizeThoughtSignatures)
	block := func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
		for _, name := range f.names {
			if v := b.Get(name); v.Exists() && !f.legal(v) {
				b = b.Without(name)
			}
		}
		return b, hygiene.Edit{Rule: f.rule, Reason: f.reason}
	}
	for i := range r.Len() {
		if r.At(i).Is(transcript.Assistant) {
			turns.Rewrite(r, i, block)
		}
	}
}
