package anthropicmessages

import (
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/transcript"
)

// verdict says whether a thinking block can go out.
type verdict uint8

const (
	fine     verdict = iota
	nothing          // neither text nor signature
	unsigned         // W-211
	foreign          // signed in the encoding of another format (W-115)
	named            // signed with the name of a field (W-213)
	illegal          // signed text that no request may hold (W-120)
)

// omissions are the changes for thinking that cannot go out.
var omissions = map[verdict]hygiene.Edit{
	nothing:  {Rule: "W-210", Reason: "thinking block has neither text nor signature"},
	unsigned: {Rule: "W-211", Reason: "thinking block has no signature", Lossy: true},
	foreign:  {Rule: "W-115", Reason: "thinking block has a signature of another format", Lossy: true},
	named:    {Rule: "W-213", Reason: "thinking block is signed reasoning_content", Lossy: true},
	illegal:  {Rule: "W-120", Reason: "signed thinking holds code units that no request may hold", Lossy: true},
}

func (b *builder) verdict(k *transcript.Block) verdict {
	sig, text := signature(k), k.TextValue()
	if !sig.Exists() {
		if !says(text) {
			return nothing
		}
		return unsigned
	}
	switch s := strings.TrimSpace(sig.String()); {
	case s == "reasoning_content":
		if !b.in.Policy.Wire.ReasoningContentSigned {
			return named
		}
	case s == "reasoning", s == "reasoning_text", s == "reasoning_details", s[0] == '{':
		return foreign
	}
	if !payload.IsLegal(sig) || text.IsString() && !payload.IsLegal(text) {
		return illegal
	}
	return fine
}

// signature returns what the service gave to prove a thinking block. Redacted
// thinking has it as data.
func signature(k *transcript.Block) jsonline.Value {
	if k.Is(transcript.TypeRedactedThinking) {
		if data := k.Get("data"); data.IsString() && !data.Blank() {
			return data
		}
	}
	return k.Signature()
}
