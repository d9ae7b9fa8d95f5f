package session

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"hygeia/imaging"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// fault is what a rule finds wrong with a message.
type fault struct {
	rule, reason string
	count        *int // of the report
	lossy        bool // what the message held is gone
}

// mend applies the rules on the content of stored messages (F-52) and returns m
// itself if none is about it.
func (r *RepairReport) mend(m *transcript.Message, found func(fault)) *transcript.Message {
	if m.Is(transcript.Assistant) && m.StopReason() == transcript.StopError && m.ContentKind() == transcript.ListContent && len(m.Blocks()) == 0 {
		found(fault{rule: "F-51", reason: "failed assistant turn without content", count: &r.RewrittenAssistantMessages})
		return m.WithBlocks([]*transcript.Block{transcript.NewTextBlock(texts.FailedTurn)})
	}
	m = r.images(m, found)
	if m.Is(transcript.User) && !m.Get("MediaPath").Exists() && !m.Get("MediaPaths").Exists() {
		m = r.blank(m, found)
	}
	return m
}

// uncounted is the report of a look that changes nothing. Nobody writes to it.
var uncounted RepairReport

// isIll reports whether one of these rules is about m.
func isIll(m *transcript.Message) bool { return uncounted.mend(m, func(fault) {}) != m }

// blank gives a user turn without text a placeholder, and takes blank texts out
// of one that has something else (F-54, D-07). A turn with media says something
// (F-B22).
func (r *RepairReport) blank(m *transcript.Message, found func(fault)) *transcript.Message {
	f := fault{rule: "F-54", reason: "user turn without content", count: &r.RewrittenUserMessages}
	switch m.ContentKind() {
	case transcript.TextContent:
		if m.Text().Blank() {
			found(f)
			return m.WithText(texts.OmittedContent)
		}
	case transcript.ListContent:
		if len(m.Blocks()) > 0 && !m.HasBlankText() {
			return m
		}
		var kept []*transcript.Block
		for _, b := range m.Blocks() {
			if !b.IsBlankText() {
				kept = append(kept, b)
			}
		}
		switch {
		case len(kept) == 0:
			found(f)
			return m.WithBlocks([]*transcript.Block{transcript.NewTextBlock(texts.OmittedContent)})
		case len(kept) < len(m.Blocks()):
			f.reason = "blank text in a user turn"
			found(f)
			return m.WithBlocks(kept)
		}
	}
	return m
}

// images replaces the images of a message that are no base64 at all (F-55,
// F-B21).
func (r *RepairReport) images(m *transcript.Message, found func(fault)) *transcript.Message {
	if m.ContentKind() != transcript.ListContent {
		return m
	}
	var blocks []*transcript.Block
	for i, b := range m.Blocks() {
		n := r.image(b, 0, found)
		if n == b {
			continue
		}
		if blocks == nil {
			blocks = slices.Clone(m.Blocks())
		}
		blocks[i] = n
	}
	if blocks == nil {
		return m
	}
	return m.WithBlocks(blocks)
}

// maxWrapped is how deep images may be wrapped in tool results.
const maxWrapped = 8

// image returns what stands for a block: a placeholder for an image that is no
// base64, the block with such placeholders inside for a wrapper (F-B23), b
// itself for anything else.
func (r *RepairReport) image(b *transcript.Block, depth int, found func(fault)) *transcript.Block {
	if !b.IsObject() || b.IsToolCall() || b.IsText() || b.IsThinking() {
		return b
	}
	if data := imageData(b); data.Exists() {
		text := data.String()
		if !imaging.Corrupt(text) {
			return b
		}
		found(fault{rule: "F-55", reason: "image data is no base64", count: &r.RemovedCorruptedImages, lossy: true})
		return omittedImage(text)
	}
	content := b.Get("content")
	if content.Kind != jsonline.Array || depth == maxWrapped {
		return b
	}
	var reader transcript.Reader
	inner, err := reader.Message(append(append([]byte(`{"content":`), content.Raw...), '}'))
	if err != nil {
		return b
	}
	changed := false
	raw := []byte{'['}
	for i, w := range inner.Blocks() {
		c := r.image(w, depth+1, found)
		changed = changed || c != w
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = c.AppendJSON(raw)
	}
	if !changed {
		return b
	}
	return b.With("content", jsonline.Value{Raw: append(raw, ']'), Kind: jsonline.Array})
}

// mediaTypeNames are the members that may name a media type (F-36).
var mediaTypeNames = []string{"mimeType", "mediaType", "media_type"}

// imageData returns the inline data of an image block in any of the forms that
// are stored, absent for none.
func imageData(b *transcript.Block) jsonline.Value {
	if b.Is(transcript.TypeImage) {
		if data := b.Get("data"); data.IsString() && declaresImage(b.Get) {
			return data
		}
		source := b.Get("source").Object()
		if data := source.Get("data"); data.IsString() && declaresImage(source.Get) {
			return data
		}
	}
	url := b.Get("image_url")
	if url.Kind == jsonline.ObjectKind {
		url = url.Object().Get("url")
	}
	if text := url.String(); len(text) > 11 && strings.EqualFold(text[:11], "data:image/") {
		return url
	}
	return jsonline.Value{}
}

func declaresImage(get func(string) jsonline.Value) bool {
	for _, name := range mediaTypeNames {
		if strings.HasPrefix(strings.ToLower(get(name).String()), "image/") {
			return true
		}
	}
	return false
}

// omittedImage returns the text that stands for an image, with what identifies
// the data (F-B21).
func omittedImage(data string) *transcript.Block {
	sum := sha256.Sum256([]byte(data))
	note := jsonline.Object{}.
		With("omittedImageBytes", jsonline.Int(len(data))).
		With("omittedImageSha256", jsonline.Text(hex.EncodeToString(sum[:])))
	return transcript.NewTextBlock(texts.CorruptImage).With("__openclaw", note.Value())
}
