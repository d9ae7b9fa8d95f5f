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
		"{\n \"name\":\n 3}":                         "line 3: /name: expected a string, found a number",
		"{\"name\":\"a\",\n\"count\":\"x\"}":         "line 2: /count: expected a whole number, found a string",
		`{"count":1.5}`:                              "line 1: /count: expected a whole number, found 1.5",
		`{"count":1` + strings.Repeat("0", 39) + `}`: "line 1: /count: expected a whole number, found 1" + strings.Repeat("0", 39),
		`{"count":1` + strings.Repeat("0", 40) + `}`: "line 1: /count: expected a whole number, found a number",
		`{"size":-1}`:                                "line 1: /size: expected a whole number from 0 on, found -1",
		`{"on":"yes"}`:                               "line 1: /on: expected true or false, found a string",
		"{\"list\":[{},\n{\"list\":{}}]}":            "line 2: /list/1/list: expected a list, found an object",
		`{"of":[]}`:                                  "line 1: /of: expected an object, found a list",
		`{"of":{"a":true}}`:                          "line 1: /of/a: expected a string, found true",
		`{"wait":"x"}`:                               "line 1: /wait: no time",
		`{"wait":5}`:                                 `line 1: /wait: expected a time such as "90s" or "50ms", found a number`,
		`[]`:                                         "line 1: expected an object, found a list",
		"{\n\"nope\":1}":                             "line 2: /nope: unknown member",
		"{\"name\":\n\n":                             "line 1: /name: the text ends too early",
		"":                                           "line 1: the text ends too early",
		"{\n\"name\":nil}":                           "line 2: /name: invalid character 'i' in literal null (expecting 'u')",
		"{\"name\":\"a\",\n\"name\":\"b\"}":          "line 2: /name: duplicate object member name",
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

// The line is that of the first value at or behind an offset, and no line more than the
// text has.
func TestLine(t *testing.T) {
	const text = "{\n\"a\":\n\n3,\n\"b\":4}\n\n"
	for offset, want := range map[int64]int{-1: 1, 0: 1, 1: 2, 5: 4, 8: 4, 9: 5, 14: 5, 99: 5} {
		if got := jsonfault.Line([]byte(text), offset); got != want {
			t.Errorf("offset %d: line %d, want %d", offset, got, want)
		}
	}
}
