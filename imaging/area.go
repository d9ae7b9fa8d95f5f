package imaging

// sample is one channel of one pixel.
type sample interface{ uint8 | uint16 }

// axis says how the pixels of one direction are shared out. In units of which a
// target pixel has width target, a source pixel has width step; both are whole
// numbers, so the result is exact.
type axis struct {
	step, target int64
	spans        []share
}

// share is the part of the source that one target pixel covers: the first and
// the last source pixel with their weights, those between weigh step.
type share struct {
	first, last             int
	weightFirst, weightLast int64
}

// newAxis shares out n source pixels, each as wide as sub pixels of a picture of
// size pixels, to target pixels. sub is above 1 for chroma that is stored at a
// lower resolution; its last pixel may reach beyond the picture.
func newAxis(n, sub, size, target int) axis {
	a := axis{step: int64(sub) * int64(target), target: int64(size), spans: make([]share, target)}
	for j := range a.spans {
		from, to := int64(j)*a.target, int64(j+1)*a.target
		s := share{first: int(from / a.step), last: int((to - 1) / a.step)}
		s.last = min(s.last, n-1)
		s.first = min(s.first, s.last)
		if s.first == s.last {
			s.weightFirst = a.target
		} else {
			s.weightFirst = int64(s.first+1)*a.step - from
			s.weightLast = to - int64(s.last)*a.step
		}
		a.spans[j] = s
	}
	return a
}

// raster gives the rows of a picture, each with its channels interleaved.
type raster[T sample] struct {
	row      func(y int) []T
	stride   int // samples from one pixel to the next
	channels int // that are read, at most stride
}

// average makes one target pixel out of all source pixels that it covers, by
// the area that it covers of each: the exact box filter. emit gets each target
// row as sums, channel behind channel; a sum divided by x.target*y.target is the
// mean.
func average[T sample](src raster[T], x, y axis, emit func(k int, sums []int64)) {
	width := len(x.spans)
	row := make([]int64, src.channels*width)
	sums := make([]int64, src.channels*width)
	have := -1 // the source row that is in row
	for k, s := range y.spans {
		clear(sums)
		for r := s.first; r <= s.last; r++ {
			if r != have {
				pixels := src.row(r)
				for c := range src.channels {
					squeeze(row[c*width:(c+1)*width], pixels[c:], src.stride, x)
				}
				have = r
			}
			weight := y.step
			switch r {
			case s.first:
				weight = s.weightFirst
			case s.last:
				weight = s.weightLast
			}
			for i, v := range row {
				sums[i] += weight * v
			}
		}
		emit(k, sums)
	}
}

// squeeze sums up one channel of a row for each target pixel.
func squeeze[T sample](dst []int64, pixels []T, stride int, x axis) {
	for j, s := range x.spans {
		sum, inner := s.weightFirst*int64(pixels[s.first*stride]), int64(0)
		last := s.last * stride
		for i := (s.first + 1) * stride; i < last; i += stride {
			inner += int64(pixels[i])
		}
		dst[j] = sum + inner*x.step + s.weightLast*int64(pixels[last])
	}
}

// mean divides sums by the area of a target pixel, rounded to the nearest.
func mean(dst []byte, stride int, sums []int64, area int64) {
	inverse := 1 / float64(area)
	for i, v := range sums {
		dst[i*stride] = byte(float64(float64(v)*inverse) + 0.5)
	}
}
