package policy

// The API families that fields are derived from (P-01).
const (
	familyResponses = "responses"
	familyAnthropic = "anthropic"
)

// derive fills the predicates of P-01 and P-04 in.
func (r *Resolution) derive(c *Catalogue, s *subject) {
	p := r.Policy
	owner := c.providers[s.owner]
	p.Responses = s.apiFamily == familyResponses
	p.AnthropicFamily = s.apiFamily == familyAnthropic
	p.SignatureHygiene = p.PreserveSignatures || owner != nil && owner.SignedThought
	p.ProviderOwnedThinking = p.AnthropicFamily && p.ValidateAnthropicTurns && p.SignatureHygiene && !p.DropThinkingBlocks

	r.noteDerived("responses", p.Responses, "P-01")
	r.noteDerived("anthropicFamily", p.AnthropicFamily, "P-01")
	r.noteDerived("signatureHygiene", p.SignatureHygiene, "P-04")
	r.noteDerived("providerOwnedThinking", p.ProviderOwnedThinking, "P-04")
}

func (r *Resolution) noteDerived(field string, value bool, source string) {
	if value {
		r.note(field, value, "derived", source)
	}
}
