package model_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hygeia/emulator"
	"hygeia/policy"
	"hygeia/runner/model"
)

// recorder is a transport that keeps the request and refuses it.
type recorder struct{ r *http.Request }

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.r = req
	return &http.Response{StatusCode: http.StatusTeapot, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")), Request: req}, nil
}

func vars(list ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(list); i += 2 {
			if list[i] == name {
				return list[i+1]
			}
		}
		return ""
	}
}

// TestAddress sends requests to where their providers are, with the credentials
// where they belong (W-233, W-241, W-242, W-341, W-346, W-351).
func TestAddress(t *testing.T) {
	claims := base64.RawURLEncoding.EncodeToString([]byte(`{"https://api.openai.com/auth":{"chatgpt_account_id":"acc-1"}}`))
	aws := vars("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY", "secret-of-aws", "AWS_SESSION_TOKEN", "token-of-aws", "AWS_REGION", "eu-west-1")
	google := vars("GOOGLE_OAUTH_ACCESS_TOKEN", "ya29-token", "GOOGLE_CLOUD_LOCATION", "europe-west4", "GOOGLE_CLOUD_PROJECT", "p1")
	for _, c := range []struct {
		name, target, api string
		env               func(string) string
		endpoint          model.Endpoint
		url               string
		header            string // "Name: value" that must stand there, one a line
	}{
		{"Anthropic", "anthropic/claude-sonnet-4-5", "anthropic-messages", vars("ANTHROPIC_API_KEY", "sk-ant-1234"), model.Endpoint{}, "https://api.anthropic.com/v1/messages", "X-Api-Key: sk-ant-1234\nAnthropic-Version: 2023-06-01\nAuthorization:"},
		{"OAuth", "anthropic/claude-sonnet-4-5", "anthropic-messages", vars("ANTHROPIC_OAUTH_TOKEN", "sk-ant-oat-1234"), model.Endpoint{}, "https://api.anthropic.com/v1/messages", "X-Api-Key:\nAuthorization: Bearer sk-ant-oat-1234\nX-App: cli"},
		{"a base URL with a version", "anthropic/claude-sonnet-4-5", "anthropic-messages", vars("ANTHROPIC_BASE_URL", "https://proxy.test/x/v1/", "ANTHROPIC_API_KEY", "sk-ant-1234"), model.Endpoint{}, "https://proxy.test/x/v1/messages", ""},
		{"MiniMax", "minimax/MiniMax-M2.7", "anthropic-messages", vars("MINIMAX_API_KEY", "mm-1234"), model.Endpoint{}, "https://api.minimax.io/anthropic/v1/messages", "X-Api-Key: mm-1234"},
		{"Cloudflare", "cloudflare-ai-gateway/claude-sonnet-4-5", "anthropic-messages", vars("CLOUDFLARE_AI_GATEWAY_TOKEN", "cf-1234", "CLOUDFLARE_ACCOUNT_ID", "a1", "CLOUDFLARE_GATEWAY_ID", "g1"), model.Endpoint{}, "https://gateway.ai.cloudflare.com/v1/a1/g1/anthropic/v1/messages", "Cf-Aig-Authorization: Bearer cf-1234\nX-Api-Key:\nAuthorization:"},
		{"Claude on Vertex", "anthropic-vertex/claude-sonnet-4-5", "anthropic-messages", google, model.Endpoint{}, "https://europe-west4-aiplatform.googleapis.com/v1/projects/p1/locations/europe-west4/publishers/anthropic/models/claude-sonnet-4-5:streamRawPredict", "Authorization: Bearer ya29-token\nAnthropic-Beta:"},
		{"Vertex in all places", "google-vertex/gemini-3-pro", "google-vertex", google, model.Endpoint{Location: "global", Project: "p2"}, "https://aiplatform.googleapis.com/v1/projects/p2/locations/global/publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse", ""},
		{"OpenAI", "openai/gpt-5.1", "openai-responses", vars("OPENAI_API_KEY", "sk-1234"), model.Endpoint{}, "https://api.openai.com/v1/responses", "Authorization: Bearer sk-1234"},
		{"Codex", "openai/gpt-5.4", "openai-chatgpt-responses", vars("OPENAI_API_KEY", "h."+claims+".s"), model.Endpoint{}, "https://chatgpt.com/backend-api/codex/responses", "Chatgpt-Account-Id: acc-1\nOpenai-Beta: responses=experimental\nSession_id: s1\nX-Client-Request-Id: s1"},
		{"Codex, spelled out", "openai/gpt-5.4", "openai-chatgpt-responses", nil, model.Endpoint{BaseURL: "https://chatgpt.com/backend-api/codex/v1", Key: "abcdefgh"}, "https://chatgpt.com/backend-api/codex/responses", "Chatgpt-Account-Id:"},
		{"Azure", "azure-openai/gpt-5.1", "azure-openai-responses", vars("AZURE_OPENAI_API_KEY", "az-12345", "AZURE_OPENAI_ENDPOINT", "https://n.openai.azure.com/"), model.Endpoint{}, "https://n.openai.azure.com/openai/v1/responses", "Api-Key: az-12345\nAuthorization:"},
		{"Azure with a version", "azure-openai/gpt-5.1", "azure-openai-responses", nil, model.Endpoint{BaseURL: "https://n.openai.azure.com/openai/v1?api-version=preview", Key: "az-12345"}, "https://n.openai.azure.com/openai/v1/responses?api-version=preview", ""},
		{"Azure, Chat Completions", "azure-openai/gpt-4o", "openai-completions", nil, model.Endpoint{BaseURL: "https://n.openai.azure.com/openai", Key: "az-12345"}, "https://n.openai.azure.com/openai/v1/chat/completions", "Api-Key: az-12345"},
		{"OpenRouter", "openrouter/anthropic/claude-sonnet-4.5", "openai-completions", vars("OPENROUTER_API_KEY", "or-12345"), model.Endpoint{}, "https://openrouter.ai/api/v1/chat/completions", "Authorization: Bearer or-12345"},
		{"DeepSeek", "deepseek/deepseek-v4-pro", "openai-completions", vars("DEEPSEEK_API_KEY", "ds-12345\n"), model.Endpoint{}, "https://api.deepseek.com/chat/completions", "Authorization: Bearer ds-12345"},
		{"Gemini", "google/gemini-3-pro-preview", "google-generative-ai", vars("GEMINI_API_KEY", "AIza-1234"), model.Endpoint{}, "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse", "X-Goog-Api-Key: AIza-1234"},
		{"Gemini with a query", "google/gemini-3-pro-preview", "google-generative-ai", nil, model.Endpoint{BaseURL: "https://g.test/v1beta?tenant=1", Key: "AIza-1234"}, "https://g.test/v1beta/models/gemini-3-pro-preview:streamGenerateContent?tenant=1&alt=sse", ""},
		{"Cloud Code Assist", "google-gemini-cli/gemini-3-pro-preview", "google-gemini-cli", google, model.Endpoint{}, "https://cloudcode-pa.googleapis.com/v1internal:streamGenerateContent?alt=sse", "Authorization: Bearer ya29-token"},
		{"Antigravity", "google-antigravity/claude-sonnet-4-5", "google-gemini-cli", google, model.Endpoint{}, "https://daily-cloudcode-pa.sandbox.googleapis.com/v1internal:streamGenerateContent?alt=sse", "Anthropic-Beta: interleaved-thinking-2025-05-14"},
		{"Antigravity, Gemini", "google-antigravity/gemini-3-pro", "google-gemini-cli", google, model.Endpoint{}, "https://daily-cloudcode-pa.sandbox.googleapis.com/v1internal:streamGenerateContent?alt=sse", "Anthropic-Beta:"},
		{"Bedrock, signed", "amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0", "bedrock-converse-stream", aws, model.Endpoint{}, "https://bedrock-runtime.eu-west-1.amazonaws.com/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream", "X-Amz-Security-Token: token-of-aws\nAuthorization: AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/"},
		{"Bedrock with a profile", "amazon-bedrock/arn:aws:bedrock:eu-west-1:1:inference-profile/eu.x", "bedrock-converse-stream", vars("AWS_BEARER_TOKEN_BEDROCK", "br-12345", "AWS_REGION", "eu-west-1"), model.Endpoint{}, "https://bedrock-runtime.eu-west-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.x/converse-stream", "Authorization: Bearer br-12345"},
		{"InvokeModel", "amazon-bedrock/anthropic.claude-sonnet-4-5", "anthropic-messages", vars("AWS_BEARER_TOKEN_BEDROCK", "br-12345", "AWS_REGION", "eu-west-1"), model.Endpoint{}, "https://bedrock-runtime.eu-west-1.amazonaws.com/model/anthropic.claude-sonnet-4-5/invoke-with-response-stream", ""},
		{"Mistral", "mistral/magistral-medium-latest", "mistral-conversations", vars("MISTRAL_API_KEY", "mi-12345"), model.Endpoint{}, "https://api.mistral.ai/v1/chat/completions", "Authorization: Bearer mi-12345"},
		{"Ollama", "ollama/qwen3", "ollama", nil, model.Endpoint{}, "http://127.0.0.1:11434/api/chat", "Authorization:"},
		{"a server of one's own", "home/qwen3", "openai-completions", nil, model.Endpoint{BaseURL: "http://home.lan:8000/v1"}, "http://home.lan:8000/v1/chat/completions", "Authorization:"},
		{"headers of one's own", "home/qwen3", "openai-completions", nil, model.Endpoint{BaseURL: "http://home.lan/v1", Header: map[string]string{"X-Tenant": "t-1"}}, "http://home.lan/v1/chat/completions", "X-Tenant: t-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target, err := policy.ParseTarget(c.target)
			if err != nil {
				t.Fatal(err)
			}
			target.API = c.api
			if c.env == nil {
				c.env = vars()
			}
			var r recorder
			client := model.New(model.Config{Transport: &r, Env: c.env, Retries: -1, Endpoints: map[string]model.Endpoint{target.Provider: c.endpoint}})
			_, err = client.Stream(context.Background(), model.Call{Target: target, Body: []byte("{}"), SessionID: "s1"}, nil)
			if r.r == nil {
				t.Fatal(err)
			}
			if got := r.r.URL.String(); got != c.url {
				t.Errorf("URL %s", got)
			}
			for line := range strings.Lines(c.header) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
				value = strings.TrimSpace(value)
				if got := r.r.Header.Get(name); (value == "") != (got == "") || !strings.HasPrefix(got, value) {
					t.Errorf("header %s: %q", name, got)
				}
			}
		})
	}
}

// TestNotConfigured sends nothing where something is missing.
func TestNotConfigured(t *testing.T) {
	for name, c := range map[string]struct {
		target   policy.Target
		endpoint model.Endpoint
		says     string
	}{
		"no key":              {onAnthropic, model.Endpoint{}, "ANTHROPIC_API_KEY"},
		"half a pair of keys": {onBedrock, model.Endpoint{Region: "eu-west-1", AccessKey: "abcdefgh"}, "no key"},
		"no provider":         {policy.Target{Provider: "nobody", API: "openai-completions", Model: "m"}, model.Endpoint{}, "base URL"},
		"no API":              {policy.Target{Provider: "openai", API: "telegraph", Model: "m"}, model.Endpoint{Key: "abcdefgh"}, "telegraph"},
		"no region":           {onBedrock, model.Endpoint{AccessKey: "abcdefgh", SecretKey: "abcdefgh"}, "region"},
		"no region to sign":   {onBedrock, model.Endpoint{BaseURL: "http://127.0.0.1:1", AccessKey: "abcdefgh", SecretKey: "abcdefgh"}, "region"},
		"no endpoint":         {policy.Target{Provider: "azure-openai", API: "azure-openai-responses", Model: "m"}, model.Endpoint{Key: "abcdefgh"}, "AZURE_OPENAI_ENDPOINT"},
		"no gateway":          {policy.Target{Provider: "cloudflare-ai-gateway", API: "anthropic-messages", Model: "m"}, model.Endpoint{Key: "abcdefgh"}, "account"},
		"an odd scheme":       {onAnthropic, model.Endpoint{BaseURL: "file:///etc/passwd", Key: "abcdefgh"}, "no plain http"},
		"another scheme":      {onAnthropic, model.Endpoint{BaseURL: "ftp://api.test", Key: "abcdefgh"}, "no plain http"},
		"no URL":              {onAnthropic, model.Endpoint{BaseURL: "https://[::1", Key: "abcdefgh"}, "no plain http"},
		"a password":          {onAnthropic, model.Endpoint{BaseURL: "https://u:hunter2222@api.test", Key: "abcdefgh"}, "no plain http"},
		"a model like a path": {policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: ".."}, model.Endpoint{Region: "eu-west-1", Key: "abcdefgh"}, "model"},
	} {
		t.Run(name, func(t *testing.T) {
			var r recorder
			client := model.New(model.Config{Transport: &r, Env: vars("AWS_ACCESS_KEY_ID", "abcdefgh", "AWS_SECRET_ACCESS_KEY", "abcdefgh"), Endpoints: map[string]model.Endpoint{c.target.Provider: c.endpoint}})
			_, err := client.Stream(context.Background(), model.Call{Target: c.target, Body: []byte("{}")}, nil)
			if e := fault(t, err); e.Kind != model.Unready || !strings.Contains(e.Text, c.says) || strings.Contains(e.Error(), "hunter2222") {
				t.Errorf("%+v", e)
			}
			if r.r != nil {
				t.Error("something was sent")
			}
		})
	}
}

// planted are secrets of every kind that a client may hold.
const planted = "sk-planted/0123+456"

// TestPlantedKeys meets servers that say back what they were sent, in every way
// that an error can take: none of it shows the key.
func TestPlantedKeys(t *testing.T) {
	ways := map[string]http.HandlerFunc{
		"a refusal": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Amzn-Errortype", planted)
			w.WriteHeader(http.StatusUnauthorized)
			text, _ := json.Marshal(r.Header)
			quoted, _ := json.Marshal(string(text) + planted + url.QueryEscape(planted) + base64.StdEncoding.EncodeToString([]byte(planted)))
			_, _ = io.WriteString(w, `{"error":{"message":`+string(quoted)+`,"code":"`+planted+`"}}`)
		},
		"words": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "bad key "+planted, http.StatusForbidden) },
		"escapes": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"error":"`+strings.ReplaceAll(planted, "/", `\/`)+strings.ReplaceAll(planted, "+", `\u002B`)+`"}`)
		},
		"a long text": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, strings.Repeat("x", 64<<10-5)+planted, http.StatusForbidden)
		},
		"a text that is cut": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, strings.Repeat("x", 12)+strings.Repeat(planted, 5000), http.StatusForbidden)
		},
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/"+url.PathEscape(planted), http.StatusTemporaryRedirect)
		},
		"the middle of a stream": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"type":"error","error":{"type":"`+planted+`","message":"`+planted+`"}}`+"\n\n")
		},
		"the reason of an end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"type":"message_delta","delta":{"stop_reason":"`+planted+`"}}`+"\n\ndata: {\"type\":\"message_stop\"}\n\n")
		},
		"a cut connection": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, way)
			for _, e := range []model.Endpoint{
				{BaseURL: s + "/" + url.PathEscape(planted), Key: planted},
				{BaseURL: s, Key: "abcdefgh", Header: map[string]string{"X-Other": planted}},
			} {
				client := model.New(model.Config{Env: vars(), Retries: -1, Endpoints: map[string]model.Endpoint{"anthropic": e}})
				a, err := client.Stream(context.Background(), model.Call{Target: onAnthropic, Body: []byte("{}")}, nil)
				f := fault(t, err)
				all := f.Error() + f.Code + f.Text + string(f.Body) + string(a.Message)
				for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
					all += inner.Error()
				}
				if strings.Contains(all, "planted") || strings.Contains(all, base64.StdEncoding.EncodeToString([]byte(planted))) {
					t.Errorf("shown in %+v\n%s", f, a.Message)
				}
			}
		})
	}
}

// TestUnreachable has nobody to talk to: the URL is not shown.
func TestUnreachable(t *testing.T) {
	client := model.New(model.Config{Env: vars(), Retries: -1, Endpoints: map[string]model.Endpoint{"anthropic": {BaseURL: "http://127.0.0.1:1/" + planted[:10], Key: planted}}})
	_, err := client.Stream(context.Background(), model.Call{Target: onAnthropic, Body: []byte("{}")}, nil)
	if e := fault(t, err); e.Kind != model.Network || strings.Contains(e.Error(), "planted") || strings.Contains(e.Error(), "/sk-") {
		t.Errorf("%v", e)
	}
}

// TestRedirect does not follow a redirect, and the key goes nowhere else.
func TestRedirect(t *testing.T) {
	var asked bool
	other := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, status) }))
		client := model.New(model.Config{Env: vars(), Endpoints: map[string]model.Endpoint{"anthropic": {BaseURL: s, Key: planted}}})
		_, err := client.Stream(context.Background(), model.Call{Target: onAnthropic, Body: []byte("{}")}, nil)
		if e := fault(t, err); e.Kind != model.Rejected || e.Status != status || asked {
			t.Errorf("%d: %+v, asked %v", status, e, asked)
		}
	}
}

// TestEmulatorGetsNoKeys sends requests to an emulator without what the
// environment holds, and says who it is where a server wants that.
func TestEmulatorGetsNoKeys(t *testing.T) {
	for _, r := range roads {
		server := emulator.NewServer(emulator.Options{RequireHeaders: true})
		s := &session{t: t, road: r, server: server, client: model.New(model.Config{
			Emulator: server.URL, Retries: -1, Env: func(string) string { return planted },
			Endpoints: map[string]model.Endpoint{r.provider: {BaseURL: "http://127.0.0.1:1", Key: planted, Header: map[string]string{"X-Other": planted}}},
		})}
		s.say("Hello.")
		s.must()
		server.Close()
		for _, seen := range server.Requests() {
			var all bytes.Buffer
			_ = seen.Header.Write(&all)
			if strings.Contains(all.String()+seen.Path, "planted") {
				t.Errorf("%s: %s", r.name(), all.String())
			}
		}
	}
}

// TestProject names the cloud project in the envelope of Cloud Code Assist, where
// the body does not (W-631).
func TestProject(t *testing.T) {
	target := policy.Target{Provider: "google-gemini-cli", API: "google-gemini-cli", Model: "gemini-3-pro-preview"}
	for name, c := range map[string]struct{ project, body, want string }{
		"named":      {"p1", `{"model":"m","request":{}}`, `{"project":"p1","model":"m","request":{}}`},
		"known":      {"p1", `{"project":"p0","request":{}}`, `{"project":"p0","request":{}}`},
		"not known":  {"", `{"request":{}}`, `{"request":{}}`},
		"no request": {"p1", `{}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			var r recorder
			client := model.New(model.Config{Transport: &r, Env: vars("GOOGLE_CLOUD_PROJECT", c.project, "GOOGLE_OAUTH_ACCESS_TOKEN", "ya29-token")})
			_, _ = client.Stream(context.Background(), model.Call{Target: target, Body: []byte(c.body)}, nil)
			if got, _ := io.ReadAll(r.r.Body); string(got) != c.want {
				t.Errorf("%s", got)
			}
		})
	}
}
