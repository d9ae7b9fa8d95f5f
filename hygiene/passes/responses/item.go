package responses

import (
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// item is a reasoning item of the Responses API.
type item struct {
	id        string
	recorded  bool // the id is one that the service gave (rs_…)
	encrypted bool // it has encrypted content
}

// reader reads JSON that is held as text.
type reader struct {
	scan  jsonline.Scanner
	arena jsonline.Arena
}

// item returns the reasoning item that a thinking block carries in its
// signature.
func (r *reader) item(b *transcript.Block) (it item, ok bool) {
	if !b.IsThinking() {
		return item{}, false
	}
	o := r.object(b.Get("thinkingSignature"))
	typ := o.Get("type").String()
	if typ != "reasoning" && !strings.HasPrefix(typ, "reasoning.") {
		return item{}, false
	}
	it.id = o.Get("id").String()
	it.recorded = strings.HasPrefix(it.id, "rs_")
	for _, name := range []string{"encrypted_content", "data"} {
		if v := o.Get(name); v.IsString() && !v.Blank() {
			it.encrypted = true
		}
	}
	return it, true
}

// object returns the JSON object that v is, or that it holds as text.
func (r *reader) object(v jsonline.Value) jsonline.Object {
	if !v.IsString() {
		return v.Object()
	}
	text := strings.TrimSpace(v.String())
	if !strings.HasPrefix(text, "{") {
		return jsonline.Object{}
	}
	raw := []byte(text)
	if r.scan.ScanAll(raw, jsonline.Options{Depth: 1, InvalidUTF8: true}) != nil {
		return jsonline.Object{}
	}
	return r.scan.Object(0, raw, &r.arena)
}

// withoutID returns a text block whose signature does not name the message that
// it came in, and keeps its phase (R-81, W-304).
func (r *reader) withoutID(b *transcript.Block) *transcript.Block {
	v := b.Get("textSignature")
	if !v.Exists() {
		return b
	}
	o := r.object(v)
	phase := o.Get("phase").String()
	if string(o.Get("v").Raw) != "1" || phase != "commentary" && phase != "final_answer" {
		return b.Without("textSignature")
	}
	if !o.Has("id") {
		return b
	}
	return b.With("textSignature", jsonline.Text(`{"v":1,"phase":"`+phase+`"}`))
}
