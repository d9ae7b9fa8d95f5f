package imaging

import (
	"context"
	"errors"
	"image"
	"testing"
	"time"
)

// seeds are files of every kind, whole and cut.
func seeds() [][]byte {
	m := photo(16, 12)
	alpha := logo(16, 12)
	planes := [][]byte{m.Pix[:192], m.Pix[192:384], m.Pix[384:576], m.Pix[576:]}
	var list [][]byte
	for _, file := range [][]byte{
		pngOf(m), pngOf(alpha), pngOf(paletted(m)), pngOf(image.NewGray16(m.Rect)), pngOf(image.NewNRGBA64(m.Rect)),
		withChunk(withChunk(pngOf(m), "tEXt", "a\x00b"), "acTL", "\x00\x00\x00\x02\x00\x00\x00\x00"),
		jpegOf(m), withExif(jpegOf(m), 6), jpegOf(image.NewGray(m.Rect)),
		oddJPEG(16, 12, true, -1, planes[:3]...), oddJPEG(16, 12, false, 0, planes...), oddJPEG(16, 12, true, 2, planes...),
		gifOf(paletted(m)), gifOf(paletted(m), paletted(m)), webpFile(losslessWebP(alpha)),
		webpFile(canvas(8|16, 16, 12), losslessWebP(alpha), webpChunk("EXIF", []byte("x"))),
		animatedWebP(20, 20, 2, 2, alpha, alpha), must(decodeAll(lossyWebP)), bmpOf(m), tiffOf(m), tiffOf(alpha),
		heifOf("heic", 16, 12), []byte("<svg xmlns='x'/>"), []byte("%PDF-1.7"), []byte("iVBORw0KGgo="),
		{},
	} {
		list = append(list, file, file[:len(file)/2])
	}
	return list
}

// FuzzProbe: a header is read without a fault, and its verdict is one that the
// rest can work with.
func FuzzProbe(f *testing.F) {
	for _, file := range seeds() {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := Read(Encode(file), "")
		if err != nil {
			return
		}
		for _, l := range []Limits{{}, {MaxSide: 1, Types: []string{PNG}}, {StripMetadata: true, Turn: true}} {
			v := l.Judge(r.Picture)
			if v.Orientation < 1 || v.Orientation > 8 || v.Width < 0 || v.Height < 0 || v.Err == nil && !v.Fits() && v.memory() > maxMemory {
				t.Errorf("%+v", v)
			}
		}
	})
}

// FuzzFit: whatever is stored, what goes out fits, is what it says it is, and
// stays as it is (G-2); the rest is an omission.
func FuzzFit(f *testing.F) {
	for _, file := range seeds() {
		f.Add(Encode(file), byte(0))
		f.Add(Encode(file), byte(0xff))
	}
	f.Add("data:image/png;base64,iVBORw0K", byte(3))
	f.Add("ab-_", byte(1))
	f.Fuzz(func(t *testing.T, stored string, options byte) {
		l := Limits{StripMetadata: options&1 != 0, Turn: options&2 != 0}
		if options&4 != 0 {
			l.MaxSide = 8
		}
		if options&8 != 0 {
			l.Types = []string{PNG, JPEG}
		}
		if options&16 != 0 {
			l.MaxBytes = 700
		}
		if _, ok := canonical(stored); ok && Corrupt(stored) {
			t.Fatal("corrupt, but it can be read")
		}
		read, err := Read(stored, "image/png")
		if err != nil {
			omitted(t, err)
			return
		}
		// Large pictures are legal and slow.
		if v := l.Judge(read.Picture); v.pixels() > 1<<20 {
			return
		}
		ctx, cancel := context.WithTimeout(bg, 20*time.Second)
		defer cancel()
		r := NewReducer().Fit(ctx, Job{Picture: read.Picture}, l)
		if r.Err != nil {
			omitted(t, r.Err)
			return
		}
		if !l.Takes(r.Picture.MediaType) || source(r.Picture.Data).size() > l.MaxFile() || !isCanonical(r.Picture.Data) {
			t.Fatalf("%s of %d bytes goes out", r.Picture.MediaType, source(r.Picture.Data).size())
		}
		if got, _ := recognise(r.Picture.Data); got != r.Picture.MediaType {
			t.Fatalf("%s is declared as %s", got, r.Picture.MediaType)
		}
		if again := NewReducer().Fit(ctx, Job{Picture: r.Picture}, l); again.Err != nil || again.Picture != r.Picture {
			t.Fatalf("a second run gives %v", again.Err)
		}
	})
}

func omitted(t *testing.T, err error) {
	var o *Omission
	if !errors.As(err, &o) || o.Rule == "" || o.Reason == "" || len(o.Reason) > 200 {
		t.Fatalf("no omission: %v", err)
	}
}
