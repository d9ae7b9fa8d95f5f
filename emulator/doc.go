// Package emulator serves the APIs of model providers for tests: with their real
// paths, error bodies, status codes and streams, as strict as they are. A request
// is refused by every rule of the provider rulebook (package check), and by what
// only a server can know: signatures of thinking, encrypted content, thought
// signatures, and ids of items and responses that it did not issue. What it
// issues verifies when it comes back, so that a test can store an answer, replay
// it, and see what a real provider would say.
//
// # In a test
//
//	s := emulator.NewServer(emulator.Options{})
//	defer s.Close()
//	client := anthropic.NewClient(option.WithBaseURL(s.URL), option.WithAPIKey("any"))
//
// [New] returns the [Emulator] as an http.Handler for those who serve it
// themselves. [Emulator.Requests] lists what has been asked, with the findings of
// the rulebook.
//
// # Paths
//
// Every path is there as at the provider:
//
//	/v1/messages, /v1/messages/count_tokens                     Anthropic
//	/anthropic/v1/messages                                      MiniMax
//	/v1/ACCOUNT/GATEWAY/anthropic/v1/messages                   Cloudflare AI Gateway
//	/v1/responses, /v1/responses/input_tokens                   OpenAI
//	/v1/chat/completions                                        OpenAI and those who copy it
//	/backend-api/codex/responses                                Codex
//	/openai/v1/responses, /openai/deployments/NAME/…            Azure OpenAI
//	/v1beta/models/MODEL:generateContent, :streamGenerateContent, :countTokens  Gemini
//	/v1/projects/…/publishers/google/models/MODEL:…             Gemini on Vertex
//	/v1/projects/…/publishers/anthropic/models/MODEL:rawPredict Claude on Vertex
//	/v1internal:generateContent, :streamGenerateContent, :countTokens  Cloud Code Assist
//	/model/ID/converse, /converse-stream, /invoke, /invoke-with-response-stream, /count-tokens  Bedrock
//	/api/v1/chat/completions                                    OpenRouter
//	/api/chat                                                   Ollama
//
// Where providers share a path the model decides: at /v1/chat/completions
// "mistral-large-latest" meets Mistral and "gpt-5.1" OpenAI. /to/PROVIDER in front
// of a path names the provider instead: /to/mistral/v1/chat/completions,
// /to/groq/openai/v1/chat/completions. [Server.BaseURL] makes such a URL.
//
// Credentials are neither needed nor verified, SigV4 signatures among them; with
// [Options.RequireHeaders] they must at least be there.
//
// # Answers
//
// Without a [Responder] the answer is an echo of what the user said last, behind
// thinking if the request asks for that. [Script] makes a responder of steps,
// [ReadScript] reads them from JSON, one step per line or an array of them:
//
//	{"contains":"weather","content":[{"thinking":"I need the tool."},{"call":"weather","arguments":{"city":"Bern"}}]}
//	{"content":[{"text":"It rains."}],"usage":{"input":120,"output":7},"delay":"50ms","pace":"5ms"}
//	{"to":"anthropic/*","status":529,"error":"Overloaded","header":{"retry-after":"1"}}
//	{"content":[{"text":"This ends too early."}],"abort":{"after":3}}
//
// A step is used once, in order, by the first request that it fits; "times" says
// how often else, -1 always. See [Step], [Answer] and [Part] for the members. A
// scripted answer goes out as it stands, thinking included, whether or not the
// request asks for thinking.
//
// # What can be trusted
//
// Equal requests to emulators with equal options get equal answers, byte for
// byte, ids and signatures included: nothing depends on a clock or on chance, and
// every answer was made at the beginning of 2026. The ids of requests in headers
// count on. Numbers of tokens are estimates.
//
// Signatures of Claude are good at every provider that runs Claude. Those of its
// newest generation are bound to the model and to the conversation in front of
// them, thinking aside (AN-38); the other ones are bound to their text alone.
// Thought signatures of Gemini are bound to the generation of the model and to
// the call beside them; encrypted content to the provider, at Azure to the
// deployment. Nothing is remembered for that: signatures and ids carry a MAC under
// [Options.Key]. Responses and items that requests refer to by id alone are kept
// in memory, the newest thousand.
package emulator
