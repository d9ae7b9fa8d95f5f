package jsonfault_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia/internal/jsonfault"
)

type wait time.Duration

func (w *wait) UnmarshalText([]byte) error { return fmt.Errorf("no time") }

type settings struct {
	Name  string            `json:"name"`
	Count int               `json:"count"`
	Size  uint              `json:"size"`
	On    *bool             `json:"on"`
	List  []settings        `json:"list"`
	Of    map[string]string `json:"of"`
	Wait  wait              `json:"wait"`
}

// A fault names the line, the member and what is expected, and nothing of how it is
// read.
func TestIn(t *testing.T) {
	for text, want := range map[string]string{
		"{\n \"name\":\n 3}":                 "line 3: /name: expected a string, found a number",
		"{\"name\":\"a\",\n\"count\":\"x\"}": "line 2: /count: expected a whole number, found a string",
		`{"count":1.5}`:                      "line 1: /count: expected a whole number, found 1.5",
		`{"size":-1}`:                        "line 1: /size: expected a whole number from 0 on, found -1",
		`{"on":"yes"}`:                       "line 1: /on: expected true or false, found a string",
		"{\"list\":[{},\n{\"list\":{}}]}":    "line 2: /list/1/list: expected a list, found an object",
		`{"of":[]}`:                          "line 1: /of: expected an object, found a list",
		`{"of":{"a":true}}`:                  "line 1: /of/a: expected a string, found true",
		`{"wait":"x"}`:                       "line 1: /wait: no time",
		`{"wait":5}`:                         `line 1: /wait: expected a time such as "90s" or "50ms", found a number`,
		`[]`:                                 "line 1: expected an object, found a list",
		"{\n\"nope\":1}":                     "line 2: /nope: unknown member",
		"{\"name\":\n\n":                     "line 1: /name: the text ends too early",
		"":                                   "line 1: the text ends too early",
		"{\n\"name\":nil}":                   "line 2: /name: invalid character 'i' in literal null (expecting 'u')",
		"{\"name\":\"a\",\n\"name\":\"b\"}":  "line 2: /name: duplicate object member name",
	} {
		var s settings
		err := json.Unmarshal([]byte(text), &s, json.RejectUnknownMembers(true))
		if err == nil {
			t.Errorf("%s: no error", text)
			continue
		}
		if got := jsonfault.In([]byte(text), err).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}
