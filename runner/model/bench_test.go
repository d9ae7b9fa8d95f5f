package model

import (
	"strings"
	"testing"
	"time"

	"hygeia/policy"
)

// BenchmarkDecode collects an answer of 20 000 pieces from its stream, bytes of
// the stream per second.
func BenchmarkDecode(b *testing.B) {
	for name, c := range map[string]struct {
		target           policy.Target
		front, piece, at string
	}{
		"anthropic": {
			policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "m"},
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n",
			"event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a few words of it "}}` + "\n\n",
			`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n",
		},
		"chat": {
			policy.Target{Provider: "openai", API: "openai-completions", Model: "m"},
			"",
			`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"a few words of it "},"finish_reason":null}]}` + "\n\n",
			`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n",
		},
		"gemini": {
			policy.Target{Provider: "google", API: "google-generative-ai", Model: "m"},
			"",
			`data: {"candidates":[{"content":{"parts":[{"text":"a few words of it "}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9}}` + "\n\n",
			`data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n",
		},
	} {
		b.Run(name, func(b *testing.B) {
			text := c.front + strings.Repeat(c.piece, 20_000) + c.at
			road, _ := roadOf(c.target.Provider, c.target.API)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				t := &turn{call: &Call{Target: c.target}, emit: func(Event) {}}
				if err := road.frame(strings.NewReader(text), 1<<20, road.decode(t)); err != nil && err != errDone {
					b.Fatal(err)
				}
				if err := t.finish(); err != nil {
					b.Fatal(err)
				}
				t.answer(time.Time{}, nil)
			}
		})
	}
}
