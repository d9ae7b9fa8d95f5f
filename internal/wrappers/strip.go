package wrappers

import (
	"strings"

	"hygeia/internal/texts"
)

// StripInternal removes runtime blocks (R-28 steps 1–3, X-10, X-12, X-13). Text without one is not even trimmed (R-B15).
func StripInternal(text string) string {
	c := stripper{scope: internalOnly}
	return c.strip(text)
}

// StripAssistant removes what programs wrote around an assistant's text: runtime blocks and leading metadata, but no date
// stamp, which is the model's own word (R-23, R-B15).
func StripAssistant(text string) string {
	c := stripper{scope: assistantText}
	return c.strip(text)
}

// StripUser removes what programs wrote around a user's text and no longer belongs to an old turn: runtime blocks, date
// stamps, metadata. Envelopes stay, since they tell the model who speaks.
func StripUser(text string) string {
	c := stripper{scope: userText}
	return c.strip(text)
}

// Shown is a text as people see it, with what its wrappers said.
type Shown struct {
	Text             string
	Sender           string // name of the sender
	Receipt          string // inside of the source receipt (X-B14)
	WorkingDirectory string // of the editor's session (X-B14)
	Unterminated     bool   // an internal block had no end; Text ends in a note (X-B06)
}

// ShowUser is the projection of user text: what StripUser removes, and envelopes, message ids and receipts.
func ShowUser(text string) Shown {
	return show(text, shownUserText)
}

// ShowAssistant is the projection of assistant text (X-28, X-B05).
func ShowAssistant(text string) Shown {
	return show(text, assistantText)
}

func show(text string, s scope) Shown {
	c := stripper{scope: s}
	shown := Shown{Text: c.strip(text), Sender: c.senderLabel(), Receipt: c.receipt, WorkingDirectory: c.directory}
	if c.unterminated {
		shown.Unterminated = true
		if shown.Text != "" {
			shown.Text += "\n\n"
		}
		shown.Text += texts.OmittedInternal
	}
	return shown
}

// scope says how much goes; each one includes those before it.
type scope int

const (
	internalOnly scope = iota
	assistantText
	userText
	shownUserText
)

// stripper removes the wrappers of one text and remembers what they said.
type stripper struct {
	scope
	unterminated         bool
	noResultEnd          bool // the rest of the text at hand holds no end of a child result
	sender, conversation string
	receipt, directory   string
}

// strip removes until nothing changes (R-B23). Each step removes all it can in one walk, so a second round is rare and a
// third one is the exception.
func (c *stripper) strip(text string) string {
	for {
		next := c.round(text)
		if len(next) == len(text) {
			return text
		}
		text = next
	}
}

// round applies the steps once, in the order of X-28.
func (c *stripper) round(text string) string {
	if hasInternal(text) {
		text = cutBlocks(text, texts.InternalBegin, c.internalAt)
		c.noResultEnd = false
		text = cutBlocks(text, texts.LegacyContextHeader, c.eventAt)
		text = cutPrefaces(text)
	}
	if c.scope >= assistantText {
		text = cutContext(text)
		text = c.cutLead(text)
	}
	if c.scope >= shownUserText {
		text = cutMessageIDs(text)
	}
	return text
}

// cutLead removes the run of wrappers at the start of the text, which is where runtimes put them (X-B04). It knows all of
// them, so that one wrapper behind another needs no further round.
func (c *stripper) cutLead(text string) string {
	c.noResultEnd = false
	rest, blocks := text, false
	for {
		if next, ok := c.openingAt(rest); ok {
			rest = next
		} else if next, ok := c.blockAt(skipBlank(rest)); ok {
			rest, blocks = skipBlank(next), true
		} else {
			break
		}
	}
	if blocks {
		rest = strings.TrimRight(rest, "\r\n")
	}
	return rest
}

// openingAt recognises what stands in front of the user's words in the same line.
func (c *stripper) openingAt(s string) (rest string, ok bool) {
	if c.scope < userText || !strings.HasPrefix(s, "[") {
		return "", false
	}
	if rest, ok := stampAt(s); ok {
		return rest, true
	}
	if c.scope < shownUserText {
		return "", false
	}
	return envelopeAt(s)
}

// blockAt recognises a wrapper of one or more whole lines.
func (c *stripper) blockAt(s string) (rest string, ok bool) {
	const longestHeader = 1024
	if s == "" || (len(s) > longestHeader && strings.IndexByte(s[:longestHeader], '\n') < 0) {
		return "", false
	}
	for _, at := range [...]recogniser{c.internalAt, c.eventAt, prefaceAt, c.metadataAt, contextAt} {
		if rest, ok := at(s); ok {
			return rest, true
		}
	}
	if c.scope < shownUserText {
		return "", false
	}
	return c.receiptAt(s)
}
