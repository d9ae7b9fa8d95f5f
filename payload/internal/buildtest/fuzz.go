package buildtest

import (
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/transcript"
)

// seeds are message lists with what no pass would leave.
var seeds = []string{
	`[{"role":"user","content":"hi"}]`,
	`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},{"type":"toolCall","id":"a","name":"read","arguments":{},"thoughtSignature":"QUJD"}]},{"role":"toolResult","toolCallId":"a","content":[],"isError":true},{"role":"user","content":"r"}]`,
	`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_1\",\"encrypted_content\":\"gAAA\"}"},{"type":"toolCall","id":"call_1|fc_1","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"call_1|fc_1","content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}]`,
	`[{"role":"assistant","content":[{"type":"text","text":"\ud800 ","textSignature":"msg_1"},{"type":"refusal","refusal":"n"},{"type":"executableCode","executableCode":{}}]},{"role":"user","content":null}]`,
	`[{"role":"assistant","content":[{"type":"toolCall","id":"a b","name":"x\ud800y","input":"{}"},{"type":"toolCall","id":"a b"}]},{"role":"user","content":"x"}]`,
	`[{"role":"user","content":[{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"input_file"},7,null,{"type":"text","text":"\ud800\u0000"}]}]`,
	`[{"role":"assistant","content":{"type":"thinking","thinking":"k","thinkingSignature":"reasoning"}},{"role":"user","content":null}]`,
}

// Fuzz is the property "hostile" over any message list.
func Fuzz(f *testing.F, format Format) {
	for i := range format.Endpoints {
		for _, seed := range seeds {
			f.Add([]byte(seed), uint8(i), "")
		}
		f.Add([]byte(seeds[1]), uint8(128+i), boundary)
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8, system string) {
		var r transcript.Reader
		list, err := r.Messages(text)
		if err != nil {
			t.Skip()
		}
		n := int(which)
		in := format.Endpoints[n%len(format.Endpoints)].Input()
		in.Messages = list
		in.Options = payload.Options{System: system, SessionID: "s1", Thinking: levels[n%len(levels)]}
		if n >= 128 {
			in.Options.Tools = jsonline.Parse([]byte(format.Tools[0]))
		}
		format.buildHostile(t, in)
	})
}
