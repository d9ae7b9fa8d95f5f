package buildtest

import "fmt"

// Vocabulary is what the histories of a format are drawn from: pieces of JSON in
// which $text stands for a drawn text and $n for a number that no other piece
// has. What is in the list more than once is drawn more often.
type Vocabulary struct {
	// CallIDs are ids of calls, as call_$n.
	CallIDs []string
	// Said are blocks of assistant turns besides texts and calls.
	Said []string
	// Texts and Calls are members of the texts and the calls of an assistant,
	// each with a comma in front.
	Texts, Calls []string
	// User are blocks of user turns besides texts, images and blocks that no
	// format knows; UserTurn are members of such turns.
	User, UserTurn []string
}

// Thoughts are thinking blocks without signatures.
var Thoughts = []string{
	`{"type":"thinking","thinking":$text}`, `{"type":"redacted_thinking","data":"QQ=="}`, `{"type":"thinking","thinking":" "}`,
}

// ClaudeThoughts are thinking blocks that Claude signed, and some that it did
// not.
var ClaudeThoughts = []string{
	`{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"}`, `{"type":"thinking","thinking":$text,"thinkingSignature":"U2ln"}`,
	`{"type":"thinking","thinking":"","thinkingSignature":"U2ln"}`, `{"type":"thinking","thinking":"t","thinkingSignature":"{\"id\":\"rs_1\"}"}`,
	`{"type":"redacted_thinking","data":"UmVk"}`, `{"type":"redacted_thinking","data":"no-base64"}`,
	`{"type":"thinking","thinking":"u"}`, `{"type":"thinking","thinking":""}`,
}

// Signed returns pieces for a vocabulary: one with a member of that name for each
// of the signatures, spelled as in JSON, and one without it. The member goes
// where the piece has %s.
func Signed(piece, member string, signatures ...string) []string {
	list := []string{fmt.Sprintf(piece, "")}
	for _, s := range signatures {
		list = append(list, fmt.Sprintf(piece, `,"`+member+`":"`+s+`"`))
	}
	return list
}
