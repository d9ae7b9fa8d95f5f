package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"google.golang.org/genai"

	"hygeia"
	"hygeia/emulator"
	"hygeia/proxy"
)

// startProxy serves a proxy and returns its URL.
func startProxy(t *testing.T, c proxy.Config) string {
	t.Helper()
	p, err := proxy.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := p.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

// providers are those of the clients, in their order.
var providers = []string{"anthropic", "openai", "azure-openai", "openai", "deepseek", "google", "google-vertex", "amazon-bedrock"}

// proxyToken is what the proxy asks of its callers.
const proxyToken = "sesame"

// tokenBedrock is a client whose requests the proxy signs anew; its own
// credentials are of no use to anybody.
func tokenBedrock(url string) *bedrockruntime.Client {
	return bedrockruntime.New(bedrockruntime.Options{
		Region: "us-east-1", BaseEndpoint: &url, Retryer: aws.NopRetryer{}, Credentials: credentials.NewStaticCredentialsProvider("none", "none", ""),
		APIOptions: []func(*middleware.Stack) error{smithyhttp.AddHeaderValue("Hygeia-Token", proxyToken)},
	})
}

// TestProxyClients has the official clients talk through the proxy: what they ask
// and are answered is the same as without it, signatures and streams included,
// and a call that they leave without a result is closed.
func TestProxyClients(t *testing.T) {
	t.Parallel()
	steps := []emulator.Step{
		{Contains: "weather", Answer: emulator.Answer{
			Content: []emulator.Part{{Thinking: "I need the tool."}, {Call: "weather", Arguments: []byte(`{"city":"Bern"}`)}},
		}},
		{Contains: "Well?", Answer: emulator.Answer{Content: []emulator.Part{{Text: "It rains."}}}},
	}
	eachClient(t, steps, func(t *testing.T, s *emulator.Server, i int, stream bool) {
		c := clients[i]
		config := proxy.Config{Routes: []proxy.Route{{Upstream: s.URL, To: hygeia.Target{Provider: providers[i]}}}}
		if providers[i] == "amazon-bedrock" {
			config.Token, config.Routes[0].AWS = proxyToken, proxy.AWS{AccessKey: "own", SecretKey: "own", Region: "us-east-1"}
		}
		url := startProxy(t, config)
		talk := c.start(url)
		if b, ok := talk.(*bedrockTalk); ok {
			b.client = tokenBedrock(url)
		}
		talk.say("How is the weather?")
		got, err := talk.ask(stream)
		if err != nil {
			t.Fatal(err)
		}
		if got.call != "weather" || !sameJSON(got.arguments, `{"city":"Bern"}`) || !c.silent && got.thinking != "I need the tool." {
			t.Errorf("the client read %+v", got)
		}
		talk.say("Well?") // the call has no result
		if n, err := talk.count(); err != nil && err != errNoCount || err == nil && n <= 0 {
			t.Errorf("%d tokens were counted: %v", n, err)
		}
		switch got, err = talk.ask(stream); {
		case err != nil:
			t.Errorf("through the proxy it is refused: %v", err)
		case got.text != "It rains." || got.stop != c.done:
			t.Errorf("the client read %+v", got)
		}
	})
}

// TestProxySigned passes on what the AWS SDK has signed as it is.
func TestProxySigned(t *testing.T) {
	t.Parallel()
	s := emulator.NewServer(emulator.Options{})
	defer s.Close()
	client := bedrockClient(startProxy(t, proxy.Config{Routes: []proxy.Route{{Upstream: s.URL, To: hygeia.Target{Provider: "amazon-bedrock"}}}}), http.DefaultClient)
	_, err := client.Converse(context.Background(), damagedConverse())
	answer := new(smithyhttp.ResponseError)
	if !errors.As(err, &answer) || answer.HTTPStatusCode() != 400 || answer.Response.Header.Get("Hygeia-Unchanged") != hygeia.WhySignature || answer.Response.Header.Get("Hygeia-Changes") == "" {
		t.Errorf("%v", err)
	}
}

// damagedConverse is a request with a call that has no result.
func damagedConverse() *bedrockruntime.ConverseInput {
	emptyDocument := document.NewLazyDocument(map[string]any{})
	call := &types.ContentBlockMemberToolUse{Value: types.ToolUseBlock{ToolUseId: aws.String("tooluse_1"), Name: aws.String("weather"), Input: emptyDocument}}
	tool := types.ToolSpecification{Name: aws.String("weather"), InputSchema: &types.ToolInputSchemaMemberJson{Value: emptyDocument}}
	text := func(s string) []types.ContentBlock {
		return []types.ContentBlock{&types.ContentBlockMemberText{Value: s}}
	}
	return &bedrockruntime.ConverseInput{
		ModelId:    aws.String("anthropic.claude-sonnet-4-5-20250929-v1:0"),
		ToolConfig: &types.ToolConfiguration{Tools: []types.Tool{&types.ToolMemberToolSpec{Value: tool}}},
		Messages: []types.Message{
			{Role: types.ConversationRoleUser, Content: text("How is the weather?")},
			{Role: types.ConversationRoleAssistant, Content: []types.ContentBlock{call}},
			{Role: types.ConversationRoleUser, Content: text("Well?")},
		},
	}
}

// The line for anthropic-sdk-go: a middleware.
func ExampleTransport_anthropic() {
	provider := emulator.NewServer(emulator.Options{})
	defer provider.Close()
	transport := &hygeia.Transport{}

	client := anthropic.NewClient(
		anthropicoption.WithBaseURL(provider.URL), anthropicoption.WithAPIKey("any"),
		anthropicoption.WithMiddleware(transport.Middleware), // the line
	)
	answer, err := client.Messages.New(context.Background(), anthropic.MessageNewParams{
		Model: anthropic.ModelClaudeSonnet4_5, MaxTokens: 100,
		Messages: []anthropic.MessageParam{
			anthropic.NewUserMessage(anthropic.NewTextBlock("How is the weather?")),
			anthropic.NewAssistantMessage(anthropic.NewToolUseBlock("toolu_1", map[string]any{}, "weather")), // and no result
			anthropic.NewUserMessage(anthropic.NewTextBlock("Well?")),
		},
	})
	fmt.Println(err, answer.StopReason)
	// Output: <nil> end_turn
}

// The line for openai-go: a middleware.
func ExampleTransport_openai() {
	provider := emulator.NewServer(emulator.Options{})
	defer provider.Close()
	transport := &hygeia.Transport{}

	client := openai.NewClient(
		openaioption.WithBaseURL(provider.URL+"/v1"), openaioption.WithAPIKey("any"),
		openaioption.WithMiddleware(transport.Middleware), // the line
	)
	answer, err := client.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model: "gpt-4o",
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.UserMessage("How is the weather?"),
			openai.ToolMessage("rain", "call_lost"), // and no call
			openai.UserMessage("Well?"),
		},
	})
	fmt.Println(err, answer.Choices[0].FinishReason)
	// Output: <nil> stop
}

// The line for genai: an http.Client.
func ExampleTransport_genai() {
	provider := emulator.NewServer(emulator.Options{})
	defer provider.Close()
	transport := &hygeia.Transport{}

	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: "any", HTTPOptions: genai.HTTPOptions{BaseURL: provider.URL},
		HTTPClient: &http.Client{Transport: transport}, // the line
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := client.Models.GenerateContent(context.Background(), "gemini-2.5-flash", []*genai.Content{
		genai.NewContentFromText("How is the weather?", genai.RoleUser),
		genai.NewContentFromFunctionCall("weather", map[string]any{}, genai.RoleModel), // and no response
		genai.NewContentFromText("Well?", genai.RoleUser),
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Candidates[0].FinishReason)
	// Output: STOP
}

// sanitizeBeforeSigning is the middleware for the AWS SDK: it stands in front of
// the signer, whose signature covers the body.
func sanitizeBeforeSigning(t *hygeia.Transport) func(*middleware.Stack) error {
	return func(stack *middleware.Stack) error {
		return stack.Build.Add(middleware.BuildMiddlewareFunc("Hygeia", func(ctx context.Context, in middleware.BuildInput, next middleware.BuildHandler) (middleware.BuildOutput, middleware.Metadata, error) {
			r, ok := in.Request.(*smithyhttp.Request)
			if !ok || r.GetStream() == nil {
				return next.HandleBuild(ctx, in)
			}
			body, err := io.ReadAll(r.GetStream())
			if err != nil {
				return middleware.BuildOutput{}, middleware.Metadata{}, err
			}
			if s, err := t.SanitizeRequest(r.URL.EscapedPath(), body); err == nil && s != nil {
				body = s.Body
			} // else the service says what is wrong with it
			if r, err = r.SetStream(bytes.NewReader(body)); err != nil {
				return middleware.BuildOutput{}, middleware.Metadata{}, err
			}
			in.Request = r
			return next.HandleBuild(ctx, in)
		}), middleware.Before)
	}
}

// The lines for aws-sdk-go-v2: a Smithy middleware in front of the signer.
func ExampleTransport_SanitizeRequest() {
	provider := emulator.NewServer(emulator.Options{})
	defer provider.Close()
	transport := &hygeia.Transport{}

	client := bedrockruntime.New(bedrockruntime.Options{
		Region: "us-east-1", BaseEndpoint: &provider.URL, Credentials: credentials.NewStaticCredentialsProvider("any", "any", ""),
		APIOptions: []func(*middleware.Stack) error{sanitizeBeforeSigning(transport)}, // the line
	})
	answer, err := client.Converse(context.Background(), damagedConverse())
	if err != nil {
		fmt.Println(err)
		return
	}
	sent := provider.Requests()[0]
	fmt.Println(answer.StopReason, strings.HasPrefix(sent.Header.Get("Authorization"), "AWS4-HMAC-SHA256"), sent.Header.Get("Content-Length") == fmt.Sprint(len(sent.Body)))
	// Output: end_turn true true
}
