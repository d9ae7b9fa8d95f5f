package projection

import (
	"strings"
	"testing"
)

// Texts that once leaked into the view of a chat, in words of our own. The case
// ids are those of the collection of failures from the wild.
func TestLeaks(t *testing.T) {
	const open, end = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"
	fence := "```"
	for _, c := range []struct {
		name   string
		turns  []string // user, assistant, user, …; an assistant's turn begins with ">"
		want   string
		hidden []string
	}{
		{
			"B151-1 runtime blocks",
			[]string{open + "\nfor the runtime\nroom: 77\n" + end + "\n\nWhich tasks are open?", ">Three.", open + "\nroom: 77\n" + end, ">fine"},
			"user: Which tasks are open?\nassistant: Three.\nassistant: fine",
			[]string{"room"},
		},
		{
			"B151-2 an unclosed block",
			[]string{open + "\nthe paste ended early\ntoken: 4", ">fine", "In front\n" + open + "\nx\n" + end + "\nand behind"},
			"user: [internal context omitted]\nassistant: fine\nuser: In front\n\nand behind",
			[]string{"token"},
		},
		{
			"B152-1 metadata of channels",
			[]string{
				"Conversation info (untrusted metadata):\n" + fence + "json\n{\"message_id\":\"5\",\"sender\":\"+1999\"}\n" + fence + "\n\nSender (untrusted metadata):\n" + fence + "json\n{\"name\":\"Kim\"}\n" + fence + "\n\nIs the room free?",
				">Yes.", "My file:\n" + fence + "json\n{\"b\":2}\n" + fence,
			},
			"Kim: Is the room free?\nassistant: Yes.\nuser: My file:\n" + fence + "json\n{\"b\":2}\n" + fence,
			[]string{"+1999"},
		},
		{
			"B155-1 calls as markup",
			[]string{"look", ">I will see.\n<tool_call>\n<function=read>\n<parameter=path>\nplan.md\n</parameter>\n</function>\n</tool_call>\nThere it is.", ">Trying:\n<minimax:tool_call>\n<invoke name=\"sh\">\n<parameter name=\"line\">pwd</parameter>\n</invoke>\n</minimax:tool_call>"},
			"user: look\nassistant: I will see.\n\nThere it is.\nassistant: Trying:\n",
			[]string{"plan.md", "<invoke", "<parameter"},
		},
		{
			"B155-2 markup as an example",
			[]string{"How does the tag look?", ">Like this:\n" + fence + "xml\n<invoke name=\"y\"/>\n" + fence + "\nThat is all."},
			"user: How does the tag look?\nassistant: Like this:\n" + fence + "xml\n<invoke name=\"y\"/>\n" + fence + "\nThat is all.", nil,
		},
		{
			"B158-1 tokens",
			[]string{"Read HEARTBEAT.md if it exists. If there is nothing, reply HEARTBEAT_OK.", ">HEARTBEAT_OK", "hello", ">Good day.", ">NO_REPLY", "What is NO_REPLY for?", ">NO_REPLY ends a turn without words."},
			"user: hello\nassistant: Good day.\nuser: What is NO_REPLY for?\nassistant: NO_REPLY ends a turn without words.", nil,
		},
		{
			"B159-1 tokens of a template",
			[]string{"add", "><|assistant|>It makes 9.</tool_call></arg_value><|end|>", ">while (a < b || b > c) { y <| z }"},
			"user: add\nassistant: It makes 9.\nassistant: while (a < b || b > c) { y <| z }", nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var list strings.Builder
			for _, text := range c.turns {
				role := "user"
				if rest, ok := strings.CutPrefix(text, ">"); ok {
					role, text = "assistant", rest
				}
				list.WriteString(`{"role":"` + role + `","content":[{"type":"text","text":` + string(quote(text)) + "}]}\n")
			}
			got := tell(Project(read(t, list.String()), Options{}))
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			for _, s := range c.hidden {
				if strings.Contains(got, s) {
					t.Errorf("%q is shown", s)
				}
			}
		})
	}
}
