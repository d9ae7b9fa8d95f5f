package hygeia

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/session"
	"hygeia/transcript"
)

// changeJSON is a change as scripts read it (design §8).
type changeJSON struct {
	Rule      string         `json:"rule"`
	Pass      string         `json:"pass"`
	Op        hygiene.Op     `json:"op"`
	Entry     string         `json:"entry,omitempty"`
	Message   int            `json:"message"`
	Block     *int           `json:"block,omitempty"`
	Before    jsontext.Value `json:"before,omitempty"`
	After     jsontext.Value `json:"after,omitempty"`
	Reason    string         `json:"reason"`
	Lossy     bool           `json:"lossy"`
	Synthetic bool           `json:"synthetic"`
}

// reportJSON is a report as scripts read it (design §8).
type reportJSON struct {
	Target       policy.Target  `json:"target"`
	Changes      []changeJSON   `json:"changes"`
	Counts       map[string]int `json:"counts"`
	FirstChanged int            `json:"firstChanged"`
	Notes        []string       `json:"notes"`
	Repair       *repairJSON    `json:"repair,omitempty"`
}

// repairJSON tells what was repaired when a damaged session file was opened
// (F-60, F-B25), and what is wrong with it, counted by rule and one by one.
type repairJSON struct {
	*session.RepairReport
	Counts   map[string]int    `json:"counts"`
	Problems []session.Problem `json:"problems"`
}

// ReportJSON returns the report of r as JSON, with what reading t mended.
// Values longer than about a kilobyte are shortened and say so. The error is one of
// encoding, which no report is known to give.
func (t *Transcript) ReportJSON(r *Replay) ([]byte, error) {
	out := reportJSON{
		Target: r.Report.Target, Changes: []changeJSON{}, Notes: append([]string{}, r.Report.Notes...),
		Counts: r.Report.Counts(), FirstChanged: r.Report.FirstChanged(), Repair: t.repair(),
	}
	for i := range r.Report.Changes {
		c := &r.Report.Changes[i]
		j := changeJSON{
			Rule: c.Rule, Pass: c.Pass, Op: c.Op, Entry: c.Entry, Message: c.Message,
			Before: rendered(c.Before), After: rendered(c.After), Reason: c.Reason, Lossy: c.Lossy, Synthetic: c.Synthetic,
		}
		if c.Block >= 0 {
			j.Block = &c.Block
		}
		out.Changes = append(out.Changes, j)
	}
	return json.Marshal(out, json.Deterministic(true))
}

func (t *Transcript) repair() *repairJSON {
	r := &repairJSON{t.Repair, map[string]int{}, append([]session.Problem{}, t.Problems()...)}
	switch {
	case r.RepairReport == nil && len(r.Problems) == 0:
		return nil
	case r.RepairReport == nil:
		r.RepairReport = &session.RepairReport{File: t.Name}
	case len(r.Problems) == 0 && !r.Repaired && r.Reason == "" && len(r.Leftovers) == 0:
		return nil
	}
	for _, p := range r.Problems {
		r.Counts[p.Rule]++
	}
	return r
}

// rendered returns one side of a change as JSON.
func rendered(side any) jsontext.Value {
	switch v := side.(type) {
	case *transcript.Message:
		return jsontext.Value(shortened(v.AppendJSON(nil)))
	case *transcript.Block:
		return jsontext.Value(shortened(v.AppendJSON(nil)))
	case string:
		return jsontext.Value(shortened(jsonline.Quote(v)))
	}
	return nil
}

// Sides of a change up to maxSide bytes are shown whole; in longer ones each
// string is cut to at most maxText bytes.
const (
	maxSide = 1024
	maxText = 200
)

func shortened(raw []byte) []byte {
	v := jsonline.Parse(raw)
	if !v.Exists() {
		return jsonline.Quote(string(raw))
	}
	if len(raw) <= maxSide && jsontext.Value(raw).IsValid() {
		return raw
	}
	return appendShort(nil, v)
}

func appendShort(dst []byte, v jsonline.Value) []byte {
	switch v.Kind {
	case jsonline.String:
		text := spelled(v)
		if cut := maxText; len(text) > maxText {
			for !utf8.RuneStart(text[cut]) {
				cut--
			}
			text = text[:cut] + "… (" + strconv.Itoa(len(v.String())) + " bytes)"
		}
		return jsonline.AppendQuoted(dst, text)
	case jsonline.Array:
		dst = append(dst, '[')
		first := true
		for e := range v.Elements() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = appendShort(dst, e)
		}
		return append(dst, ']')
	case jsonline.ObjectKind:
		dst = append(dst, '{')
		seen := map[string]bool{}
		for name := range v.Object().Members() {
			if seen[name] {
				continue
			}
			if len(seen) > 0 {
				dst = append(dst, ',')
			}
			seen[name] = true
			dst = append(jsonline.AppendQuoted(dst, name), ':')
			dst = appendShort(dst, v.Object().Get(name))
		}
		return append(dst, '}')
	}
	return append(dst, v.Raw...)
}

// spelled is the text of a string in which what no text can hold, half of a
// surrogate pair or a byte that is no UTF-8, stands as it would be written: else
// both sides of a W-120 would look alike.
func spelled(v jsonline.Value) string {
	if v.Flags&(jsonline.FlagLoneSurrogate|jsonline.FlagInvalidUTF8) == 0 {
		return v.String()
	}
	var b []byte
	for raw := v.Raw; len(raw) > 0; {
		n := 1
		switch r, size := utf8.DecodeRune(raw); {
		case r == utf8.RuneError && size == 1:
			b = fmt.Appendf(b, `\\x%02x`, raw[0])
			raw = raw[1:]
			continue
		case r != '\\':
			n = size
		case raw[1] == 'u':
			n = 6
			switch first, second := unit(raw), unit(raw[6:]); {
			case utf16.DecodeRune(first, second) != utf8.RuneError:
				n = 12
			case utf16.IsSurrogate(first):
				b = append(b, '\\')
			}
		default:
			n = 2
		}
		b, raw = append(b, raw[:n]...), raw[n:]
	}
	return jsonline.Parse(b).String()
}

// unit reads a \u escape at the front of a string, -1 for none.
func unit(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
