package google_test

import (
	"testing"

	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// targets stand for every kind of policy in this format.
var targets = []policy.Target{
	{Provider: "google", Model: "gemini-2.5-pro"},
	{Provider: "google", Model: "gemini-2.5-flash"},
	{Provider: "google", Model: "gemini-2.0-flash"},
	{Provider: "google", Model: "gemini-3-pro-preview"},
	{Provider: "google", Model: "gemini-3.5-flash"},
	{Provider: "google-vertex", Model: "gemini-3-pro-preview"},
	{Provider: "google-vertex", Model: "gemini-2.5-flash"},
	{Provider: "google-gemini-cli", Model: "gemini-2.5-pro"},
	{Provider: "google-antigravity", Model: "gemini-3-pro-preview"},
	{Provider: "google-antigravity", Model: "claude-sonnet-4-5"},
	{Provider: "google-antigravity", Model: "claude-opus-4-6-thinking"},
	{Provider: "google-antigravity", Model: "gpt-oss-120b-medium"},
	{Provider: "mybox", API: "google-vertex", Model: "gemini-3-pro"},
}

const tools = `[{"functionDeclarations":[{"name":"read","parametersJsonSchema":{"type":"object","additionalProperties":false}},` +
	`{"name":"a b","parameters":{"type":"object","properties":{"x":{"const":1}}}},{"name":"bash"}]}]`

// G-1: GG-01…GG-09, GG-11…GG-23 and CA-01…CA-06.
func TestAccepted(t *testing.T) { buildtest.Accepted(t, format, tools, targets...) }
