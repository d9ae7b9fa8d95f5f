package boundary

import (
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// project turns a row that is neither a turn nor a custom message into a user
// turn, or drops it (F-72).
func project(r *hygiene.Run, i int) {
	m := r.At(i)
	var text string
	switch m.Role() {
	case transcript.CompactionSummary:
		text = summary(texts.CompactionIntro, m)
	case transcript.BranchSummary:
		text = summary(texts.BranchIntro, m)
	case transcript.BashExecution:
		if m.Get("excludeFromContext").Bool() {
			r.Drop(i, hygiene.Edit{Rule: "F-72", Reason: "the command is excluded from the context", Lossy: true})
			return
		}
		text = bash(m)
	default:
		reason := "role " + string(m.Role()) + " is no part of a request"
		if m.Role() == "" {
			reason = "the message has no role"
		}
		r.Drop(i, hygiene.Edit{Rule: "F-72", Reason: reason, Lossy: true})
		return
	}
	asUser(r, i, m.WithText(text).Without("provenance")) // these words are a program's, wherever they come from
}

// marks are the members by which a user turn is known to have been another row: two
// of them that say the same are no turn that was sent again.
var marks = map[transcript.Role]string{
	transcript.Custom: "customType", transcript.BashExecution: "command",
	transcript.BranchSummary: "summary", transcript.CompactionSummary: "summary",
}

func asUser(r *hygiene.Run, i int, m *transcript.Message) {
	e := hygiene.Edit{Rule: "F-72", Reason: "role " + string(m.Role()) + " goes out as user"}
	if mark := marks[m.Role()]; !m.Get(mark).Exists() {
		m = m.With(mark, jsonline.Text(""))
	}
	r.Replace(i, m.With("role", jsonline.Text(string(transcript.User))), e)
}

// projectCustom turns a custom message into a user turn with the same content.
func projectCustom(r *hygiene.Run, i int) {
	m := r.At(i)
	if isRuntimeContext(m) {
		m = m.Without("provenance") // it says itself that no user wrote it
	}
	if m.Get("details").Object().Get("runtimeContextCarrier").Bool() {
		m = m.With("runtimeContextCarrier", jsonline.Bool(true))
	}
	asUser(r, i, m)
}

// delimit gives the text of runtime context its form. On the wire nothing
// else tells it from what a user says.
func delimit(r *hygiene.Run, i int) {
	m := r.At(i)
	e := hygiene.Edit{Rule: "X-05", Reason: "the runtime context does not say what it is", Synthetic: true}
	if m.ContentKind() == transcript.TextContent {
		if text := m.Text().String(); !texts.IsRuntimeContext(text) {
			r.Replace(i, m.WithText(wrappers.RuntimeContext(text)), e)
		}
		return
	}
	blocks := r.Blocks(i)
	for j, b := range blocks.All() {
		if text := b.Text(); b.IsText() && !texts.IsRuntimeContext(text) {
			blocks.Replace(j, b.WithText(wrappers.RuntimeContext(text)), e)
		}
	}
	blocks.Done()
}

func summary(intro string, m *transcript.Message) string {
	return intro + "\n" + texts.SummaryOpen + "\n" + m.Get("summary").String() + "\n" + texts.SummaryClose
}

// bash tells a shell command, its output and how it ended.
func bash(m *transcript.Message) string {
	lines := []string{texts.BashCommand + "`" + m.Get("command").String() + "`"}
	if output := m.Get("output").String(); strings.TrimSpace(output) == "" {
		lines = append(lines, texts.BashNoOutput)
	} else {
		fence := fenceFor(output)
		lines = append(lines, texts.BashOutput, fence, strings.TrimRight(output, "\n"), fence)
	}
	code := m.Get("exitCode")
	switch {
	case m.Get("cancelled").Bool():
		lines = append(lines, texts.BashCancelled)
	case code.Kind == jsonline.Number && string(code.Raw) != "0":
		lines = append(lines, texts.BashExitCode+string(code.Raw)+".")
	}
	if m.Get("truncated").Bool() {
		lines = append(lines, texts.BashTruncated)
		if path := m.Get("fullOutputPath").String(); path != "" {
			lines = append(lines, texts.BashFullOutput+path)
		}
	}
	return strings.Join(lines, "\n")
}

// fenceFor returns a fence that is longer than any run of backticks in text.
func fenceFor(text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}
