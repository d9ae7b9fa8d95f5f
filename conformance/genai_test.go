package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"google.golang.org/genai"
)

var (
	genaiSDK      = sdk{name: "genai", decode: decodeGenai, send: sendGenai}
	codeAssistSDK = sdk{name: "genai in an envelope", inside: unwrap, decode: decodeGenai, send: sendGenai}
)

// unwrap takes the envelope of Cloud Code Assist away (W-631), for which there is
// no SDK.
func unwrap(text []byte) []byte {
	var envelope struct{ Request json.RawMessage }
	if err := json.Unmarshal(text, &envelope); err != nil {
		return nil
	}
	return envelope.Request
}

// The sentinel of W-612 is base64 in the URL alphabet, of which the SDK reads
// only the other one. The bytes are the same.
const (
	sentinel     = "skip_thought_signature_validator"
	sentinelRead = "skip/thought/signature/validator"
)

// genaiRequest is a body in the types of the SDK, which has none for the body
// itself: it puts one together from contents and a config.
type genaiRequest struct {
	Contents []*genai.Content `json:"contents"`

	SystemInstruction *genai.Content         `json:"systemInstruction"`
	Tools             []*genai.Tool          `json:"tools"`
	ToolConfig        *genai.ToolConfig      `json:"toolConfig"`
	SafetySettings    []*genai.SafetySetting `json:"safetySettings"`
	CachedContent     string                 `json:"cachedContent"`

	GenerationConfig genai.GenerateContentConfig `json:"generationConfig"`
}

func decodeGenai(text []byte) (any, error) {
	r := new(genaiRequest)
	return r, json.Unmarshal(bytes.ReplaceAll(text, []byte(sentinel), []byte(sentinelRead)), r)
}

func sendGenai(request any, b body, h *http.Client) error {
	r := request.(*genaiRequest)
	c := r.GenerationConfig
	c.SystemInstruction, c.Tools, c.ToolConfig = r.SystemInstruction, r.Tools, r.ToolConfig
	c.SafetySettings, c.CachedContent = r.SafetySettings, r.CachedContent
	client, err := genaiClient(home, b.target.API == "google-vertex", h)
	if err != nil {
		return err
	}
	_, err = client.Models.GenerateContent(context.Background(), b.target.Model, r.Contents, &c)
	return err
}

func genaiClient(url string, vertex bool, h *http.Client) (*genai.Client, error) {
	c := &genai.ClientConfig{HTTPClient: h, HTTPOptions: genai.HTTPOptions{BaseURL: url}}
	if vertex {
		c.Backend, c.Project, c.Location = genai.BackendVertexAI, "any", "global"
	} else {
		c.Backend, c.APIKey = genai.BackendGeminiAPI, "any"
	}
	return genai.NewClient(context.Background(), c)
}
