package openairesponses

import (
	"fmt"
	"regexp"
	"slices"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
	"hygeia/wire"
)

// builder turns the messages of one input into items of the wire format.
type builder struct {
	in    *payload.Input
	log   payload.Log
	names *payload.Names

	codex   bool // the back end of ChatGPT
	copilot bool
	ids     bool // item ids are replayed (W-310)
	joins   bool // neighbouring user turns are joined (D-34)

	own        *wire.Request // nil unless the messages were decoded from a request of this format
	instructed []string      // texts of its system messages that stand in the instructions

	read  reader
	items []item
	parts []part
	calls map[string]bool // by call id: it has its output
	free  map[string]bool // by call id: it takes free text
	used  map[string]bool // item ids that go out
	size  int             // about the length of the items
}

// Build returns the body of a Responses request (file 80 §8 and §9). The error
// is payload.ErrNothingToSend when no user or assistant turn is left (W-006),
// which cannot happen on the back end of ChatGPT (W-347), or a
// [*TranscriptError], or says that the tools are no JSON array.
func Build(in *payload.Input) ([]byte, error) {
	if tools := in.Options.Tools; tools.Exists() && tools.Kind != jsonline.Array {
		return nil, fmt.Errorf("tools: want a JSON array, found %s", tools.Kind)
	}
	b := newBuilder(stating(in))
	if err := b.turns(); err != nil {
		return nil, err
	}
	if !b.speaks() {
		if !b.codex {
			return nil, payload.ErrNothingToSend
		}
		b.blankTurn()
	}
	body := b.write()
	in.NoteSize(body)
	return body, nil
}

// speaks reports whether anything but system messages goes out.
func (b *builder) speaks() bool {
	return slices.ContainsFunc(b.items, func(it item) bool { return it.kind != systemMessage })
}

func (b *builder) write() []byte {
	if b.own != nil {
		return b.ownBody()
	}
	return b.body()
}

func newBuilder(in *payload.Input) *builder {
	w := &in.Policy.Wire
	own, codex := in.Own(stage), isCodex(in.Target, in.Policy)
	return &builder{
		in:      in,
		own:     own,
		log:     payload.Log{Stage: stage, Report: in.Report},
		names:   payload.NewNames(in, payload.NameForm{Max: w.ToolNameMax}, "name"),
		codex:   codex,
		copilot: isCopilot(in.Target),
		ids:     own == nil && w.StoreItems && !codex || own != nil && Stored(own, in.Target, in.Policy),
		used:    map[string]bool{},
		joins:   in.Policy.ValidateAnthropicTurns,
	}
}

var codexURL = regexp.MustCompile(`^https://chatgpt\.com/backend-api(?:/codex)?(?:/v1)?/?$`)

// isCodex reports whether the request goes to the back end of ChatGPT (W-341).
func isCodex(target policy.Target, p *policy.Policy) bool {
	return target.API == "openai-chatgpt-responses" || codexURL.MatchString(p.Model.BaseURL)
}

func isCopilot(target policy.Target) bool { return policy.Fold(target.Provider) == "github-copilot" }

// turns makes items of every message.
func (b *builder) turns() error {
	list := b.in.Messages
	b.reserve(list)
	for _, m := range list {
		var err error
		switch m.Role() {
		case transcript.User:
			b.user(m)
		case transcript.Assistant:
			err = b.assistant(m)
		case transcript.ToolResult:
			err = b.result(m)
		case transcript.Custom:
			b.system(m)
		default:
			b.log.Unknown(m, nil)
		}
		if err != nil {
			return err
		}
	}
	return b.answered()
}

// reserve makes room for what the messages become.
func (b *builder) reserve(list []*transcript.Message) {
	items, parts, calls := 0, 1, 0
	for _, m := range list {
		if m.Is(transcript.Assistant) {
			items += len(m.Blocks())
		} else {
			items++
		}
		parts += max(len(m.Blocks()), 1)
		for _, block := range m.Blocks() {
			if block.IsToolCall() {
				calls++
			}
		}
	}
	b.items = make([]item, 0, items+1)
	b.parts = make([]part, 0, parts)
	b.calls = make(map[string]bool, calls)
}

// blankText is the text of the shortest user turn that the back end of ChatGPT
// takes.
const blankText = " "

// shortest reports whether a text is all that a request says, and stands for
// nothing: it stays (W-347).
func (b *builder) shortest(text jsonline.Value) bool {
	return b.codex && b.own != nil && len(b.in.Messages) == 1 && text.String() == blankText
}

// blankTurn adds the shortest user turn.
func (b *builder) blankTurn() {
	const text = blankText
	b.parts = append(b.parts, part{raw: jsonline.Quote(text)})
	b.items = append(b.items, item{kind: userMessage, parts: b.since(len(b.parts) - 1)})
	b.log.Add(hygiene.Insert, transcript.New(transcript.User), nil, text, hygiene.Edit{
		Rule: "W-347", Reason: "no turn is left to send", Synthetic: true,
	})
}
