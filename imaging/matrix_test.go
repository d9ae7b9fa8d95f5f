package imaging

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"testing"
)

// The test matrix of file 30 §9, by the decisions and Better items where they
// differ from the baseline. size is the picture that comes out, same means the
// one that went in.
func TestMatrix(t *testing.T) {
	largePictures(t)
	wide := pngOf(photo(2400, 600))
	for _, test := range []struct {
		name   string
		file   []byte
		limits Limits
		want   string // media type and size, "same", or the reason
	}{
		{"pass I-16", pngOf(photo(4, 4)), Limits{}, "same"},
		{"pass jpeg I-16", jpegOf(photo(40, 20)), Limits{}, "same"},
		{"pass 4.6 MB I-16", pngOf(noise(1190, 1000)), Limits{}, "same"},
		{"side I-20, I-23", wide, Limits{}, "image/jpeg 1200x300"},
		{"setting I-04", wide, Limits{MaxSide: 800}, "image/jpeg 800x200"},
		{"setting is no reason to enlarge", pngOf(photo(40, 20)), Limits{MaxSide: 8000}, "same"},
		{"one pixel too wide I-17", pngOf(photo(1201, 3)), Limits{}, "image/jpeg 1200x3"},
		{"exif I-24", withExif(jpegOf(photo(2400, 600)), 6), Limits{}, "image/jpeg 300x1200"},
		{"exif small I-16", withExif(jpegOf(photo(40, 20)), 6), Limits{}, "same"},
		{"exif small, to be turned I-B10", withExif(jpegOf(photo(40, 20)), 6), Limits{Turn: true}, "image/jpeg 20x40"},
		{"upright, to be turned I-B10", jpegOf(photo(40, 20)), Limits{Turn: true}, "same"},
		{"alpha I-B01", pngOf(logo(1400, 1400)), Limits{}, "image/png 1200x1200"},
		{"more than 10 MiB are reduced D-06", pngOf(noise(2200, 1700)), Limits{}, "image/jpeg 1200x927"},
		{"pixels are reduced D-45", pngOf(image.NewGray(image.Rect(0, 0, 5200, 5000))), Limits{}, "image/png 1200x1154"},
		{"pixels edge I-06", pngOf(image.NewGray(image.Rect(0, 0, 5000, 5000))), Limits{MaxSide: 5000}, "same"},
		{"pixels above the edge I-06", pngOf(image.NewGray(image.Rect(0, 0, 5001, 5000))), Limits{MaxSide: 5001}, "image/png 4999x4998"},
		{"too many pixels I-28, I-B09", hugePNG(10_001, 10_000), Limits{}, "too many pixels (10001x10000)"},
		{"absurd pixels I-28", hugePNG(1<<31-1, 1<<31-1), Limits{}, "cannot decode"},
		{"truncated I-30", wide[:200], Limits{}, "cannot decode"},
		{"truncated small", pngOf(photo(40, 20))[:200], Limits{}, "cannot decode"},
		{"no header I-30", []byte("\x89PNG\r\n\x1a\n"), Limits{}, "cannot decode"},
		{"bytes I-22", pngOf(noise(500, 500)), Limits{MaxBytes: 300_000}, "image/jpeg 500x500"},
		{"impossible at its side I-B04", pngOf(noise(500, 500)), Limits{MaxBytes: 60_000}, "image/jpeg 384x384"},
		{"impossible at all I-31", pngOf(noise(500, 500)), Limits{MaxBytes: 2000}, "cannot be reduced below 2.0KB (got 10.2KB)"},
		{"impossible as a PNG I-31", pngOf(noise(300, 300)), Limits{Types: []string{PNG}, MaxBytes: 2000}, "cannot be reduced below 2.0KB (got 183.9KB)"},
		{"text I-B05", pngOf(noise(1190, 1000)), Limits{MaxText: 4_000_000}, "image/jpeg 1190x1000"},
		{"gif is taken I-16", gifOf(paletted(photo(40, 20)), paletted(photo(40, 20))), Limits{}, "same"},
		{"gif is not taken I-26", gifOf(uniform(8, 8, color.White), uniform(8, 8, color.Black)), Limits{Types: []string{PNG, JPEG}}, "image/png 8x8"},
		{"webp is not taken", webpFile(losslessWebP(logo(30, 20))), Limits{Types: []string{PNG}}, "image/png 30x20"},
		{"bmp I-27, I-B02", bmpOf(photo(60, 40)), Limits{}, "image/jpeg 60x40"},
		{"tiff I-27, I-B02", tiffOf(photo(60, 40)), Limits{}, "image/jpeg 60x40"},
		{"heic I-27, I-B02", heifOf("heic", 4, 4), Limits{}, "unsupported format image/heic"},
		{"heic where it is taken GG-16", heifOf("heic", 4032, 3024), Limits{Types: []string{PNG, "image/heic"}}, "same"},
		{"heic that is too large GG-16", heifOf("heic", 9, 9), Limits{Types: []string{"image/heic"}, MaxBytes: 20}, "105B of image/heic cannot be reduced below 20B"},
		{"ico I-B02", []byte("\x00\x00\x01\x00\x01\x00"), Limits{}, "unsupported format image/x-icon"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := picture(test.file)
			r := fitOne(test.file, test.limits)
			got := ""
			switch {
			case r.Err != nil:
				got = r.Err.Error()
				var o *Omission
				if !errors.As(r.Err, &o) || o.Rule == "" {
					t.Errorf("%v names no rule", r.Err)
				}
			case r.Picture == p:
				got = "same"
			default:
				m := open(t, r.Picture)
				got = fmt.Sprintf("%s %dx%d", r.Picture.MediaType, m.Bounds().Dx(), m.Bounds().Dy())
				if len(r.Why) == 0 || r.Why[0].Rule == "" {
					t.Error("there is no reason")
				}
				if n := source(r.Picture.Data).size(); n > test.limits.MaxFile() {
					t.Errorf("%d bytes are over %d", n, test.limits.MaxFile())
				}
				if again := fitOne(must(decodeAll(r.Picture.Data)), test.limits); !again.Fits() || again.Picture != r.Picture {
					t.Errorf("the result does not fit itself: %+v", again.Verdict) // G-2
				}
				if i := Probe(r.Picture); i.Metadata || i.Orientation != 1 {
					t.Errorf("metadata is left: %+v", i) // I-24
				}
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// I-20, I-B04: the sides that are tried.
func TestSides(t *testing.T) {
	for _, test := range []struct {
		most, longest int
		want          []int
	}{
		{1200, 2400, []int{1200, 1000, 800, 640, 512, 384, 256}},
		{800, 2400, []int{800, 640, 512, 384, 256}},
		{2000, 2400, []int{2000, 1800, 1600, 1400, 1200, 1000, 800, 640, 512, 384, 256}},
		{1200, 900, []int{900, 800, 640, 512, 384, 256}},
		{1200, 500, []int{500, 384, 256}},
		{100, 500, []int{100}},
	} {
		got := sides(test.most, test.longest)
		if len(got) != len(test.want) {
			t.Errorf("%v: got %v", test, got)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%v: got %v", test, got)
			}
		}
	}
}

// I-33: sizes for people.
func TestSize(t *testing.T) {
	for n, want := range map[int]string{0: "0B", 1023: "1023B", 1024: "1.0KB", 62_000: "60.5KB", 1 << 20: "1.00MB", 5_130_000: "4.89MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

// I-21, I-22: qualities are tried from 85 down to 35, and the first one that is
// small enough is taken.
func TestQualities(t *testing.T) {
	largePictures(t)
	m := noise(200, 200)
	for _, q := range []int{85, 75, 65, 55, 45, 35} {
		size := len(must(encodeJPEG(m, q)))
		r := fitOne(pngOf(m), Limits{MaxBytes: size})
		if got := source(r.Picture.Data).size(); got != size || r.Quality != q {
			t.Errorf("limit %d of quality %d: got %d bytes of quality %d", size, q, got, r.Quality)
		}
	}
}
