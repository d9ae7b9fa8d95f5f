package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"testing"

	"google.golang.org/genai"

	"hygeia/emulator"
)

type genaiTalk struct {
	client   *genai.Client
	model    string
	contents []*genai.Content
	config   *genai.GenerateContentConfig
	open     *genai.FunctionCall // the newest call
}

func newGenaiTalk(vertex bool, model string) func(url string) talk {
	return func(url string) talk {
		// On Vertex whoever makes the client sees to the credentials.
		client, err := genaiClient(url, vertex, &http.Client{Transport: bearer{}})
		if err != nil {
			panic(err)
		}
		return &genaiTalk{client: client, model: model, config: &genai.GenerateContentConfig{
			ThinkingConfig: &genai.ThinkingConfig{IncludeThoughts: true, ThinkingLevel: genai.ThinkingLevelHigh},
			Tools:          []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{Name: "weather", ParametersJsonSchema: weatherSchema}}}},
		}}
	}
}

// bearer adds a token.
type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer any")
	return http.DefaultTransport.RoundTrip(r)
}

func (c *genaiTalk) say(text string) {
	c.contents = append(c.contents, genai.NewContentFromText(text, genai.RoleUser))
}

func (c *genaiTalk) result(text string) {
	part := genai.NewPartFromFunctionResponse(c.open.Name, map[string]any{"output": text})
	part.FunctionResponse.ID = c.open.ID
	c.contents = append(c.contents, genai.NewContentFromParts([]*genai.Part{part}, genai.RoleUser))
}

func (c *genaiTalk) ask(stream bool) (answer, error) {
	list, err := c.send(stream)
	if err != nil {
		return answer{}, err
	}
	var a answer
	said := &genai.Content{Role: genai.RoleModel}
	for _, r := range list {
		if u := r.UsageMetadata; u != nil {
			a.input, a.output = int(u.PromptTokenCount), int(u.CandidatesTokenCount+u.ThoughtsTokenCount)
		}
		if len(r.Candidates) == 0 {
			continue
		}
		a.stop = string(r.Candidates[0].FinishReason)
		if r.Candidates[0].Content == nil {
			continue
		}
		for _, p := range r.Candidates[0].Content.Parts {
			if reflect.ValueOf(*p).IsZero() {
				continue // the end of a stream has empty text, which the SDK cannot send back
			}
			said.Parts = append(said.Parts, p)
			switch {
			case p.FunctionCall != nil:
				arguments, err := json.Marshal(p.FunctionCall.Args)
				if err != nil {
					return answer{}, err
				}
				a.call, a.arguments, c.open = p.FunctionCall.Name, string(arguments), p.FunctionCall
			case p.Thought:
				a.thinking += p.Text
			default:
				a.text += p.Text
			}
		}
	}
	if a.stop == "" {
		return answer{}, errNoEnd
	}
	c.contents = append(c.contents, said)
	return a, nil
}

func (c *genaiTalk) send(stream bool) ([]*genai.GenerateContentResponse, error) {
	if !stream {
		r, err := c.client.Models.GenerateContent(context.Background(), c.model, c.contents, c.config)
		return []*genai.GenerateContentResponse{r}, err
	}
	var list []*genai.GenerateContentResponse
	for r, err := range c.client.Models.GenerateContentStream(context.Background(), c.model, c.contents, c.config) {
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

func (c *genaiTalk) count() (int, error) {
	n, err := c.client.Models.CountTokens(context.Background(), c.model, c.contents, nil)
	if err != nil {
		return 0, err
	}
	return int(n.TotalTokens), nil
}

func (c *genaiTalk) status(err error) int {
	var e genai.APIError
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// The SDK sends the literal in the place of a lost signature as base64 of its
// letters; the service takes it (GG-08), and so does the emulator.
func TestGenaiSendsTheLiteral(t *testing.T) {
	t.Parallel()
	s := emulator.NewServer(emulator.Options{Respond: emulator.Script(
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Call: "weather", Arguments: []byte(`{}`)}}}},
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Text: "It rains."}}}},
	)})
	t.Cleanup(s.Close)
	c := newGenaiTalk(false, "gemini-3-pro-preview")(s.URL).(*genaiTalk)
	c.say("How is the weather?")
	if _, err := c.ask(false); err != nil {
		t.Fatal(err)
	}
	lost := 0
	for _, p := range c.contents[len(c.contents)-1].Parts {
		if p.FunctionCall != nil {
			p.ThoughtSignature = []byte(sentinel)
			lost++
		}
	}
	c.result("rain")
	if got, err := c.ask(false); err != nil || lost != 1 || got.text != "It rains." {
		t.Errorf("%d signatures were lost: %+v, %v", lost, got, err)
	}
}
