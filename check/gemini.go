package check

import (
	"regexp"
	"strings"
)

// geminiModel is what the name of a model says about its generation. Facts of
// file 90 §5 hang on it; they stand here and not in a profile, so that a mistake
// in a profile is found.
type geminiModel struct {
	is           bool
	major, minor int
	pro, lite    bool
}

var (
	geminiVersion = regexp.MustCompile(`gemini-(\d{1,2})(?:\.(\d{1,2}))?(?:\D|$)`)
	geminiFirst   = regexp.MustCompile(`gemini-(?:pro|pro-vision|ultra)$`)
)

// parseGemini reads a model id. A Gemini without a number counts as the newest,
// but for the names of the first generation.
func parseGemini(model string) geminiModel {
	m := strings.ToLower(model)
	if !strings.Contains(m, "gemini") {
		return geminiModel{}
	}
	g := geminiModel{is: true, major: 99, pro: strings.Contains(m, "-pro"), lite: strings.Contains(m, "flash-lite")}
	if f := geminiVersion.FindStringSubmatch(m); f != nil {
		g.major, g.minor = atoi(f[1]), atoi(f[2])
	} else if geminiFirst.MatchString(m) {
		g.major = 1
	}
	return g
}

// from reports whether the model is of that version or a later one.
func (g geminiModel) from(major, minor int) bool {
	return g.is && (g.major > major || g.major == major && g.minor >= minor)
}

// before reports whether the model is a Gemini older than that version.
func (g geminiModel) before(major, minor int) bool { return g.is && !g.from(major, minor) }

// budget reports whether the model takes a thinking budget of that many tokens
// (GG-19). -1 leaves it to the model.
func (g geminiModel) budget(tokens float64) bool {
	switch {
	case !g.is || tokens == -1:
		return true
	case g.from(3, 0):
		return tokens > 0
	case g.pro:
		return tokens >= 128 && tokens <= 32768
	case g.lite:
		return tokens == 0 || tokens >= 512 && tokens <= 24576
	}
	return tokens >= 0 && tokens <= 24576
}
