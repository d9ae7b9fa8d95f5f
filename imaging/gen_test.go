package imaging

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"image/png"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	xbmp "golang.org/x/image/bmp"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	xtiff "golang.org/x/image/tiff"
)

// photo is a picture with soft shapes and grain.
func photo(w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(1, uint64(w*h)))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	rows, columns := make([]float64, h), make([]float64, w)
	for y := range rows {
		rows[y] = math.Sin(float64(y) / 37)
	}
	for x := range columns {
		columns[x] = math.Cos(float64(x) / 53)
	}
	for y := range h {
		for x := range w {
			grain := int(r.Uint32()%25) - 12
			for c := range 3 {
				v := 128 + int(60*rows[y]*columns[x]) + 20*c + grain
				m.Pix[m.PixOffset(x, y)+c] = byte(max(0, min(255, v)))
			}
			m.Pix[m.PixOffset(x, y)+3] = 255
		}
	}
	return m
}

// noise is a picture that cannot be compressed.
func noise(w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(2, uint64(w*h)))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = byte(r.Uint32())
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

var mono = sync.OnceValue(func() font.Face {
	f, err := opentype.Parse(gomono.TTF)
	if err != nil {
		panic(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 26, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err)
	}
	return face
})

// screenshot is a dark window full of text.
func screenshot(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{30, 30, 34, 255}), image.Point{}, draw.Src)
	colours := []color.Color{color.RGBA{212, 212, 212, 255}, color.RGBA{86, 156, 214, 255}, color.RGBA{206, 145, 120, 255}}
	lines := []string{
		"func (r *Reducer) Fit(ctx context.Context, p Picture, l Limits) Result {",
		"\tif v := l.Judge(p); v.Fits() { return Result{Verdict: v, Picture: p} }",
		"// 0123456789 The quick brown fox jumps over the lazy dog; ILl1| O0Q",
	}
	d := font.Drawer{Dst: m, Face: mono()}
	for i := 0; 40+i*34 < h; i++ {
		d.Src = image.NewUniform(colours[i%3])
		for x := 40; x < w-40; x += 1200 {
			d.Dot = fixed.P(x, 40+i*34)
			d.DrawString(lines[(i+x)%3])
		}
	}
	return m
}

// logo has a transparent ground of a hidden colour, a soft edge, and an opaque
// middle.
func logo(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			d := math.Hypot(float64(x-w/2), float64(y-h/2)) / float64(min(w, h)) * 2
			a := max(0, min(1, (0.8-d)*20))
			m.SetNRGBA(x, y, color.NRGBA{0, 0, 255, byte(255 * a)})
		}
	}
	return m
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func pngOf(m image.Image) []byte {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func jpegOf(m image.Image) []byte { return must(encodeJPEG(m, 90)) }

func gifOf(frames ...*image.Paletted) []byte {
	var b bytes.Buffer
	g := &gif.GIF{Image: frames, Delay: make([]int, len(frames))}
	for _, f := range frames {
		g.Config.Width, g.Config.Height = max(g.Config.Width, f.Rect.Max.X), max(g.Config.Height, f.Rect.Max.Y)
	}
	if err := gif.EncodeAll(&b, g); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func bmpOf(m image.Image) []byte {
	var b bytes.Buffer
	if err := xbmp.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func tiffOf(m image.Image) []byte {
	var b bytes.Buffer
	if err := xtiff.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// paletted returns a picture with the colours of the web.
func paletted(m image.Image) *image.Paletted {
	p := image.NewPaletted(m.Bounds(), palette.WebSafe)
	draw.Draw(p, p.Rect, m, m.Bounds().Min, draw.Src)
	return p
}

func uniform(w, h int, c color.Color) *image.Paletted {
	return image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{c})
}

// withExif puts an Exif segment with an orientation into a JPEG.
func withExif(file []byte, orientation int) []byte {
	body := exifMagic + "MM\x00*\x00\x00\x00\x08\x00\x02" +
		"\x01\x0f\x00\x02\x00\x00\x00\x04Cam\x00" + "\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(rune(orientation)) + "\x00\x00" + "\x00\x00\x00\x00"
	return withSegment(file, app1, body)
}

func withSegment(file []byte, marker byte, body string) []byte {
	out := []byte{0xff, soi, 0xff, marker}
	out = binary.BigEndian.AppendUint16(out, uint16(len(body)+2))
	return append(append(out, body...), file[2:]...)
}

// withChunk puts a chunk behind the header of a PNG.
func withChunk(file []byte, name, body string) []byte {
	out := append([]byte(nil), file[:33]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
	out = append(append(out, name...), body...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE([]byte(name+body)))
	return append(out, file[33:]...)
}

// hugePNG is the header of a PNG and nothing else.
func hugePNG(w, h int) []byte {
	file := pngOf(image.NewGray(image.Rect(0, 0, 1, 1)))
	binary.BigEndian.PutUint32(file[16:], uint32(w))
	binary.BigEndian.PutUint32(file[20:], uint32(h))
	return file
}

// picture returns a file as Read gives it.
func picture(file []byte) Picture {
	mediaType, data := recognise(Encode(file))
	return Picture{mediaType, data}
}

// fit runs a file through a Reducer of its own.
func fitOne(file []byte, l Limits) Result {
	return NewReducer().Fit(bg, Job{Picture: picture(file)}, l)
}

// fitted is fit for a picture that has to come out.
func fitted(t testing.TB, file []byte, l Limits) (Picture, image.Image) {
	t.Helper()
	r := fitOne(file, l)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r.Picture, open(t, r.Picture)
}

// open decodes a picture and checks that it is of its type.
func open(t testing.TB, p Picture) image.Image {
	t.Helper()
	file := must(decodeAll(p.Data))
	m, name, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if "image/"+name != p.MediaType {
		t.Fatalf("%s is declared as %s", name, p.MediaType)
	}
	return m
}

// atOf returns the colour of a pixel as 8-bit values.
func atOf(m image.Image, x, y int) color.NRGBA {
	b := m.Bounds()
	if c, ok := m.At(b.Min.X+x, b.Min.Y+y).(color.NRGBA64); ok {
		return color.NRGBA{byte(c.R >> 8), byte(c.G >> 8), byte(c.B >> 8), byte(c.A >> 8)}
	}
	return color.NRGBAModel.Convert(m.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
}

// apart is the largest difference of a channel.
func apart(a, b color.NRGBA) int {
	d := 0
	for _, p := range [][2]byte{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		d = max(d, int(p[0])-int(p[1]), int(p[1])-int(p[0]))
	}
	return d
}

// largePictures skips a test that works on millions of pixels, one after the
// other, where that takes minutes and shows nothing.
func largePictures(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("large pictures")
	}
}
