package projection

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/internal/gen"
	"hygeia/transcript"
)

func read(t testing.TB, list string) []*transcript.Message {
	t.Helper()
	var r transcript.Reader
	var messages []*transcript.Message
	for line := range strings.Lines(list) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		m, err := r.Message([]byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		messages = append(messages, m)
	}
	return messages
}

func print(messages []*transcript.Message) string {
	var b strings.Builder
	for _, m := range messages {
		b.Write(m.AppendJSON(nil))
		b.WriteByte('\n')
	}
	return b.String()
}

// tell is what people read of a list: author and words, calls by their names.
func tell(messages []*transcript.Message) string {
	var lines []string
	for _, m := range messages {
		who := string(m.Role())
		if sender := MetaOf(m).Sender; sender != "" {
			who = sender
		}
		line := who + ": " + words(m)
		for _, b := range m.Blocks() {
			if _, ok := textOf(b); !ok {
				line += " <" + string(b.Type()) + ">"
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

var beat = `{"role":"user","content":"[OpenClaw heartbeat poll]"}` + "\n"

func TestProject(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		o              Options
	}{
		{
			name: "worked example of file 50 (X-28, X-46, X-50, X-56, X-62)", in: beat + `
			{"role":"assistant","content":[{"type":"text","text":"HEARTBEAT_OK"}]}
			{"role":"user","content":"[Mon 2026-03-02 08:00 UTC] hi"}
			{"role":"assistant","content":[{"type":"thinking","thinking":"…"},{"type":"text","text":"Looking"},{"type":"toolCall","id":"a","name":"read","arguments":{}}]}
			{"role":"toolResult","toolCallId":"a","content":[{"type":"text","text":"x"}],"details":{"y":1}}
			{"role":"assistant","content":[{"type":"text","text":"NO_REPLY"}]}`,
			want: "user: hi\nassistant: Looking\ntoolResult: x",
		},
		{
			name: "tools and thinking on request (X-B10)", o: Options{Tools: true, Thinking: true},
			in:   `{"role":"assistant","content":[{"type":"thinking","thinking":"…"},{"type":"text","text":"Looking"},{"type":"toolCall","id":"a","name":"read"}]}`,
			want: "assistant: Looking <thinking> <toolCall>",
		},
		{name: "calls without words stay (X-56)", in: `{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"read"}]}`, want: "assistant:  <toolCall>"},
		{name: "sender of metadata (X-21, X-25, X-40)", in: `{"role":"user","content":"Sender (untrusted metadata):\n` + "```json" + `\n{\"label\":\"Ada\"}\n` + "```" + `\n\nhi"}`, want: "Ada: hi"},
		{
			name: "results are data (X-B05)", in: `{"role":"toolResult","toolCallId":"a","content":"[Mon 2026-03-02 08:00 UTC] log\n<think>x</think>"}`,
			want: "toolResult: [Mon 2026-03-02 08:00 UTC] log\n<think>x</think>",
		},
		{
			name: "users are literal (X-B08)", in: `{"role":"user","content":"NO_REPLY"}` + "\n" + `{"role":"user","content":"[[reply_to_current]] <think>a</think>"}`,
			want: "user: NO_REPLY\nuser: [[reply_to_current]] <think>a</think>",
		},
		{name: "failed without words (X-42)", in: `{"role":"assistant","stopReason":"error","content":[{"type":"thinking","thinking":"t"}],"errorMessage":"secret"}`, want: "assistant: The run failed before there was an answer."},
		{name: "failed with words (X-42)", in: `{"role":"assistant","stopReason":"error","content":"partial"}`, want: "assistant: partial"},
		{name: "failed after a call (X-42)", in: `{"role":"assistant","stopReason":"error","content":[{"type":"toolCall","id":"a","name":"f"}]}`, want: "assistant:  <toolCall>"},
		{name: "failed with the stored stand-in (X-42)", in: `{"role":"assistant","stopReason":"error","content":"[assistant turn failed before producing content]"}`, want: "assistant: The run failed before there was an answer."},
		{name: "failed with a silent token (X-42)", in: `{"role":"assistant","stopReason":"error","content":"NO_REPLY"}`, want: "assistant: The run failed before there was an answer."},
		{name: "tokens of silence (X-44, X-60)", in: `{"role":"assistant","content":"no_reply."}` + "\n" + `{"role":"assistant","content":"ANNOUNCE_SKIP ANNOUNCE_SKIP"}` + "\n" + `{"role":"assistant","content":"NO_REPLY thanks"}`, want: "assistant: NO_REPLY thanks"},
		{
			name: "commentary (X-44, X-57)", in: `{"role":"assistant","phase":"commentary","content":"hm"}` + "\n" +
				`{"role":"assistant","content":[{"type":"text","text":"hm","textSignature":"{\"phase\":\"commentary\"}"}]}` + "\n" +
				`{"role":"assistant","content":[{"type":"text","text":"hm","textSignature":"{\"phase\":\"commentary\"}"},{"type":"text","text":"so","textSignature":"{\"phase\":\"final_answer\"}"},{"type":"text","text":"and"}]}`,
			want: "assistant: so",
		},
		{
			name: "directive tags (X-52, X-61)", in: `{"role":"assistant","content":"a [[ Reply_To : m1 ]] b[[AUDIO_AS_VOICE]] c [[reply_to_current]]"}` + "\n" +
				`{"role":"assistant","content":[{"type":"text","text":"[[reply_to_current]]d"},{"type":"text","text":"[[reply_to]] stays"}]}`,
			want: "assistant: a  b c \nassistant: d\n[[reply_to]] stays",
		},
		{name: "commentary with a call is an answer (X-44, X-56)", in: `{"role":"assistant","phase":"commentary","content":[{"type":"text","text":"hm"},{"type":"toolCall","id":"a","name":"f"}]}`, want: "assistant: hm"},
		{name: "a token beside a call (X-44, X-60)", in: `{"role":"assistant","content":[{"type":"text","text":"NO_REPLY"},{"type":"toolCall","id":"a","name":"f"}]}`, want: "assistant:  <toolCall>"},
		{name: "other sessions (X-45)", in: `{"role":"user","content":"[Inter-session message] sourceSession=agent:bob:main sourceTool=sessions_send isUser=false\nhello","provenance":{"kind":"inter_session","sourceTool":"sessions_send","sourceSessionKey":"agent:bob:main"}}`, want: "Forwarded from bob: hello"},
		{name: "other sessions may say a token (X-44)", in: `{"role":"user","content":"NO_REPLY","provenance":{"kind":"inter_session","sourceTool":"sessions_send"}}`, want: "Forwarded from another agent: NO_REPLY"},
		{
			name: "hidden (X-46)", in: `{"role":"user","content":"a","display":false}
			{"role":"custom","customType":"openclaw.runtime-context","content":"x","display":true}
			{"role":"user","content":"b","provenance":{"kind":"inter_session","sourceTool":"subagent_announce"}}
			{"role":"user","content":" \n"}
			{"role":"user","content":"","MediaPath":"a.png"}
			{"role":"user","content":[{"type":"image","data":"aaaa","mimeType":"image/png"}]}
			{"role":"assistant","content":[]}`,
			want: "user: \nuser:  <image>\nassistant: ",
		},
		{name: "acknowledgement with words (X-63)", in: beat + `{"role":"assistant","content":"All quiet. **HEARTBEAT_OK**!"}`, want: ""},
		{name: "alert of a heartbeat (X-63)", in: beat + `{"role":"assistant","content":"` + strings.Repeat("fire ", 70) + `HEARTBEAT_OK"}`, want: "assistant: " + strings.TrimSpace(strings.Repeat("fire ", 70))},
		{
			name: "outside a heartbeat (X-B09)", in: `{"role":"user","content":"go"}` + "\n" + `{"role":"assistant","content":"done HEARTBEAT_OK"}` + "\n" + `{"role":"assistant","content":"HEARTBEAT_OK"}` + "\n" + `{"role":"assistant","content":"say ` + "`HEARTBEAT_OK`" + `"}`,
			want: "user: go\nassistant: done\nassistant: say `HEARTBEAT_OK`",
		},
		{name: "notes (X-B13)", in: `{"role":"user","content":"(continue)"}`, want: "system: (continue)"},
		{name: "words of a user with a picture (X-B13)", in: `{"role":"user","content":[{"type":"text","text":"(continue)"},{"type":"image","data":"aaaa","mimeType":"image/png"}]}`, want: "user: (continue) <image>"},
		{name: "unclosed block (X-B06)", in: `{"role":"user","content":"hi\n<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nsecret"}`, want: "user: hi\n\n[internal context omitted]"},
		{name: "sent by tool (X-41)", in: sentByTool("", `{"ok":true}`) + `{"role":"assistant","content":"NO_REPLY"}`, want: "assistant:  <toolCall>\ntoolResult: {\"ok\":true}\nassistant: Hi!"},
		{name: "sent by tool and mirrored (X-41)", in: sentByTool("", `{"ok":true}`) + `{"role":"assistant","model":"delivery-mirror","content":"Hi!"}`, want: "assistant:  <toolCall>\ntoolResult: {\"ok\":true}\nassistant: Hi!"},
		{name: "sent with a result of no known call (X-41)", in: strings.Replace(sentByTool("", `{"ok":true}`), `"toolCallId":"c1",`, "", 1) + `{"role":"assistant","content":"NO_REPLY"}`, want: "assistant:  <toolCall>\ntoolResult: {\"ok\":true}\nassistant: Hi!"},
		{name: "sent by a call without an id (X-41)", in: strings.Replace(sentByTool("", `{"ok":true}`), `"id":"c1",`, "", 1) + `{"role":"assistant","content":"NO_REPLY"}`, want: "assistant:  <toolCall>\ntoolResult: {\"ok\":true}\nassistant: Hi!"},
		{name: "sent with the result of another call (X-41)", in: strings.Replace(sentByTool("", `{"ok":true}`), `"id":"c1"`, `"id":"c2"`, 1) + `{"role":"assistant","content":"NO_REPLY"}`, want: "assistant:  <toolCall>\ntoolResult: {\"ok\":true}"},
		{name: "sent elsewhere (X-41)", in: sentByTool(`"to":"z",`, `{"ok":true}`) + `{"role":"assistant","content":"NO_REPLY"}`, want: "assistant:  <toolCall>\ntoolResult: {\"ok\":true}"},
		{name: "not sent (X-41)", in: sentByTool("", `{"ok":false}`) + `{"role":"assistant","content":"NO_REPLY"}`, want: "assistant:  <toolCall>\ntoolResult: {\"ok\":false}"},
		{name: "sent and then said (X-41)", in: sentByTool("", `{"ok":true}`) + `{"role":"assistant","content":"Sent."}` + "\n" + `{"role":"assistant","content":"NO_REPLY"}`, want: "assistant:  <toolCall>\ntoolResult: {\"ok\":true}\nassistant: Sent."},
		{name: "injected double (X-47)", in: `{"role":"assistant","model":"acp-runtime","content":"a"}` + "\n" + `{"role":"assistant","model":"gateway-injected","content":"a"}` + "\n" + `{"role":"assistant","model":"gateway-injected","content":"b"}`, want: "assistant: a\nassistant: b"},
		{name: "mirrored double (X-47)", in: `{"role":"assistant","__openclaw":{"mirrorIdentity":"x"},"content":"a"}` + "\n" + `{"role":"assistant","openclawDeliveryMirror":{"kind":"channel-final"},"model":"delivery-mirror","content":"a"}`, want: "assistant: a"},
		{name: "spoken (X-48)", in: `{"role":"assistant","content":"a"}` + "\n" + `{"role":"user","content":"b"}` + "\n" + `{"role":"assistant","openclawTtsSupplement":{"spokenText":"a"},"content":[{"type":"text","text":"Audio reply"},{"type":"audio"}]}`, want: "assistant: a <audio>\nuser: b"},
		{name: "spoken of nothing (X-48)", in: `{"role":"assistant","openclawTtsSupplement":{"spokenText":"z"},"content":[{"type":"audio"}]}`, want: "assistant:  <audio>"},
		{name: "old announcements (X-34)", o: Options{Started: 100}, in: `{"role":"user","timestamp":1,"content":"a","provenance":{"kind":"inter_session","sourceTool":"subagent_announce"}}` + "\n" + `{"role":"assistant","timestamp":2,"content":"old"}` + "\n" + `{"role":"assistant","timestamp":3,"content":"later"}`, want: "assistant: later"},
		{name: "announcements of before alone go (X-34)", o: Options{Started: 100}, in: `{"role":"user","timestamp":1,"content":"a","provenance":{"kind":"inter_session","sourceTool":"subagent_announce"}}` + "\n" + `{"role":"assistant","timestamp":100,"content":"new"}` + "\n" + `{"role":"user","timestamp":1,"content":"b","provenance":{"kind":"inter_session","sourceTool":"subagent_announce"}}` + "\n" + `{"role":"assistant","content":"of no known time"}`, want: "assistant: new\nassistant: of no known time"},
		{name: "scaffolding stays raw (X-B02)", o: Options{Raw: true}, in: `{"role":"assistant","content":"a <think>x</think> b"}`, want: "assistant: a <think>x</think> b"},
		{name: "scaffolding goes (X-71, X-B02)", in: `{"role":"assistant","content":"a <think>x</think> b"}`, want: "assistant: a  b"},
		{name: "secrets (X-B17)", o: Options{Redact: func(s string) string { return strings.ReplaceAll(s, "key", "***") }}, in: `{"role":"toolResult","content":"a key"}`, want: "toolResult: a ***"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := read(t, c.in)
			before := print(in)
			got := Project(in, c.o)
			if tell(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", tell(got), c.want)
			}
			if print(in) != before {
				t.Error("the stored messages changed")
			}
			if again := Project(got, c.o); print(again) != print(got) {
				t.Errorf("the second time\n%s\nafter\n%s", print(again), print(got))
			}
		})
	}
}

func sentByTool(more, result string) string {
	return `{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"message","arguments":{"action":"send",` + more + `"message":"Hi!"}}]}` + "\n" +
		fmt.Sprintf(`{"role":"toolResult","toolCallId":"c1","toolName":"message","content":%q}`, result) + "\n"
}

func TestShownMembers(t *testing.T) {
	m := Project(read(t, `{"role":"assistant","usage":{"input":1,"secret":2,"total":1e999,"cost":{"total":0.1,"x":1}},"details":{},"content":[{"type":"thinking","thinking":"t","thinkingSignature":"s"},{"type":"image","data":"QUJD","mimeType":"image/png"},{"type":"audio","source":{"type":"base64","data":"QUJDRA=="}}]}`), Options{Thinking: true})
	want := `{"role":"assistant","usage":{"input":1,"cost":{"total":0.1}},"content":[{"type":"thinking","thinking":"t"},{"type":"image","mimeType":"image/png","omitted":true,"bytes":4},{"type":"audio","source":{"type":"base64","omitted":true,"bytes":8}}]}` + "\n"
	if got := print(m); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// what was sent by a tool says so, with the place of what it stands for.
	for _, anchor := range []string{`"model":"delivery-mirror","content":"Hi!"`, `"content":"NO_REPLY"`} {
		m = Project(read(t, sentByTool("", `{"ok":true}`)+`{"role":"assistant","timestamp":7,"__openclaw":{"id":"e"},`+anchor+`}`), Options{})
		want = `{"role":"assistant","timestamp":7,"__openclaw":{"id":"e"},"openclawMessageToolMirror":{"toolName":"message","toolCallId":"c1"},"content":[{"type":"text","text":"Hi!"}]}` + "\n"
		if got := print(m[2:]); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
	// X-25, X-B14: what stood around the words of a user is kept, whichever of them it stood at.
	for _, blocks := range []string{`{"type":"text","text":%q},{"type":"text","text":"more"}`, `{"type":"text","text":"more"},{"type":"text","text":%q}`} {
		for wrapped, want := range map[string]string{
			"[Working directory: ~/a]\n\nhi":                                        `"__openclaw":{"cwd":"~/a"}`,
			"[Source Receipt]\nb=1\n[/Source Receipt]\n\nhi":                        `"__openclaw":{"sourceReceipt":"b=1"}`,
			"Sender (untrusted metadata):\n```json\n{\"label\":\"Ada\"}\n```\n\nhi": `"senderLabel":"Ada"`,
		} {
			got := print(Project(read(t, `{"role":"user","content":[`+fmt.Sprintf(blocks, wrapped)+`]}`), Options{}))
			if !strings.HasSuffix(got, `],`+want+"}\n") || !strings.Contains(got, `"text":"hi"`) {
				t.Errorf("%s: got %s", want, got)
			}
		}
	}
	m = Project(read(t, `{"role":"user","usage":{"input":1},"cost":{},"content":"a"}`), Options{})
	if got := print(m); got != `{"role":"user","content":"a"}`+"\n" {
		t.Error(got)
	}
}

// X-53, X-B15: what people count as one character is never split.
func TestLimit(t *testing.T) {
	family := "👨‍👩‍👧‍👦"
	m := Project(read(t, `{"role":"user","content":"`+strings.Repeat(family, 5)+`"}`), Options{MaxText: 3})[0]
	meta := MetaOf(m)
	if got := words(m); got != strings.Repeat(family, 3)+"\n...(truncated)..." || !meta.Truncated || meta.FullLength != 5 {
		t.Errorf("%q %+v", got, meta)
	}
	if got := print(Project(read(t, `{"role":"user","content":"abc"}`), Options{MaxText: 3})); got != `{"role":"user","content":"abc"}`+"\n" {
		t.Errorf("what is not too long became %s", got)
	}
	long := `{"role":"toolResult","content":"` + strings.Repeat("a", 50) + `"}`
	if got := words(Project(read(t, long), Options{MaxText: 3})[0]); len(got) != 50 {
		t.Error("the result of a tool was cut")
	}
	for n, want := range map[int]string{0: "abcd", 3: "abc\n...(truncated)...", 4: "abcd"} {
		if got := Cut("abcd", n); got != want {
			t.Errorf("cut to %d: %q", n, got)
		}
	}
}

// texts are compared whole and cut afterwards: those that are
// alike only as far as they are shown are two, and a spoken answer finds its own.
func TestLimitComesLast(t *testing.T) {
	begin := strings.Repeat("a", 10)
	list := read(t, `{"role":"assistant","model":"acp-runtime","content":"`+begin+` one"}
		{"role":"assistant","model":"gateway-injected","content":"`+begin+` two"}
		{"role":"assistant","openclawTtsSupplement":{"spokenText":"`+begin+` one"},"content":[{"type":"text","text":"Audio reply"},{"type":"audio"}]}`)
	shown := Project(list, Options{MaxText: 10})
	if got, want := tell(shown), "assistant: "+begin+"\n...(truncated)... <audio>\nassistant: "+begin+"\n...(truncated)..."; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, m := range shown {
		if meta := MetaOf(m); !meta.Truncated || meta.FullLength != 14 {
			t.Errorf("%+v", meta)
		}
	}
}

func TestLiveText(t *testing.T) {
	for in, want := range map[string]string{
		"NO": "", "No": "", "N": "N", "Now": "Now", "ANN": "", "Ann": "Ann", "AN": "AN", "no_rep": "", "NO_REPLY": "", "REPLY_": "",
		"NO_REPLYHello": "Hello", "NO_REPLY thanks": "NO_REPLY thanks", "Hi [[reply_to_current]]": "Hi ",
		"My key: -----BEGIN PRIVATE KEY-----\nMIIE": "My key: ", "-----BEGIN PUBLIC KEY-----\nMI": "-----BEGIN PUBLIC KEY-----\nMI", // X-B17
		"-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY----- so": "-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY----- so",
	} {
		if got := LiveText(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestRecords(t *testing.T) {
	var r transcript.Reader
	var entries []*transcript.Entry
	for _, line := range []string{
		`{"type":"message","id":"a","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"hi","idempotencyKey":"k","__openclaw":{"senderIsOwner":true}}}`,
		`{"type":"model_change","id":"b"}`,
		`{"type":"custom_message","id":"c","content":"seen","display":true}`,
		`{"type":"custom_message","id":"d","content":"unseen"}`,
		`{"type":"branch_summary","id":"e","summary":"left"}`,
		`{"type":"compaction","id":"f","summary":"s"}`,
	} {
		e, _, err := r.Entry([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	shown := Project(Records(entries), Options{})
	if got, want := tell(shown), "user: hi\ncustom: seen\nsystem: left\nsystem: Compaction"; got != want { // X-B12
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var kinds []string
	for i, m := range shown {
		meta := MetaOf(m)
		kinds = append(kinds, meta.ID+meta.Kind)
		if meta.Seq != i+1 {
			t.Errorf("%s has seq %d", meta.ID, meta.Seq)
		}
	}
	if !slices.Equal(kinds, []string{"a", "c", "ebranch", "fcompaction"}) {
		t.Error(kinds)
	}
	if meta := MetaOf(shown[0]); meta.IdempotencyKey != "k" || meta.RecordTime != 1767323045000 || !shown[0].Get(metaName).Object().Get("senderIsOwner").Bool() {
		t.Errorf("%+v", meta)
	}
}

// X-B11: a view goes on where a session was read anew and grew, and begins anew where
// what it holds has changed.
func TestViewFollows(t *testing.T) {
	entries := func(words ...string) (list []*transcript.Entry) {
		for i, text := range words {
			var r transcript.Reader
			e, _, err := r.Entry(fmt.Appendf(nil, `{"type":"message","id":"e%d","message":{"role":"user","content":%q}}`, i+1, text))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, e)
		}
		return list
	}
	v := NewView(Options{})
	for _, c := range []struct {
		words   []string
		changes int
		grew    bool
	}{
		{nil, 0, true},
		{[]string{"a", "b"}, 2, true},
		{[]string{"a", "b", "c"}, 1, true},
		{[]string{"a", "b", "c"}, 0, true},
		{[]string{"x", "b", "c", "d"}, 4, false},
		{[]string{"x", "b"}, 2, false},
		{nil, 0, false},
	} {
		changes, grew := v.Follow(entries(c.words...))
		if len(changes) != c.changes || grew != c.grew || tell(v.Shown()) != tell(Project(Records(entries(c.words...)), Options{})) {
			t.Errorf("%q: %d changes, grew %v, shows\n%s", c.words, len(changes), grew, tell(v.Shown()))
		}
	}
}

// G-2 and X-B16: what is shown is shown the same again, and X-B11: a live view
// ends up with what a reload shows, whatever comes.
func TestPropertyProjection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r transcript.Reader
		list := gen.Context(t).Messages
		for range rapid.IntRange(0, 6).Draw(t, "odd turns") {
			role := rapid.SampledFrom([]string{"user", "assistant"}).Draw(t, "role")
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 6).Draw(t, "text"), "")
			m, err := r.Message(transcript.NewText(transcript.Role(role), text).AppendJSON(nil))
			if err != nil {
				t.Fatal(err)
			}
			list = slices.Insert(list, rapid.IntRange(0, len(list)).Draw(t, "at"), m)
		}
		o := Options{Thinking: rapid.Bool().Draw(t, "thinking"), Tools: rapid.Bool().Draw(t, "tools"), Raw: rapid.Bool().Draw(t, "raw")}
		before := print(list)
		shown := Project(list, o)
		if print(list) != before {
			t.Fatal("the stored messages changed")
		}
		if again := Project(shown, o); print(again) != print(shown) {
			t.Fatalf("the second time %s", difference(print(again), print(shown)))
		}
		live := NewProjector(o)
		var view []*transcript.Message
		at := rapid.IntRange(0, len(list)).Draw(t, "reload at")
		for i, m := range list {
			for _, e := range live.Push(m) {
				view = e.Apply(view)
			}
			if reload := list[:i+1]; i == at && print(Project(reload, o)) != print(view) {
				t.Fatalf("the live view %s", difference(print(view), print(Project(reload, o))))
			}
		}
		if print(view) != print(shown) {
			t.Fatalf("the live view %s", difference(print(view), print(shown)))
		}
	})
}

// difference is the first line that differs, with what it should be.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("shows in line %d\n%.2000s\nnot\n%.2000s", i, a[i], b[i])
		}
	}
	return fmt.Sprintf("shows %d lines, not %d", len(a), len(b))
}

var pieces = []string{
	"a", "b c", " ", "\n", "\n\n", "NO_REPLY", "HEARTBEAT_OK", "[OpenClaw heartbeat poll]", "<think>", "</think>", "<final>", "`", "```\n", "\n```\n", "<tool_call>", "</tool_call>", "{\"n\":1}",
	"<|end|>", "<invoke name=\"x\">", "</invoke>", "[[reply_to_current]]", "[Tool Call: x]", "<relevant-memories>", "[Mon 2026-03-02 08:00 UTC] ", "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>",
	"Sender (untrusted metadata):\n```json\n{\"name\":\"S\"}\n```\n", "(continue)", "🔧 exec: ls\n", "</parameter>",
}
