package imaging

import (
	"bytes"
	"context"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	xbmp "golang.org/x/image/bmp"
	xtiff "golang.org/x/image/tiff"

	"hygeia/imaging/internal/scaledjpeg"
)

// frame is the decoded first frame of a picture, and where it lies on the canvas.
type frame struct {
	image.Image
	at            image.Point
	width, height int // of the canvas, in pixels
	scale         int // how many of them each decoded pixel is wide and high
}

// covers reports whether the frame is the whole canvas.
func (f *frame) covers() bool {
	return f.at == image.Point{} && f.Bounds().Size() == image.Pt(f.across(), f.down())
}

// across and down are the numbers of decoded pixels that fill the canvas.
func (f *frame) across() int { return (f.width + f.scale - 1) / f.scale }
func (f *frame) down() int   { return (f.height + f.scale - 1) / f.scale }

// decoder reads the first frame of a picture and says where it lies.
type decoder func(in *input, i *Info) (image.Image, image.Point, error)

// decoders are there for all formats that can be reduced and converted.
var decoders = map[string]decoder{
	PNG: still(png.Decode), JPEG: decodeJPEG, GIF: decodeGIF, WebP: decodeWebP, bmp: still(xbmp.Decode), tiff: still(xtiff.Decode),
}

// decode reads a picture whose header was found to be within the bounds, at a
// smaller scale where that leaves enough for a picture of side pixels. Errors are
// errDecode or that of the context. A decoder may panic.
func decode(ctx context.Context, p Picture, i *Info, side int) (*frame, error) {
	file, err := decodeAll(p.Data)
	if err != nil {
		return nil, errDecode
	}
	f := &frame{width: i.Width, height: i.Height, scale: 1}
	if p.MediaType == JPEG {
		scale := jpegScale(max(i.Width, i.Height), side)
		if m, ok := scaledjpeg.Decode(ctx, file, scale); ok {
			f.Image, f.scale = m, scale
			return f, nil
		}
	}
	f.Image, f.at, err = decoders[p.MediaType](&input{ctx: ctx, text: source(p.Data), file: file}, i)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil, f.Image == nil, f.Bounds().Empty(), f.at.X+f.Bounds().Dx() > f.width, f.at.Y+f.Bounds().Dy() > f.height:
		return nil, errDecode
	}
	return f, nil
}

// still makes a decoder of one whose pictures fill their canvas.
func still(decode func(io.Reader) (image.Image, error)) decoder {
	return func(in *input, _ *Info) (image.Image, image.Point, error) {
		m, err := decode(in)
		return m, image.Point{}, err
	}
}

// maxScannedPixels bounds the work on a progressive JPEG, whose scans may each
// go over the whole picture and take next to no bytes.
const maxScannedPixels = 1 << 31

func decodeJPEG(in *input, i *Info) (image.Image, image.Point, error) {
	in.scans = maxScannedPixels / i.pixels()
	end := bytes.NewReader([]byte{0xff, eoi}) // may be all that is missing
	m, err := jpeg.Decode(io.MultiReader(in, end))
	return m, image.Point{}, err
}

// jpegScale returns the largest scale at which a JPEG that is longest pixels long
// may be decoded for a picture of side pixels, 1 for none. What is left must be
// half as long again: with less, the second reduction blurs text.
func jpegScale(longest, side int) int {
	scale := 8
	for scale > 1 && 2*longest < 3*scale*side {
		scale /= 2
	}
	return scale
}

func decodeGIF(in *input, _ *Info) (image.Image, image.Point, error) {
	m, err := gif.Decode(in)
	if err != nil {
		return nil, image.Point{}, err
	}
	return m, m.Bounds().Min, nil
}

// input is a file that ends when the context does, or when a JPEG has too many
// scans.
type input struct {
	ctx   context.Context
	text  source // of the file
	file  []byte
	at    int
	scans int // that may still come, 0: not counted
}

func (in *input) Read(b []byte) (int, error) {
	switch {
	case in.ctx.Err() != nil:
		return 0, in.ctx.Err()
	case in.at == len(in.file):
		return 0, io.EOF
	}
	n := copy(b, in.file[in.at:])
	if in.scans > 0 {
		// The last byte of the piece before may be the first of a marker.
		if in.scans -= bytes.Count(in.file[max(in.at-1, 0):in.at+n], []byte{0xff, sos}); in.scans <= 0 {
			return 0, io.ErrUnexpectedEOF
		}
	}
	in.at += n
	return n, nil
}
