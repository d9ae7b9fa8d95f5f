package model

// road is the way to the models of an API.
type road struct {
	// root is what a base URL ends in that stands for a bare host.
	root string
	// path stands behind the base URL; words in braces are filled in.
	path   string
	frame  framing
	accept string // the media type of the answer
	decode func(*turn) decoder
	// key is the header of the key, "" for a bearer token.
	key    string
	header map[string]string
}

// The media types of answers.
const (
	sseType    = "text/event-stream"
	linesType  = "application/x-ndjson"
	amazonType = "application/vnd.amazon.eventstream"
)

const sse = "?alt=sse"

var anthropicVersion = map[string]string{"Anthropic-Version": "2023-06-01"}

// roads are the ways by API.
var roads = map[string]road{
	"anthropic-messages": {
		path: "/v1/messages", frame: serverSentEvents, accept: sseType, decode: decodeAnthropic, key: "X-Api-Key", header: anthropicVersion,
	},
	"openai-completions":     {root: "/v1", path: "/chat/completions", frame: serverSentEvents, accept: sseType, decode: decodeChat},
	"openai-responses":       {root: "/v1", path: "/responses", frame: serverSentEvents, accept: sseType, decode: decodeResponses},
	"azure-openai-responses": {path: "/openai/v1/responses", frame: serverSentEvents, accept: sseType, decode: decodeResponses, key: "Api-Key"},
	codexAPI: {
		root: "/backend-api", path: "/codex/responses", frame: serverSentEvents, accept: sseType, decode: decodeResponses,
		header: map[string]string{"Openai-Beta": "responses=experimental", "Originator": "hygeia"}, // W-346
	},
	"google-generative-ai": {
		root: "/v1beta", path: "/models/{model}:streamGenerateContent" + sse, frame: serverSentEvents, accept: sseType, decode: decodeGemini,
		key: "X-Goog-Api-Key",
	},
	"google-vertex": {
		path:  "/v1/projects/{project}/locations/{location}/publishers/google/models/{model}:streamGenerateContent" + sse,
		frame: serverSentEvents, accept: sseType, decode: decodeGemini,
	},
	codeAssistAPI: {
		path: "/v1internal:streamGenerateContent" + sse, frame: serverSentEvents, accept: sseType, decode: decodeCodeAssist,
	},
	"bedrock-converse-stream": {path: "/model/{model}/converse-stream", frame: amazonEvents, accept: amazonType, decode: decodeConverse},
	"mistral-conversations":   {path: "/v1/chat/completions", frame: serverSentEvents, accept: sseType, decode: decodeChat},
	"ollama":                  {path: "/api/chat", frame: jsonLines, accept: linesType, decode: decodeOllama},
}

// detours are the ways of providers that serve an API in their own way (W-233,
// W-351).
var detours = map[[2]string]road{
	{"anthropic-vertex", "anthropic-messages"}: {
		path:  "/v1/projects/{project}/locations/{location}/publishers/anthropic/models/{model}:streamRawPredict",
		frame: serverSentEvents, accept: sseType, decode: decodeAnthropic,
	},
	{bedrock, "anthropic-messages"}: {
		path: "/model/{model}/invoke-with-response-stream", frame: amazonEvents, accept: amazonType, decode: decodeInvokeModel,
	},
	{"azure-openai", "openai-completions"}: {
		path: "/openai/v1/chat/completions", frame: serverSentEvents, accept: sseType, decode: decodeChat, key: "Api-Key",
	},
	{"github-copilot", "anthropic-messages"}: {
		path: "/v1/messages", frame: serverSentEvents, accept: sseType, decode: decodeAnthropic, header: anthropicVersion,
	},
}

func roadOf(provider, api string) (road, bool) {
	if r, ok := detours[[2]string{provider, api}]; ok {
		return r, true
	}
	r, ok := roads[api]
	return r, ok
}
