package imaging

import (
	"fmt"
	"slices"
)

// Limits that every picture is held to.
const (
	DefaultSide  = 1200    // px (I-04)
	DefaultBytes = 5 << 20 // of the file (I-05)

	MaxInput = 32 << 20 // bytes of a file that are looked at (I-07, D-06)

	maxPassPixels   = 25_000_000  // of a picture that goes out as it is (I-06)
	maxDecodePixels = 100_000_000 // of a picture that is decoded (D-45)
	maxDecodeSide   = 1 << 20     // px, beyond which a decoder works on next to empty rows (I-B11)
	maxMemory       = 512 << 20   // bytes that work on pictures holds at a time (D-45)
)

// Limits say what may go out. The zero value is what file 30 says for every
// route.
type Limits struct {
	// MaxSide is the longest side in pixels, 0 for [DefaultSide].
	MaxSide int
	// MaxBytes is the size of the file, 0 for [DefaultBytes].
	MaxBytes int
	// MaxText is the number of characters of the base64 text, 0 for no limit
	// (I-B05).
	MaxText int
	// Types are the media types that may go out, empty for [Sendable].
	Types []string
	// StripMetadata takes camera data, places and comments out, pixels stay as
	// they are (I-B12).
	StripMetadata bool
	// Turn turns the pixels of a JPEG that says it lies on its side, instead of
	// relying on the reader to do so (I-B10).
	Turn bool
	// Scope keeps remembered results of one caller from those of another.
	Scope string
}

// MaxFile returns the largest file in bytes, by the stricter of both limits on
// size.
func (l Limits) MaxFile() int {
	most := l.MaxBytes
	if most <= 0 {
		most = DefaultBytes
	}
	if l.MaxText > 0 {
		most = min(most, l.MaxText/4*3)
	}
	return most
}

// Side returns the longest side in pixels.
func (l Limits) Side() int {
	if l.MaxSide <= 0 {
		return DefaultSide
	}
	return l.MaxSide
}

// Takes reports whether a media type may go out.
func (l Limits) Takes(mediaType string) bool {
	types := l.Types
	if len(types) == 0 {
		types = Sendable
	}
	return slices.Contains(types, mediaType)
}

// Verdict is what the header of a picture says about its way out.
type Verdict struct {
	Info
	// Why says which limit a picture does not keep or what has to be done to
	// it, with the rule; empty if it may go out as it is.
	Why []Fact
	// Verify reports that the pixels may stay as they are but seem to end early,
	// so that only decoding can tell whether they are whole.
	Verify bool
	// Err is an *Omission if nothing can be done about it.
	Err error
}

// Fact is a reason and the rule it comes from.
type Fact struct{ Rule, Text string }

// Fits reports whether the picture goes out as it is.
func (v *Verdict) Fits() bool { return v.Err == nil && len(v.Why) == 0 && !v.Verify }

// Judge decides from the header alone (I-16, I-28).
func (l Limits) Judge(p Picture) Verdict {
	v := Verdict{Info: Probe(p)}
	if decoders[p.MediaType] == nil {
		v.Err = l.judgeClosed(p)
		return v
	}
	if v.pixels() == 0 {
		v.Err = errDecode
		return v
	}
	v.Why = l.facts(&v.Info, p.Bytes())
	asIs := len(v.Why) == 0 || v.onlyStrip()
	v.Verify = asIs && !v.Whole
	if (!asIs || v.Verify) && !v.decodable() {
		v.Err = tooManyPixels(v.Width, v.Height)
	}
	return v
}

// decodable reports whether a decoder stays within its bounds.
func (i *Info) decodable() bool {
	return i.pixels() <= maxDecodePixels && max(i.Width, i.Height) <= maxDecodeSide && i.memory() <= maxMemory
}

// facts collects what is wrong with a picture that can be decoded.
func (l Limits) facts(i *Info, size int) (why []Fact) {
	add := func(rule, format string, args ...any) { why = append(why, Fact{rule, fmt.Sprintf(format, args...)}) }
	if !l.Takes(i.MediaType) {
		add(ruleType, "%s is not taken", i.MediaType)
	}
	if side := l.Side(); max(i.Width, i.Height) > side {
		add(ruleFit, "%dx%d is over %d px", i.Width, i.Height, side)
	}
	if i.pixels() > maxPassPixels {
		add(ruleFit, "%dx%d is over %d pixels", i.Width, i.Height, maxPassPixels)
	}
	if most := l.MaxFile(); size > most {
		add(ruleFit, "%s is over %s", Size(size), Size(most))
	}
	if l.Turn && i.Orientation != 1 {
		add(ruleTurn, "it lies on its side")
	}
	if len(why) == 0 && l.StripMetadata && i.Metadata {
		add(ruleStrip, "it holds metadata")
	}
	return why
}

// Rules under which a picture is changed.
const (
	ruleFit   = "I-17" // I-04…I-06
	ruleType  = "I-B02"
	ruleTurn  = "I-B10"
	ruleStrip = "I-B12"
)

// onlyStrip reports that metadata is all that keeps the picture back.
func (v *Verdict) onlyStrip() bool { return len(v.Why) > 0 && v.Why[0].Rule == ruleStrip }

// judgeClosed judges a format for which there is no decoder. Where the target
// takes it, the side is no reason to lose it: no provider that takes such a
// format has a limit on that.
func (l Limits) judgeClosed(p Picture) error {
	switch size := p.Bytes(); {
	case !l.Takes(p.MediaType):
		return &Omission{ruleType, "unsupported format " + p.MediaType}
	case size > l.MaxFile():
		return &Omission{"I-31", Size(size) + " of " + p.MediaType + " cannot be reduced below " + Size(l.MaxFile())}
	}
	return nil
}

var errDecode = &Omission{"I-30", "cannot decode"}

func tooManyPixels(width, height int) error {
	return &Omission{"I-28", fmt.Sprintf("too many pixels (%dx%d)", width, height)}
}

// Size writes a number of bytes for people (I-33).
func Size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%dB", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1fKB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.2fMB", float64(n)/(1<<20))
}
