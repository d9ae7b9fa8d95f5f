package check

import (
	"encoding/base64"
	"encoding/binary"
	"image"
	_ "image/gif" // for image.DecodeConfig
	_ "image/jpeg"
	_ "image/png"
	"io"
	"strings"
)

// isBase64 reports whether s is standard base64 and not empty.
func isBase64(s string) bool {
	_, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(s)))
	return s != "" && err == nil
}

// base64Bytes returns the number of bytes that base64 text stands for, about.
func base64Bytes(s string) int { return len(s) / 4 * 3 }

// dimensions returns width and height of a picture in base64, in pixels, 0 if
// they cannot be read.
func dimensions(data string) (width, height int) {
	if c, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))); err == nil {
		return c.Width, c.Height
	}
	head := make([]byte, 30)
	if _, err := io.ReadFull(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)), head); err != nil {
		return 0, 0
	}
	return webpDimensions(head)
}

// webpDimensions reads the three forms of WebP.
func webpDimensions(head []byte) (width, height int) {
	if string(head[:4]) != "RIFF" || string(head[8:12]) != "WEBP" {
		return 0, 0
	}
	little := binary.LittleEndian
	switch string(head[12:16]) {
	case "VP8X":
		return int(little.Uint32(head[24:])&0xffffff) + 1, int(little.Uint32(head[26:])>>8) + 1
	case "VP8L":
		bits := little.Uint32(head[21:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1
	case "VP8 ":
		return int(little.Uint16(head[26:]) & 0x3fff), int(little.Uint16(head[28:]) & 0x3fff)
	}
	return 0, 0
}
