package openairesponses_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/payload/openairesponses"
	"hygeia/policy"
)

// endpoints stand for every kind of policy in this format: the three APIs,
// routers and hosts that are not OpenAI's own, models that do not reason, turns
// that must alternate, and items that are stored.
var endpoints = append(
	buildtest.Resolve(
		policy.Target{Provider: "openai", Model: "gpt-5.1"},
		policy.Target{Provider: "openai-codex", Model: "gpt-5.4"},
		policy.Target{Provider: "azure-openai", Model: "gpt-5.1"},
		policy.Target{Provider: "github-copilot", API: "openai-responses", Model: "gpt-5.1"},
		policy.Target{Provider: "xai", API: "openai-responses", Model: "grok-4"},
		policy.Target{Provider: "openai", Model: "gpt-4o"},
		policy.Target{Provider: "openai", Model: "gpt-3.5-turbo"},
		policy.Target{Provider: "mybox", API: "openai-responses", Model: "claude-sonnet-4-5"},
	),
	storing(
		policy.Target{Provider: "openai", Model: "gpt-5.1"},
		policy.Target{Provider: "azure-openai", Model: "gpt-5.1"},
		policy.Target{Provider: "openai-codex", Model: "gpt-5.4"},
	)...,
)

// storing returns endpoints that keep the items of their answers.
func storing(targets ...policy.Target) []buildtest.Endpoint {
	list := buildtest.Resolve(targets...)
	for i := range list {
		list[i].Name += " stored"
		list[i].Policy.Wire.StoreItems = true
	}
	return list
}

// refused is findings without OR-20: what the bytes of a picture are is the
// concern of the images pass alone.
func refused(body []byte, in *payload.Input) []string {
	return slices.DeleteFunc(findings(body, in), func(f string) bool { return strings.HasPrefix(f, "OR-20") })
}

// refuses reports an error that a list no pass has seen may end in: a call never
// goes out alone (W-335).
func refuses(in *payload.Input, err error) bool {
	var invalid *openairesponses.TranscriptError
	return errors.As(err, &invalid) || errors.Is(err, payload.ErrNothingToSend)
}

func TestProperty(t *testing.T) { buildtest.Properties(t, format) }

func TestLinear(t *testing.T) { buildtest.Linear(t, format) }

func FuzzBuild(f *testing.F) { buildtest.Fuzz(f, format) }

func BenchmarkBuild(b *testing.B) { buildtest.Benchmark(b, format) }
