package imaging

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var bg = context.Background()

// One reading for all spellings of the same data (I-13, I-B03, W-103).
func TestCanonical(t *testing.T) {
	for stored, want := range map[string]string{
		"QUJD": "QUJD", "QUI=": "QUI=", "QUI": "QUI=", " QU\nJD ": "QUJD", "ab-_": "ab+/", "ab+/": "ab+/",
		"": "", " \n": "", "data:image/png;base64,QUJD": "QUJD", "DATA:image/png;charset=x;BASE64,\nQU JD": "QUJD",
		"data:image/png;base64,": "", "QQ": "QQ==", "A\x00A\x00AA": "AAAA",
		"QUJ": "!", "A": "!", "QUI==": "!", "a+b-": "!", "!!!!": "!", "QU=I": "!", "====": "!", "QUJDQ===": "!", "QR==": "!",
		"data:image/png,QUJD": "!", "data:image/png;base64": "!", "é123": "!", "QQ==QUJD": "!",
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

// What an encoder writes is canonical, and nothing else is, also behind the
// first piece that is looked at.
func TestIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Repeat("QUJD", rapid.SampledFrom([]int{0, chunk/3 - 1, chunk / 3, 2*chunk/3 + 1}).Draw(t, "before"))
		text := before + base64.StdEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), 1, 80).Draw(t, "bytes"))
		if !isCanonical(text) {
			t.Fatalf("%q is not canonical", text)
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text = text[:at] + rapid.StringOfN(rapid.RuneFrom([]rune("AQRgw0+/-_=\r\n é")), 0, 4, -1).Draw(t, "change") + text[at+1:]
		decoded, err := base64.StdEncoding.DecodeString(text)
		if want := err == nil && len(decoded) > 0 && base64.StdEncoding.EncodeToString(decoded) == text; isCanonical(text) != want {
			t.Fatalf("%q: got %t, want %t", text, !want, want)
		}
	})
}

// A source gives the bytes that a decoder gives.
func TestSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "bytes")
		s := source(Encode(b))
		if s.size() != len(b) || s.at(len(b)) != 0 || s.at(len(b)+1) != 0 || s.at(len(b)+4) != 0 || s.at(-1) != 0 {
			t.Fatalf("%d bytes have size %d", len(b), s.size())
		}
		for i := range b {
			if s.at(i) != b[i] {
				t.Fatalf("byte %d of %x is %x", i, b, s.at(i))
			}
		}
	})
}

// On disk only data that no decoder reads is damaged (F-55, F-B21).
func TestCorrupt(t *testing.T) {
	for data, want := range map[string]bool{
		"QUJD": false, "QUI": false, "QUI=": false, " QU\nJD ": false, "ab-_": false, "data:image/png;base64,QUJD": false,
		"PHN2Zz4=": false,                // markup is left to the copy
		"QUJ":      false, "a+b-": false, // ambiguous, not unreadable
		"QUI==": false, "QUI===": false, "QUJD====": false, // decoders of some languages do not look at it
		"": false, " ": false,
		"QUJDQ": true, "é123": true, "!!!!": true, "QU=I": true, "====": true, "data:image/png,x": true, "AAA A,A": true,
		"\x00QUJD": false,
	} {
		if Corrupt(data) != want {
			t.Errorf("%q: got %t", data, !want)
		}
		if _, ok := canonical(data); ok && want {
			t.Errorf("%q can be read", data)
		}
	}
}

// The size is known before anything is decoded (I-07, I-11, D-06): 32 MiB pass.
func TestReadSize(t *testing.T) {
	largePictures(t)
	const edge = MaxInput/3*4 + 4 // characters
	text := strings.Repeat("A", edge)
	for _, test := range []struct{ data, want string }{
		{strings.Repeat(" \n", 1000) + text[1:] + "=", "not a picture"}, // 32 MiB
		{text, "image exceeds input size limit (32.00MB)"},              // one byte more
		{strings.Repeat("!", 54_000_000), "image exceeds input size limit (32.00MB)"},
	} {
		if _, err := Read(test.data, ""); err == nil || err.Error() != test.want {
			t.Errorf("%d characters: %v", len(test.data), err)
		}
	}
}

// The format is that of the bytes (I-14, I-B02, W-102).
func TestRecognise(t *testing.T) {
	for magic, want := range map[string]string{
		"\x89PNG\r\n\x1a\n": "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "GIF89a": "image/gif", "GIF87a": "image/gif",
		"RIFF\x01\x02\x03\x04WEBPVP8 ": "image/webp", "RIFF\x01\x02\x03\x04WAVE": "", "BM\x01": "image/bmp",
		"II*\x00": "image/tiff", "\x00\x00\x00\x1cftypavif": "image/avif", "\x00\x00\x00\x1cftypheic": "image/heic",
		"%PDF-1.7": "application/pdf", "<svg/>": svg, "\ufeff \n<?xml version=\"1.0\"?><SVG>": svg, "<!DOCTYPE html>": html,
		"<html><body>404": html, "<x>": "", "plain text": "", "\x89PNG": "", "": "",
	} {
		if got, _ := recognise(Encode([]byte(magic))); got != want {
			t.Errorf("%q: got %q, want %q", magic, got, want)
		}
	}
}

// What Read makes of a block's data, with the rule that allows it.
func TestRead(t *testing.T) {
	data := Encode(pngOf(photo(4, 4)))
	twice := Encode([]byte(data))
	for _, test := range []struct{ stored, declared, want, rule string }{
		{data, "image/jpeg", PNG, ""}, // relabel
		{"data:image/jpeg;base64," + data, "", PNG, "I-B03"},
		{data[:8] + "\r\n" + data[8:], "", PNG, "W-103"},
		{twice, "", PNG, "I-B03"},
		{"", "image/png", "image is empty", "I-12"},
		{"AAAA", "image/png", "not a picture, declared as image/png", "I-B02"}, // garbage
		{"AAAA", "image/svg+xml; charset=x", "not a picture, declared as image/svg+xml", "I-B02"},
		{"AAAA", "X-9.0/a\x00b", "not a picture, declared as X-9.0/a", "I-B02"},
		{"AAAA", "image/é", "not a picture, declared as image/", "I-B02"},
		{"AAAA", strings.Repeat("az", 31), "not a picture, declared as " + strings.Repeat("az", 30), "I-B02"},
		{"AAAA", "<b>x", "not a picture, declared as ", "I-B02"},
		{"QUJ", "", "invalid base64", "W-103"},
		{Encode([]byte("<svg/>")), "", "unsupported format image/svg+xml", "I-B02"},
		{Encode([]byte("%PDF-1.7")), "", "not a picture but application/pdf", "I-B02"},
	} {
		r, err := Read(test.stored, test.declared)
		if err != nil {
			o := err.(*Omission)
			r.MediaType, r.Rule = o.Reason, o.Rule
		} else if r.Data != data {
			t.Errorf("%.20s: data %q", test.stored, r.Data)
		}
		if r.MediaType != test.want || r.Rule != test.rule {
			t.Errorf("%.20s: %s by %q", test.stored, r.MediaType, r.Rule)
		}
	}
}
