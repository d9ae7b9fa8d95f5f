package ollama_test

import (
	"testing"

	"hygeia/payload/internal/buildtest"
)

// endpoints stand for models that think and that do not, with images and without,
// and for another server of the same format, whose turns nobody joins.
var endpoints = buildtest.Named("ollama",
	"ollama/qwen3", "ollama/llama3.3", "ollama/gemma3:4b", "ollama-cloud/gpt-oss:20b", "mybox/deepseek-r1")

func TestProperty(t *testing.T) { buildtest.Properties(t, format) }

func TestLinear(t *testing.T) { buildtest.Linear(t, format) }

func FuzzBuild(f *testing.F) { buildtest.Fuzz(f, format) }

func BenchmarkBuild(b *testing.B) { buildtest.Benchmark(b, format) }
