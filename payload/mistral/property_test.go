package mistral_test

import (
	"testing"

	"hygeia/payload/internal/buildtest"
)

// endpoints stand for models that reason and that do not, at Mistral and behind
// somebody else's server of the same format.
var endpoints = buildtest.Named("mistral-conversations",
	"mistral/mistral-large-latest", "mistral/magistral-medium-latest", "mistral/codestral-latest", "mybox/some-model")

func TestProperty(t *testing.T) { buildtest.Properties(t, format) }

func TestLinear(t *testing.T) { buildtest.Linear(t, format) }

func FuzzBuild(f *testing.F) { buildtest.Fuzz(f, format) }

func BenchmarkBuild(b *testing.B) { buildtest.Benchmark(b, format) }
