package anthropic

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
	refused          // the model takes none
	encoded          // redacted data that is not base64
)

// omissions are the changes for thinking that cannot go out.
var omissions = map[verdict]hygiene.Edit{
	nothing:  {Rule: "W-210", Reason: "thinking block has neither text nor signature"},
	unsigned: {Rule: "W-211", Reason: "thinking block has no signature", Lossy: true},
	foreign:  {Rule: "W-115", Reason: "thinking block has a signature of another format", Lossy: true},
	named:    {Rule: "W-213", Reason: "thinking block is signed reasoning_content", Lossy: true},
	illegal:  {Rule: "W-120", Reason: "signed thinking holds code units that no request may hold", Lossy: true},
}

// omission is the change for thinking that cannot go out.
func (p *Plan) omission(v verdict) hygiene.Edit {
	switch v {
	case refused:
		return hygiene.Edit{Rule: p.format.NoThinking, Reason: "the model takes no thinking of earlier turns", Lossy: true}
	case encoded:
		return hygiene.Edit{Rule: p.format.Base64Data, Reason: "data of redacted thinking is not base64", Lossy: true}
	}
	return omissions[v]
}

func (p *Plan) verdict(k *transcript.Block) verdict {
	sig, text := signature(k), k.TextValue()
	switch {
	case !sig.Exists() && !Says(text):
		return nothing
	case p.format.NoThinking != "":
		return refused
	case !sig.Exists():
		return unsigned
	case p.format.Base64Data != "" && redacted(k) && !payload.StrictBase64(sig):
		return encoded
	}
	switch s := strings.TrimSpace(sig.String()); {
	case s == "reasoning_content":
		if !p.in.Policy.Wire.ReasoningContentSigned {
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

// redacted reports whether the text of a thinking block is encrypted.
func redacted(k *transcript.Block) bool {
	return k.Is(transcript.TypeRedactedThinking) || k.Get("redacted").Bool()
}
