package calls

import (
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// verdict is what the fields of a call say about it.
type verdict uint8

const (
	legal     verdict = iota
	malformed         // it cannot have been carried out
	doubtful          // it stays if it was
)

// judge looks at a call of turn m in the order of R-50.
func judge(m *transcript.Message, b *transcript.Block, tools *toolSet) (verdict, hygiene.Edit) {
	bad := func(rule, reason string) hygiene.Edit { return hygiene.Edit{Rule: rule, Reason: reason, Lossy: true} }
	args, name, partial := b.Get("arguments"), b.Name(), b.Get("partialJson")
	switch {
	case !args.Exists() || args.Kind == jsonline.Null:
		return malformed, bad("R-50", "the call has no arguments")
	case b.ID() == "":
		return malformed, bad("R-50", "the call has no id")
	case name == "":
		return malformed, bad("R-50", "the call has no name")
	case partial.IsString() && !complete(partial, args):
		return malformed, bad("R-51", "the arguments of the call are incomplete")
	case partial.IsString() && !leftOver(m, b, args):
		return doubtful, bad("R-51", "the call has partial arguments and no result")
	case !legalName(name) && (tools == nil || !tools.offers(name)):
		return doubtful, bad("R-50", "the name of the call is no tool name and there is no result")
	case !tools.offers(name):
		return doubtful, bad("R-54", "the tool is not offered and there is no result")
	}
	return legal, hygiene.Edit{}
}

// complete reports whether the text that a stream left behind is all of the
// arguments: a JSON object, or blank beside arguments that are there.
func complete(partial, args jsonline.Value) bool {
	return args.Kind == jsonline.ObjectKind && (partial.Blank() || isObject(partial))
}

// leftOver reports whether a partialJson member is known to mean nothing.
func leftOver(m *transcript.Message, b *transcript.Block, args jsonline.Value) bool {
	bar := strings.IndexByte(b.ID(), '|')
	return m.StopReason() == transcript.StopToolUse && bar > 0 && bar < len(b.ID())-1 &&
		!b.Get("input").Exists() && (isObject(b.Get("partialJson")) || isEmpty(args))
}

func isEmpty(args jsonline.Value) bool {
	for range args.Object().Members() {
		return false
	}
	return true
}

func isObject(text jsonline.Value) bool {
	return jsonline.Parse([]byte(text.String())).Kind == jsonline.ObjectKind
}

// legalName reports whether a trimmed name can be that of a tool: at most 64
// characters of [A-Za-z0-9_:.-].
func legalName(name string) bool {
	if len(name) > 64 {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && strings.IndexByte("_:.-", c) < 0 {
			return false
		}
	}
	return true
}
