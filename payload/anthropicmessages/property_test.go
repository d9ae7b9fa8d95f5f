package anthropicmessages_test

import (
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/payload/internal/buildtest"
)

// endpoints stand for every kind of policy in this format: manual and adaptive
// thinking, thinking that cannot be switched off, none at all, prefill that is
// legal and not, gateways and compatible services.
var endpoints = buildtest.Named("anthropic-messages",
	"anthropic/claude-3-5-haiku-20241022", "anthropic/claude-3-7-sonnet", "anthropic/claude-sonnet-4-5",
	"anthropic/claude-opus-4-6", "anthropic/claude-opus-4-8", "anthropic/claude-opus-5", "anthropic/claude-opus-5-5",
	"anthropic/claude-sonnet-5-5", "anthropic-vertex/claude-sonnet-4-5", "cloudflare-ai-gateway/claude-sonnet-4-5",
	"cloudflare-ai-gateway/claude-opus-4-7", "minimax/MiniMax-M2.7", "minimax/MiniMax-M3", "kimi/kimi-for-coding",
	"mybox/some-model",
)

// listed is a message with a string as a list of one text block (D-21).
func listed(message string) string {
	o := jsonline.ParseObject([]byte(message))
	if c := o.Get("content"); c.IsString() {
		list := append(append([]byte(`[{"type":"text","text":`), c.Raw...), `}]`...)
		o = o.With("content", jsonline.Value{Raw: list, Kind: jsonline.Array})
	}
	return string(o.AppendTo(nil))
}

func TestProperty(t *testing.T) { buildtest.Properties(t, format) }

func TestLinear(t *testing.T) { buildtest.Linear(t, format) }

func FuzzBuild(f *testing.F) { buildtest.Fuzz(f, format) }

func BenchmarkBuild(b *testing.B) { buildtest.Benchmark(b, format) }
