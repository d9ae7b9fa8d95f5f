package buildtest

import (
	"fmt"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
	"hygeia/wire"
)

// Format is a converter under test.
type Format struct {
	Build func(*payload.Input) ([]byte, error)
	Rules []hygiene.Rule
	// Decode reads the body of a request of this format, nil where no decoder
	// exists.
	Decode func(body []byte) (*wire.Request, error)
	// Findings returns what a strict service would refuse.
	Findings func(body []byte, in *payload.Input) []string
	// Target and Policy are those of cases and benchmarks that name none.
	Target policy.Target
	Policy policy.Policy

	// Endpoints stand for every kind of policy that the format meets. Every
	// property holds for each of them.
	Endpoints []Endpoint
	// Tools are what Options.Tools may be, besides absent and empty.
	Tools []string
	// Vocabulary is what histories as the passes leave them are drawn from.
	Vocabulary Vocabulary
	// Clean are the pieces of clean sessions.
	Clean Clean
	// Hostile is Findings for messages that no pass has seen: without what only
	// the passes can see to. Nil: Findings.
	Hostile func(body []byte, in *payload.Input) []string
	// Refuses reports whether such messages may be refused with an error. Nil:
	// a body can be built of everything.
	Refuses func(in *payload.Input, err error) bool
	// Marker is what marks a place to cache in a body. It moves (D-21).
	Marker string
	// Spelling gives messages of a body that D-21 takes for equal the same
	// spelling. Nil: only the same bytes are.
	Spelling func(message string) string
	// Loose says that a body which is read back is compared as D-21 does, because
	// the decoder does not keep what Spelling makes equal.
	Loose bool
	// Grows says that a turn which is appended may be joined with the last
	// message of the body.
	Grows bool
	// Proof returns what of the signature of a block goes out, absent for nothing.
	// Nil: no signature does.
	Proof func(*transcript.Block) jsonline.Value
	// Ambiguous reports whether the body of an input, with the report of its
	// build, does not tell what it was made of. Nil: every body does.
	Ambiguous func(in *payload.Input) bool
	// Asked is the thinking level of requests that are read back and name none,
	// for formats in which without a level the history decides (D-38), of which a
	// build may leave something out.
	Asked payload.Level
	// Closing is the rule that closes a list with a message which gives way when
	// turns are appended, "" where there is none.
	Closing string
}

// Endpoint is a target with its policy.
type Endpoint struct {
	Name   string
	Target policy.Target
	Policy policy.Policy
	// CallID is the form of call ids, "" for that of the vocabulary.
	CallID string
}

// Functions are [Format.Tools] of the chat formats.
var Functions = []string{
	`[{"type":"function","function":{"name":"read"}}]`,
	`[{"type":"function","function":{"name":"fs.read","parameters":{"type":"object"}}},{"type":"function","function":{"name":"read"}}]`,
}

// fataler is what reading needs of a test: testing.T and rapid.T have it.
type fataler interface {
	Fatalf(format string, args ...any)
}

// Resolve returns the endpoints as package policy knows them. A target without
// an API gets its default. It panics where there is no policy.
func Resolve(targets ...policy.Target) []Endpoint {
	var list []Endpoint
	for _, target := range targets {
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			panic(fmt.Errorf("%+v: %w", target, err))
		}
		list = append(list, Endpoint{Name: target.Provider + "/" + target.Model, Target: res.Target, Policy: *res.Policy})
	}
	return list
}

// Named is Resolve for targets that are spelled provider/model, in one format.
func Named(api string, names ...string) []Endpoint {
	var targets []policy.Target
	for _, name := range names {
		target, err := policy.ParseTarget(name)
		if err != nil {
			panic(err)
		}
		target.API = api
		targets = append(targets, target)
	}
	return Resolve(targets...)
}

// Input returns an input for a target as package policy knows it, without
// messages and options.
func Input(target policy.Target) *payload.Input { return Resolve(target)[0].Input() }

// Input returns an input without messages and options.
func (e Endpoint) Input() *payload.Input {
	return &payload.Input{Target: e.Target, Policy: &e.Policy, Report: &hygiene.Report{Target: e.Target}}
}

// input returns an input for the format's own target and policy.
func (f *Format) input() *payload.Input { return Endpoint{Target: f.Target, Policy: f.Policy}.Input() }

// fresh returns the input with an empty report.
func fresh(in *payload.Input) *payload.Input {
	again := *in
	again.Report = &hygiene.Report{Target: in.Target}
	return &again
}
