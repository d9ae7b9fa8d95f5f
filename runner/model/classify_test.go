package model

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hygeia/check"
)

// TestRulebookNeverRetried classifies every text of the rulebook as a fault of the
// request, whatever the status: none of them is sent again, and none counts
// against the credentials (W-904).
func TestRulebookNeverRetried(t *testing.T) {
	for _, r := range check.Rules() {
		for _, text := range r.Messages {
			for _, status := range []int{r.Status, 500} {
				f := &fault{status: status, text: text}
				if k := f.kind(); !slices.Contains([]Kind{Shape, Rejected, Overflow}, k) && !(status == 500 && k == Server) {
					t.Errorf("%s, %d %q: %s", r.ID, status, text, k)
				}
			}
		}
	}
}

// TestShape holds the texts of W-904.
func TestShape(t *testing.T) {
	for _, text := range []string{
		"messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", "unexpected `tool_use_id` found",
		"tool call id was abc but must be a-z", "messages: roles must alternate between", "400 Incorrect role information",
		"This model does not support assistant message prefill.", "The conversation must end with a user message.",
		"Please ensure that function call turn comes immediately after a user turn",
	} {
		for _, status := range []int{0, 400, 422, 500, 503} {
			if k := (&fault{status: status, text: text}).kind(); k != Shape {
				t.Errorf("%d %q: %s", status, text, k)
			}
		}
	}
}

// TestFaultText finds what is wrong in errors of every shape (file 90 §0), behind
// routers too (W-524).
func TestFaultText(t *testing.T) {
	for _, c := range []struct {
		body, text, code string
		status           int
		kind             Kind
	}{
		{`{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Later.\"}}"}}}`, "Later.", "overloaded_error", 400, Overloaded},
		{`{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"not now"}}}`, "not now", "", 502, Overloaded},
		{`{"error":{"message":"Provider returned error","metadata":{"raw":"[{\"error\":{\"message\":\"Later.\"}}]"}}}`, "Later.", "", 0, Server},
		{`[{"error":{"code":503,"message":"Full.","status":"UNAVAILABLE"}}]`, "Full.", "UNAVAILABLE", 503, Overloaded},
		{`{"object":"error","message":{"detail":[{"loc":["a"],"msg":"Extra inputs"}]},"code":"3230"}`, "Extra inputs", "3230", 0, Shape},
		{`{"message":" Denied. ","__type":"AccessDeniedException"}`, "Denied.", "AccessDeniedException", 0, Auth},
		{`{"error":{"code":200,"message":"Well."}}`, "Well.", "", 0, Server},
		{`{"error":"Words."}`, "Words.", "", 0, Server},
		{`Words, and no JSON.`, "Words, and no JSON.", "", 0, Server},
		{`{"type":"error"}`, "the provider gives no reason.", "", 0, Server},
	} {
		f := faultIn([]byte(c.body)).(*fault)
		if f.text != c.text || f.code != c.code || f.status != c.status || f.kind() != c.kind {
			t.Errorf("%s: %q, %q, %d, %s", c.body, f.text, f.code, f.status, f.kind())
		}
		g := faultOf(&http.Response{Body: io.NopCloser(strings.NewReader(c.body))}, 0, time.Time{})
		if g.text != f.text || g.code != f.code || g.status != f.status {
			t.Errorf("%s as a whole answer: %q, %q, %d", c.body, g.text, g.code, g.status)
		}
	}
	amazon := &http.Response{
		Header: http.Header{"X-Amzn-Errortype": {"ThrottlingException:http://internal.amazon.com/"}}, Body: io.NopCloser(strings.NewReader(`{"message":"Slower.","code":"x"}`)),
	}
	if f := faultOf(amazon, 400, time.Time{}); f.code != "ThrottlingException" || f.text != "Slower." || f.kind() != RateLimit {
		t.Errorf("%+v", f)
	}
}

// TestKindByStatus holds that credentials go before what a text says, and a rate
// before a size.
func TestKindByStatus(t *testing.T) {
	for _, c := range []struct {
		status     int
		text, code string
		kind       Kind
	}{
		{401, "your credit balance is too low", "", Auth},
		{403, "your credit balance is too low", "", Auth},
		{400, "your credit balance is too low", "permission_error", Auth},
		{400, "your credit balance is too low", "", Billing},
		{429, "prompt is too long", "", RateLimit},
		{400, "prompt is too long", "rate_limit_error", Overflow},
		{500, "the server is busy", "api_error", Overloaded},
		{418, "", "", Rejected},
		{599, "", "", Server},
		{0, "", "", Server},
	} {
		if k := (&fault{status: c.status, text: c.text, code: c.code}).kind(); k != c.kind {
			t.Errorf("%+v: %s", c, k)
		}
	}
}

// TestRetryAfter reads how long a provider asks to wait, and believes it for a day.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		ms, after string
		want      time.Duration
	}{
		{"", "", 0},
		{"12.5", "9", 12500 * time.Microsecond},
		{"0", "2", 2 * time.Second},
		{"-5", "2", 2 * time.Second},
		{"1e300", "2", 2 * time.Second},
		{"soon", "0.5", time.Second / 2},
		{"", "-3", 0},
		{"", "1e300", 24 * time.Hour},
		{"", "NaN", 0},
		{"", "Thu, 01 Jan 2026 00:01:00 GMT", time.Minute},
		{"", "Wed, 31 Dec 2025 23:59:00 GMT", 0},
		{"", "Fri, 01 Jan 2027 00:00:00 GMT", 24 * time.Hour},
		{"", "tomorrow", 0},
	} {
		if got := retryAfter(http.Header{"Retry-After-Ms": {c.ms}, "Retry-After": {c.after}}, now); got != c.want {
			t.Errorf("%q, %q: %s", c.ms, c.after, got)
		}
	}
	for body, want := range map[string]time.Duration{
		`[{"error":{"details":[{},{"retryDelay":"2s"}]}}]`:  2 * time.Second,
		`{"error":{"details":[{"retryDelay":"-2s"}]}}`:      0,
		`{"error":{"details":[{"retryDelay":"1000000h"}]}}`: 24 * time.Hour,
		`{"error":{"details":[{"retryDelay":"soon"}]}}`:     0,
	} {
		if got := retryDelay([]byte(body)); got != want {
			t.Errorf("%s: %s", body, got)
		}
	}
}

// TestWait doubles the time between two requests, and never waits longer than the
// limit says.
func TestWait(t *testing.T) {
	for attempts, longest := range map[int]time.Duration{1: 4, 2: 8, 3: 16, 4: 30, 50: 30} {
		s := &sending{attempts: attempts, client: New(Config{Retries: 100, Limits: Limits{Backoff: 4, Wait: 30}})}
		if d, again := s.wait(&Error{Kind: Overloaded}); !again || d < longest/2 || d > longest {
			t.Errorf("attempt %d: %d, %v", attempts, d, again)
		}
	}
	s := &sending{attempts: 1, client: New(Config{Limits: Limits{Wait: 30}})}
	for after, again := range map[time.Duration]bool{1: true, 30: true, 31: false} {
		for kind, again := range map[Kind]bool{RateLimit: again, Overloaded: again, Server: false} {
			if d, ok := s.wait(&Error{Kind: kind, RetryAfter: after}); ok != again || ok && d != after {
				t.Errorf("%s asks for %d: %d, %v", kind, after, d, ok)
			}
		}
	}
}

// TestErrorText names the status where there was one.
func TestErrorText(t *testing.T) {
	for want, e := range map[string]*Error{
		"p/m: auth (401): Who?": {Target: "p/m", Kind: Auth, Status: 401, Text: "Who?"},
		"p/m: network: Gone.":   {Target: "p/m", Kind: Network, Text: "Gone."},
	} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
}

// TestHide takes out secrets that begin like others, and the beginning of one at the
// end of a text.
func TestHide(t *testing.T) {
	var s secrets
	s.add("secret", "secret-and-more", "short")
	for text, want := range map[string]string{
		"a secret-and-more, a secret.": "a ***, a ***.",
		"a secret-and-":                "a ***",
		"a secret":                     "a ***",
		"a secre":                      "a secre",
		"short":                        "short",
		"":                             "",
	} {
		if got := s.hide(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
