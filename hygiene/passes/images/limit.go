package images

import (
	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// limit takes out the oldest pictures while there are more of them, or of bytes,
// than the target takes (W-104).
func limit(r *hygiene.Run) {
	wire := r.Policy.Wire
	if wire.MaxImages == 0 && wire.MaxBodyBytes == 0 {
		return
	}
	count, size := 0, 0
	for i := range r.Len() {
		n, bytes := weigh(r.At(i))
		count += n
		size += bytes
	}
	most := surplus(count, wire.MaxImages)
	bytes := surplus(size, wire.MaxBodyBytes)
	for i := 0; i < r.Len() && count > 0 && (most > 0 || bytes > 0); i++ {
		if !carries(r.At(i)) {
			continue
		}
		turns.Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
			if !isImage(b) || most <= 0 && bytes <= 0 {
				return b, hygiene.Edit{}
			}
			count--
			most--
			n := transcript.NewTextBlock(texts.OlderImage)
			bytes -= b.Members().Size() - n.Members().Size()
			return n, hygiene.Edit{
				Rule: "W-104", Lossy: true, Synthetic: true, Reason: "the request holds more pictures than the target takes",
			}
		})
	}
}

// surplus returns by how much n is over a limit, in steps of a quarter of it, so
// that the prefix of the request changes seldom. No limit is 0.
func surplus(n, limit int) int {
	if limit == 0 || n <= limit {
		return 0
	}
	step := max(limit/4, 1)
	return (n - limit + step - 1) / step * step
}

// weigh returns the number of pictures in a message and about how many bytes of
// a request its content takes.
func weigh(m *transcript.Message) (pictures, bytes int) {
	bytes = len(m.Text().Raw)
	for _, b := range m.Blocks() {
		bytes += b.Members().Size()
		if isImage(b) && carries(m) {
			pictures++
		}
	}
	return pictures, bytes
}
