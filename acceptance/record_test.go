package acceptance_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/gen"
)

// handoffTurn is a line of testdata/handoff/session.jsonl: what happened,
// whoever the model was.
type handoffTurn struct {
	User    string        `json:"user"`
	Think   string        `json:"think"`
	Say     string        `json:"say"`
	Calls   []handoffCall `json:"calls"`
	Stop    string        `json:"stop"`
	Result  string        `json:"result"`
	Error   bool          `json:"error"`
	Picture int           `json:"picture"`
}

type handoffCall struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

func readTurns(t *testing.T) []handoffTurn {
	t.Helper()
	text, err := os.ReadFile("testdata/handoff/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var turns []handoffTurn
	for line := range bytes.Lines(text) {
		var u handoffTurn
		if err := json.Unmarshal(line, &u, json.RejectUnknownMembers(true)); err != nil {
			t.Fatal(err)
		}
		turns = append(turns, u)
	}
	return turns
}

func routeOf(t *testing.T, provider, api, model string) gen.Route {
	t.Helper()
	i := slices.IndexFunc(gen.Routes, func(r gen.Route) bool { return r.Provider == provider && r.API == api && r.Model == model })
	if i < 0 {
		t.Fatalf("nobody knows how %s/%s records a session", provider, model)
	}
	return gen.Routes[i]
}

// record writes a session file of these turns as they would stand in it if that
// route had answered.
func record(turns []handoffTurn, r gen.Route) []byte {
	header := []byte(`{"type":"session","version":3,"id":"0c0ffee0-0000-4000-8000-000000000001","timestamp":"2026-03-08T12:00:00.000Z","cwd":"/work"}` + "\n")
	return append(header, recordFrom(turns, 0, r)...)
}

// recordFrom writes the entries of the turns from one on.
func recordFrom(turns []handoffTurn, from int, r gen.Route) []byte {
	var file []byte
	var open []string // calls without a result: the rest of their member names and ids
	for i, u := range turns {
		var message string
		switch {
		case u.User != "":
			message = fmt.Sprintf(`"role":"user","content":[%s]`, textAndPicture(u.User, u.Picture))
		case u.Result != "":
			if i >= from {
				message = fmt.Sprintf(`"role":"toolResult",%s,"content":[%s],"isError":%v`, open[0], textAndPicture(u.Result, u.Picture), u.Error)
				open = open[1:]
			}
		default:
			var blocks []string
			blocks, open = u.blocks(100*i, r)
			message = fmt.Sprintf(`"role":"assistant","content":[%s],"provider":%q,"api":%q,"model":%q,"stopReason":%q,"responseId":"resp_%024d"`,
				strings.Join(blocks, ","), r.Provider, r.API, r.Model, u.stopReason(), i)
		}
		if i < from {
			continue
		}
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf(`"e%07d"`, i-1)
		}
		at := fmt.Sprintf("2026-03-08T12:%02d:00.000Z", i)
		file = fmt.Appendf(file, `{"type":"message","id":"e%07d","parentId":%s,"timestamp":%q,"message":{%s,"timestamp":%d}}`+"\n",
			i, parent, at, message, 1772971200000+60000*i)
	}
	return file
}

func textAndPicture(text string, picture int) string {
	block := fmt.Sprintf(`{"type":"text","text":%q}`, text)
	if picture > 0 {
		block += fmt.Sprintf(`,{"type":"image","data":%q,"mimeType":"image/png"}`, gen.Pictures[picture])
	}
	return block
}

// blocks returns the content of an assistant turn, and per call the members that
// name it in its result. n is a number that no other turn is near.
func (u *handoffTurn) blocks(n int, r gen.Route) (blocks, calls []string) {
	thought := u.Think != "" && r.Form.Thinking != nil
	if thought {
		blocks = append(blocks, r.Form.Thinking(n+1, fmt.Sprintf("%q", u.Think)))
	}
	if u.Say != "" {
		signature := ""
		if thought && r.Form.Text != nil {
			signature = r.Form.Text(n + 2)
		}
		blocks = append(blocks, fmt.Sprintf(`{"type":"text","text":%q%s}`, u.Say, signature))
	}
	for k, c := range u.Calls {
		id, signature := r.Form.Call(n+3+k), ""
		if k == 0 && r.Form.First != nil {
			signature = r.Form.First(n + 3)
		}
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":%q,"arguments":{"path":%q}%s}`, id, c.Name, c.Path, signature))
		calls = append(calls, fmt.Sprintf(`"toolCallId":%q,"toolName":%q`, id, c.Name))
	}
	return blocks, calls
}

func (u *handoffTurn) stopReason() string {
	switch {
	case u.Stop != "":
		return u.Stop
	case len(u.Calls) > 0:
		return "toolUse"
	}
	return "stop"
}

// foreign returns what stands in a body and only the route that recorded the
// file understands: thinking, signatures, encrypted content, ids of items and
// responses.
func foreign(body, file []byte) []string {
	var found []string
	for line := range bytes.Lines(file) {
		d := jsontext.NewDecoder(bytes.NewReader(line))
		name := ""
		for {
			token, err := d.ReadToken()
			if err != nil {
				break
			}
			if k, n := d.StackIndex(d.StackDepth()); k == '{' && n%2 == 1 {
				name = token.String()
				continue
			}
			if token.Kind() == '"' {
				found = append(found, ownWords(body, name, token.String())...)
			}
		}
	}
	return found
}

// ownWords returns the words of a member that stand in the body.
func ownWords(body []byte, name, value string) []string {
	words, short := []string{value}, 8
	switch {
	case name == "thinking" || name == "responseId":
	case strings.HasSuffix(name, "Signature"):
		words, short = append(values([]byte(value)), value), 20 // ids of calls stand in some, too
	case name == "id" || name == "toolCallId":
		_, item, _ := strings.Cut(value, "|")
		words = []string{item}
	default:
		return nil
	}
	return slices.DeleteFunc(words, func(w string) bool { return len(w) < short || !bytes.Contains(body, []byte(w)) })
}
