package imaging

// Animated reports whether a picture has more than one frame, of which only the
// first is ever decoded (I-26). A GIF tells only at its second frame, so this may
// look at a large part of the file.
func Animated(p Picture) bool {
	s := source(p.Data)
	switch p.MediaType {
	case GIF:
		return secondFrame(s)
	case WebP:
		return findWebP(s).more
	case PNG:
		for at, steps := 8, 0; at < s.size() && steps < maxSteps && !s.has(at+4, "IDAT"); steps++ {
			if s.has(at+4, "acTL") {
				return true
			}
			at += s.be32(at) + 12
		}
	}
	return false
}

// secondFrame walks over the blocks of a GIF up to a second frame.
func secondFrame(s source) bool {
	at, frames := 13+colourTable(s.at(10)), 0
	for steps := 0; at < s.size() && steps < maxSteps; steps++ {
		switch s.at(at) {
		case 0x21: // extension
			at += 2
		case 0x2c: // frame
			if frames++; frames > 1 {
				return true
			}
			at += 10 + colourTable(s.at(at+9)) + 1
		default:
			return false
		}
		for ; s.at(at) != 0 && steps < maxSteps; steps++ {
			at += int(s.at(at)) + 1
		}
		at++
	}
	return false
}

// colourTable returns the size of the colour table that flags announce.
func colourTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}
