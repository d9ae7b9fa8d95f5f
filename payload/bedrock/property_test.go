package bedrock_test

import (
	"testing"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
)

// endpoints stand for every kind of policy in this format: manual and adaptive
// thinking, thinking that cannot be switched off, none at all, prefill that is
// legal and not, cache points and none, models that refuse text beside results
// and know no status.
var endpoints = buildtest.Named("bedrock-converse-stream",
	"amazon-bedrock/anthropic.claude-3-haiku-20240307-v1:0", "amazon-bedrock/us.anthropic.claude-3-7-sonnet-20250219-v1:0",
	"amazon-bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0", "amazon-bedrock/us.anthropic.claude-opus-4-6-v1:0",
	"amazon-bedrock/anthropic.claude-opus-5-5-v1:0", "amazon-bedrock/anthropic.claude-sonnet-5-5-v1:0",
	"amazon-bedrock/us.amazon.nova-pro-v1:0", "amazon-bedrock/meta.llama3-1-70b-instruct-v1:0",
	"amazon-bedrock/mistral.mistral-large-2407-v1:0", "amazon-bedrock/openai.gpt-oss-120b-1:0", "amazon-bedrock/deepseek.r1-v1:0",
)

func TestProperty(t *testing.T) { buildtest.Properties(t, format) }

func TestLinear(t *testing.T) { buildtest.Linear(t, format) }

func FuzzBuild(f *testing.F) { buildtest.Fuzz(f, format) }

// Without tools, calls and results are told (W-707).
func BenchmarkBuild(b *testing.B) {
	buildtest.Benchmark(b, format, buildtest.Variant{Name: "told", In: &payload.Input{Target: format.Target, Policy: &format.Policy}})
}
