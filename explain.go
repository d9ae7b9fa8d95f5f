package hygeia

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/transcript"
)

// Explanation tells about one change: which message is concerned, what the
// provider would answer if it went out as stored, and what is done about it.
type Explanation struct {
	Change *hygiene.Change `json:"-"`
	Title  string          `json:"title"` // what the rule does
	// Answer is the rule of the provider that the message breaks, nil where no
	// provider would refuse it.
	Answer *check.Rule `json:"answer,omitempty"`
	// AnswerText is the text of the answer, with the places of the stored list.
	// What is not known of it is "…".
	AnswerText string `json:"answerText,omitempty"`

	at int // index of the stored message that the answer is about, -1 for none
}

// Explain explains the changes of a replay, one by one in their order.
func (r *Replay) Explain() []Explanation {
	out := make([]Explanation, 0, len(r.Report.Changes))
	family, asking := answerFamily(r), askingTurns(r.stored)
	for i := range r.Report.Changes {
		c := &r.Report.Changes[i]
		e := Explanation{Change: c, at: c.Message}
		if rule := FindRule(c.Rule); rule != nil {
			e.Title = rule.Title
		}
		if i := askedFrom(c); i >= 0 && i < len(asking) {
			e.at = asking[i]
		}
		e.Answer = answerTo(c, family)
		if e.Answer != nil && len(e.Answer.Messages) > 0 {
			e.AnswerText = answerText(template(e.Answer, c), c, e.at, r.Resolution.Target.Model)
		}
		out = append(out, e)
	}
	return out
}

// answerTo returns the rule of the provider that what is changed breaks, nil for
// none.
func answerTo(c *hygiene.Change, family string) *check.Rule {
	answer := answers[c.Rule][family]
	switch legal := legalIDs[answer]; {
	case ownForm(c), legal != nil && ids[c.Rule] && legal.MatchString(subjectID(c)):
		return nil
	case c.Rule == "R-72" && c.Op == hygiene.Drop:
		answer = answeredTwice[family]
	case oddContent(c):
		answer = noContent[family]
	case answer == "CC-15" && oddRole(c):
		answer = "CC-25"
	}
	return check.Lookup(answer)
}

// legalIDs are the ids that a rule about their form has nothing against, though
// the policy of the target has.
var legalIDs = map[string]*regexp.Regexp{
	"AN-08": regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
	"BR-10": regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
	"CC-05": regexp.MustCompile(`(?s)^.{1,40}$`),
}

// ownForm reports whether a change only writes out what a session stores in a
// form of its own: summaries, custom messages, shell commands (F-72). No such row
// ever stands in a body, so no provider refuses it.
func ownForm(c *hygiene.Change) bool {
	m, ok := c.Before.(*transcript.Message)
	return ok && c.Rule == "F-72" && !m.IsSystem() && (c.Op == hygiene.Replace || m.Is(transcript.BashExecution))
}

// askedFrom returns the index of the message behind which a result is missing,
// -1 for a change of another kind. The provider names the turn with the call
// (AN-03), wherever the result stands.
func askedFrom(c *hygiene.Change) int {
	switch to, ok := c.After.(*transcript.Message); {
	case c.Rule != "R-72":
	case c.Op == hygiene.Insert:
		return c.Message
	case c.Op == hygiene.Move && ok:
		return to.Origin.Index
	}
	return -1
}

// askingTurns returns, per message, the index of the last assistant turn up to it.
func askingTurns(list []*transcript.Message) []int {
	turns, last := make([]int, len(list)), -1
	for i, m := range list {
		if m.Is(transcript.Assistant) {
			last = i
		}
		turns[i] = last
	}
	return turns
}

// answerFamily returns the column of answers that fits the target: the wire
// format, or mistral for models that answer in Mistral's words.
func answerFamily(r *Replay) string {
	p := r.Resolution.Policy
	switch api := r.Resolution.Target.API; {
	case p.ToolCallIDMode == "strict9":
		return "mistral"
	case p.Responses:
		return "responses"
	case strings.HasPrefix(api, "google-"):
		return "google"
	default:
		return api
	}
}

// template returns the text that a provider gives to what is changed, where the
// rulebook has several.
func template(answer *check.Rule, c *hygiene.Change) string {
	m, whole := c.Before.(*transcript.Message)
	switch first := answer.Messages[0]; {
	case !whole:
		return first
	case answer.ID == "CC-25":
		return strings.Replace(first, "'X'", "'"+string(m.Role())+"'", 1)
	case answer.ID == "OR-13":
		return strings.Replace(first, "'tool'", "'"+string(m.Role())+"'", 1)
	case answer.ID == "AN-08" && m.Is(transcript.ToolResult), answer.ID == "AN-10" && oddRole(c), oddContent(c):
		return answer.Messages[1]
	default:
		return first
	}
}

// oddContent reports whether the content of what is changed is neither a text nor a
// list, which no format has.
func oddContent(c *hygiene.Change) bool {
	m, ok := c.Before.(*transcript.Message)
	return ok && m.ContentKind() == transcript.OtherContent && (c.Rule == "R-20" || c.Rule == "R-22" || c.Rule == "R-30")
}

// oddRole reports whether a change leaves a message out whose role no format has.
func oddRole(c *hygiene.Change) bool {
	m, ok := c.Before.(*transcript.Message)
	return ok && c.Rule == "F-72" && !m.IsSystem() && m.Role() != "system"
}

// blank is a word of a template that stands for a value.
var blank = regexp.MustCompile(`an ID\b|call_…|[.\[]N\b|[.\[]M\b|\b(?:N|M|X|L|ID|NAME|MODEL)\b`)

// answerText fills a template of the rulebook in: places are those in the stored
// list, at for the message, and a value that a change does not tell is "…".
func answerText(template string, c *hygiene.Change, at int, model string) string {
	place := func(i int) string {
		if i < 0 {
			return "…"
		}
		return strconv.Itoa(i)
	}
	if m, ok := c.Before.(*transcript.Message); ok && m.Is(transcript.Assistant) {
		template = strings.Replace(template, `multiple "user"`, `multiple "assistant"`, 1) // AN-01
	}
	id := subjectID(c)
	return blank.ReplaceAllStringFunc(template, func(word string) string {
		switch word {
		case "an ID":
			return word
		case ".N", "[N":
			return word[:1] + place(at)
		case ".M", "[M":
			return word[:1] + place(max(c.Block, 0)) // a tool result is one block
		case "MODEL":
			return model
		case "ID":
			return cmp.Or(id, "…")
		case "call_…":
			call, _, _ := strings.Cut(id, "|") // the item id stands behind it
			return cmp.Or(call, word)
		case "X":
			if ids[c.Rule] && id != "" {
				return id
			}
		case "L":
			if ids[c.Rule] && id != "" {
				return strconv.Itoa(len(id))
			}
		}
		return "…"
	})
}

// ids are the rules that are about the form of an id.
var ids = map[string]bool{"R-60": true, "R-61": true, "R-65": true, "R-80": true, "W-706": true}

// subjectID returns the tool-call id that a change is about, "" for none.
func subjectID(c *hygiene.Change) string {
	for _, side := range []any{c.Before, c.After} {
		switch v := side.(type) {
		case *transcript.Message:
			if id := v.ToolCallID(); id != "" {
				return id
			}
		case *transcript.Block:
			if id := v.ID(); id != "" {
				return id
			}
		}
	}
	return ""
}
