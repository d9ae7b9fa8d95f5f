package acceptance_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/session"
)

// fault is an outcome in which an assertion does not hold. What is not named
// is a plain exchange in which it would.
type fault struct {
	must string // the assertion
	want string // part of the error

	in, out, body string // lists of messages
	change        *hygiene.Change
	file          *sessionFile
	other         string // what another replay gives, a list of messages
}

const (
	plainIn   = `{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"text","text":"hello"}]},{"role":"user","content":"bye"}`
	plainBody = plainIn
	called    = `{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"p":1}}]}`
	answered  = called + `,{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"port 80"}],"isError":true}`
	pixel     = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==`
	picture   = `{"role":"user","content":[{"type":"image","data":"` + pixel + `","mimeType":"image/png"}]}`
	thought   = `{"role":"assistant","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"QUJD"}]}`
	unsigned  = `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}]}`
	missing   = `"text":"[tool result missing: no result of this call was recorded, its outcome is unknown]"`
)

var twoEntries = &sessionFile{
	id: "s", leaf: "b", entries: []entry{{"a", []string{"one"}}, {"b", []string{"two"}}},
	problems: []session.Problem{{Line: 3, Last: 4, Rule: "F-51", Reason: "line holds no JSON"}},
}

var faults = []fault{
	{must: `survives "hello"`, want: `gone`, out: `{"role":"user","content":"hi"}`},
	{must: `survives "hello"`, want: `body: "hello" is gone`, body: `{"role":"user","content":"hi"}`},
	{must: `absent "hello"`, want: `is there`},
	{must: `absent "hm"`, want: `is there`, out: thought},
	{must: `once "hi"`, want: `2 times`, out: `{"role":"user","content":"hi hi"}`},
	{must: `order "bye" "hi"`, want: `behind`},
	{must: `no-member p`, want: `member`, out: answered},
	{must: `no-invented-text`, want: `nobody said "go"`, out: `{"role":"user","content":"go"}`},
	{must: `no-lone-surrogates`, want: `replacement`, body: `{"role":"user","content":"a` + "\ufffd" + `"}`},
	{must: `no-lone-surrogates`, want: `replacement`, body: `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"a\":\"\\ud83d\"}"}}]}`},

	{must: `body-same`, want: `the body is`},
	{must: `body-has "nowhere"`, want: `lacks nowhere`},
	{must: `body-lacks "hello"`, want: `has hello`},
	{must: `body-count 2 "hello"`, want: `1 times`},

	{must: `roles user user`, want: `user assistant user`},
	{must: `body-roles user user`, want: `user assistant user`},
	{must: `starts assistant`, want: `role user`},
	{must: `ends assistant`, want: `role user`},
	{must: `alternate`, want: `0 and 1 are both user`, body: `{"role":"user","content":"a"},{"role":"user","content":"b"}`},
	{must: `blocks "hello" text image`, want: `holds text`},
	{must: `blocks "nowhere" text`, want: `gone`},
	{must: `apart "a" "b"`, want: `holds 2`, out: `{"role":"user","content":"a b"}`},
	{must: `no-blank-text`, want: `blank`, out: `{"role":"user","content":" "}`},
	{must: `no-blank-text`, want: `message 0 of role user is empty`, body: `{"role":"user","content":[]}`},

	{must: `paired`, want: `"c1" has no result`, out: called},
	{must: `paired`, want: `no result before it`, out: called + `,{"role":"user","content":"x"}`},
	{must: `paired`, want: `has no call`, out: answered + `,{"role":"toolResult","toolCallId":"c1"}`},
	{must: `paired`, want: `stands where`, out: called + `,{"role":"toolResult","toolCallId":"c2"}`},
	{must: `paired`, want: `no result before it`, body: `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}}]},{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"c1","content":"y"}]}`},
	{must: `legal-calls`, want: `name ""`, out: `{"role":"assistant","content":[{"type":"toolCall","id":"c1","arguments":{}}]}`},
	{must: `legal-calls`, want: `are "x"`, out: `{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"f","arguments":"x"}]}`},
	{must: `legal-calls`, want: `are {`, body: `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{"}}]}`},
	{must: `result c1 "port 81"`, want: `port 80`, out: answered},
	{must: `result c2 "port 80"`, want: `0 calls`, out: answered},
	{must: `not-error c1`, want: `marked`, out: answered},
	{must: "arguments c1 `{\"p\": 1}`", want: `{"p":1}`, out: answered},
	{must: `no-call c1`, want: `there is a toolCall`, out: answered},
	{must: `stand-in c1`, want: `no program`, out: answered},
	{must: `stand-in c1`, want: `not marked`, out: called + `,{"role":"toolResult","toolCallId":"c1","content":[{"type":"text",` + missing + `}]}`},
	{must: `stand-in c1`, want: `claims`, out: called + `,{"role":"toolResult","toolCallId":"c1","isError":true,"content":[{"type":"text","text":"[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair."}]}`},
	{must: `no-stand-in`, want: `"c1" is a stand-in`, out: called + `,{"role":"toolResult","toolCallId":"c1","content":[{"type":"text",` + missing + `}]}`},
	{must: `ids ^[a-z]+$`, want: `"c1"`, out: answered},
	{must: `ids-unique`, want: `two calls`, out: answered + `,` + answered},
	{must: `names ^[A-Z]+$`, want: `"read"`, out: answered},
	{must: `wire-names ^[A-Z]+$`, want: `"f"`, body: `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}`},
	{must: `result-names`, want: `names the tool "write"`, out: called + `,{"role":"toolResult","toolCallId":"c1","toolName":"write"}`},

	{must: `no-thinking`, want: `"hm"`, out: thought},
	{must: `thinking "hm" "QUJE"`, want: `gone`, out: thought},
	{must: `signature-kept "QUJE"`, want: `gone`, out: thought},
	{must: `no-signature "UJ"`, want: `QUJD`, out: thought},
	{must: `signed-thinking`, want: `"hm"`, out: unsigned},

	{must: `images 1`, want: `0 pictures`},
	{must: `images-at-most 0`, want: `1 pictures`, out: picture},
	{must: `images-are image/jpeg`, want: `image/png`, out: picture},
	{must: `images-are image/png`, want: `is image/png`[3:], out: `{"role":"user","content":[{"type":"image","data":"R0lGODlhAQAB","mimeType":"image/png"}]}`},
	{must: `images-are image/png`, want: `not base64`, out: `{"role":"user","content":[{"type":"image","data":"iVBOR","mimeType":"image/png"}]}`},
	{must: `image-size 1 2x2`, want: `1x1`, out: picture},
	{must: `image-size 2 1x1`, want: `1 pictures`, out: picture},
	{must: `image-colour 1 0,0 00ff00`, want: `the colour is`, out: picture},
	{must: `image-kept 1`, want: `gone`, in: picture},
	{must: `image-kept 2`, want: `has 1`, in: picture},
	{must: `image-gone 1`, want: `goes out`, in: picture, out: picture},

	{must: `reports R-72`, want: `[R-71]`, change: &hygiene.Change{Rule: "R-71"}},
	{must: `reports-only R-72`, want: `[R-71]`, change: &hygiene.Change{Rule: "R-71"}},
	{must: `reason "call" "c2"`, want: `call c1`, change: &hygiene.Change{Reason: "call c1 is open"}},
	{must: `lost "hello"`, want: `goes out`},
	{must: `lost "nothing"`, want: `input`},
	{must: `lost "hello"`, want: `report`, out: `{"role":"user","content":"hi"}`, body: `{"role":"user","content":"hi"}`},
	{must: `accounted`, want: `"hello" goes neither`, out: `{"role":"user","content":"hi bye"}`, body: `{"role":"user","content":"hi bye"}`},
	{must: `accounted`, want: `"hm" goes neither`, in: thought},
	{must: `accounted`, want: `iVBOR`, in: picture},
	{must: `note "too large"`, want: `notes`},
	{must: `unchanged`, want: `[R-71]`, change: &hygiene.Change{Rule: "R-71"}},
	{must: `unchanged`, want: `became`, out: `{"role":"user", "content":"hi"}`},

	{must: `deterministic`, want: `messages differ`, other: `{"role":"user","content":"x"}`},
	{must: `idempotent`, want: `became`, other: `{"role":"user","content":"x"}`},
	{must: `prefix-stable`, want: `message 0 is`, other: `{"role":"user","content":"x"}`},
	{must: `prefix-stable`, want: `4 messages`, other: plainIn + `,{"role":"user","content":"x"}`},

	{must: `context-has "two"`, want: `gone`},
	{must: `context-once "hi"`, want: `2 times`, in: `{"role":"user","content":"hi hi"}`},
	{must: `context-lacks "hi"`, want: `is there`},
	{must: `context-ends "hi"`, want: `something else`},
	{must: `valid-utf8`, want: `other bytes`, out: "{\"role\":\"user\",\"content\":\"caf\xe9\"}"},
	{must: `stored "three"`, want: `no entry`, file: twoEntries},
	{must: `stored "three"`, want: `no session file`},
	{must: `entries a`, want: `a b`, file: twoEntries},
	{must: `entries-unique`, want: `"a"`, file: &sessionFile{entries: []entry{{id: "a"}, {id: "a"}}}},
	{must: `leaf a`, want: `"b"`, file: twoEntries},
	{must: `session-id ^[0-9]+$`, want: `"s"`, file: twoEntries},
	{must: `problem F-51 5`, want: `lines 3 to 4`, file: twoEntries},
	{must: `problem F-53 3`, want: `F-51`, file: twoEntries},
	{must: `problem-says "JSON" "XML"`, want: `F-51`, file: twoEntries},
	{must: `problems 0`, want: `F-51`, file: twoEntries},
	{must: `only-notes`, want: `F-51`, file: twoEntries},
}

// Every assertion can fail, for the reason that it is there for.
func TestAssertionsCanFail(t *testing.T) {
	var proven []string
	for _, f := range faults {
		t.Run(f.must, func(t *testing.T) {
			list, err := parseMust(f.must)
			if err != nil {
				t.Fatal(err)
			}
			o, err := f.outcome()
			if err != nil {
				t.Fatal(err)
			}
			proven = append(proven, list[0].rule.name)
			if err = list[0].rule.hold(o, list[0].args); err == nil || !strings.Contains(err.Error(), f.want) {
				t.Errorf("error %v, want one with %q", err, f.want)
			}
		})
	}
	for _, r := range rules {
		if !slices.Contains(proven, r.name) {
			t.Errorf("no case shows that %s can fail", r.name)
		}
	}
}

// A case with a word that is no assertion, or with too few arguments, fails.
func TestMustLines(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`survive "x"`, "unknown assertion"},
		{`result c1`, "want result CALL TEXT"},
		{`paired "x"`, "want paired"},
		{`blocks`, "want blocks TEXT KIND…"},
		{`survives "x`, "invalid syntax"},
	} {
		if _, err := parseMust(c.line); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.line, err, c.want)
		}
	}
}

func (f *fault) outcome() (*outcome, error) {
	o, err := literal(f.in, f.out, f.body)
	if err != nil {
		return nil, err
	}
	o.file = f.file
	if f.change != nil {
		o.report.Changes = append(o.report.Changes, *f.change)
	}
	other, err := literal("", f.other, f.other)
	o.again = func() (*outcome, error) { return other, err }
	o.settled = o.again
	o.cut = func(int) (*outcome, error) { return other, err }
	return o, nil
}

// literal makes an outcome of lists of messages.
func literal(in, out, body string) (*outcome, error) {
	o := &outcome{report: &hygiene.Report{}, printed: []byte(`{}`)}
	var errs [3]error
	o.in, errs[0] = readMessages("input", []byte("["+or(in, plainIn)+"]"))
	o.out, errs[1] = readMessages("messages", []byte("["+or(out, plainIn)+"]"))
	o.body, errs[2] = readBody([]byte(`{"messages":[` + or(body, plainBody) + `]}`))
	return o, errors.Join(errs[:]...)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
