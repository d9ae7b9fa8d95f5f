package emulator

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// watched is an answer that looks what the emulator remembers when it begins.
type watched struct {
	*httptest.ResponseRecorder
	begins func()
}

func (w watched) WriteHeader(status int) {
	w.begins()
	w.ResponseRecorder.WriteHeader(status)
}

// TestRecorded holds that a request is remembered when its answer begins: a client
// that has the answer may look for it at once, and finds it once.
func TestRecorded(t *testing.T) {
	for body, status := range map[string]int{
		`{"model":"claude-sonnet-4-5","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"q"}]}`: http.StatusOK,
		`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"q"}]}`:               http.StatusOK,
		`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[]}`:                                            http.StatusBadRequest,
	} {
		e, seen := New(Options{}), 0
		w := watched{httptest.NewRecorder(), func() { seen = len(e.Requests()) }}
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/v1/messages", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		e.ServeHTTP(w, r)
		if list := e.Requests(); seen != 1 || len(list) != 1 || list[0].Status != status || string(list[0].Body) != body {
			t.Errorf("%s: %d when the answer began, then %+v", body, seen, list)
		}
	}
}
