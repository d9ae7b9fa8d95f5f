package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
)

func text(m *Message) string { return string(m.AppendJSON(nil)) }

// G-7: what is not changed is written back byte for byte: white space, number
// literals, escapes, duplicate names, unknown roles, block types and members.
func TestMessageRoundTrip(t *testing.T) {
	for _, in := range []string{
		`{"role":"user","content":"x"}`,
		`{ "role" : "user" , "content" : [ { "type" : "text" , "text" : "\u00e9\/\ud83d" } ] , "n" : 1.0 }`,
		`{"role":"assistant","content":[{"type":"toolCall","id":"t","arguments":{"n":12345678901234567890,"e":1E+2,"e":0}}],"usage":{"cost":{}}}`,
		`{"content":"a","role":"user","content":"b","x":1,"x":2}`,
		`{"role":"martian","content":[{"type":"hologram","data":[[1]]},7,null,"s",[]]}`,
		`{"r\u006fle":"user","c\u006fntent":"x"}`,
		"{\"role\":\"user\",\"content\":\"caf\xe9\"}",
		`{}`, `[]`, `null`, `"text"`, `3.50`,
	} {
		if got := text(read(t, in)); got != in {
			t.Errorf("%s became %s", in, got)
		}
	}
}

// jsonText draws a JSON value with odd spelling.
func jsonText(t *rapid.T, depth int) string {
	scalars := []string{"null", "true", "-0", "1.50", "1e+9", "18446744073709551616", `""`, `"é"`, `"\u0000"`, `"\ud800"`, `"a\/b"`, `"}{\""`}
	if depth == 0 {
		return rapid.SampledFrom(scalars).Draw(t, "scalar")
	}
	space := rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "space")
	var parts []string
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			name := rapid.SampledFrom([]string{"type", "text", "role", "content", "x", `\u0078`, ""}).Draw(t, "name")
			parts = append(parts, `"`+name+`"`+space+":"+jsonText(t, depth-1))
		}
		return "{" + space + strings.Join(parts, ","+space) + space + "}"
	case 1:
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			parts = append(parts, jsonText(t, depth-1))
		}
		return "[" + strings.Join(parts, space+",") + "]"
	}
	return rapid.SampledFrom(scalars).Draw(t, "scalar")
}

// G-3, G-7: any JSON is a message that keeps its bytes, also when its content is
// replaced by the same blocks, and no With touches what it was called on.
func TestMessageRoundTripRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := jsonText(t, 4)
		var r Reader
		m, err := r.Message([]byte(in))
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		m.With("x", jsonline.Bool(true))
		m.Without("x", "role", "content")
		m.WithText("new")
		for _, b := range m.Blocks() {
			b.With("text", jsonline.Text("new"))
			b.Without("type", "text")
		}
		if got := text(m); got != in {
			t.Fatalf("%s became %s", in, got)
		}
		if m.ContentKind() != ListContent {
			return
		}
		again := read2(t, m.WithBlocks(m.Blocks()))
		if got, want := len(again.Blocks()), len(m.Blocks()); got != want {
			t.Fatalf("%d blocks, want %d: %s", got, want, text(again))
		}
		for i, b := range again.Blocks() {
			if got, want := string(b.AppendJSON(nil)), string(m.Blocks()[i].AppendJSON(nil)); got != want {
				t.Errorf("block %d: %s, want %s", i, got, want)
			}
		}
	})
}

// read2 writes m and reads it again.
func read2(t *rapid.T, m *Message) *Message {
	var r Reader
	again, err := r.Message(m.AppendJSON(nil))
	if err != nil {
		t.Fatalf("%s: %v", text(m), err)
	}
	return again
}

// every shape of content is told apart.
func TestContentKinds(t *testing.T) {
	for content, want := range map[string]struct {
		kind   ContentKind
		blocks int
	}{
		``:                                       {NoContent, 0},
		`"content":null`:                         {NullContent, 0},
		`"content":""`:                           {TextContent, 0},
		`"content":"x"`:                          {TextContent, 0},
		`"content":[]`:                           {ListContent, 0},
		`"content":[{},{}]`:                      {ListContent, 2},
		`"content":{}`:                           {SingleContent, 1},
		`"content":1`:                            {OtherContent, 0},
		`"content":false`:                        {OtherContent, 0},
		`"content":[{}],"content":"last counts"`: {TextContent, 0},
		`"c\u006fntent":[{}]`:                    {ListContent, 1},
	} {
		m := read(t, "{"+content+"}")
		if m.ContentKind() != want.kind || len(m.Blocks()) != want.blocks {
			t.Errorf("{%s}: kind %d with %d blocks", content, m.ContentKind(), len(m.Blocks()))
		}
		if m.Text().Exists() != (want.kind == TextContent) {
			t.Errorf("{%s}: text %q", content, m.Text().Raw)
		}
	}
}

// R-B14: list elements that are no objects are kept and recognised.
func TestElementsThatAreNoObjects(t *testing.T) {
	var r Reader
	list, err := r.Messages([]byte(`[null, 7, {"role":"user","content":[null,"s",{"type":"text","text":"x"}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	if list[0].IsObject() || list[1].IsObject() || !list[2].IsObject() {
		t.Error("objects not told apart")
	}
	var kinds []string
	for _, b := range list[2].Blocks() {
		kinds = append(kinds, fmt.Sprint(b.IsObject(), b.IsNull(), b.Index()))
	}
	if got := string(list[2].Blocks()[0].AppendJSON(nil)) + string(list[2].Blocks()[1].AppendJSON(nil)); got != `null"s"` {
		t.Errorf("written as %s", got)
	}
	if want := []string{"false true 0", "false false 1", "true false 2"}; !slices.Equal(kinds, want) {
		t.Errorf("%q, want %q", kinds, want)
	}
	for i, m := range list {
		if m.Origin != (Origin{Index: i, Position: -1}) {
			t.Errorf("message %d has origin %+v", i, m.Origin)
		}
	}
}

func TestMessagesErrors(t *testing.T) {
	for in, want := range map[string]string{
		`{}`: "expected an array of messages, found an object",
		`7`:  "expected an array of messages, found a number",
		`[`:  "unexpected end at byte 1",
	} {
		var r Reader
		if _, err := r.Messages([]byte(in)); err == nil || err.Error() != want {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// G-3, G-7: an edit changes what it names and keeps the order of the rest; the
// message that it was called on stays.
func TestMessageEdits(t *testing.T) {
	in := `{"a":1, "role":"user","content":"x","a":2,"z":1.0}`
	for _, c := range []struct {
		name string
		edit func(*Message) *Message
		want string
	}{
		{"With an own member", func(m *Message) *Message { return m.With("z", jsonline.Bool(true)) }, `{"a":1,"role":"user","content":"x","a":2,"z":true}`},
		{"With a new member", func(m *Message) *Message { return m.With("n", jsonline.Text("é")) }, `{"a":1,"role":"user","content":"x","a":2,"z":1.0,"n":"é"}`},
		{"With a name that stands twice", func(m *Message) *Message { return m.With("a", jsonline.Bool(false)) }, `{"role":"user","content":"x","a":false,"z":1.0}`},
		{"With an absent value", func(m *Message) *Message { return m.With("z", jsonline.Value{}) }, `{"a":1,"role":"user","content":"x","a":2}`},
		{"Without", func(m *Message) *Message { return m.Without("a", "none") }, `{"role":"user","content":"x","z":1.0}`},
		{"Without what is not there", func(m *Message) *Message { return m.Without("none") }, in},
		{"WithText", func(m *Message) *Message { return m.WithText(`"`) }, `{"a":1,"role":"user","content":"\"","a":2,"z":1.0}`},
		{"WithTextValue", func(m *Message) *Message { return m.WithTextValue(jsonline.Parse([]byte(`"\u0078"`))) }, `{"a":1,"role":"user","content":"\u0078","a":2,"z":1.0}`},
		{"WithBlocks", func(m *Message) *Message { return m.WithBlocks([]*Block{NewTextBlock("y")}) }, `{"a":1,"role":"user","content":[{"type":"text","text":"y"}],"a":2,"z":1.0}`},
		{"WithBlocks, then WithText", func(m *Message) *Message { return m.WithBlocks(nil).WithText("y") }, `{"a":1,"role":"user","content":"y","a":2,"z":1.0}`},
		{"WithText, then WithBlocks", func(m *Message) *Message { return m.WithText("y").WithBlocks(nil) }, `{"a":1,"role":"user","content":[],"a":2,"z":1.0}`},
		{"role", func(m *Message) *Message { return m.With("role", jsonline.Text("assistant")) }, `{"a":1,"role":"assistant","content":"x","a":2,"z":1.0}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := read(t, in).WithOrigin(Origin{Entry: "e", Index: 4, Position: 2})
			got := c.edit(m)
			if text(got) != c.want {
				t.Errorf("%s, want %s", text(got), c.want)
			}
			if text(m) != in || m.Role() != User || m.ContentKind() != TextContent {
				t.Errorf("the original became %s", text(m))
			}
			if got.Origin != m.Origin {
				t.Errorf("origin %+v", got.Origin)
			}
			if again := read(t, text(got)); again.Role() != got.Role() || again.ContentKind() != got.ContentKind() || len(again.Blocks()) != len(got.Blocks()) {
				t.Errorf("reads as %s with content %d, was %s with %d", again.Role(), again.ContentKind(), got.Role(), got.ContentKind())
			}
		})
	}
	m := read(t, in)
	if m.Without("none") != m {
		t.Error("Without copies a message that it does not change")
	}
}

// D-28: a message that a rule made up has no place in the list it came from.
func TestMadeMessages(t *testing.T) {
	for got, want := range map[*Message]string{
		New(Assistant, NewTextBlock("x")): `{"role":"assistant","content":[{"type":"text","text":"x"}]}`,
		New(User):                         `{"role":"user","content":[]}`,
		NewText(User, "x"):                `{"role":"user","content":"x"}`,
	} {
		if text(got) != want || got.Origin != (Origin{Index: -1, Position: -1}) {
			t.Errorf("%s with origin %+v, want %s", text(got), got.Origin, want)
		}
	}
}

// the first id that is not blank counts, trimmed.
func TestToolCallID(t *testing.T) {
	names := []string{"toolCallId", "toolUseId", "tool_call_id", "tool_use_id", "callId", "call_id"}
	for first := range names {
		members := []string{`"role":"toolResult"`}
		for i := len(names) - 1; i >= 0; i-- {
			value := `" ` + names[i] + `\t"`
			if i < first {
				value = rapid.SampledFrom([]string{`""`, `" \n"`, "7", "null"}).Example(i)
			}
			members = append(members, `"`+names[i]+`":`+value)
		}
		if got := read(t, "{"+strings.Join(members, ",")+"}").ToolCallID(); got != names[first] {
			t.Errorf("%s: %q", members, got)
		}
	}
	if got := read(t, `{"role":"toolResult"}`).ToolCallID(); got != "" {
		t.Errorf("%q", got)
	}
}

// S-01: trimmed fields, blank ones absent, unknown kinds and other shapes are no
// provenance.
func TestProvenance(t *testing.T) {
	for in, want := range map[string]*Provenance{
		`{"kind":"inter_session","originSessionId":" s-9 ","sourceSessionKey":"agent:main:main","sourceChannel":"  ","sourceTool":"sessions_send","later":1}`: {Kind: InterSession, OriginSessionID: "s-9", SourceSessionKey: "agent:main:main", SourceTool: "sessions_send"},
		`{"kind":" external_user "}`:                      {Kind: ExternalUser},
		`{"kind":"internal_system","sourceTool":["x"]}`:   {Kind: InternalSystem},
		`{"kind":"robot","sourceTool":"x"}`:               nil,
		`{"kind":null}`:                                   nil,
		`{"sourceTool":"x"}`:                              nil,
		`"inter_session"`:                                 nil,
		`[{"kind":"inter_session"}]`:                      nil,
		`null`:                                            nil,
		`{"kind":"robot","kind":"inter_session"}`:         {Kind: InterSession},
		`{"kind":"inter\u005fsession","sourceTool":"\t"}`: {Kind: InterSession},
	} {
		got, ok := read(t, `{"role":"user","content":"x","provenance":`+in+`}`).Provenance()
		if ok != (want != nil) || want != nil && got != *want || want == nil && got != (Provenance{}) {
			t.Errorf("%s: %+v %v", in, got, ok)
		}
	}
	if _, ok := read(t, `{"role":"user"}`).Provenance(); ok {
		t.Error("provenance without a record")
	}
}

// R-40, F-30: a finite number of milliseconds or a date.
func TestTimestamp(t *testing.T) {
	for in, want := range map[string]float64{
		`1767225601000`:                   1767225601000,
		`0`:                               0,
		`-1.5`:                            -1.5,
		`"2026-01-01T00:00:01.250Z"`:      1767225601250,
		`" 2026-01-01T01:00:01+01:00 "`:   1767225601000,
		`"2026-01-01T00:00:01"`:           1767225601000,
		`"2026-01-01 00:00:01.5"`:         1767225601500,
		`"2026-01-01"`:                    1767225600000,
		`"2026-01-01T00:00:01.250\u005a"`: 1767225601250,
	} {
		if got, ok := read(t, `{"timestamp":`+in+`}`).Timestamp(); !ok || got != want {
			t.Errorf("%s: %v %v, want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{`1e999`, `"soon"`, `""`, `"1767225601000"`, `null`, `true`, `{}`, `"2026-13-01"`} {
		if got, ok := read(t, `{"timestamp":`+in+`}`).Timestamp(); ok {
			t.Errorf("%s: %v", in, got)
		}
	}
}

// F-32, F-33, F-37: the fields of turns and results.
func TestFields(t *testing.T) {
	m := read(t, `{"role":"assistant","provider":"p","api":"a","model":"m","responseModel":"n","responseId":"r","stopReason":"aborted"}`)
	got := []string{m.Provider(), m.API(), m.Model(), m.ResponseModel(), m.ResponseID(), string(m.StopReason())}
	if want := []string{"p", "a", "m", "n", "r", "aborted"}; !slices.Equal(got, want) || !m.Failed() {
		t.Errorf("%q, want %q", got, want)
	}
	r := read(t, `{"role":"toolResult","toolName":" read ","isError":true}`)
	if r.ToolName() != "read" || !r.IsError() || r.Failed() {
		t.Errorf("%q %v %v", r.ToolName(), r.IsError(), r.Failed())
	}
	for reason, failed := range map[StopReason]bool{StopStop: false, StopLength: false, StopToolUse: false, StopError: true, StopAborted: true, "": false} {
		if got := read(t, `{"stopReason":"`+string(reason)+`"}`).Failed(); got != failed {
			t.Errorf("%s: %v", reason, got)
		}
	}
}

// TestRemembered holds that what a message remembers of itself is what its members
// say, however they are spelled and whatever was edited.
func TestRemembered(t *testing.T) {
	var r Reader
	for _, text := range []string{
		`{"role":"assistant","content":[],"provider":"p","api":"a","model":"m","stopReason":"error"}`,
		`{"role":"assistant","content":[],"provider":"p","api":"a","model":"m","stopReason":"stop"}`,
		`{"role":"assistant","content":[],"provider":"p","api":"a","model":"\u006d","stopReason":"\u0073top"}`,
		`{"role":"assistant","content":[],"provider":7,"api":"a","model":"n","stopReason":"odd"}`,
		`{"role":"assistant","content":[],"api":"a","model":"n"}`,
		`{"role":"assistant","content":[],"provider":"","model":"n","stopReason":null}`,
		`{"role":"assistant","provider":"q","provider":"r","stopReason":"stop","stopReason":"length"}`,
		`{"role":"user","provider":"r","stopReason":"length"}`,
	} {
		m, err := r.Message([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*Message{
			m, m.WithText("x"), m.With("provider", jsonline.Text("other")), m.With("stopReason", jsonline.Text("aborted")),
			m.Without("provider", "model"), m.Without("stopReason"),
		} {
			want := fmt.Sprint(m.Get("provider").String(), m.Get("api").String(), m.Get("model").String(), m.Get("stopReason").String())
			if got := fmt.Sprint(m.Provider(), m.API(), m.Model(), string(m.StopReason())); got != want {
				t.Errorf("%s: %s, want %s", m.AppendJSON(nil), got, want)
			}
		}
	}
}

// TestRememberedContext holds that a user turn that was read, and every copy of it,
// says of itself that it is runtime context as its text and members do.
func TestRememberedContext(t *testing.T) {
	var r Reader
	found := 0
	context := texts.CarrierHeader + "\n" + texts.InternalBegin + "\nx\n" + texts.InternalEnd
	for _, opening := range []string{texts.CarrierHeader, "hi"} {
		for _, text := range []string{
			string(NewText(User, opening+"\n"+texts.InternalBegin+"\nx\n"+texts.InternalEnd).AppendJSON(nil)),
			string(New(User, NewTextBlock(opening+"\n"+texts.InternalBegin+"\nx\n"+texts.InternalEnd)).AppendJSON(nil)),
			`{"role":"user","content":"x","runtimeContextCarrier":true}`,
			`{"role":"assistant","content":"x","runtimeContextCarrier":true}`,
			`{"role":"user"}`,
		} {
			m, err := r.Message([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []*Message{
				m, m.WithText("x"), m.WithText(context), m.WithBlocks([]*Block{NewTextBlock(context)}), m.WithBlocks(nil), m.WithOrigin(Origin{}),
				m.With("runtimeContextCarrier", jsonline.Bool(true)), m.Without("runtimeContextCarrier"), m.With("role", jsonline.Text("user")),
			} {
				want := m.role == User && m.looksLikeContext()
				if m.CarriesContext() != want {
					t.Errorf("%s: %t", m.AppendJSON(nil), !want)
				}
				if want && m.ContentKind() != NoContent {
					found++
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("%d of them are context", found)
	}
}

// TestHolds holds that a message knows its blocks after every edit.
func TestHolds(t *testing.T) {
	var r Reader
	m, err := r.Message([]byte(`{"role":"assistant","content":[{"type":"text","text":" "},{"type":"thinking","thinking":"x"},{"type":"tool_use","id":"1"},{"type":"text","text":7}]}`))
	if err != nil {
		t.Fatal(err)
	}
	b := m.Blocks()
	said := b[0].WithText("words")
	for _, test := range []struct {
		m                     *Message
		blank, thinking, call bool
		failed                bool
	}{
		{m, true, true, true, false},
		{read(t, `{"role":"assistant","content":{"type":"tool_use","id":"1"}}`), false, false, true, false},
		{m.WithBlocks(b[1:3]), false, true, true, false},
		{m.WithBlocks(b[3:]), true, false, false, false},
		{m.WithBlocks([]*Block{said}), false, false, false, false},
		{m.WithBlocks([]*Block{said.Without("text")}), true, false, false, false},
		{m.WithBlocks([]*Block{b[1].With("type", jsonline.Text("text"))}), true, false, false, false},
		{m.WithText(" "), false, false, false, false},
		{m.WithBlocks([]*Block{said.WithText(texts.FailedTurn)}), false, false, false, true},
		{m.WithBlocks([]*Block{b[1].WithText(texts.FailedTurn)}), false, true, false, false},
		{m.WithBlocks([]*Block{said.WithText(texts.FailedTurn).WithText("x")}), false, false, false, false},
	} {
		if test.m.HasBlankText() != test.blank || test.m.HasThinking() != test.thinking || test.m.HasToolCall() != test.call || test.m.HasFailedText() != test.failed {
			t.Errorf("%s: %v %v %v %v", test.m.AppendJSON(nil), test.m.HasBlankText(), test.m.HasThinking(), test.m.HasToolCall(), test.m.HasFailedText())
		}
	}
}
