package imaging

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	xbmp "golang.org/x/image/bmp"
	xtiff "golang.org/x/image/tiff"
	"golang.org/x/image/webp"
)

// frame is the decoded first frame of a picture, and where it lies on the canvas.
type frame struct {
	image.Image
	at            image.Point
	width, height int // of the canvas, in pixels
}

// covers reports whether the frame is the whole canvas.
func (f *frame) covers() bool {
	return f.at == image.Point{} && f.Bounds().Size() == image.Pt(f.width, f.height)
}

// decode reads a picture whose header was found to be within the bounds. Errors
// are errDecode or that of the context. A decoder may panic.
func decode(ctx context.Context, p Picture, i *Info) (*frame, error) {
	file, err := decodeAll(p.Data)
	if err != nil {
		return nil, errDecode
	}
	if p.MediaType == JPEG {
		file = append(file, 0xff, eoi) // the end may be all that is missing
	}
	in := &input{file: bytes.NewReader(file), ctx: ctx}
	f := &frame{width: i.Width, height: i.Height}
	switch p.MediaType {
	case PNG:
		f.Image, err = png.Decode(in)
	case JPEG:
		in.scans = maxScannedPixels / i.pixels()
		f.Image, err = jpeg.Decode(in)
	case GIF:
		if f.Image, err = gif.Decode(in); err == nil {
			f.at = f.Bounds().Min
		}
	case WebP:
		f.Image, f.at, err = decodeWebP(ctx, file, source(p.Data))
	case bmp:
		f.Image, err = xbmp.Decode(in)
	case tiff:
		f.Image, err = xtiff.Decode(in)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil, f.Image == nil, f.Bounds().Empty(), f.at.X+f.Bounds().Dx() > f.width, f.at.Y+f.Bounds().Dy() > f.height:
		return nil, errDecode
	}
	return f, nil
}

// maxScannedPixels bounds the work on a progressive JPEG, whose scans may each
// go over the whole picture and take next to no bytes.
const maxScannedPixels = 1 << 33

// input is a file that ends when the context does, or when a JPEG has too many
// scans.
type input struct {
	file  *bytes.Reader
	ctx   context.Context
	scans int // that may still come, 0: not counted
	last  byte
}

func (in *input) Read(b []byte) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := in.file.Read(b)
	if in.scans == 0 || n == 0 {
		return n, err
	}
	in.scans -= bytes.Count(b[:n], []byte{0xff, sos})
	if in.last == 0xff && b[0] == sos {
		in.scans--
	}
	in.last = b[n-1]
	if in.scans <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// decodeWebP decodes the first frame of a WebP file, put into a file of its own:
// the decoder knows neither animations nor flags that are wrong.
func decodeWebP(ctx context.Context, file []byte, s source) (image.Image, image.Point, error) {
	w := findWebP(s)
	at := image.Pt(w.x, w.y)
	if w.width == 0 || w.height == 0 {
		return nil, at, errDecode
	}
	head := []byte("RIFF\x00\x00\x00\x00WEBP")
	alpha, body := file[w.alpha.from:w.alpha.to], file[w.image.from:w.image.to]
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
	img, err := webp.Decode(&input{file: bytes.NewReader(alone), ctx: ctx})
	return img, at, err
}

// pad returns the byte that makes a chunk even.
func pad(chunk []byte) []byte { return make([]byte, len(chunk)&1) }
