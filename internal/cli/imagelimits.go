package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"hygeia/imaging"
)

// imageFlags hold the user's limits on pictures.
type imageFlags struct{ maxPx, maxBytes int }

const (
	maxPxFlag    = "image-max-px"
	maxBytesFlag = "image-max-bytes"
)

func (f *imageFlags) flags(c *cobra.Command) {
	c.Flags().IntVar(&f.maxPx, maxPxFlag, imaging.DefaultSide, "longest side of a picture in pixels")
	c.Flags().IntVar(&f.maxBytes, maxBytesFlag, imaging.DefaultBytes, "largest picture in bytes")
}

// limits returns what the configuration says about pictures, and the flags above
// it.
func (f *imageFlags) limits(c *cobra.Command) (imaging.Limits, error) {
	config, path, err := readConfig()
	if err != nil {
		return imaging.Limits{}, err
	}
	l := config.Agents.Defaults.limits(path, c.ErrOrStderr())
	for _, flag := range []struct {
		name  string
		value int
		to    *int
	}{{maxPxFlag, f.maxPx, &l.MaxSide}, {maxBytesFlag, f.maxBytes, &l.MaxBytes}} {
		if !c.Flags().Changed(flag.name) {
			continue
		}
		if flag.value < 1 {
			return l, usage("--%s must be at least 1", flag.name)
		}
		*flag.to = flag.value
	}
	return l, nil
}

// agentDefaults is the part of agents.defaults that concerns pictures.
type agentDefaults struct {
	MaxDimensionPx   jsontext.Value `json:"imageMaxDimensionPx"`
	MaxBytes         jsontext.Value `json:"imageMaxBytes"`
	StripMetadata    bool           `json:"imageStripMetadata"`
	ApplyOrientation bool           `json:"imageApplyOrientation"`
}

// limits warns of a number that is none and goes on with the default: a 0 must
// not shrink every picture to one pixel (I-B07).
func (d *agentDefaults) limits(path string, warn io.Writer) imaging.Limits {
	number := func(name string, v jsontext.Value) int {
		n, err := strconv.ParseInt(string(v), 10, 32)
		if len(v) > 0 && (err != nil || n < 1) {
			fmt.Fprintln(warn, safe(fmt.Sprintf("hygeia: %s: agents.defaults.%s is %.40s: expected a whole number of at least 1; the default is used", path, name, v)))
			return 0
		}
		return int(n)
	}
	return imaging.Limits{
		MaxSide: number("imageMaxDimensionPx", d.MaxDimensionPx), MaxBytes: number("imageMaxBytes", d.MaxBytes),
		StripMetadata: d.StripMetadata, Turn: d.ApplyOrientation,
	}
}
