package model

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
)

// The betas of Anthropic that requests ask for besides those of an access token (W-232, W-634).
const (
	interleaved = "interleaved-thinking-2025-05-14"
	fineGrained = "fine-grained-tool-streaming-2025-05-14"
)

// say sets the headers that depend on the request.
func (s *sending) say(h http.Header, e *Endpoint) {
	t := &s.call.Target
	switch {
	case t.Provider == "anthropic" && t.API == "anthropic-messages":
		betas := []string{fineGrained}
		if under(jsonline.ParseObject(s.call.Body), "thinking", "type").String() == "enabled" {
			betas = append(betas, interleaved)
		}
		if payload.AccessToken(e.Key) {
			betas = append([]string{payload.AccessBetas}, betas...)
			h.Set("X-App", "cli")
		}
		h.Set("Anthropic-Beta", strings.Join(betas, ","))
	case t.Provider == "google-antigravity" && strings.HasPrefix(t.Model, "claude"):
		h.Set("Anthropic-Beta", interleaved)
	case t.API == codexAPI:
		if account := accountOf(e.Key); account != "" {
			h.Set("Chatgpt-Account-Id", account)
		}
		if s.call.SessionID != "" {
			h.Set("Session_id", s.call.SessionID)
			h.Set("X-Client-Request-Id", s.call.SessionID)
		}
	}
}

// Identity returns what the configuration says of how requests to a provider name
// themselves, for [payload.Options]: nil unless access to it is by token (W-231).
func (c *Client) Identity(provider string) *payload.Identity {
	provider = policy.Fold(provider)
	s := &sending{client: c, call: &Call{Target: policy.Target{Provider: provider}}}
	if e, _ := s.endpoint(); !payload.AccessToken(e.Key) { // what is missing shows when a request is sent
		return nil
	}
	return c.config.Endpoints[provider].Identity
}

// accountOf reads the account out of the claims of an access token (W-346).
func accountOf(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	return under(jsonline.ParseObject(claims), "https://api.openai.com/auth", "chatgpt_account_id").String()
}

// authorize puts the credentials into the request.
func (s *sending) authorize(r *http.Request, e *Endpoint, body []byte) error {
	provider := s.call.Target.Provider
	switch {
	case e.Key == "" && provider == bedrock && e.AccessKey != "":
		return s.sign(r, e, body)
	case e.Key == "":
	case provider == cloudflare: // the gateway holds the key of the provider (W-242)
		r.Header.Set("Cf-Aig-Authorization", "Bearer "+e.Key)
	case s.road.key == "" || payload.AccessToken(e.Key):
		r.Header.Set("Authorization", "Bearer "+e.Key)
	default:
		r.Header.Set(s.road.key, e.Key)
	}
	return nil
}

// sign signs a request to Amazon.
func (s *sending) sign(r *http.Request, e *Endpoint, body []byte) error {
	region := cmp.Or(e.Region, s.variable(words["region"]))
	if region == "" {
		return notReady("the region of provider %s is not configured", s.call.Target.Provider)
	}
	sum := sha256.Sum256(body)
	keys := aws.Credentials{AccessKeyID: e.AccessKey, SecretAccessKey: e.SecretKey, SessionToken: e.SessionToken}
	err := v4.NewSigner().SignHTTP(s.attempt, keys, r, hex.EncodeToString(sum[:]), "bedrock", region, time.Now())
	_, signature, _ := strings.Cut(r.Header.Get("Authorization"), "Signature=")
	s.secrets.add(signature) // whoever has it may send the request again for some minutes
	return err
}
