package bedrock

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
	"hygeia/transcript"
)

// imageFormats are the media types that go out, and their names here (W-702,
// BR-16).
var imageFormats = map[string]string{
	"image/png": "png", "image/jpeg": "jpeg", "image/jpg": "jpeg", "image/gif": "gif", "image/webp": "webp",
}

// isImage reports whether an image has what the format demands.
func isImage(k *transcript.Block) bool {
	if !k.Is(transcript.TypeImage) || !k.Get("data").IsString() || k.Get("data").Blank() {
		return false
	}
	return imageFormats[k.Get("mimeType").String()] != ""
}

func (b *builder) image(k *transcript.Block) {
	b.raw(`{"image":{"format":"`)
	b.raw(imageFormats[k.Get("mimeType").String()])
	b.raw(`","source":{"bytes":`)
	b.out = payload.AppendText(b.out, k.Get("data"))
	b.raw(`}}}`)
}

// results writes the tool results of a turn and the stand-ins for those that
// nobody gave. Nothing stands between or before them.
func (b *builder) results(start int, t *anthropic.Turn) {
	marked := false
	var point *transcript.Message // the newest with a cache point of the request
	for i := t.From; i < t.To && t.Results; i++ {
		if m := b.Messages[i]; !b.Gone(i) && m.Is(transcript.ToolResult) {
			b.toolResult(start, m)
			marked = marked || m == b.marks.message
			switch has := b.own != nil && m.Get("cachePoint").Exists(); {
			case has && b.surplus[m]:
				b.Log.Add(hygiene.Replace, m, nil, nil, hygiene.Edit{Rule: "W-711", Reason: tooManyPoints})
			case has && b.in.Policy.Wire.CacheMarkers:
				point = m
			case has:
				b.Log.Add(hygiene.Replace, m, nil, nil, hygiene.Edit{Rule: "W-711", Reason: noPoints})
			}
		}
	}
	if t.Made != nil {
		for _, id := range t.Made.Open {
			b.openResult(start, id)
			b.text(len(b.out), jsonline.Text(texts.MissingResult))
			b.closeResult(true)
		}
	}
	if marked {
		b.cachePoint(start)
	}
	b.resultPoint(start, point)
}

// toolResult writes one tool result: its text and its images (W-705).
func (b *builder) toolResult(start int, m *transcript.Message) {
	if b.ownResult(start, m) {
		return
	}
	none := texts.NoOutput
	if m.IsError() {
		none = texts.ToolErrorNoOutput
	}
	b.openResult(start, b.ResultID(m))
	content := len(b.out)
	if m.Any(func(k *transcript.Block) bool { return b.isNative(m, k) }) {
		b.userMessage(content, m)
	} else {
		b.text(content, b.Log.ResultText(m, none))
		for _, k := range m.Blocks() {
			switch {
			case isImage(k):
				b.next(content)
				b.image(k)
			case k.Is(transcript.TypeImage):
				b.Log.Unknown(m, k)
			}
		}
	}
	b.closeResult(m.IsError())
}

func (b *builder) openResult(start int, id string) {
	b.next(start)
	b.raw(`{"toolResult":{"toolUseId":"`)
	b.raw(id)
	b.raw(`","content":[`)
}

// closeResult ends a tool result, with its status where the model knows one
// (BR-24).
func (b *builder) closeResult(failed bool) {
	b.raw(`]`)
	switch {
	case !b.in.Policy.Wire.ToolResultStatus:
	case failed:
		b.raw(`,"status":"error"`)
	default:
		b.raw(`,"status":"success"`)
	}
	b.raw(`}}`)
}
