// Package model asks the model of a provider and stores what it says. It sends a
// body as [hygeia.Transcript.Replay] built it over the wire format of the target,
// reads the answer while it streams, and gives the assistant turn in the form in
// which session files hold it (F-32…F-36): with signatures, encrypted reasoning
// and ids of items as the provider issued them, so that the next replay of the
// session is accepted.
//
//	c := model.New(model.Config{})
//	a, err := c.Stream(ctx, model.Call{Target: r.Resolution.Target, Body: r.Body}, func(e model.Event) {
//		if e.Kind == model.Text {
//			fmt.Print(e.Text)
//		}
//	})
//	store(a.Message) // also when err says why it ended early
//
// # Where a request goes
//
// The provider and the API of the target decide. Hosts, keys and regions come
// from [Config.Endpoints] and the environment and from nowhere else: no name of a
// model and no answer of a server chooses them. Redirects are not followed. A base
// URL stands for what is in front of the path that all providers of a format
// share; what it already has of that path is not said twice:
//
//	anthropic-messages         https://api.anthropic.com              /v1/messages
//	openai-completions         https://api.openai.com/v1              /chat/completions
//	openai-responses           https://api.openai.com/v1              /responses
//	azure-openai-responses     https://NAME.openai.azure.com          /openai/v1/responses
//	openai-chatgpt-responses   https://chatgpt.com/backend-api        /codex/responses
//	google-generative-ai       https://generativelanguage.googleapis.com/v1beta  /models/MODEL:…
//	google-vertex              https://LOCATION-aiplatform.googleapis.com        /v1/projects/…
//	google-gemini-cli          https://cloudcode-pa.googleapis.com    /v1internal:…
//	bedrock-converse-stream    https://bedrock-runtime.REGION.amazonaws.com  /model/ID/converse-stream
//	mistral-conversations      https://api.mistral.ai                 /v1/chat/completions
//	ollama                     http://127.0.0.1:11434                 /api/chat
//
// With [Config.Emulator] every request goes to that server instead, and no
// credentials leave the process.
//
// # What is not believed
//
// Answers are hostile input: a line, an answer and the time between two bytes have
// limits, and whatever is no event of the format ends the answer with an error of
// kind [Malformed]. Texts of errors are bounded and hold no credentials. Only a
// provider that is overloaded is asked again, and only while nothing was passed on
// (W-904).
package model
