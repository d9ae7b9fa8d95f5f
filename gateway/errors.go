package gateway

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// failure is an answer that is an error (H-40, H-41).
type failure struct {
	status  int
	kind    string
	message string
}

func (f failure) Error() string { return f.message }

func badRequest(format string, args ...any) failure {
	return failure{http.StatusBadRequest, "invalid_request", fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) failure {
	return failure{http.StatusNotFound, "not_found", fmt.Sprintf(format, args...)}
}

// writeError answers with an error. What is no failure is a fault of the
// service; its text may name paths and stays here.
func writeError(w http.ResponseWriter, err error) {
	var f failure
	if !errors.As(err, &f) {
		var tooLong *http.MaxBytesError
		if errors.As(err, &tooLong) {
			f = failure{http.StatusRequestEntityTooLarge, "too_large", fmt.Sprintf("the body is longer than %d bytes", tooLong.Limit)}
		} else {
			f = failure{http.StatusInternalServerError, "internal", "the session cannot be read or written"}
		}
	}
	type told struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	body := any(struct {
		OK    bool `json:"ok"`
		Error told `json:"error"`
	}{false, told{f.kind, f.message}})
	if f.status == http.StatusUnauthorized {
		body = struct {
			Error told `json:"error"`
		}{told{f.kind, f.message}}
		w.Header().Set("WWW-Authenticate", `Bearer realm="hygeia"`)
	}
	_ = writeJSON(w, f.status, body) // strings alone: it fails only where nobody reads
}

// writeJSON answers with JSON, or with nothing but the error.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	text, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err = w.Write(append(text, '\n'))
	return streamed(err)
}
