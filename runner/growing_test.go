package runner

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/runner/model"
)

// H-54, H-B03: what a surface shows of a turn before it is stored, and that it goes
// when the turn is.
func TestGrowing(t *testing.T) {
	var g Growing
	said := func(kind model.EventKind, block int, text, name string) string {
		g.Hear(Event{Kind: Said, Model: model.Event{Kind: kind, Block: block, Text: text, Name: name}})
		return fmt.Sprintf("%q %q %q", g.Thinking(), g.Text(), g.Calls())
	}
	for _, step := range []struct {
		kind       model.EventKind
		block      int
		text, name string
		want       string
	}{
		{model.Thinking, 0, "let me ", "", `"let me " "" []`},
		{model.Thinking, 0, "see", "", `"let me see" "" []`},
		{model.Text, 1, "I look.", "", `"let me see" "I look." []`},
		{model.ToolStart, 2, "", "read", `"let me see" "I look." [{"read" ""}]`},
		{model.ToolStart, 3, "", "list", `"let me see" "I look." [{"read" ""} {"list" ""}]`},
		{model.ToolDelta, 2, `{"path":`, "", `"let me see" "I look." [{"read" "{\"path\":"} {"list" ""}]`},
		{model.ToolEnd, 2, `{"path":"a"}`, "read", `"let me see" "I look." [{"read" "{\"path\":"} {"list" ""}]`},
		{model.ToolEnd, 3, `{}`, "list", `"let me see" "I look." [{"read" "{\"path\":"} {"list" "{}"}]`},
		{model.Stopped, 0, "toolUse", "", `"" "I look." []`},
	} {
		if got := said(step.kind, step.block, step.text, step.name); got != step.want {
			t.Errorf("after %v: %s, want %s", step.kind, got, step.want)
		}
	}
	for _, kind := range []EventKind{Called, Received} {
		said(model.Text, 0, "over", "")
		g.Hear(Event{Kind: kind})
		if g.Text() != "" {
			t.Errorf("the text of the turn before stays: %q", g.Text())
		}
	}
	said(model.ToolStart, 0, "", "write")
	for range 100 {
		said(model.ToolDelta, 0, strings.Repeat("ä", 50), "")
	}
	if n := len(g.Calls()[0].Arguments); n > longestArguments || n < longestArguments/2 {
		t.Errorf("%d bytes of arguments", n)
	}
}
