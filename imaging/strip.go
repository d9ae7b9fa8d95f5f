package imaging

import (
	"bytes"
	"encoding/binary"
)

// strip takes metadata out of a file without touching its pixels (I-B12), and what
// stands behind the picture: cameras put films there, with the place. A JPEG that is
// not upright keeps an Exif segment that says so and nothing else.
func strip(p Picture, i *Info) (Picture, error) {
	file, err := decodeAll(p.Data)
	if err != nil {
		return Picture{}, errDecode
	}
	s, out := source(p.Data), make([]byte, 0, len(file))
	switch p.MediaType {
	case PNG:
		out = stripPNG(out, file, s)
	case JPEG:
		out = stripJPEG(out, file, s, i.Orientation)
	case WebP:
		out = stripWebP(out, file, s)
	}
	return Picture{p.MediaType, Encode(out)}, nil
}

func stripPNG(out, file []byte, s source) []byte {
	out = append(out, file[:8]...)
	for at := 8; at+12 <= len(file); {
		next := min(at+s.be32(at)+12, len(file))
		if !isPNGMetadata(s, at+4) {
			out = append(out, file[at:next]...)
		}
		if s.has(at+4, "IEND") {
			break
		}
		at = next
	}
	return out
}

func stripJPEG(out, file []byte, s source, orientation int) []byte {
	out = append(out, 0xff, soi)
	if orientation != 1 {
		out = append(out, 0xff, app1, 0, 34)
		out = append(out, exifMagic+"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"...)
		out = append(out, byte(orientation), 0, 0, 0, 0, 0, 0)
	}
	scans := segments(s, func(g segment) bool {
		if !isJPEGMetadata(s, g) {
			out = append(append(out, 0xff, g.marker), file[g.at-2:min(g.at+g.size, len(file))]...)
		}
		return true
	})
	return append(out, toEnd(file[scans:])...)
}

// toEnd returns the scans of a JPEG with the marker that ends them, and all that there
// is where none does.
func toEnd(scans []byte) []byte {
	for at := 0; ; {
		n := bytes.IndexByte(scans[at:], 0xff)
		if at += n; n < 0 || at+4 > len(scans) && (at+1 >= len(scans) || scans[at+1] != eoi) {
			return scans
		}
		switch marker := scans[at+1]; {
		case marker == eoi:
			return scans[:at+2]
		case marker == 0xff: // a fill byte
			at++
		case marker <= 1, marker >= 0xd0 && marker <= soi: // none, or one without content
			at += 2
		default: // tables for the next scan, or its head
			at = min(at+2+int(binary.BigEndian.Uint16(scans[at+2:])), len(scans))
		}
	}
}

func stripWebP(out, file []byte, s source) []byte {
	file = file[:max(12, min(len(file), s.le32(4)+8))]
	out = append(out, file[:12]...)
	for at := 12; at+8 <= len(file); {
		n := s.le32(at + 4)
		next := min(at+8+n+n&1, len(file))
		if !s.has(at, "EXIF") && !s.has(at, "XMP ") {
			out = append(out, file[at:next]...)
		}
		if s.has(at, "VP8X") {
			const exif, xmp = 1 << 3, 1 << 2
			out[len(out)-(next-at)+8] &^= exif | xmp
		}
		at = next
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}
