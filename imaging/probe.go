package imaging

// Info is what the header of a picture says.
type Info struct {
	MediaType string
	// Width and Height are in pixels, as stored; 0 if the header does not say.
	Width, Height int
	// Orientation is that of the first Exif segment of a JPEG, 1…8; else 1.
	Orientation int
	// Whole reports that the file does not end early, as far as the header and
	// the end tell.
	Whole bool
	// Metadata reports segments with camera data, places or comments.
	Metadata bool

	// depth is about what a decoder holds, in bytes per two pixels.
	depth int
}

// pixels returns the number of pixels.
func (i *Info) pixels() int { return i.Width * i.Height }

// memory returns about how many bytes a decoder holds.
func (i *Info) memory() int { return i.pixels() * i.depth / 2 }

// maxSteps bounds the walk over the parts of a file, so that a file made of
// nothing but tiny parts costs no time.
const maxSteps = 1 << 16

// maxDimension is larger than every picture that is decoded, and small enough
// that products do not overflow.
const maxDimension = 1 << 28

// probes read the header of each format.
var probes = map[string]func(source) Info{
	PNG: probePNG, JPEG: probeJPEG, GIF: probeGIF, WebP: probeWebP, bmp: probeBMP, tiff: probeTIFF,
	avif: probeHEIF, heic: probeHEIF, heif: probeHEIF,
}

// Probe reads the header of a picture without decoding it (I-15).
func Probe(p Picture) Info {
	var i Info
	if probe := probes[p.MediaType]; probe != nil {
		i = probe(source(p.Data))
	}
	i.MediaType, i.Orientation = p.MediaType, max(i.Orientation, 1)
	if i.Width <= 0 || i.Height <= 0 || i.Width > maxDimension || i.Height > maxDimension {
		i.Width, i.Height = 0, 0
	}
	return i
}

func probePNG(s source) (i Info) {
	if !s.has(12, "IHDR") {
		return i
	}
	i.Width, i.Height = s.be32(16), s.be32(20)
	bits, colour, interlaced := s.at(24), s.at(25), s.at(28) != 0
	i.depth = map[byte]int{0: 2, 3: 2}[colour]
	if i.depth == 0 {
		i.depth = 8
	}
	for at, steps := 8, 0; at < s.size() && steps < maxSteps; steps++ {
		switch {
		case s.has(at+4, "IEND"):
			i.Whole = at+12 <= s.size()
			at = s.size()
		case s.has(at+4, "tRNS") && colour == 0:
			i.depth = 8
		case isPNGMetadata(s, at+4):
			i.Metadata = true
		}
		at += s.be32(at) + 12
	}
	if bits == 16 {
		i.depth *= 2
	}
	if interlaced {
		i.depth *= 2
	}
	return i
}

func isPNGMetadata(s source, at int) bool {
	return s.has(at, "tEXt") || s.has(at, "zTXt") || s.has(at, "iTXt") || s.has(at, "eXIf") || s.has(at, "tIME")
}

func probeGIF(s source) (i Info) {
	i.Width, i.Height, i.depth = s.le16(6), s.le16(8), 2
	i.Whole = s.at(s.size()-1) == 0x3b
	return i
}

func probeBMP(s source) (i Info) {
	i.depth, i.Whole = 8, true
	if s.le32(14) == 12 {
		i.Width, i.Height = s.le16(18), s.le16(20)
		return i
	}
	i.Width, i.Height = s.le32(18), s.le32(22)
	if i.Height >= 1<<31 { // stored from top to bottom
		i.Height = 1<<32 - i.Height
	}
	return i
}

// probeTIFF reads the first directory.
func probeTIFF(s source) (i Info) {
	i.depth, i.Whole = 16, true
	u16, u32 := s.le16, s.le32
	if s.at(0) == 'M' {
		u16, u32 = s.be16, s.be32
	}
	at := u32(4)
	for k := range u16(at) {
		tag, value := at+2+12*k, 0
		if value = u32(tag + 8); u16(tag+2) == 3 { // a short
			value = u16(tag + 8)
		}
		switch u16(tag) {
		case 256:
			i.Width = value
		case 257:
			i.Height = value
		}
	}
	return i
}

// probeHEIF takes the largest ispe box.
func probeHEIF(s source) (i Info) {
	i.Whole = true
	steps := 0
	var walk func(at, end int)
	walk = func(at, end int) {
		for at+8 <= end && steps < maxSteps {
			steps++
			size := s.be32(at)
			if size < 8 || at+size > end {
				size = end - at // up to the end, also for sizes of 64 bits
			}
			switch {
			case s.has(at+4, "meta"):
				walk(at+12, at+size)
			case s.has(at+4, "iprp"), s.has(at+4, "ipco"):
				walk(at+8, at+size)
			case s.has(at+4, "ispe"):
				if w, h := s.be32(at+12), s.be32(at+16); w < maxDimension && h < maxDimension && w*h > i.pixels() {
					i.Width, i.Height = w, h
				}
			}
			at += size
		}
	}
	walk(0, s.size())
	return i
}
