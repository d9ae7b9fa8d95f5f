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

// answers names, per rule of hygiene and wire format, the rule of the provider
// that the stored transcript would break.
var answers = map[string]map[string]string{
	"R-20":  blankText,
	"R-22":  {"anthropic-messages": "AN-13", "openai-completions": "CC-06", "bedrock-converse-stream": "BR-12"},
	"R-26":  emptyTurn,
	"R-30":  blankText,
	"R-31":  blankText,
	"R-32":  {"google": "GG-09", "openai-completions": "OP-04"},
	"R-40":  {"anthropic-messages": "AN-38", "bedrock-converse-stream": "BR-20"},
	"R-41":  {"anthropic-messages": "AN-17", "bedrock-converse-stream": "BR-14"},
	"R-42":  {"openai-completions": "CC-10"},
	"R-43":  {"anthropic-messages": "AN-20", "bedrock-converse-stream": "BR-20"},
	"R-46":  {"google": "CA-01"},
	"R-50":  {"anthropic-messages": "AN-11", "openai-completions": "CC-18", "responses": "OR-16", "google": "GG-20", "bedrock-converse-stream": "BR-21"},
	"R-60":  badID,
	"R-61":  {"mistral": "MI-01"},
	"R-65":  {"openai-completions": "CC-04"},
	"R-71":  {"anthropic-messages": "AN-05", "openai-completions": "CC-02", "responses": "OR-04", "google": "GG-04", "bedrock-converse-stream": "BR-05", "mistral": "MI-09"},
	"R-72":  {"anthropic-messages": "AN-03", "openai-completions": "CC-01", "responses": "OR-03", "google": "GG-03", "bedrock-converse-stream": "BR-03", "mistral": "MI-05"},
	"R-73":  {"anthropic-messages": "AN-05", "openai-completions": "CC-02", "responses": "OR-04", "google": "GG-04", "bedrock-converse-stream": "BR-05", "mistral": "MI-03"},
	"R-76":  {"anthropic-messages": "AN-03", "openai-completions": "CC-01", "responses": "OR-03", "google": "GG-03", "bedrock-converse-stream": "BR-03", "mistral": "MI-05"},
	"R-80":  {"responses": "OR-06"},
	"R-81":  {"responses": "OR-01"},
	"R-82":  {"responses": "OR-02"},
	"R-90":  {"anthropic-messages": "AN-02", "google": "GG-01", "bedrock-converse-stream": "BR-09", "openai-completions": "LO-03"},
	"R-92":  {"anthropic-messages": "AN-01", "google": "GG-02", "bedrock-converse-stream": "BR-08", "openai-completions": "LO-03"},
	"R-93":  {"anthropic-messages": "AN-01", "bedrock-converse-stream": "BR-08", "openai-completions": "LO-03"},
	"R-95":  {"anthropic-messages": "AN-03", "openai-completions": "CC-01", "bedrock-converse-stream": "BR-03"},
	"R-104": {"anthropic-messages": "AN-14", "openai-completions": "LO-01", "bedrock-converse-stream": "BR-15"},
	"R-124": {"anthropic-messages": "AN-20", "responses": "OR-09", "google": "GG-10", "bedrock-converse-stream": "BR-20", "openai-completions": "CC-10"},
	"F-72":  {"anthropic-messages": "AN-10", "openai-completions": "CC-15", "responses": "OR-13", "google": "GG-11"},
	"W-101": {"openai-completions": "CC-20"},
	"W-102": {"anthropic-messages": "AN-41", "responses": "OR-20", "google": "GG-16"},
	"W-103": {"anthropic-messages": "AN-42", "responses": "OR-20", "google": "GG-16"},
	"W-104": {"anthropic-messages": "AN-45", "bedrock-converse-stream": "BR-16", "mistral": "MI-12"},
	"W-110": {"anthropic-messages": "AN-11", "google": "GG-20", "bedrock-converse-stream": "BR-21"},
	"W-120": {"anthropic-messages": "AN-27"},
	"W-176": {"anthropic-messages": "AN-09", "openai-completions": "CC-17", "responses": "OR-16", "google": "GG-15", "bedrock-converse-stream": "BR-10"},
	"W-203": {"anthropic-messages": "AN-03"},
	"W-211": {"anthropic-messages": "AN-17"},
	"W-214": {"anthropic-messages": "AN-50"},
	"W-219": {"anthropic-messages": "AN-51"},
	"W-220": {"anthropic-messages": "AN-14"},
	"W-222": {"anthropic-messages": "AN-14"},
	"W-223": {"anthropic-messages": "AN-16"},
	"W-407": {"openai-completions": "LO-04"},
	"W-421": {"openai-completions": "CC-10"},
	"W-521": {"openai-completions": "OP-03"},
	"W-702": {"bedrock-converse-stream": "BR-01"},
	"W-703": {"bedrock-converse-stream": "BR-02"},
	"W-704": {"bedrock-converse-stream": "BR-14"},
	"W-706": {"bedrock-converse-stream": "BR-10"},
	"W-707": {"bedrock-converse-stream": "BR-04"},
	"W-710": {"bedrock-converse-stream": "BR-15"},
	"W-712": {"bedrock-converse-stream": "BR-11"},
	"W-802": {"mistral": "MI-06"},
	"W-805": {"mistral": "MI-02"},
	"W-807": {"mistral": "MI-04"},
}

var (
	blankText = map[string]string{"anthropic-messages": "AN-12", "bedrock-converse-stream": "BR-01", "google": "GG-07"}
	// noContent is what content breaks that is neither a text nor a list.
	noContent = map[string]string{"anthropic-messages": "AN-13", "openai-completions": "CC-06"}
	// answeredTwice is what a stand-in breaks beside the real result.
	answeredTwice = map[string]string{
		"anthropic-messages": "AN-07", "openai-completions": "CC-02", "responses": "OR-04", "google": "GG-04", "bedrock-converse-stream": "BR-05", "mistral": "MI-05",
	}
	emptyTurn = map[string]string{
		"anthropic-messages": "AN-13", "openai-completions": "CC-06", "google": "GG-06", "bedrock-converse-stream": "BR-02", "mistral": "MI-06",
	}
	badID = map[string]string{
		"anthropic-messages": "AN-08", "openai-completions": "CC-05", "bedrock-converse-stream": "BR-10",
	}
)
