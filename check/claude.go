package check

import (
	"regexp"
	"strconv"
	"strings"
)

// claudeModel is what the name of a model says about its generation. Facts of
// file 90 hang on it; they stand here and not in a profile, so that a mistake
// in a profile is found.
type claudeModel struct {
	is           bool
	family       string // opus, sonnet, haiku, fable, mythos; "" when unknown
	major, minor int
}

var (
	newName = regexp.MustCompile(`claude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:[-.](\d{1,2}))?(?:\D|$)`)
	oldName = regexp.MustCompile(`claude-v?(\d{1,2})(?:[-.](\d{1,2}))?(?:-(opus|sonnet|haiku))?`)
)

// claudeSpelling brings the names of the services to one spelling.
var claudeSpelling = strings.NewReplacer("_", "-", " ", "-", "instant-", "")

// parseClaude reads a model id. A Claude whose generation cannot be read counts
// as the newest (file 90 §9).
func parseClaude(model string) claudeModel {
	m := strings.ToLower(model)
	if !strings.Contains(m, "claude") {
		return claudeModel{}
	}
	m = claudeSpelling.Replace(m)
	if f := newName.FindStringSubmatch(m); f != nil {
		return claudeModel{true, f[1], atoi(f[2]), atoi(f[3])}
	}
	if f := oldName.FindStringSubmatch(m); f != nil {
		return claudeModel{true, f[3], atoi(f[1]), atoi(f[2])}
	}
	return claudeModel{is: true, major: unreadable}
}

// unreadable is the generation of a Claude whose name does not say it.
const unreadable = 99

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // at most two digits
	return n
}

// from reports whether the model is of that version or a later one.
func (c claudeModel) from(major, minor int) bool {
	return c.is && (c.major > major || c.major == major && c.minor >= minor)
}

func (c claudeModel) familyFrom(family string, major, minor int) bool {
	return c.family == family && c.from(major, minor)
}

// noPrefill: AN-14 regardless of thinking.
func (c claudeModel) noPrefill() bool {
	return c.familyFrom("opus", 4, 6) || c.familyFrom("sonnet", 4, 6) || c.from(5, 0)
}

// adaptiveOnly: AN-25, thinking.type "enabled" is refused.
func (c claudeModel) adaptiveOnly() bool { return c.familyFrom("opus", 4, 7) || c.from(5, 0) }

// adaptive: thinking.type "adaptive" is known (W-216).
func (c claudeModel) adaptive() bool { return c.noPrefill() }

// always: thinking cannot be switched off (AN-25).
func (c claudeModel) always() bool {
	return c.familyFrom("opus", 5, 5) || c.familyFrom("fable", 5, 1)
}

// refuses: that mode of thinking with that effort (AN-25).
func (c claudeModel) refuses(mode, effort string) bool {
	switch mode {
	case "enabled":
		return c.adaptiveOnly()
	case "adaptive":
		return !c.adaptive()
	case "disabled":
		return c.always() || c.familyFrom("opus", 5, 0) && (effort == "xhigh" || effort == "max")
	}
	return false
}

// byDefault: the model thinks when the request says nothing (AN-50, file 90 §9).
func (c claudeModel) byDefault() bool {
	return c.familyFrom("opus", 5, 0) || c.familyFrom("sonnet", 5, 0) || c.familyFrom("fable", 5, 1) || c.major == unreadable
}

// defaultSampling: AN-26.
func (c claudeModel) defaultSampling() bool { return c.familyFrom("opus", 4, 7) || c.from(5, 0) }

// oneSampling: AN-48.
func (c claudeModel) oneSampling() bool {
	return c.familyFrom("opus", 4, 1) || c.familyFrom("sonnet", 4, 5) || c.familyFrom("haiku", 4, 5) || c.from(5, 0)
}
