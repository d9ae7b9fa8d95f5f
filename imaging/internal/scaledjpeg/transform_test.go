package scaledjpeg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// samples is the transform as the standard writes it, in floating point.
func samples(coefficients *[64]float64) (s [64]float64) {
	norm := func(u int) float64 {
		if u == 0 {
			return math.Sqrt2 / 4
		}
		return 0.5
	}
	for at := range s {
		for k, c := range coefficients {
			u, v := k%8, k/8
			s[at] += c * norm(u) * norm(v) * math.Cos(float64((2*(at%8)+1)*u)*math.Pi/16) * math.Cos(float64((2*(at/8)+1)*v)*math.Pi/16)
		}
		s[at] += 128
	}
	return s
}

// The transforms are right up to rounding, and cut off what is no sample.
func TestTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var quantisers [64]uint16
		var want [64]float64
		var b block
		stored := [64]int32{int32(r.IntN(200) - 100)}
		for range r.IntN(12) {
			stored[r.IntN(64)] = int32(r.IntN(200) - 100)
		}
		b.flat = true
		for k, v := range stored {
			quantisers[k] = uint16(1 + r.IntN(8))
			at := natural[k]
			want[at] = float64(v) * float64(quantisers[k])
			if v != 0 && k > 0 {
				b.columns |= 1 << (at & 7)
				b.flat = false
			}
		}
		b.columns |= 1
		full := samples(&want)
		for scale, to := range transforms {
			var c component
			c.weigh(&quantisers, scale)
			for k, v := range stored {
				b.of[natural[k]] = v * c.weights[k]
			}
			side := 8 / scale
			got := make([]byte, side*side)
			to(&b, got, side)
			for i, have := range got {
				mean := 0.0
				for k := range scale * scale {
					mean += full[(i/side*scale+k/scale)*8+i%side*scale+k%scale]
				}
				mean = max(0, min(255, mean/float64(scale*scale)))
				if math.Abs(mean-float64(have)) > 0.6 {
					t.Fatalf("1/%d of %v: sample %d is %d, want %.3f", scale, stored, i, have, mean)
				}
			}
		}
	}
}
