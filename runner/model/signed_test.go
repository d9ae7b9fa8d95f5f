package model_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"hygeia/emulator"
	"hygeia/runner/model"
)

// TestSigned signs requests to Amazon: what arrives, path and body included, is
// what was signed, in both of its APIs.
func TestSigned(t *testing.T) {
	keys := aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secret/key+of=aws", SessionToken: "session-token"}
	behind := emulator.New(emulator.Options{RequireHeaders: true})
	verified := 0
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		at, _ := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
		again, _ := http.NewRequest(r.Method, "http://"+r.Host+r.URL.RequestURI(), bytes.NewReader(body))
		_, list, _ := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
		list, _, _ = strings.Cut(list, ",")
		for name := range strings.SplitSeq(list, ";") {
			if v := r.Header.Get(name); v != "" {
				again.Header.Set(name, v)
			}
		}
		sum := sha256.Sum256(body)
		if err := v4.NewSigner().SignHTTP(r.Context(), keys, again, hex.EncodeToString(sum[:]), "bedrock", "eu-west-1", at); err != nil {
			t.Error(err)
		}
		if got := r.Header.Get("Authorization"); got == "" || got != again.Header.Get("Authorization") || time.Since(at).Abs() > time.Hour {
			t.Errorf("signed %q, want %q", got, again.Header.Get("Authorization"))
		}
		verified++
		behind.ServeHTTP(w, r)
	}))
	for _, r := range roads {
		if r.provider != "amazon-bedrock" {
			continue
		}
		c := &session{t: t, road: r, client: model.New(model.Config{Env: vars(), Retries: -1, Endpoints: map[string]model.Endpoint{"bedrock": {
			BaseURL: s, Region: "eu-west-1", AccessKey: keys.AccessKeyID, SecretKey: keys.SecretAccessKey, SessionToken: keys.SessionToken,
		}}})}
		c.say("Hello.")
		if a, _, err := c.ask(); err != nil || a.Text != "Hello." {
			t.Errorf("%s: %q, %v", r.name(), a.Text, err)
		}
	}
	if verified != 3 {
		t.Errorf("%d requests", verified)
	}
}
