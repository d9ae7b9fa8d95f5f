package gen

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
)

// text draws a JSON string.
func (g *generator) text() string {
	if g.chance(3, "plain") {
		return g.plain()
	}
	return g.pick([]string{
		`"hello"`, `"hello"`, `"yes"`, `"Done.\n"`, `"caf\u00e9 \ud83d\ude80"`, `"日本"`, `"tab\there"`, `"a \"quoted\" word"`, `"trailing "`,
		`""`, `" "`, `"\n\t"`, `"\u00a0"`, `"\ud83d"`, `"half \ud83d pair"`, `"nul \u0000 byte"`,
		`"NO_REPLY"`, `"<think>x</think>NO_REPLY"`, `"[assistant turn failed before producing content]"`, `"(continue)"`,
		`"Sender (untrusted metadata):\n` + "```json" + `\n{\"label\":\"Ada\"}\n` + "```" + `\n\n[Sun 2026-03-08 22:03 GMT+9] hi"`,
		`"before\n<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nsecret\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nafter"`,
		`"[Inter-session message] sourceSession=x isUser=false\nThis is quoted"`, `"[empty content omitted]"`, `"[assistant reasoning omitted]"`,
	}, "text")
}

func (g *generator) image() string {
	if g.chance(2, "sound") {
		return g.picture()
	}
	return g.pick([]string{
		`{"type":"image","data":"` + PNG + `","mimeType":"image/png"}`,
		`{"type":"image","data":"` + PNG + `","mimeType":"image/png"}`,
		`{"type":"image","data":"` + PNG + `","mimeType":"image/jpeg"}`,
		`{"type":"image","data":"data:image/png;base64,` + PNG + `","mediaType":"image/png"}`,
		`{"type":"image","data":"","mimeType":"image/png"}`,
		`{"type":"image","data":"!!!","mimeType":"image/png"}`,
		`{"type":"image","data":"aGVsbG8=","mimeType":"image/png"}`,
		`{"type":"image","mimeType":"image/png"}`,
		`{"type":"image","data":"PHN2Zy8+","mimeType":"image/svg+xml"}`,
	}, "image")
}

// PNG is a picture of 8×8 pixels as base64.
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVQI12P8z4AdMDEMKQkAzUEBD9aGuoAAAAAASUVORK5CYII="

// Pictures are some that differ.
var Pictures = func() []string {
	list := []string{PNG}
	for i := range 40 {
		p := image.NewGray(image.Rect(0, 0, 8, 8))
		p.Pix[i] = 255
		var b bytes.Buffer
		if err := png.Encode(&b, p); err != nil {
			panic(err) // into memory
		}
		list = append(list, base64.StdEncoding.EncodeToString(b.Bytes()))
	}
	return list
}()
