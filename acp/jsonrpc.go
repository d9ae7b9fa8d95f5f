package acp

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// The codes of errors: those of JSON-RPC, and of ACP.
const (
	codeParse     = -32700
	codeRequest   = -32600
	codeMethod    = -32601
	codeParams    = -32602
	codeInternal  = -32603
	codeLimit     = -32000
	codeNotFound  = -32002
	codeCancelled = -32800
)

// failure is an error that the client is told.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f failure) Error() string { return f.Message }

func fail(code int, format string, args ...any) error {
	return failure{code, fmt.Sprintf(format, args...)}
}

// message is what comes in.
type message struct {
	Version jsontext.Value `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  jsontext.Value `json:"method"`
	Params  jsontext.Value `json:"params"`
	// Of an answer, which nobody here asks for.
	Result jsontext.Value `json:"result"`
	Error  jsontext.Value `json:"error"`
}

// answer is what goes out for a request.
type answer struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  any            `json:"result,omitzero"`
	Error   *failure       `json:"error,omitzero"`
}

type notice struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

func blank(text []byte) bool {
	for _, b := range text {
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return false
		}
	}
	return true
}

// idOf returns the id of a message, nil for none: a text, a number or null.
func idOf(id jsontext.Value) (jsontext.Value, error) {
	if id == nil {
		return nil, nil
	}
	switch kind := id.Kind(); {
	case kind != '"' && kind != '0' && kind != 'n':
		return nil, fail(codeRequest, "id must be a text, a number or null")
	case len(id) > longestID:
		return nil, fail(codeRequest, "id is longer than %d bytes", longestID)
	}
	return id, nil
}
