package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"hygeia"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/runner/model"
	"hygeia/session"
	"hygeia/transcript"
)

// compact compacts the session (C-06) and reads what is left of it.
func (s *run) compact(ctx context.Context, reason session.CompactionReason, why string) error {
	o := s.o.Keep
	o.Reason, o.Record = reason, session.RecordBeside(ctx, s.path, s.o.Write.Lock) // C-09
	o.Summarise = func(ctx context.Context, in session.CompactionInput) (string, error) { return s.Summarise(ctx, in) }
	done, err := s.w.Compact(ctx, o)
	if done == nil {
		return err
	}
	if err != nil { // it is in the file, but not noted in the index
		s.result.Notes = append(s.result.Notes, "compaction: "+err.Error())
	}
	s.result.Compactions++
	now, err := session.Load(s.path, session.Options{})
	if err != nil {
		return err
	}
	if err := s.load(now, s.w.Leaf()); err != nil {
		return err
	}
	s.on(Event{Kind: Compacted, Text: why})
	return nil
}

// ErrNoSummary says that a model did not write a summary.
var ErrNoSummary = errors.New("the model wrote no summary")

// Summarise asks the model for the summary of messages, as a compaction needs it
// (session.CompactOptions). What does not fit into the context window at once is
// summed up piece by piece. The errors are ErrNoSummary and those of a run.
func (r *Runner) Summarise(ctx context.Context, in session.CompactionInput) (string, error) {
	lines, err := r.tell(ctx, in.Messages)
	if err != nil {
		return "", err
	}
	summary := in.Previous
	for _, piece := range pieces(lines, r.pieceSize()) {
		task := texts.SummaryTask
		if in.OfTurn {
			task = texts.SummaryOfTurn
		}
		if summary != "" {
			task = paragraphs(task, texts.SummaryUpdate, texts.SummaryOpen+"\n"+summary+"\n"+texts.SummaryClose)
		}
		if summary, err = r.summary(ctx, paragraphs(task, texts.ConversationOpen+"\n"+piece+texts.ConversationClose)); err != nil {
			return "", err
		}
	}
	return summary, nil
}

// tell tells messages as text: whatever they hold, a model of any provider can
// take them, and it is not led to go on with them.
func (r *Runner) tell(ctx context.Context, messages []*transcript.Message) ([]string, error) {
	o := r.o.Replay
	o.Context, o.Prompt, o.MessagesOnly, o.Revise = ctx, "", true, nil
	t := &hygeia.Transcript{Name: "conversation", Format: hygeia.FormatMessages, Context: transcript.NewContext(unrepeated(messages))}
	replay, err := t.Replay(r.o.Target, o)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, m := range replay.Messages {
		lines = append(lines, told(m))
	}
	return lines, nil
}

// maxTold is how much of one text of a tool is told, in bytes: a summary says what
// became of it, not all of it.
const maxTold = 4000

func told(m *transcript.Message) string {
	var b strings.Builder
	head := map[transcript.Role]string{transcript.Assistant: texts.SummaryAssistant, transcript.ToolResult: texts.SummaryResult}[m.Role()]
	if head == "" {
		head = texts.SummaryUser
	}
	if m.ContentKind() != transcript.ListContent {
		fmt.Fprintf(&b, "%s\n%s\n", head, m.Text().String())
		return b.String()
	}
	for _, block := range m.Blocks() {
		switch {
		case block.IsText():
			text := block.Text()
			if m.Is(transcript.ToolResult) {
				text = clipped(text, maxTold)
			}
			fmt.Fprintf(&b, "%s\n%s\n", head, text)
		case block.IsToolCall():
			fmt.Fprintf(&b, "%s%s %s\n", texts.SummaryCall, block.Name(), clipped(string(block.Get("arguments").Raw), maxTold))
		case block.Is(transcript.TypeThinking):
			fmt.Fprintf(&b, "%s\n%s\n", texts.SummaryThinking, clipped(block.Text(), maxTold))
		case block.Is("image"):
			fmt.Fprintf(&b, "%s %s\n", head, texts.SummaryImage)
		}
	}
	return b.String()
}

// clipped cuts a text in the middle.
func clipped(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head, tail := limit*3/4, len(text)-limit/4
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n(%d bytes)\n%s", text[:head], tail-head, text[tail:])
}

// pieceSize is how many bytes of text one request may ask to sum up: half of the
// context window at four bytes for a token (C-03), the rest being for the summary
// so far and the new one.
func (r *Runner) pieceSize() int {
	const unknown = 32_000 // tokens that every model takes
	window := r.o.Limits.Window
	if window <= 0 {
		window = unknown
	}
	return window / 2 * 4
}

// pieces joins lines to texts of at most size bytes. A longer line is cut in the
// middle.
func pieces(lines []string, size int) []string {
	var list []string
	var b strings.Builder
	for _, line := range lines {
		line = clipped(line, size)
		if b.Len() > 0 && b.Len()+len(line) > size {
			list = append(list, b.String())
			b.Reset()
		}
		b.WriteString(line)
	}
	if b.Len() > 0 {
		list = append(list, b.String())
	}
	return list
}

// summary asks the model one thing.
func (r *Runner) summary(ctx context.Context, question string) (string, error) {
	o := r.o.Replay
	o.Payload = payload.Options{System: texts.SummarySystem, Thinking: payload.ThinkOff, Project: o.Payload.Project}
	o.Context, o.Prompt, o.MessagesOnly, o.Revise, o.Past = ctx, question, false, nil, nil
	t := &hygeia.Transcript{Name: "summary", Format: hygeia.FormatMessages, Context: transcript.NewContext(nil)}
	replay, err := t.Replay(r.o.Target, o)
	if err != nil {
		return "", err
	}
	a, err := r.o.Model.Stream(ctx, model.Call{
		Target: replay.Resolution.Target, Body: replay.Body, BaseURL: replay.Resolution.Policy.Model.BaseURL,
	}, nil)
	switch {
	case err != nil:
		return "", err
	case strings.TrimSpace(a.Text) == "":
		return "", fmt.Errorf("%w: it ended with %s", ErrNoSummary, a.StopReason)
	}
	return a.Text, nil
}
