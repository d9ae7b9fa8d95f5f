package casetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"hygeia/transcript"
)

// Talk is a conversation as it is stored, and what people are shown of it. Its
// archive holds
//
//	why the case exists and where it comes from
//	-- user --       a turn of the user; sections follow each other as turns do
//	-- assistant --  a turn of the model
//	-- shown --      one line for each text that is shown: role, sender where it is
//	                 known, a colon, the text with \n for line breaks
//	-- hidden --     optional: one line for each text that stands nowhere
type Talk struct {
	Name   string
	Turns  []*transcript.Message
	Shown  string
	Hidden []string
}

// Talks reads the archives of a folder.
func Talks(t testing.TB, folder string) (talks []Talk) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no talks in %s: %v", folder, err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		talk := Talk{Name: strings.TrimSuffix(filepath.Base(file), ".txtar")}
		for _, f := range a.Files {
			switch text := strings.TrimSuffix(string(f.Data), "\n"); f.Name {
			case "user", "assistant":
				talk.Turns = append(talk.Turns, Turn(transcript.Role(f.Name), text))
			case "shown":
				talk.Shown = text + "\n"
			case "hidden":
				talk.Hidden = strings.Split(text, "\n")
			default:
				t.Fatalf("%s: no section is called %s", file, f.Name)
			}
		}
		talks = append(talks, talk)
	}
	return talks
}

// Turn returns a turn with one block of text.
func Turn(role transcript.Role, text string) *transcript.Message {
	return transcript.New(role, transcript.NewTextBlock(text))
}

// SessionFile writes messages as the lines of a session file of one branch. Entry
// number i, from 1, has the id e<i>.
func SessionFile(id string, messages ...*transcript.Message) []byte {
	text := fmt.Appendf(nil, `{"type":"session","version":3,"id":%q,"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/x"}`+"\n", id)
	parent := "null"
	for i, m := range messages {
		at := time.Date(2026, 3, 1, 10, 1, i, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
		text = fmt.Appendf(text, `{"type":"message","id":"e%d","parentId":%s,"timestamp":%q,"message":%s}`+"\n", i+1, parent, at, m.AppendJSON(nil))
		parent = fmt.Sprintf(`"e%d"`, i+1)
	}
	return text
}

// Install puts the file of a session with that id into a root of state, as the only
// session of the agent main, under a key. It returns the path of the file.
func Install(t testing.TB, state, key, id string, file []byte) string {
	t.Helper()
	folder := filepath.Join(state, "agents", "main", "sessions")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, id+".jsonl")
	index := fmt.Appendf(nil, `{%q:{"sessionId":%q,"updatedAt":1772438400000}}`, key, id)
	for name, text := range map[string][]byte{path: file, filepath.Join(folder, "sessions.json"): index} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

var (
	roleOfSender = regexp.MustCompile(`(?m)^(user|assistant), `)
	idOfCall     = regexp.MustCompile(`(?m)^(result of \S+) \(\S+\)`)
)

// Seen returns what of a list like Talk.Shown stands on a screen: there a sender
// stands for the role, and the name of a tool for the id of its call.
func Seen(shown string) string {
	return idOfCall.ReplaceAllString(roleOfSender.ReplaceAllString(shown, ""), "$1")
}
