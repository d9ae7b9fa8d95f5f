package imaging

import (
	"bytes"
	"encoding/binary"
	"image"

	"golang.org/x/image/webp"
)

// webpParts are the chunks of a WebP file that belong to its first frame.
type webpParts struct {
	image, alpha   span // VP8 or VP8L with its header, and ALPH
	lossless       bool
	canvasW        int // pixels
	canvasH        int
	x, y           int // place of the frame on the canvas
	width, height  int // of the frame
	more, metadata bool
	whole          bool
}

// span is a piece of a file.
type span struct{ from, to int }

// findWebP walks over the chunks of a WebP file.
func findWebP(s source) (w webpParts) {
	end := s.le32(4) + 8
	w.whole = end <= s.size()
	w.walk(s, 12, min(end, s.size()))
	w.size(s)
	return w
}

func (w *webpParts) walk(s source, at, end int) {
	for steps := 0; at+8 <= end && steps < maxSteps; steps++ {
		body, size := at+8, s.le32(at+4)
		next := body + size + size&1
		chunk := span{at, min(body+size, end)}
		switch {
		case s.has(at, "VP8X"):
			w.more = s.at(body)&2 != 0
			w.canvasW, w.canvasH = s.le24(body+4)+1, s.le24(body+7)+1
		case s.has(at, "ANMF") && w.image.to == 0:
			w.x, w.y = 2*s.le24(body), 2*s.le24(body+3)
			w.walk(s, body+16, chunk.to)
		case s.has(at, "ALPH") && w.image.to == 0:
			w.alpha = chunk
		case (s.has(at, "VP8 ") || s.has(at, "VP8L")) && w.image.to == 0:
			w.image, w.lossless = chunk, s.at(at+3) == 'L'
		case s.has(at, "EXIF"), s.has(at, "XMP "):
			w.metadata = true
		}
		at = next
	}
}

// size reads the dimensions of the frame. Without a canvas it is the whole
// picture.
func (w *webpParts) size(s source) {
	body := w.image.from + 8
	switch {
	case w.image.to == 0:
	case w.lossless:
		bits := s.le32(body + 1)
		w.width, w.height = bits&0x3fff+1, bits>>14&0x3fff+1
	case s.has(body+3, "\x9d\x01\x2a"):
		w.width, w.height = s.le16(body+6)&0x3fff, s.le16(body+8)&0x3fff
	}
	if w.canvasW == 0 {
		w.canvasW, w.canvasH = w.width, w.height
	}
}

func probeWebP(s source) (i Info) {
	w := findWebP(s)
	if w.x+w.width > w.canvasW || w.y+w.height > w.canvasH {
		return i
	}
	i.Width, i.Height = w.canvasW, w.canvasH
	i.Whole = w.whole && w.width > 0
	i.Metadata = w.metadata
	i.depth = 4
	if w.lossless || w.alpha.to > 0 {
		i.depth = 20 // transforms and planes beside the pixels
	}
	return i
}

// decodeWebP decodes the first frame, put into a file of its own: the decoder
// knows neither animations nor flags that are wrong.
func decodeWebP(in *input, _ *Info) (image.Image, image.Point, error) {
	w := findWebP(in.text)
	at := image.Pt(w.x, w.y)
	if w.width == 0 || w.height == 0 {
		return nil, at, errDecode
	}
	head := []byte("RIFF\x00\x00\x00\x00WEBP")
	alpha, body := in.file[w.alpha.from:w.alpha.to], in.file[w.image.from:w.image.to]
	if w.lossless {
		alpha = nil
	}
	if len(alpha) > 0 {
		const hasAlpha = 1 << 4
		head = append(head, "VP8X\x0a\x00\x00\x00"...)
		head = binary.LittleEndian.AppendUint32(head, hasAlpha)
		head = append(head, byte(w.width-1), byte((w.width-1)>>8), 0, byte(w.height-1), byte((w.height-1)>>8), 0)
	}
	alone := bytes.Join([][]byte{head, alpha, pad(alpha), body, pad(body)}, nil)
	binary.LittleEndian.PutUint32(alone[4:], uint32(len(alone)-8))
	m, err := webp.Decode(&input{ctx: in.ctx, file: alone})
	return m, at, err
}

// pad returns the byte that makes a chunk even.
func pad(chunk []byte) []byte { return make([]byte, len(chunk)&1) }
