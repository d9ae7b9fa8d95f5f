package imaging

import (
	"encoding/binary"
	"image"
	"image/color"
	"runtime"
	"testing"
)

// Every format tells its size in the header (I-15), and what else it says.
func TestProbe(t *testing.T) {
	m := photo(37, 21)
	n := image.NewNRGBA(image.Rect(0, 0, 37, 21))
	for name, test := range map[string]struct {
		file   []byte
		want   Info
		moving bool
	}{
		"png":          {pngOf(m), Info{MediaType: PNG, Whole: true}, false},
		"png text":     {withChunk(pngOf(m), "tEXt", "Author\x00x"), Info{MediaType: PNG, Whole: true, Metadata: true}, false},
		"apng":         {withChunk(pngOf(m), "acTL", "\x00\x00\x00\x02\x00\x00\x00\x00"), Info{MediaType: PNG, Whole: true}, true},
		"cut png":      {pngOf(m)[:200], Info{MediaType: PNG}, false},
		"jpeg":         {jpegOf(m), Info{MediaType: JPEG, Whole: true}, false},
		"grey jpeg":    {jpegOf(image.NewGray(m.Rect)), Info{MediaType: JPEG, Whole: true}, false},
		"turned jpeg":  {withExif(jpegOf(m), 6), Info{MediaType: JPEG, Whole: true, Orientation: 6, Metadata: true}, false},
		"icc jpeg":     {withSegment(jpegOf(m), app2, "ICC_PROFILE\x00\x01\x01x"), Info{MediaType: JPEG, Whole: true}, false},
		"comment":      {withSegment(jpegOf(m), com, "hello"), Info{MediaType: JPEG, Whole: true, Metadata: true}, false},
		"cut jpeg":     {jpegOf(m)[:700], Info{MediaType: JPEG}, false},
		"fill bytes":   {append([]byte{0xff, soi, 0xff, 0xff, 0xff}, jpegOf(m)[3:]...), Info{MediaType: JPEG, Whole: true}, false},
		"gif":          {gifOf(paletted(m)), Info{MediaType: GIF, Whole: true}, false},
		"animation":    {gifOf(paletted(m), paletted(m)), Info{MediaType: GIF, Whole: true}, true},
		"cut gif":      {gifOf(paletted(m))[:900], Info{MediaType: GIF}, false},
		"webp":         {webpFile(losslessWebP(n)), Info{MediaType: WebP, Whole: true}, false},
		"large webp":   {webpFile(canvas(0, 37, 21), losslessWebP(n)), Info{MediaType: WebP, Whole: true}, false},
		"webp exif":    {webpFile(canvas(8, 37, 21), losslessWebP(n), webpChunk("EXIF", []byte("x"))), Info{MediaType: WebP, Whole: true, Metadata: true}, false},
		"moving webp":  {animatedWebP(37, 21, 2, 4, image.NewNRGBA(image.Rect(0, 0, 9, 9))), Info{MediaType: WebP, Whole: true}, true},
		"cut webp":     {webpFile(losslessWebP(n))[:300], Info{MediaType: WebP}, false},
		"bmp":          {bmpOf(m), Info{MediaType: bmp, Whole: true}, false},
		"tiff":         {tiffOf(m), Info{MediaType: tiff, Whole: true}, false},
		"old bmp":      {append(append([]byte("BM"), make([]byte, 12)...), 12, 0, 0, 0, 37, 0, 21, 0, 1, 0, 24, 0), Info{MediaType: bmp, Whole: true}, false},
		"bmp from top": {turnedBMP(m), Info{MediaType: bmp, Whole: true}, false},
		"tiff of Macs": {[]byte("MM\x00*\x00\x00\x00\x08\x00\x02\x01\x00\x00\x03\x00\x00\x00\x01\x00\x25\x00\x00\x01\x01\x00\x04\x00\x00\x00\x01\x00\x00\x00\x15"), Info{MediaType: tiff, Whole: true}, false},
		"heif":         {heifOf("mif1", 37, 21), Info{MediaType: heif, Whole: true}, false},
		"heic":         {heifOf("heic", 37, 21), Info{MediaType: heic, Whole: true}, false},
		"avif":         {heifOf("avif", 37, 21), Info{MediaType: avif, Whole: true}, false},
		"progressive":  {oddJPEG(37, 21, true, -1, make([]byte, 37*21)), Info{MediaType: JPEG, Whole: true}, false},
		"four colours": {oddJPEG(37, 21, false, 0, grey4(37, 21)...), Info{MediaType: JPEG, Whole: true}, false},
	} {
		got := Probe(picture(test.file))
		test.want.Width, test.want.Height, test.want.depth = 37, 21, got.depth
		test.want.Orientation = max(1, test.want.Orientation)
		if moving := Animated(picture(test.file)); moving != test.moving {
			t.Errorf("%s: animated %t", name, moving)
		}
		if got != test.want || got.depth == 0 && got.MediaType != heic && got.MediaType != avif && got.MediaType != heif {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
	lossy := Probe(Picture{WebP, lossyWebP})
	if lossy.Width != 16 || lossy.Height != 12 || !lossy.Whole {
		t.Errorf("lossy webp: %+v", lossy)
	}
	if i := Probe(picture(animatedWebP(8, 8, 2, 0, image.NewNRGBA(image.Rect(0, 0, 8, 8))))); i.Width != 0 {
		t.Errorf("a frame outside of the canvas: %+v", i)
	}
}

// turnedBMP is stored from top to bottom, which a negative height says.
func turnedBMP(m *image.RGBA) []byte {
	file := bmpOf(m)
	binary.LittleEndian.PutUint32(file[22:], uint32(-int32(m.Rect.Dy())))
	return file
}

func grey4(w, h int) [][]byte {
	p := make([]byte, w*h)
	return [][]byte{p, p, p, p}
}

// heifOf is the skeleton of a HEIF file with a thumbnail.
func heifOf(brand string, w, h int) []byte {
	box := func(name string, body ...[]byte) []byte {
		var all []byte
		for _, b := range body {
			all = append(all, b...)
		}
		return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(all)+8)), name...), all...)
	}
	ispe := func(w, h int) []byte {
		b := binary.BigEndian.AppendUint32(make([]byte, 4), uint32(w))
		return box("ispe", binary.BigEndian.AppendUint32(b, uint32(h)))
	}
	return append(box("ftyp", []byte(brand+"\x00\x00\x00\x00mif1")), append(
		box("meta", make([]byte, 4), box("iprp", box("ipco", ispe(4, 4), ispe(w, h)))), box("mdat", make([]byte, 9))...)...)
}

// The memory that a decoder needs is never underestimated, or the bound on it
// would not hold (I-B11, D-45).
func TestMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes memory of its own")
	}
	wide := image.Rect(0, 0, 400, 300)
	nrgba64, gray16 := image.NewNRGBA64(wide), image.NewGray16(wide)
	nrgba64.SetNRGBA64(3, 3, color.NRGBA64{1, 2, 3, 4})
	planes := [][]byte{make([]byte, 120_000), make([]byte, 120_000), make([]byte, 120_000), make([]byte, 120_000)}
	for name, file := range map[string][]byte{
		"rgb": pngOf(photo(400, 300)), "alpha": pngOf(logo(400, 300)), "16 bits": pngOf(nrgba64), "grey": pngOf(image.NewGray(wide)),
		"grey 16": pngOf(gray16), "palette": pngOf(paletted(photo(400, 300))), "jpeg": jpegOf(photo(400, 300)), "gif": gifOf(paletted(photo(400, 300))),
		"progressive": oddJPEG(400, 300, true, -1, planes[:3]...), "rgb jpeg": oddJPEG(400, 300, false, 0, planes[:3]...),
		"cmyk": oddJPEG(400, 300, false, 0, planes...), "webp": webpFile(losslessWebP(logo(400, 300))), "bmp": bmpOf(photo(400, 300)),
		"tiff": tiffOf(nrgba64),
	} {
		p := picture(file)
		i := Probe(p)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := decode(bg, p, &i, 400); err != nil {
			t.Fatal(name, err)
		}
		runtime.ReadMemStats(&after)
		used := int(after.TotalAlloc-before.TotalAlloc) - 2*len(file) - 100_000 // the file and fixed tables
		if used > i.memory() {
			t.Errorf("%s: %d bytes were used, %d were expected", name, used, i.memory())
		}
	}
}
