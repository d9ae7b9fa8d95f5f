package runner

import (
	"strconv"
	"strings"

	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// Gateway is the prompt of a message that came over a gateway: the message
// as it was written, or a note where there are pictures alone. What the gateway
// adds (a receipt in front, notes on attachments) stands in the other parts.
func Gateway(message string, pictures []*transcript.Block) Prompt {
	body := written(message)
	if body == "" && len(pictures) > 0 {
		body = texts.MediaOnly
	}
	return Prompt{Body: body, Pictures: pictures}
}

// Enriched is the prompt of an ACP harness, a command line backend or an agent
// command, which brings its own body beside the prompt for the model.
// Where the body stands in the prompt on lines of its own, what is around it is
// around it here; otherwise the whole prompt is hidden context (X-B19). Runtime
// blocks of the prompt are hidden context in any case. Callers that have
// the parts use [Prompt] itself.
func Enriched(prompt, body string) Prompt {
	p := Prompt{Body: body}
	rest := wrappers.StripInternal(prompt)
	if rest != prompt {
		p.Hidden = blocksOf(prompt)
	}
	if before, after, ok := around(rest, strings.Trim(body, "\n")); ok {
		p.Before, p.After = strings.Trim(before, "\n"), strings.Trim(after, "\n")
		return p
	}
	p.Hidden = paragraphs(rest, p.Hidden)
	return p
}

// around splits text at the last place where body stands on lines of its own.
func around(text, body string) (before, after string, ok bool) {
	if strings.TrimSpace(body) == "" {
		return "", "", false
	}
	for end := len(text); ; {
		i := strings.LastIndex(text[:end], body)
		if i < 0 {
			return "", "", false
		}
		j := i + len(body)
		if (i == 0 || text[i-1] == '\n') && (j == len(text) || text[j] == '\n') {
			return text[:i], text[j:], true
		}
		end = j - 1
	}
}

// blocksOf returns what stands in the runtime blocks of text, without their limits.
func blocksOf(text string) string {
	var parts []string
	depth := 0
	for line := range strings.Lines(text) {
		switch strings.TrimRight(line, " \t\r\n") {
		case texts.InternalBegin:
			depth++
		case texts.InternalEnd:
			depth = max(0, depth-1)
		default:
			if depth > 0 {
				parts = append(parts, line)
			}
		}
	}
	return strings.TrimSpace(strings.Join(parts, ""))
}

// Queued is one prompt of several messages that came while a run was active. From
// is the name of its sender, "" where that is not known.
type Queued struct {
	Prompt
	From string
}

// Collect makes one prompt of queued ones: a lone one stays as it is. Each
// part is collected from the same part of the items, so that what is stored holds
// what people wrote, and nothing else.
func Collect(items []Queued) Prompt {
	if len(items) == 1 {
		return items[0].Prompt
	}
	var p Prompt
	body := []string{texts.QueuedTitle}
	for i, q := range items {
		head := texts.QueuedRule + "\n" + texts.QueuedItem + strconv.Itoa(i+1)
		if q.From != "" {
			head += " (from " + q.From + ")"
		}
		body = append(body, head+"\n"+q.Body)
		p.Pictures = append(p.Pictures, q.Pictures...)
		p.System = paragraphs(p.System, q.System)
		for _, part := range []struct{ to, from *string }{{&p.Before, &q.Before}, {&p.After, &q.After}, {&p.Hidden, &q.Hidden}} {
			if strings.TrimSpace(*part.from) != "" {
				*part.to = paragraphs(*part.to, texts.QueuedItem+strconv.Itoa(i+1)+"\n"+*part.from)
			}
		}
	}
	p.Body = strings.Join(body, "\n\n")
	return p
}

// Heartbeat is the prompt of a heartbeat: the instructions are no words of the
// user.
func Heartbeat(instructions string) Prompt {
	return Prompt{Body: texts.HeartbeatPoll, After: instructions}
}
