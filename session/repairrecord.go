package session

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// parts are a text that is written one part behind the other: a long record is not
// put together in memory.
type parts [][]byte

// rewrite returns the new text of a record, nil if it stays as it is and an
// empty one if it goes, and the records that come behind it.
func (w *rewriter) rewrite(f finding) (text parts, behind []parts) {
	if f.number == none {
		if w.late {
			text = parts{}
		}
		return text, nil
	}
	n := &w.nodes[f.number]
	if !n.is(dirty) {
		return nil, nil
	}
	c := RepairChange{Line: f.Line, Last: f.Last, Op: "replace", Entry: f.Entry.ID}
	if n.kind == lost {
		c.Rule, c.Op, c.Reason, c.Lossy = "F-51", "drop", noMessage, true
		w.keep(f.Entry.Parts())
		w.report.DroppedLines++
		w.tell(c)
		return parts{}, nil
	}
	o := w.rename(f.number, f.Entry, c)
	o = w.patch(f.number, o, c)
	var said parts
	if n.typ == message && n.kind == canonical {
		said = w.content(f.Entry, c)
		behind = w.inserted(f.number, f.Entry, c)
	}
	if o.Edited() || said != nil {
		text = o.Parts("message", said)
	}
	return text, behind
}

// rename gives record i, the entry e, an id of its own (D-14, D-27).
func (w *rewriter) rename(i int32, e *transcript.Entry, c RepairChange) jsonline.Object {
	id := w.names[i]
	switch {
	case id == "":
		return e.Members()
	case e.ID == "":
		c.Rule, c.Reason = "F-15", "the entry has no id by which others can name it; now "+id
	default:
		c.Rule, c.Reason = "F-B12", "id "+clip(e.ID)+" stands already in front of it; now "+id
		w.report.DuplicateIDs++
	}
	w.tell(c)
	return e.Members().With("id", jsonline.Text(id))
}

// memberOf are the members that hold what a record names.
var memberOf = [...]string{asParent: "parentId", asTarget: "targetId", asAppend: "appendParentId", asKept: "firstKeptEntryId", asIndex: "firstKeptEntryIndex"}

// patch brings up to date what record i names (F-B01, F-B02, F-B13).
func (w *rewriter) patch(i int32, o jsonline.Object, c RepairChange) jsonline.Object {
	list := patchesOf(w.from(i), i)
	for _, p := range list {
		id := w.idFor(p)
		v := jsonline.Text(id)
		switch {
		case p.as == asIndex:
			v = jsonline.Int(int64(p.to))
		case id == "":
			v = jsonline.Value{Raw: []byte("null"), Kind: jsonline.Null}
		}
		var was jsonline.Value
		o, was, c.Reason = w.set(o, p.as, v)
		c.Rule = w.ruleFor(p)
		switch {
		case p.why == asSaid:
			c.Reason += " " + clip(plain(was)) + " becomes " + clip(plain(v))
		case id == "":
			c.Reason = p.why.reason(was.String()) + "; now a root"
		default:
			c.Reason = p.why.reason(was.String()) + "; linked to " + clip(id)
		}
		w.tell(c)
	}
	if len(list) > 0 {
		w.report.RelinkedEntries++
	}
	return o
}

// ruleFor returns the rule under which a patch is reported.
func (w *rewriter) ruleFor(p patch) string {
	switch {
	case p.as == asIndex:
		return "F-15"
	case p.why != asSaid || p.to == none:
		return p.why.rule()
	case p.as != asKept && w.hasStandIn(p.to):
		return "F-B02"
	case w.names[p.to] != "":
		return "F-B12"
	}
	return "F-B01"
}

// plain returns an id without its quotes, and any other value as it stands.
func plain(v jsonline.Value) string {
	if v.IsString() {
		return v.String()
	}
	return string(v.Raw)
}

// set gives the member of that kind a new value. It returns the old one and the
// name of the member.
func (w *rewriter) set(o jsonline.Object, as uint8, v jsonline.Value) (after jsonline.Object, was jsonline.Value, name string) {
	if as == asKept && o.Get("type").String() == string(transcript.EntryCustom) {
		data := o.Get("data").Object()
		return o.With("data", data.With("entryId", v).Value()), data.Get("entryId"), "entryId"
	}
	name = memberOf[as]
	return o.With(name, v), o.Get(name), name
}

// idFor returns the id that a patch writes, "" for none.
func (w *rewriter) idFor(p patch) string {
	switch {
	case p.to == none || p.as == asIndex:
		return ""
	case p.as == asParent && w.goesOn(p.from, p.to), (p.as == asTarget || p.as == asAppend) && w.hasStandIn(p.to):
		return w.behindOf[p.to]
	case w.names[p.to] != "":
		return w.names[p.to]
	}
	return w.held[p.to]
}

// content applies the rules on stored messages. It returns what the message
// becomes, nil where it stays.
func (w *rewriter) content(e *transcript.Entry, c RepairChange) parts {
	lossy := false
	m := w.report.mend(e.Message, func(f fault) {
		*f.count++
		c.Rule, c.Reason, c.Lossy = f.rule, f.reason, f.lossy
		lossy = lossy || f.lossy
		w.tell(c)
	})
	if lossy {
		w.keep(e.Parts())
	}
	if m == e.Message {
		return nil
	}
	return m.Parts()
}

// inserted returns the stand-ins that come behind record i (F-56).
func (w *rewriter) inserted(i int32, e *transcript.Entry, c RepairChange) (behind []parts) {
	list, _ := w.standInsFor(i, e)
	calls, open := toolCalls(e.Message), w.standInsOf(i)
	for n, text := range list {
		behind = append(behind, parts{text})
		c.Rule, c.Op, c.Synthetic = "F-56", "insert", true
		c.Reason = "call `" + clip(calls[open[n].n].ID()) + "` has no result"
		w.report.InsertedToolResults++
		w.tell(c)
	}
	return behind
}
