package images

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

var (
	seeing = &policy.Policy{Model: policy.Model{Images: true}}
	narrow = &policy.Policy{Model: policy.Model{Images: true}, Wire: policy.Wire{MaxImages: 2, MaxBodyBytes: 500, ImageTypes: []string{"image/png"}}}
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestRandom(t *testing.T) { // G-2, G-3, G-4
	for _, p := range []*policy.Policy{seeing, {}, narrow} {
		passtest.Attack(t, p, Pass)
	}
}

func TestStable(t *testing.T) { // G-5, below the limits of W-104
	passtest.Stable(t, seeing, Pass)
	passtest.Stable(t, &policy.Policy{}, Pass)
}

func TestCleanIsFree(t *testing.T) { passtest.Free(t, Pass, seeing, 8) } // G-6, I-B13

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, seeing) }

// One reading for all spellings of the same data (I-13, I-B03, W-103).
func TestCanonical(t *testing.T) {
	for stored, want := range map[string]string{
		"QUJD": "QUJD", "QUI=": "QUI=", "QUI": "QUI=", " QU\nJD ": "QUJD", "ab-_": "ab+/", "ab+/": "ab+/",
		"": "", " \n": "", "data:image/png;base64,QUJD": "QUJD", "DATA:image/png;charset=x;BASE64,\nQU JD": "QUJD",
		"data:image/png;base64,": "", "QQ": "QQ==", "A\x00A\x00AA": "AAAA",
		"QUJ": "!", "A": "!", "QUI==": "!", "a+b-": "!", "!!!!": "!", "QU=I": "!", "====": "!", "QUJDQ===": "!", "QR==": "!",
		"data:image/png,QUJD": "!", "data:image/png;base64": "!", "é123": "!",
	} {
		got, ok := canonical(stored)
		if !ok {
			got.data = "!"
		}
		if got.data != want {
			t.Errorf("%q: got %q, want %q", stored, got.data, want)
		}
		if ok && (got.rule == "") != (stored == want && want != "") {
			t.Errorf("%q: rule %q", stored, got.rule)
		}
	}
}

// What an encoder writes is canonical, and nothing else is.
func TestIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := base64.StdEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "bytes"))
		if !isCanonical(text) {
			t.Fatalf("%q is not canonical", text)
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text = text[:at] + rapid.StringOfN(rapid.RuneFrom([]rune("AQRgw0+/-_= é")), 0, 2, -1).Draw(t, "change") + text[at+1:]
		decoded, err := base64.StdEncoding.DecodeString(text)
		if want := err == nil && len(decoded) > 0 && base64.StdEncoding.EncodeToString(decoded) == text; isCanonical(text) != want {
			t.Fatalf("%q: got %t, want %t", text, !want, want)
		}
	})
}

// The format is that of the bytes (I-B02, W-102).
func TestRecognise(t *testing.T) {
	for magic, want := range map[string]string{
		"\x89PNG\r\n\x1a\n": "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "GIF89a": "image/gif", "GIF87a": "image/gif",
		"RIFF\x01\x02\x03\x04WEBPVP8 ": "image/webp", "RIFF\x01\x02\x03\x04WAVE": "", "BM\x01": "image/bmp",
		"II*\x00": "image/tiff", "\x00\x00\x00\x1cftypavif": "image/avif", "\x00\x00\x00\x1cftypheic": "image/heic",
		"%PDF-1.7": "application/pdf", "<svg/>": svg, "\ufeff \n<?xml version=\"1.0\"?><SVG>": svg, "<!DOCTYPE html>": html,
		"<html><body>404": html, "<x>": "", "plain text": "", "\x89PNG": "", "": "",
	} {
		if got, _ := recognise(base64.StdEncoding.EncodeToString([]byte(magic))); got != want {
			t.Errorf("%q: got %q, want %q", magic, got, want)
		}
	}
}

// A reducer sees what may be decoded and decides what is sent; markup and
// unknown bytes never reach it (I-17, I-B02).
func TestReducer(t *testing.T) {
	var seen []string
	pngOnly := &policy.Policy{Model: policy.Model{Images: true}, Wire: policy.Wire{ImageTypes: []string{"image/png"}}}
	pass := New(func(p Picture, to *policy.Policy) (Picture, error) {
		if to != pngOnly {
			t.Error("the reducer does not get the policy")
		}
		seen = append(seen, p.MediaType)
		switch p.MediaType {
		case "image/gif":
			return Picture{"image/png", passtest.PNG}, nil
		case "image/bmp":
			return Picture{}, errors.New("cannot decode")
		}
		return p, nil
	})
	image := func(data, mediaType string) string {
		return fmt.Sprintf(`{"role":"user","content":[{"type":"image","data":"%s","mimeType":"%s"}]}`, base64.StdEncoding.EncodeToString([]byte(data)), mediaType)
	}
	in := strings.Join([]string{
		image("GIF89a", "image/gif"), image("BMxxxx", "image/bmp"), image("\xff\xd8\xff", "image/jpeg"),
		image("<svg/>", "image/svg+xml"), image("junk", "image/png"), image("\x89PNG\r\n\x1a\n", "image/png"),
	}, "\n")
	res := hygiene.Sanitize(transcript.NewContext(casetest.Messages(t, []byte(in))), policy.Target{}, pngOnly, []*hygiene.Pass{pass})
	if got, want := strings.Join(seen, " "), "image/gif image/bmp image/jpeg image/png"; got != want {
		t.Errorf("reduced %s, want %s", got, want)
	}
	want := `I-17 replace message=0 block=0 lossy: picture does not fit the target
I-17 replace message=1 block=0 lossy synthetic: image is left out: cannot decode
I-B02 replace message=2 block=0 lossy synthetic: image is left out: unsupported format image/jpeg
I-B02 replace message=3 block=0 lossy synthetic: image is left out: unsupported format image/svg+xml
I-B02 replace message=4 block=0 lossy synthetic: image is left out: not a picture, declared as image/png
`
	if got := string(casetest.Changes(&res.Report)); got != want {
		t.Errorf("changes:\n%s", got)
	}
	if out := string(casetest.Lines(res.Messages[:1])); !strings.Contains(out, passtest.PNG) || !strings.Contains(out, `"mimeType":"image/png"`) {
		t.Errorf("the reduced picture is not sent: %s", out)
	}
}

// W-104: the surplus goes in steps of a quarter, the newest stay (B114-1).
func TestSurplus(t *testing.T) {
	for _, c := range [][3]int{{104, 100, 25}, {100, 100, 0}, {126, 100, 50}, {9, 8, 2}, {2, 1, 1}, {5, 3, 2}, {5, 0, 0}} {
		if got := surplus(c[0], c[1]); got != c[2] {
			t.Errorf("surplus of %d over %d: got %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
