// Package decodetest runs the txtar cases that stand beside the decoders. Each
// case is one archive:
//
//	why the case exists, with the rules it proves
//	-- body --      the body of a request
//	-- messages --  what becomes of it, one message per line
//	-- turns --     which messages the elements of its list became: from-to
//	-- rest --      what other formats are told of it
//
// Run the tests with -update to rewrite all but the body. [Sound] holds for any
// body.
package decodetest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
)

// Run runs every testdata/*.txtar through the decoder.
func Run(t *testing.T, decode func([]byte) (*wire.Request, error)) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			body := bytes.TrimSpace(section(a, "body"))
			before := string(body)
			req, err := decode(body)
			if err != nil {
				t.Fatal(err)
			}
			got := []txtar.File{
				{Name: "body", Data: section(a, "body")},
				{Name: "messages", Data: casetest.Lines(req.Messages)},
				{Name: "turns", Data: turns(req)},
				{Name: "rest", Data: rest(req)},
			}
			if flag.Lookup("update").Value.String() == "true" {
				a.Files = got
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			for _, g := range got {
				if d := cmp.Diff(string(section(a, g.Name)), string(g.Data)); d != "" {
					t.Errorf("%s (-want +got):\n%s", g.Name, d)
				}
			}
			if string(body) != before {
				t.Error("the body was changed (G-3)")
			}
			Sound(t, req, body)
		})
	}
}

func section(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func turns(req *wire.Request) []byte {
	var b bytes.Buffer
	for i, t := range req.Turns {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d-%d", t.From, t.To)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// rest shows what is said besides the messages, one fact a line.
func rest(req *wire.Request) []byte {
	var b bytes.Buffer
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	line("model", req.Model)
	line("system", strings.ReplaceAll(req.System, "\n", `\n`))
	for _, t := range req.Tools {
		fmt.Fprintf(&b, "tool: %s\n", strings.TrimSpace(t.Name+" "+string(t.Description.Raw)+" "+string(t.Schema.Raw)))
	}
	if req.MaxTokens > 0 {
		line("limit", fmt.Sprint(req.MaxTokens))
	}
	line("thinking", req.Thinking)
	line("left", strings.Join(req.Left, ", "))
	return b.Bytes()
}

// Sound asserts what holds for every request that was read: each message belongs
// to the element that it came from, every element is whole, and its bytes are
// those of the body.
func Sound(t testing.TB, req *wire.Request, body []byte) {
	t.Helper()
	next := 0
	for i, turn := range req.Turns {
		if turn.From != next || turn.To < turn.From || !bytes.Contains(body, turn.Raw.Raw) {
			t.Fatalf("element %d is messages %d to %d, %s", i, turn.From, turn.To, turn.Raw.Raw)
		}
		next = turn.To
		if whole := req.Whole(req.Messages[turn.From:turn.To]); turn.From < turn.To && whole != i {
			t.Fatalf("element %d is taken for %d", i, whole)
		}
		for _, m := range req.Messages[turn.From:turn.To] {
			if req.TurnOf(m) != i {
				t.Fatalf("message %d belongs to element %d, not %d", m.Origin.Index, req.TurnOf(m), i)
			}
			if v := req.Native(m); v.Exists() && !bytes.Contains(turn.Raw.Raw, v.Raw) {
				t.Fatalf("message %d is not %s", m.Origin.Index, v.Raw)
			}
		}
	}
	if next != len(req.Messages) {
		t.Fatalf("%d messages belong to no element", len(req.Messages)-next)
	}
	for i, m := range req.Messages {
		if m.Origin.Index != i || !valid(m.AppendJSON(nil)) {
			t.Fatalf("message %d has index %d: %s", i, m.Origin.Index, m.AppendJSON(nil))
		}
		if edited := m.With("x", jsonline.Bool(true)); req.Native(edited).Exists() || req.Whole(append(req.Messages[:0:0], edited)) >= 0 {
			t.Fatal("a changed message is taken for one of the request")
		}
		strange(t, req, m)
	}
	if len(req.Messages) > 0 && req.Whole(nil) >= 0 {
		t.Fatal("nothing is taken for an element")
	}
	for i, turn := range req.Turns {
		list := req.Messages[turn.From:turn.To]
		if len(list) < 2 {
			continue
		}
		turned := append(list[1:len(list):len(list)], list[0])
		if req.Whole(list[1:]) >= 0 || req.Whole(list[:1]) >= 0 || req.Whole(turned) >= 0 {
			t.Fatalf("a part of element %d, or all of it in another order, is taken for it", i)
		}
	}
}

// strange asserts what is said of messages that are not as they were decoded: of
// a result with another id, of places that there are none of, and where there was
// no request.
func strange(t testing.TB, req *wire.Request, m *transcript.Message) {
	t.Helper()
	native, want := string(req.Native(m).Raw), ""
	if m.Is(transcript.ToolResult) {
		want = native
	}
	renamed, other := m.With("toolCallId", jsonline.Parse([]byte(`"another"`))), m.With("x", jsonline.Bool(true))
	if got := string(req.Renamed(renamed).Raw); got != want {
		t.Fatalf("with another id, message %d is %s", m.Origin.Index, got)
	}
	if string(req.Renamed(m).Raw) != native || req.Renamed(other).Exists() {
		t.Fatalf("message %d is not what it was, or still that when changed", m.Origin.Index)
	}
	for _, index := range []int{-1, len(req.Messages)} {
		gone := m.With("x", jsonline.Bool(true))
		gone.Origin.Index = index
		if req.TurnOf(gone) >= 0 || req.Native(gone).Exists() || req.Renamed(gone).Exists() || req.Whole([]*transcript.Message{gone}) >= 0 {
			t.Fatalf("a message of place %d is one of the request", index)
		}
	}
	var none *wire.Request
	if none.TurnOf(m) >= 0 || none.Native(m).Exists() || none.Renamed(m).Exists() || none.Whole([]*transcript.Message{m}) >= 0 {
		t.Fatal("a message is one of no request")
	}
}

// valid reports whether a text is JSON, perhaps with strings that are not UTF-8.
func valid(text []byte) bool { return jsonline.Parse(text).Exists() }
