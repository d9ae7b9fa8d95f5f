// Package payload holds what the converters of all wire formats share: the
// options of a request, tool names, texts of tool results. The converters
// themselves stand in the folders below, one package per format, and have one
// function:
//
//	func Build(in *payload.Input) ([]byte, error)
//
// It turns messages that the passes have sanitised into the body of a request.
// Unchanged text and arguments are spliced, not encoded again. What a converter
// has to leave out or change it adds to the report (W-…).
package payload

import (
	"cmp"
	"errors"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/transcript"
	"hygeia/wire"
)

// Level is how much a model is asked to think (W-216). The zero value leaves
// the decision to the converter (D-38).
type Level string

// The levels.
const (
	ThinkDefault Level = ""
	ThinkOff     Level = "off"
	ThinkMinimal Level = "minimal"
	ThinkLow     Level = "low"
	ThinkMedium  Level = "medium"
	ThinkHigh    Level = "high"
	ThinkMax     Level = "max"
)

// Options is what a session does not say (D-38).
type Options struct {
	// System is the system prompt, "" for none.
	System string
	// Tools are definitions in the form of the target, a JSON array that is
	// passed through. Absent: none.
	Tools jsonline.Value
	// MaxTokens is the output limit, 0: the model's own, at most 32 000, or
	// 8 192 if that is unknown.
	MaxTokens int
	// Thinking is the level asked for.
	Thinking Level
	// SessionID is the key of prompt caches where a format has one.
	SessionID string
	// Project is the cloud project of a request whose envelope names one
	// (W-631), "" for none.
	Project string
	// Identity is that of access by a token of a subscription (W-231), nil for
	// none. Only Anthropic Messages has one.
	Identity *Identity
}

// Input is what a converter works on.
type Input struct {
	Messages []*transcript.Message
	Target   policy.Target
	Policy   *policy.Policy
	Options  Options
	// Request is the request that the messages were decoded from, nil where they
	// come from somewhere else. A converter for its format keeps what it can.
	Request *wire.Request
	// Report takes the changes that the converter makes. Never nil.
	Report *hygiene.Report
	// Names takes the mapping of tool names, for whoever reads the answer. Nil
	// where nobody does.
	Names *Names
}

// The output limit where nobody names one (D-38), in tokens.
const (
	maxDefaultTokens     = 32_000
	unknownDefaultTokens = 8_192
)

// MaxTokens returns the output limit of the request: what the caller asks for,
// not above the model's own limit, or the default of D-38. Always positive.
func (in *Input) MaxTokens() int {
	limit := in.Policy.Model.MaxOutputTokens
	asked := in.Options.MaxTokens
	switch {
	case asked > 0 && limit > 0:
		return min(asked, limit)
	case asked > 0:
		return asked
	case limit > 0:
		return min(limit, maxDefaultTokens)
	}
	return unknownDefaultTokens
}

// ErrNothingToSend says that no turn is left that the format could carry
// (W-006, W-414).
var ErrNothingToSend = errors.New("no user or assistant turn is left to send")

// LevelOf returns the level that a session calls by that name (F-70). An
// unknown name leaves the decision to the converter.
func LevelOf(name string) Level {
	switch l := Level(name); l {
	case ThinkOff, ThinkMinimal, ThinkLow, ThinkMedium, ThinkHigh, ThinkMax:
		return l
	}
	if name == "xhigh" {
		return ThinkMax
	}
	return ThinkDefault
}

// Effort returns the endpoint's name of a thinking level. Without a name of its
// own the level is its name, but for the two that services do not share.
func Effort(w *policy.Wire, level Level) string {
	name := string(level)
	switch level {
	case ThinkOff:
		name = "none"
	case ThinkMax:
		name = "high"
	}
	return cmp.Or(w.Efforts[string(level)], name)
}
