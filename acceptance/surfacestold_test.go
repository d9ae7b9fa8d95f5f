package acceptance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hygeia/transcript"
)

// told writes down what is shown, one line for each piece.
type told struct {
	strings.Builder
	raw bytes.Buffer // all that the surface wrote
}

func (w *told) piece(kind, text string) {
	if text = strings.TrimRight(text, " \n"); text != "" { // nobody sees the end of a text
		fmt.Fprintf(w, "%s: %s\n", kind, strings.ReplaceAll(text, "\n", "\\n"))
	}
}

// call writes down a call; white space in its arguments is no difference.
func (w *told) call(name string, arguments []byte) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, arguments); err != nil {
		compact.WriteString(err.Error())
	}
	w.piece("call of "+name, compact.String())
}

// message writes down a message as every surface but ACP shows it.
func (w *told) message(t *testing.T, m *transcript.Message) {
	t.Helper()
	who := string(m.Role())
	result := m.Is(transcript.ToolResult)
	if !m.Is(transcript.User) && !m.Is(transcript.Assistant) && !result {
		who = "note"
	}
	if result {
		who = fmt.Sprintf("result of %s (%s), failed %v", m.ToolName(), m.ToolCallID(), m.IsError())
	}
	if sender := m.Get("senderLabel").String(); sender != "" {
		who += ", " + sender
	}
	if text := m.Text(); text.Exists() {
		w.piece(who, text.String())
		return
	}
	for _, b := range m.Blocks() {
		switch {
		case b.IsThinking():
			w.piece("thinking", b.Text())
		case b.IsToolCall():
			w.call(b.Name(), b.Get("arguments").Raw)
		default:
			w.piece(who, b.Text())
		}
	}
}

func (w *told) messages(t *testing.T, list []json.RawMessage) *told {
	t.Helper()
	var r transcript.Reader
	for _, raw := range list {
		m, err := r.Message(raw)
		if err != nil {
			t.Fatal(err)
		}
		w.message(t, m)
	}
	return w
}

// screenMarks are those of the pieces on the screen of a terminal.
var screenMarks = []struct{ mark, kind string }{
	{"∙ ", "note"}, {"──", "note"}, {"  ┊ ", "thinking"}, {"  ▾ ", "tool"}, {"    ", "more"}, {"  ", "words"},
}

// screen reads one message as the screen of a terminal has it.
func (w *told) screen(text string) {
	who, kind, said := "", "", []string{}
	end := func() {
		switch title := strings.Fields(kind); {
		case len(title) > 0 && title[len(title)-1] == "call":
			w.call(title[0], []byte(strings.Join(said, "\n")))
		default:
			w.piece(kind, strings.Join(said, "\n"))
		}
		said = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		is, rest := "", ""
		for _, m := range screenMarks {
			if r, ok := strings.CutPrefix(line, m.mark); ok {
				is, rest = m.kind, r
				break
			}
		}
		switch is {
		case "": // the head, or an empty line of a text
			if strings.TrimSpace(line) != "" {
				if who, _, _ = strings.Cut(line, "  "); who == string(transcript.Custom) {
					who = "note"
				}
				continue
			}
		case "tool":
			end()
			kind = toolTitle(rest)
			continue
		case "more":
		case "words":
			is = who
			fallthrough
		default:
			if is == "note" {
				rest = strings.Trim(rest, "─ ")
			}
			if is != kind {
				end()
				kind = is
			}
		}
		said = append(said, rest)
	}
	end()
}

// toolTitle reads the title of an opened card.
func toolTitle(title string) string {
	title, _, _ = strings.Cut(title, ", ") // how many lines
	for word, failed := range map[string]bool{" done": false, " failed": true} {
		if name, ok := strings.CutSuffix(title, word); ok {
			return fmt.Sprintf("result of %s, failed %v", name, failed)
		}
	}
	return title + " call"
}
