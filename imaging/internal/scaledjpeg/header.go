package scaledjpeg

import "image"

// Markers.
const (
	sof0, dht, dqt, dri, sos = 0xc0, 0xc4, 0xdb, 0xdd, 0xda
	soi, eoi, rst0, app14    = 0xd8, 0xd9, 0xd0, 0xee
)

// header is what stands in front of the only scan.
type header struct {
	width, height int // samples
	across, down  int // units
	restart       int // units between restarts, 0 for none
	components    []component
	quantisers    [4][64]uint16 // in the order of the file
	tables        [2][2]*huffman
	body          int // where the scan begins
}

// component is one of the planes.
type component struct {
	id         byte
	wide, high int // blocks in a unit
	quantiser  byte
	dc, ac     *huffman
	before     int32     // the last first coefficient
	weights    [64]int32 // of coefficients, in the order of the file
	block      block     // in work
	plane      []byte
	stride     int
	side       int // samples of a block
}

// ratios are the forms of subsampling that are read, by the blocks of the first
// component in a unit.
var ratios = map[[2]int]image.YCbCrSubsampleRatio{
	{1, 1}: image.YCbCrSubsampleRatio444,
	{2, 1}: image.YCbCrSubsampleRatio422,
	{1, 2}: image.YCbCrSubsampleRatio440,
	{2, 2}: image.YCbCrSubsampleRatio420,
}

// readHeader reads up to the first sample. It is not ok for a kind of file that
// is not read here.
func readHeader(file []byte) (h *header, ok bool) {
	if len(file) < 2 || file[0] != 0xff || file[1] != soi {
		return nil, false
	}
	h = &header{}
	for at := 2; at+4 <= len(file) && file[at] == 0xff; {
		n := int(file[at+2])<<8 | int(file[at+3])
		if n < 2 || at+2+n > len(file) {
			return nil, false
		}
		marker, body := file[at+1], file[at+4:at+2+n]
		at += 2 + n
		switch {
		case marker == dqt:
			ok = h.readQuantisers(body)
		case marker == dht:
			ok = h.readTables(body)
		case marker == sof0:
			ok = h.readFrame(body)
		case marker == sos:
			h.body = at
			return h, h.readScan(body)
		case marker == dri:
			if ok = len(body) == 2; ok {
				h.restart = int(body[0])<<8 | int(body[1])
			}
		case marker == app14: // colours that may be stored as they are
			ok = len(body) < 12 || string(body[:5]) != "Adobe" || body[11] == 1
		default:
			ok = marker >= 0xe0 && marker <= 0xef || marker == 0xfe
		}
		if !ok {
			return nil, false
		}
	}
	return nil, false
}

func (h *header) readQuantisers(b []byte) bool {
	for len(b) > 0 {
		to, size := b[0]&15, 1+int(b[0]>>4)
		if to > 3 || size > 2 || len(b) < 1+64*size {
			return false
		}
		for i := range 64 {
			v := uint16(b[1+i*size])
			if size == 2 {
				v = v<<8 | uint16(b[2+i*size])
			}
			h.quantisers[to][i] = v
		}
		b = b[1+64*size:]
	}
	return true
}

func (h *header) readTables(b []byte) bool {
	for len(b) > 0 {
		if len(b) < 17 || b[0]&0xef > 1 {
			return false
		}
		n := 0
		for _, c := range b[1:17] {
			n += int(c)
		}
		if n > 256 || len(b) < 17+n {
			return false
		}
		t, ok := newHuffman([16]byte(b[1:17]), b[17:17+n])
		if !ok {
			return false
		}
		h.tables[b[0]>>4][b[0]&15] = t
		b = b[17+n:]
	}
	return true
}

func (h *header) readFrame(b []byte) bool {
	if h.components != nil || len(b) < 6 || b[0] != 8 || len(b) != 6+3*int(b[5]) {
		return false
	}
	h.height, h.width = int(b[1])<<8|int(b[2]), int(b[3])<<8|int(b[4])
	for b = b[6:]; len(b) > 0; b = b[3:] {
		h.components = append(h.components, component{id: b[0], wide: int(b[1] >> 4), high: int(b[1] & 15), quantiser: b[2]})
		if b[2] > 3 {
			return false
		}
	}
	c := h.components
	if len(c) != 1 && len(c) != 3 {
		return false
	}
	if _, known := ratios[[2]int{c[0].wide, c[0].high}]; !known {
		return false
	}
	if len(c) == 1 {
		c[0].wide, c[0].high = 1, 1 // a unit is a block
	} else {
		chroma := c[1].wide == 1 && c[1].high == 1 && c[2].wide == 1 && c[2].high == 1
		if !chroma || c[0].id == 'R' && c[1].id == 'G' && c[2].id == 'B' {
			return false
		}
	}
	wide, high := 8*c[0].wide, 8*c[0].high
	h.across, h.down = (h.width+wide-1)/wide, (h.height+high-1)/high
	return h.width > 0 && h.height > 0
}

func (h *header) readScan(b []byte) bool {
	n := len(h.components)
	if n == 0 || len(b) != 4+2*n || int(b[0]) != n {
		return false
	}
	for i := range h.components {
		c, id, tables := &h.components[i], b[1+2*i], b[2+2*i]
		if id != c.id || tables&0xee != 0 {
			return false
		}
		if c.dc, c.ac = h.tables[0][tables>>4], h.tables[1][tables&15]; c.dc == nil || c.ac == nil {
			return false
		}
	}
	return true
}
