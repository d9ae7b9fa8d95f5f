package openaichat

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/chat"
	"hygeia/transcript"
)

// Signature deals with what a call carries besides its arguments: a thought
// signature, which is returned where the target takes it (W-431), or an entry
// of reasoning_details (W-501).
func (r *reasoning) Signature(block *transcript.Block) jsonline.Value {
	sig := block.Get("thoughtSignature")
	if !sig.IsString() {
		sig = block.Get("thought_signature")
	}
	if len(sig.Raw) > 2 && sig.Raw[1] == '{' {
		r.detail(block, sig)
		sig = jsonline.Value{}
	}
	if !r.b.In.Policy.Wire.GoogleExtraContent {
		if came := chat.GoogleSignature(block); r.b.Own != nil && came.Exists() {
			return r.routed(block, came)
		}
		if sig.Exists() {
			r.b.Log.NoSignature(r.from, block)
		}
		return jsonline.Value{}
	}
	return r.googleSignature(block, sig)
}

// routed returns the signature that a request holds for a service behind a router
// or another host: that is the caller's affair, but for models of which it is
// known that only base64 is taken (W-511).
func (r *reasoning) routed(block *transcript.Block, came jsonline.Value) jsonline.Value {
	if r.b.In.Policy.SanitizeThoughtSignatures == nil || payload.StrictBase64(came) {
		return r.b.Log.Text(r.from, block, came)
	}
	r.sign(block, came, nil, hygiene.Edit{Rule: "W-511", Reason: "the thought signature is no base64"})
	return jsonline.Value{}
}

// googleSignature returns the signature that goes out with a call. The first
// call of a turn may have to carry one, the others stay unsigned (D-37).
func (r *reasoning) googleSignature(block *transcript.Block, sig jsonline.Value) jsonline.Value {
	stored := sig.IsString() && !sig.Blank()
	why := "the call has no thought signature"
	switch {
	case stored && !payload.StrictBase64(sig):
		why = "the thought signature is no base64"
	case stored && !r.b.In.OwnTurn(r.from):
		why = "the thought signature is of another model"
	case stored:
		return sig
	}
	first := r.b.FirstCall()
	switch {
	case r.b.In.Policy.Wire.SkipSignatureAllowed && r.b.skipped(block):
		return jsonline.Text(payload.SkipSignature)
	case first && r.b.In.Policy.Wire.SkipSignatureAllowed:
		r.sign(block, sig, payload.SkipSignature, hygiene.Edit{Rule: "W-431", Reason: why, Synthetic: true})
		return jsonline.Text(payload.SkipSignature)
	case stored:
		r.sign(block, sig, nil, hygiene.Edit{Rule: "W-431", Reason: why})
	}
	return jsonline.Value{}
}

// skipped reports whether a call of a request carries the value that stands in
// the place of a signature.
func (b *builder) skipped(block *transcript.Block) bool {
	return b.Own != nil && chat.GoogleSignature(block).String() == payload.SkipSignature
}

// detail takes an entry of reasoning_details in or records that it is held
// back.
func (r *reasoning) detail(block *transcript.Block, sig jsonline.Value) {
	entry := jsonline.Parse([]byte(sig.String()))
	why := r.closed
	switch {
	case why != "":
	case !r.b.replay.details:
		why = "the target takes no entries of reasoning_details"
	case !isDetail(entry.Object(), r.b.replay.sealed):
		why = "the entry of reasoning_details is not complete"
	default:
		t := r.open()
		t.Details = append(t.Details, payload.Legal(entry).Raw)
		return
	}
	r.sign(block, sig, nil, hygiene.Edit{Rule: r.b.replay.rule, Reason: why, Lossy: true})
}

// details takes all entries of reasoning_details of a message in or records that
// they are held back: they count only whole.
func (r *reasoning) details(block *transcript.Block, entries jsonline.Value) {
	why := r.closed
	var list [][]byte
	for entry := range entries.Elements() {
		if why == "" && !isDetail(entry.Object(), r.b.replay.sealed) {
			why = "an entry of reasoning_details is not complete"
		}
		list = append(list, payload.Legal(entry).Raw)
	}
	switch {
	case why == "" && !r.b.replay.details:
		why = "the target takes no entries of reasoning_details"
	case why == "":
		t := r.open()
		t.Details = append(t.Details, list...)
		return
	}
	r.b.Log.Add(hygiene.Drop, r.from, block, nil, hygiene.Edit{Rule: r.b.replay.rule, Reason: why, Lossy: true})
}

// sign records that something else goes out in the place of a signature.
func (r *reasoning) sign(block *transcript.Block, before jsonline.Value, after any, e hygiene.Edit) {
	r.b.In.Report.Record(stage, hygiene.Replace, r.from, block.Index(), before.String(), after, e)
}

// seals are, by type of an entry of reasoning_details, the member that proves
// where it came from.
var seals = map[string]string{"reasoning.text": "signature", "reasoning.encrypted": "data", "reasoning.summary": ""}

func isDetail(entry jsonline.Object, sealed bool) bool {
	seal, known := seals[entry.Get("type").String()]
	if !sealed || !known {
		return known
	}
	v := entry.Get(seal)
	return seal != "" && v.IsString() && !v.Blank()
}
