package transcript

import (
	"fmt"
	"testing"

	"hygeia/internal/jsonline"
)

// block reads one block.
func block(t testing.TB, text string) *Block {
	t.Helper()
	return read(t, `{"content":[`+text+`]}`).Blocks()[0]
}

// what the types of blocks mean.
func TestBlockTypes(t *testing.T) {
	for typ, want := range map[BlockType]string{
		"text": "false false", "image": "false false", "audio": "false false", "hologram": "false false", "": "false false",
		"thinking": "true false", "redacted_thinking": "true false",
		"toolCall": "false true", "toolUse": "false true", "functionCall": "false true",
		"tool_call": "false true", "tool_use": "false true", "function_call": "false true",
	} {
		b := block(t, `{"type":"`+string(typ)+`"}`)
		if got := fmt.Sprint(b.IsThinking(), b.IsToolCall()); got != want || b.Type() != typ || !b.Is(typ) {
			t.Errorf("%s: %s, want %s", typ, got, want)
		}
	}
	m := read(t, `{"content":[{"type":"tool_use"},{"type":"thinking"}]}`)
	if !m.HasToolCall() || !m.HasThinking() || read(t, `{"content":"thinking"}`).HasThinking() {
		t.Error("blocks not found")
	}
}

// blank text is told apart without being decoded.
func TestBlankText(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"text","text":""}`:                   "true true",
		`{"type":"text","text":" \n\t\u00a0\u3000　"}`: "true true",
		`{"type":"text","text":" x"}`:                 "true false",
		`{"type":"text","text":"\u200b"}`:             "true false",
		`{"type":"text","text":7}`:                    "false false",
		`{"type":"text"}`:                             "false false",
		`{"type":"thinking","text":""}`:               "false false",
	} {
		b := block(t, in)
		if got := fmt.Sprint(b.IsText(), b.IsBlankText()); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// F-36, R-41, R-46: the first signature that is not blank counts, for redacted
// thinking also its data.
func TestSignature(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"thinking","thinkingSignature":"a","signature":"b"}`:                         `"a"`,
		`{"type":"thinking","thinkingSignature":" ","signature":"b","thought_signature":"c"}`: `"b"`,
		`{"type":"thinking","thinkingSignature":7,"thought_signature":"c"}`:                   `"c"`,
		`{"type":"thinking","thoughtSignature":"d"}`:                                          `"d"`,
		`{"type":"thinking","data":"e"}`:                                                      ``,
		`{"type":"redacted_thinking","data":"\u0065"}`:                                        `"\u0065"`,
		`{"type":"redacted_thinking","data":"e","signature":"b"}`:                             `"b"`,
		`{"type":"thinking"}`: ``,
	} {
		if got := string(block(t, in).Signature().Raw); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// G-3, G-7: edits of a block keep what they do not name, and the original.
func TestBlockEdits(t *testing.T) {
	in := `{"x":1.0, "type":"thinking","thinking":"a\/b","signature":"s","x":2}`
	for _, c := range []struct {
		name string
		edit func(*Block) *Block
		want string
	}{
		{"WithText of thinking", func(b *Block) *Block { return b.WithText("new") }, `{"x":1.0,"type":"thinking","thinking":"new","signature":"s","x":2}`},
		{"With type", func(b *Block) *Block { return b.With("type", jsonline.Text("text")) }, `{"x":1.0,"type":"text","thinking":"a\/b","signature":"s","x":2}`},
		{"With twice", func(b *Block) *Block { return b.With("n", jsonline.Bool(true)).With("n", jsonline.Bool(false)) }, `{"x":1.0,"type":"thinking","thinking":"a\/b","signature":"s","x":2,"n":false}`},
		{"Without", func(b *Block) *Block { return b.Without("signature", "x") }, `{"type":"thinking","thinking":"a\/b"}`},
		{"Without and With", func(b *Block) *Block { return b.Without("signature").With("signature", jsonline.Text("t")) }, `{"x":1.0,"type":"thinking","thinking":"a\/b","signature":"t","x":2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := block(t, in)
			got := c.edit(b)
			if s := string(got.AppendJSON(nil)); s != c.want {
				t.Errorf("%s, want %s", s, c.want)
			}
			if s := string(b.AppendJSON(nil)); s != in || !b.Is(TypeThinking) {
				t.Errorf("the original became %s", s)
			}
			if again := block(t, c.want); again.Type() != got.Type() || got.Index() != 0 {
				t.Errorf("type %s, index %d", got.Type(), got.Index())
			}
		})
	}
	b := block(t, in)
	if b.Without("none") != b || b.Without() != b {
		t.Error("Without copies a block that it does not change")
	}
}

// W-120: decoded text leaves lone surrogates out; the bytes stay.
func TestBlockText(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"text","text":"a\n\u00e9\ud83d\ude00"}`: "a\né😀",
		`{"type":"text","text":"a\ud83db"}`:              "ab",
		`{"type":"thinking","thinking":"t","text":"x"}`:  "t",
		`{"type":"toolCall","text":"x"}`:                 "",
	} {
		b := block(t, in)
		if got := b.Text(); got != want || string(b.AppendJSON(nil)) != in {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	call := block(t, `{"type":"toolCall","id":" t1 ","name":"\tread "}`)
	if call.ID() != "t1" || call.Name() != "read" {
		t.Errorf("%q %q", call.ID(), call.Name())
	}
	for got, want := range map[*Block]string{
		NewTextBlock("x\n"): `{"type":"text","text":"x\n"}`,
		NewTextBlockValue(jsonline.Parse([]byte(`"\u0078"`))): `{"type":"text","text":"\u0078"}`,
		NewBlock(TypeImage): `{"type":"image"}`,
	} {
		if s := string(got.AppendJSON(nil)); s != want || got.Index() != -1 {
			t.Errorf("%s with index %d, want %s", s, got.Index(), want)
		}
	}
}
