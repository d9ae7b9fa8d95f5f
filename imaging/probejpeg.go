package imaging

// Markers of a JPEG.
const (
	sof0, sof2, dht, jpgExt, dac = 0xc0, 0xc2, 0xc4, 0xc8, 0xcc
	soi, eoi, sos                = 0xd8, 0xd9, 0xda
	app0, app1, app2             = 0xe0, 0xe1, 0xe2
	app14, com                   = 0xee, 0xfe
)

const exifMagic = "Exif\x00\x00"

// segment is one marker of a JPEG with its content.
type segment struct {
	marker   byte
	at, size int // of the content, without the length field
}

// segments calls visit for each segment in front of the scans until it returns
// false, and returns the place of the first scan, or where it got to.
func segments(s source, visit func(segment) bool) int {
	at := 2
	for steps := 0; at+4 <= s.size() && steps < maxSteps; steps++ {
		marker := s.at(at + 1)
		switch {
		case s.at(at) != 0xff || marker == 0xff: // stray or fill byte
			at++
			continue
		case marker <= 1, marker >= 0xd0 && marker <= soi: // without content
			at += 2
			continue
		case marker == sos, marker == eoi:
			return at
		}
		n := s.be16(at + 2)
		if n < 2 || !visit(segment{marker, at + 4, n - 2}) {
			return at
		}
		at += 2 + n
	}
	return at
}

func probeJPEG(s source) (i Info) {
	exif := false
	segments(s, func(g segment) bool {
		switch {
		case isFrame(g.marker) && i.Height == 0:
			i.Height, i.Width = s.be16(g.at+1), s.be16(g.at+3)
			i.depth = jpegDepth(s, g)
		case g.marker == app1 && s.has(g.at, exifMagic) && !exif:
			exif = true
			i.Orientation = orientation(s, g)
		}
		i.Metadata = i.Metadata || isJPEGMetadata(s, g)
		return true
	})
	i.Whole = s.has(s.size()-2, "\xff\xd9")
	return i
}

func isFrame(marker byte) bool {
	return marker >= sof0 && marker <= 0xcf && marker != dht && marker != jpgExt && marker != dac
}

// jpegDepth adds up the planes, the coefficients that a progressive picture
// needs, and the pixels that other colour models are converted to.
func jpegDepth(s source, g segment) int {
	planes, widest, highest := 0, 1, 1
	n := int(s.at(g.at + 5))
	for k := range min(n, 4) {
		hv := int(s.at(g.at + 7 + 3*k))
		planes += hv >> 4 * (hv & 15)
		widest, highest = max(widest, hv>>4), max(highest, hv&15)
	}
	depth := (2*planes + widest*highest - 1) / (widest * highest)
	if g.marker == sof2 {
		depth *= 5
	}
	if n == 4 || n == 3 && depth%6 == 0 { // CMYK, or perhaps RGB
		depth += 8
	}
	return depth
}

// orientation reads tag 0x0112 of an Exif segment, 1 if there is none (I-24).
func orientation(s source, g segment) int {
	base, end := g.at+len(exifMagic), g.at+g.size
	u16, u32 := s.le16, s.le32
	switch {
	case s.has(base, "MM\x00*"):
		u16, u32 = s.be16, s.be32
	case !s.has(base, "II*\x00"):
		return 1
	}
	at := base + u32(base+4)
	for k := range u16(at) {
		tag := at + 2 + 12*k
		if tag+12 > end {
			break
		}
		if value := u16(tag + 8); u16(tag) == 0x0112 && u16(tag+2) == 3 && value >= 1 && value <= 8 {
			return value
		}
	}
	return 1
}

// isJPEGMetadata reports whether a segment may be left out without a change of
// the pixels: everything but the JFIF header, the colour profile and Adobe's
// note on the colour model.
func isJPEGMetadata(s source, g segment) bool {
	switch {
	case g.marker == com:
		return true
	case g.marker < app0 || g.marker > 0xef, g.marker == app0, g.marker == app14:
		return false
	}
	return g.marker != app2 || !s.has(g.at, "ICC_PROFILE\x00")
}
