package payload

import (
	"strconv"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// Rules are those that the shared parts may record. Each format package lists
// them among its own.
var Rules = []hygiene.Rule{
	{ID: "W-110", Title: "arguments that are no object go out as one", Lossy: true},
	{ID: "W-120", Title: "lone surrogates, U+0000 and bytes that are not UTF-8 do not go out", Lossy: true},
	{ID: "W-121", Title: "blocks of a tool result that the format has no form for go out as text", Lossy: true},
	{ID: "W-124", Title: "a message, block or member that the format has no form for is left out", Lossy: true},
	{ID: "W-176", Title: "a tool name is made legal on the wire"},
	{ID: "W-177", Title: "a tool that a request defines twice in the same words goes out once, one without a name not at all", Lossy: true},
}

// Log adds the changes of one converter to the report.
type Log struct {
	// Stage stands for the converter in the report, e.g. "anthropic-messages".
	Stage  string
	Report *hygiene.Report
}

// Add records one change of a message, or of a block of it if b is not nil.
// Before is the block or message unless the change is an insertion.
func (l Log) Add(op hygiene.Op, m *transcript.Message, b *transcript.Block, after any, e hygiene.Edit) {
	var before any
	block := -1
	switch {
	case op == hygiene.Insert:
	case b != nil:
		before, block = b, b.Index()
	default:
		before = m
	}
	l.Report.Record(l.Stage, op, m, block, before, after, e)
}

// Unknown records a message or block that the format has no form for (W-124).
func (l Log) Unknown(m *transcript.Message, b *transcript.Block) {
	reason := "role " + strconv.Quote(string(m.Role())) + " has no form in this format"
	if b != nil {
		reason = "block of type " + strconv.Quote(string(b.Type())) + " has no form in this format"
	}
	l.Add(hygiene.Drop, m, b, nil, hygiene.Edit{Rule: "W-124", Reason: reason, Lossy: true})
}

// NoSignature records that a call goes out without its thought signature, since
// the format has no place for one (W-124).
func (l Log) NoSignature(m *transcript.Message, b *transcript.Block) {
	for _, name := range []string{"thoughtSignature", "thought_signature"} {
		if sig := b.Get(name); sig.IsString() && !sig.Blank() {
			l.Report.Record(l.Stage, hygiene.Replace, m, b.Index(), sig.String(), nil, hygiene.Edit{
				Rule: "W-124", Reason: "the format has no place for a thought signature", Lossy: true,
			})
			return
		}
	}
}

// Text returns a string, or arguments, made legal; a change is recorded (W-120).
func (l Log) Text(m *transcript.Message, b *transcript.Block, v jsonline.Value) jsonline.Value {
	legal := Legal(v)
	if !same(legal, v) {
		after := legal.String()
		if !legal.IsString() {
			after = string(legal.Raw)
		}
		l.Add(hygiene.Replace, m, b, after, hygiene.Edit{
			Rule: "W-120", Reason: "text holds code units that no request may hold", Lossy: true,
		})
	}
	return legal
}

// Arguments returns the arguments of a call as an object, spliced if they are
// one (W-110). The JSON text of an object counts as that object.
func (l Log) Arguments(m *transcript.Message, b *transcript.Block) jsonline.Value {
	args := b.Get("arguments")
	if !args.Exists() || args.Kind == jsonline.Null {
		args = b.Get("input")
	}
	if args.Kind == jsonline.ObjectKind {
		return l.Text(m, b, args)
	}
	object := jsonline.Object{}.Value()
	lossy := args.Kind != jsonline.Invalid && args.Kind != jsonline.Null
	if v := jsonline.Parse([]byte(args.String())); v.Kind == jsonline.ObjectKind {
		object, lossy = Legal(v), false
	}
	l.Add(hygiene.Replace, m, b, string(object.Raw), hygiene.Edit{
		Rule: "W-110", Reason: "arguments are no object but " + args.Kind.String(), Lossy: lossy,
	})
	return object
}

// Name returns the name under which a call goes out; another one than the
// stored is recorded (W-176, W-231).
func (l Log) Name(m *transcript.Message, b *transcript.Block, names *Names) string {
	name := b.Name()
	wire := names.Wire(name)
	if wire != name {
		l.Report.Record(l.Stage, hygiene.Replace, m, b.Index(), name, wire, names.Edit(name))
	}
	return wire
}
