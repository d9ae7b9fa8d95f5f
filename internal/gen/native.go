package gen

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

// Route is what wrote an assistant turn, and how it spells what only it
// understands.
type Route struct {
	Provider, API, Model string
	Form                 *Form
}

// Form holds the spellings of a service. Each function takes a number that is
// new in the transcript and returns members with a comma in front, but for Call,
// which returns an id, and Thinking, which returns a block around a text. A nil
// function stands for nothing.
type Form struct {
	Call     func(n int) string
	Thinking func(n int, text string) string
	Text     func(n int) string // of a text behind thinking
	First    func(n int) string // of the first call of a turn
	Redacted bool               // thinking may come encrypted
}

// Routes are those that turns are recorded on, one of each kind.
var Routes = []Route{
	{"anthropic", "anthropic-messages", "claude-opus-4-6", claude},
	{"anthropic", "anthropic-messages", "claude-sonnet-4-5", claude},
	{"anthropic", "anthropic-messages", "claude-3-7-sonnet", claude},
	{"openai", "openai-responses", "gpt-5.1", responses},
	{"openai-codex", "openai-codex-responses", "gpt-5.4", responses},
	{"azure-openai", "azure-openai-responses", "gpt-5.1", responses},
	{"openai", "openai-completions", "gpt-4o", &Form{Call: prefixed("call_", 24)}},
	{"google", "google-generative-ai", "gemini-3-pro-preview", gemini},
	{"google", "google-generative-ai", "gemini-2.5-flash", gemini},
	{"google-antigravity", "google-gemini-cli", "claude-sonnet-4-5", &Form{Call: prefixed("toolu_vrtx_01", 22), Thinking: sealed}},
	{"amazon-bedrock", "bedrock-converse-stream", "anthropic.claude-sonnet-4-5-20250929-v1:0", &Form{Call: dashed, Thinking: sealed, Redacted: true}},
	{"mistral", "openai-completions", "mistral-large-latest", &Form{Call: prefixed("", 9)}},
	{"deepseek", "openai-completions", "deepseek-reasoner", &Form{Call: prefixed("call_00_", 20), Thinking: field("reasoning_content")}},
	{"moonshot", "openai-completions", "kimi-k2.5", &Form{Call: kimi, Thinking: field("reasoning_content")}},
	{"minimax", "anthropic-messages", "MiniMax-M2.7", &Form{Call: prefixed("call_function_", 12), Thinking: hexSealed}},
	{"openrouter", "openai-completions", "anthropic/claude-sonnet-4.5", &Form{Call: prefixed("toolu_", 24), Thinking: field("reasoning"), First: textDetail}},
	{"openrouter", "openai-completions", "google/gemini-2.5-pro", &Form{Call: numbered, Thinking: field("reasoning"), First: cryptDetail}},
	{"amazon-bedrock", "bedrock-converse-stream", "anthropic.claude-opus-4-6-v1:0", &Form{Call: dashed, Thinking: sealed, Redacted: true}},
	{"mistral", "mistral-conversations", "magistral-medium-latest", &Form{Call: prefixed("", 9), Thinking: unsigned}},
	{"ollama", "ollama", "qwen3", &Form{Call: uuid, Thinking: unsigned}},
	{"vllm", "openai-completions", "qwen3", &Form{Call: uuid, Thinking: field("reasoning")}},
}

var (
	claude    = &Form{Call: prefixed("toolu_01", 22), Thinking: sealed, Redacted: true}
	responses = &Form{Call: pair, Thinking: item, Text: phased}
	gemini    = &Form{Call: clocked, Thinking: sealed, Text: textSealed, First: callSealed}
)

// anyRoute draws the route of an assistant turn.
func anyRoute(t *rapid.T) Route { return rapid.SampledFrom(Routes).Draw(t, "route") }

// token returns the n-th value of a kind: bytes that look random.
func token(kind string, n int) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", kind, n))
	return sum[:]
}

// letters returns length characters of [A-Za-z0-9], at most 40.
func letters(kind string, n, length int) string {
	return strings.NewReplacer("+", "p", "/", "s", "=", "e").Replace(base64.StdEncoding.EncodeToString(token(kind, n)))[:min(length, 40)]
}

func prefixed(prefix string, length int) func(int) string {
	return func(n int) string { return prefix + letters(prefix, n, length) }
}

func dashed(n int) string {
	return "tooluse_" + base64.RawURLEncoding.EncodeToString(token("tooluse", n))[:22]
}

func pair(n int) string {
	return "call_" + letters("call", n, 24) + "|fc_" + hex.EncodeToString(token("fc", n))[:48]
}

func uuid(n int) string     { return "chatcmpl-tool-" + hex.EncodeToString(token("vllm", n))[:32] }
func kimi(n int) string     { return fmt.Sprintf("functions.read:%d", n) }
func numbered(n int) string { return fmt.Sprintf("tool_%d_read", n%3) }
func clocked(n int) string  { return fmt.Sprintf("read_17000000%05d_%d", n, n) }

// signature is what Anthropic and Google seal with: base64 of any bytes.
func signature(n int) string {
	b := token("signature", n)
	return base64.StdEncoding.EncodeToString(append(append([]byte{0x12, 0x0a}, b...), token("more", n)[:n%7+8]...))
}

func sealed(n int, text string) string {
	return `{"type":"thinking","thinking":` + text + `,"thinkingSignature":"` + signature(n) + `"}`
}

func textSealed(n int) string { return `,"textSignature":"` + signature(n) + `"` }
func callSealed(n int) string { return `,"thoughtSignature":"` + signature(n) + `"` }

func unsigned(_ int, text string) string { return `{"type":"thinking","thinking":` + text + `}` }

func hexSealed(n int, text string) string {
	return `{"type":"thinking","thinking":` + text + `,"thinkingSignature":"` + hex.EncodeToString(token("minimax", n)) + `"}`
}

// field names the member of a chat message that the thinking came in.
func field(name string) func(int, string) string {
	return func(_ int, text string) string {
		return `{"type":"thinking","thinking":` + text + `,"thinkingSignature":"` + name + `"}`
	}
}

// item is a whole reasoning item; every third has its text for a summary, the
// others none, and every fifth has no encrypted content.
func item(n int, text string) string {
	summary, crypt := "[]", `,"encrypted_content":"gAAAA`+letters("crypt", n, 40)+`"`
	if n%3 == 0 {
		summary = `[{"type":"summary_text","text":` + text + `}]`
	} else {
		text = `""`
	}
	if n%5 == 0 {
		crypt = ""
	}
	return `{"type":"thinking","thinking":` + text + quoted("thinkingSignature", `{"id":"rs_`+hex.EncodeToString(token("rs", n))[:48]+`","type":"reasoning","summary":`+summary+crypt+`}`) + "}"
}

func phased(n int) string {
	phase := []string{"commentary", "final_answer"}[n%2]
	return quoted("textSignature", `{"v":1,"id":"msg_`+hex.EncodeToString(token("msg", n))[:48]+`","phase":"`+phase+`"}`)
}

// textDetail and cryptDetail are entries of reasoning_details.
func textDetail(n int) string {
	return quoted("thoughtSignature", `{"type":"reasoning.text","text":"because","signature":"`+signature(n)+`","format":"anthropic-claude-v1","index":0}`)
}

func cryptDetail(n int) string {
	return quoted("thoughtSignature", `{"type":"reasoning.encrypted","data":"`+signature(n)+`","id":"`+numbered(n)+`","format":"google-gemini-v1","index":0}`)
}

func quoted(name, value string) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a string of ASCII
	}
	return fmt.Sprintf(`,%q:%s`, name, text)
}
