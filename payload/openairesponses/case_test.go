package openairesponses_test

import (
	"strings"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/payload/openairesponses"
	"hygeia/policy"
	"hygeia/transcript"
	wire "hygeia/wire/openairesponses"
)

// format is the converter with the policy of OpenAI's own endpoint.
var format = buildtest.Format{
	Build:     openairesponses.Build,
	Rules:     openairesponses.Rules,
	Decode:    wire.Decode,
	Findings:  findings,
	Hostile:   refused,
	Refuses:   refuses,
	Endpoints: endpoints,
	Tools: []string{
		`[{"type":"function","name":"read"}]`, `[{"type":"function","name":"b b"},{"type":"web_search"},{"type":"function","name":"a"}]`,
	},
	Clean: buildtest.Clean{
		Block: `{"type":"thinking","thinking":"","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_$n\",\"summary\":[],\"encrypted_content\":\"` +
			strings.Repeat("gAAAAAB0", 125) + `\"}"}`,
		Text: `,"textSignature":"{\"v\":1,\"id\":\"msg_$n\"}"`,
	},
	Proof:     encrypted,
	Ambiguous: func(in *payload.Input) bool { return in.Report.Counts()["W-347"] > 0 }, // a blank user turn
	Vocabulary: buildtest.Vocabulary{
		CallIDs: []string{"call_$n", "call_$n|fc_$n", "call_$n|fc_$n"},
		Said:    reasoning(),
		Texts:   []string{`,"textSignature":"msg_$n"`, `,"textSignature":"{\"v\":1,\"id\":\"msg_$n\",\"phase\":\"commentary\"}"`},
	},
	Target: policy.Target{Provider: "openai", API: "openai-responses", Model: "gpt-5.1"},
	Policy: policy.Policy{
		Responses: true,
		Model:     policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksOn, MaxOutputTokens: 128000},
		Wire:      policy.Wire{EffortNone: true, Efforts: map[string]string{"minimal": "low"}},
	},
}

func TestCases(t *testing.T) { buildtest.Run(t, format) }

// reasoning returns thinking blocks with each kind of reasoning item.
func reasoning() []string {
	var list []string
	for _, id := range []string{`,\"id\":\"rs_$n\"`, `,\"id\":\"rs_$n\"`, `,\"id\":\"rs_1\"`, ``} {
		for _, summary := range []string{`,\"summary\":[]`, ``} {
			for _, content := range []string{`,\"encrypted_content\":\"gAAA$n\"`, `,\"encrypted_content\":\"gAAA$n\"`, ``, `,\"encrypted_content\":null`} {
				list = append(list, `{"type":"thinking","thinking":"t","thinkingSignature":"{\"type\":\"reasoning\"`+id+summary+content+`}"}`)
			}
		}
	}
	return list
}

// encrypted returns what a reasoning item is read by: its encrypted content, or
// its id where it has none.
func encrypted(b *transcript.Block) jsonline.Value {
	item := jsonline.ParseObject([]byte(b.Get("thinkingSignature").String()))
	if v := item.Get("encrypted_content"); v.IsString() {
		return v
	}
	return item.Get("id")
}
