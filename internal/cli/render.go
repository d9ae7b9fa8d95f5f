package cli

import (
	"fmt"
	"io"
	"strconv"

	"hygeia"
	"hygeia/hygiene"
)

// place names the message and block of a change.
func place(c *hygiene.Change) string {
	if c.Op == hygiene.Insert && c.Block < 0 {
		if c.Message < 0 {
			return "front"
		}
		return "after " + strconv.Itoa(c.Message)
	}
	if c.Message < 0 {
		return "new"
	}
	if c.Block >= 0 {
		return fmt.Sprintf("%d.%d", c.Message, c.Block)
	}
	return strconv.Itoa(c.Message)
}

// changeText says in a word or two what a change does.
func changeText(c *hygiene.Change) string {
	text := string(c.Op)
	if c.Lossy {
		text += ", lossy"
	}
	if c.Synthetic {
		text += ", synthetic"
	}
	return text
}

// printProblems lists what reading the session file mended in memory.
func printProblems(w io.Writer, t *hygeia.Transcript) {
	if t.Session == nil || len(t.Session.Problems()) == 0 {
		return
	}
	rows := table{head: []string{"LINE", "ENTRY", "RULE", "FOUND"}}
	for _, p := range t.Session.Problems() {
		rows.add(strconv.Itoa(p.Line), p.Entry, p.Rule, p.Reason)
	}
	rows.print(w)
	fmt.Fprintf(w, "%s in the file, mended in memory only\n\n", plural(len(rows.rows), "fault"))
}
