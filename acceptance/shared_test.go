package acceptance_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia"
	"hygeia/policy"
)

// The files that lie beside the project while it is being developed.
const (
	sharedCases   = "../../shared/cases/cases.jsonl"
	sharedSession = "../../shared/data/large-session.jsonl"
)

// sharedCase is a line of that collection.
type sharedCase struct {
	ID     string `json:"id"`
	Format string `json:"format"`
	Target struct {
		Provider string `json:"provider"`
		API      string `json:"modelApi"`
		Model    string `json:"modelId"`
	} `json:"target"`
	Input    jsontext.Value `json:"input"`
	Must     []string       `json:"must"`
	Encoding string         `json:"encoding"`
	Expand   []struct {
		Placeholder string `json:"placeholder"`
		Unit        string `json:"unit"`
		Times       int    `json:"times"`
	} `json:"expand"`
}

func readShared(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not there", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Every case of the collection holds what holds for any session, and the texts
// that its must lines call survivors survive.
func TestSharedCases(t *testing.T) {
	general, err := parseMust(always)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(readShared(t, sharedCases)) {
		var s sharedCase
		if err := json.Unmarshal(line, &s, loose); err != nil {
			t.Fatal(err)
		}
		chat := s.Target.API == "chat-view"
		if chat {
			continue // TestSurfacesSharedLeaks has them
		}
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			c, err := s.file()
			if err != nil {
				t.Fatal(err)
			}
			o, err := c.replay(c.targets[0])
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range general {
				if err := a.rule.hold(o, nil); err != nil {
					t.Errorf("%s: %v", a.line, err)
				}
			}
			if err := s.survivors(o); err != nil {
				t.Error(err)
			}
		})
	}
}

// file makes a case of ours of it. A session file goes to a target that is as
// good as any.
func (s *sharedCase) file() (*caseFile, error) {
	c := &caseFile{name: s.ID, format: hygeia.FormatMessages}
	api := s.Target.API
	if api == "session-file" {
		s.Target.Provider, api, s.Target.Model = "anthropic", "anthropic-messages", "claude-sonnet-4-5"
	}
	c.targets = []target{{policy.Target{Provider: s.Target.Provider, API: api, Model: s.Target.Model}, false}}
	c.input = s.Input
	if _, request := hygeia.Format(s.Format).API(); request {
		c.format = hygeia.Format(s.Format)
	}
	if s.Format == "jsonl" {
		var text string
		if err := json.Unmarshal(s.Input, &text, loose); err != nil {
			return nil, err
		}
		c.format, c.input = hygeia.FormatSession, []byte(text)
	}
	if s.Encoding == "base64" {
		var err error
		if c.input, err = base64.StdEncoding.DecodeString(string(c.input)); err != nil {
			return nil, err
		}
	}
	for _, e := range s.Expand {
		c.input = bytes.ReplaceAll(c.input, []byte(e.Placeholder), bytes.Repeat([]byte(e.Unit), e.Times))
	}
	return c, nil
}

var quotedText = regexp.MustCompile(`'([^']+)'`)

// survivors asserts that the quoted texts of lines about survival survive.
func (s *sharedCase) survivors(o *outcome) error {
	var errs []error
	for _, line := range s.Must {
		if !strings.Contains(line, "survive") {
			continue
		}
		for _, quoted := range quotedText.FindAllStringSubmatch(line, -1) {
			switch want := quoted[1:]; {
			case count(values(o.in.json), want[0]) == 0 && o.file == nil:
				// A pattern such as 'shot n', no text of the input.
			case o.file == nil && count(values(o.body.json), want[0]) > 0:
				// Where tools are told as text, the name of one is part of it.
			case o.file != nil && s.Target.API == "session-file":
				errs = append(errs, stored(o.file, want))
			default:
				errs = append(errs, survives(o.out, want))
			}
		}
	}
	return errors.Join(errs...)
}

// A large session holds what holds for any session, at every target.
func TestLargeSession(t *testing.T) {
	general, err := parseMust(always + "problems 0\nno-stand-in\n")
	if err != nil {
		t.Fatal(err)
	}
	input := readShared(t, sharedSession)
	wild, err := readCase("testdata/wild/every-target.txtar")
	if err != nil {
		t.Fatal(err)
	}
	c := &caseFile{name: "large-session", format: hygeia.FormatSession, input: input}
	for _, target := range wild.targets {
		t.Run(target.name(), func(t *testing.T) {
			t.Parallel()
			o, err := c.replay(target)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range general {
				if err := a.rule.hold(o, a.args); err != nil {
					t.Errorf("%s: %.2000v", a.line, err)
				}
			}
		})
	}
}
