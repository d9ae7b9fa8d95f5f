package model_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/go-json-experiment/json"

	"hygeia/policy"
	"hygeia/runner/model"
)

// echoes are bodies of errors, in the forms of all services and in none. ECHO stands
// for what the server was sent, as the inside of a JSON string.
var echoes = []string{
	`{"type":"error","error":{"type":"ECHO","message":"ECHO"},"request_id":"ECHO"}`,
	`{"error":{"message":"ECHO","type":"ECHO","param":"ECHO","code":"ECHO"}}`,
	`{"error":{"code":400,"message":"ECHO","status":"ECHO","details":[{"@type":"ECHO","reason":"ECHO"}]}}`,
	`[{"error":{"code":400,"message":"ECHO","status":"ECHO"}}]`,
	`{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"ECHO","provider_name":"ECHO"}}}`,
	`{"message":"ECHO","__type":"ECHO","originalMessage":"ECHO"}`,
	`{"object":"error","message":{"detail":[{"loc":["ECHO"],"msg":"ECHO"}]},"type":"ECHO","code":"ECHO"}`,
	`{"error":"ECHO"}`,
	`{"detail":"ECHO"}`,
	`{"type":"response.failed","response":{"status":"failed","error":{"code":"ECHO","message":"ECHO"}}}`,
	`{"type":"error","code":"ECHO","message":"ECHO","param":"ECHO"}`,
	`{"response":{"promptFeedback":{"blockReason":"ECHO","blockReasonMessage":"ECHO"}}}`,
	`{"promptFeedback":{"blockReason":"ECHO"}}`,
	`{"ECHO":"ECHO"}`,
	`ECHO`,
	`<html><title>ECHO</title>`,
}

// signature is that of a request to Bedrock.
var signature = regexp.MustCompile(`Signature=[0-9a-f]{64}`)

// TestPlantedKeysAtEveryFormat meets, at every wire format, services that say back
// the whole request that they were sent, as the answer to it and in the middle of
// a stream: neither key, signature key nor header shows in error or message.
func TestPlantedKeysAtEveryFormat(t *testing.T) {
	done := map[string]bool{}
	for _, r := range roads {
		if name := r.provider + r.api; done[name] {
			continue
		} else {
			done[name] = true
		}
		t.Run(r.name(), func(t *testing.T) {
			t.Parallel()
			var next atomic.Pointer[func(w http.ResponseWriter, echo, inside string)]
			s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				sent, err := httputil.DumpRequest(q, true)
				if err != nil {
					t.Error(err)
				}
				all := string(sent) + planted + url.QueryEscape(planted) + base64.StdEncoding.EncodeToString([]byte(planted))
				inside, _ := json.Marshal(all)
				(*next.Load())(w, all, string(inside[1:len(inside)-1]))
			}))
			var clients []*model.Client
			for _, e := range []model.Endpoint{
				{BaseURL: s + "/" + url.PathEscape(planted), Key: planted},
				{BaseURL: s, Key: "abcdefgh", Header: map[string]string{"X-Other": planted}},
				{BaseURL: s, AccessKey: planted, SecretKey: "secret" + planted, SessionToken: "token" + planted},
			} {
				if e.Key != "" || r.provider == "amazon-bedrock" {
					e.Region, e.Location, e.Project = "eu-west-1", "europe-west4", "p1"
					clients = append(clients, model.New(model.Config{Env: vars(), Retries: -1, Endpoints: map[string]model.Endpoint{r.provider: e}}))
				}
			}
			call := model.Call{Target: policy.Target{Provider: r.provider, API: r.api, Model: r.model}, Body: []byte("{}"), SessionID: "s1"}
			n := 0
			for _, form := range echoes {
				for name, way := range ways(form) {
					next.Store(&way)
					n++
					a, err := clients[n%len(clients)].Stream(context.Background(), call, nil)
					seen := string(a.Message)
					var f *model.Error
					if errors.As(err, &f) { // what a form says may be no error at this service
						seen += err.Error() + f.Code + f.Text + string(f.Body)
					}
					if strings.Contains(seen, "planted") || strings.Contains(seen, base64.StdEncoding.EncodeToString([]byte(planted))) || signature.MatchString(seen) {
						t.Errorf("%s, %s: shown in %s", name, form, seen)
					}
				}
			}
		})
	}
}

// ways are how a server says back what it was sent: at once, with several statuses,
// and in streams of every framing.
func ways(form string) map[string]func(w http.ResponseWriter, echo, inside string) {
	fill := func(echo, inside string) string {
		if strings.HasPrefix(form, "{") || strings.HasPrefix(form, "[") {
			return strings.ReplaceAll(form, "ECHO", inside)
		}
		return strings.ReplaceAll(form, "ECHO", echo)
	}
	answer := func(contentType string, status int, body func(text string) string) func(http.ResponseWriter, string, string) {
		return func(w http.ResponseWriter, echo, inside string) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("X-Amzn-Errortype", planted)
			w.Header().Set("Retry-After", planted)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body(fill(echo, inside)))
		}
	}
	as := func(before, after string) func(string) string {
		return func(text string) string { return before + strings.ReplaceAll(text, "\n", " ") + after }
	}
	return map[string]func(http.ResponseWriter, string, string){
		"401":         answer("application/json", 401, as("", "")),
		"400":         answer("application/json", 400, as("", "")),
		"529":         answer("text/plain", 529, as("", "")),
		"200":         answer("application/json", 200, as("", "")),
		"events":      answer("text/event-stream", 200, as("event: error\ndata: ", "\n\n")),
		"data":        answer("text/event-stream", 200, as("data: ", "\n\ndata: [DONE]\n\n")),
		"lines":       answer("application/x-ndjson", 200, as("", "\n")),
		"exception":   answer("application/vnd.amazon.eventstream", 200, frame("exception", "validationException")),
		"an error":    answer("application/vnd.amazon.eventstream", 200, frame("error", planted)),
		"metadata":    answer("application/vnd.amazon.eventstream", 200, frame("event", planted)),
		"torn stream": answer("application/vnd.amazon.eventstream", 200, as("", "")),
	}
}

// frame returns what puts a text into a message of Amazon's framing.
func frame(kind, name string) func(string) string {
	return func(text string) string {
		var b bytes.Buffer
		m := eventstream.Message{Payload: []byte(text)}
		m.Headers.Set(":message-type", eventstream.StringValue(kind))
		for _, h := range []string{":exception-type", ":error-code", ":error-message", ":event-type"} {
			m.Headers.Set(h, eventstream.StringValue(name))
		}
		if err := eventstream.NewEncoder().Encode(&b, m); err != nil {
			panic(err)
		}
		return b.String()
	}
}
