package hygeia_test

import (
	"fmt"
	"log"
	"strings"

	"hygeia"
)

func Example() {
	t, err := hygeia.Open("examples/poisoned.jsonl", hygeia.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	target, err := hygeia.ParseTarget("anthropic/claude-sonnet-4-5")
	if err != nil {
		log.Fatal(err)
	}
	r, err := t.Replay(target, hygeia.ReplayOptions{Prompt: "Go on."})
	if err != nil {
		log.Fatal(err)
	}
	send(r.Body)
	for _, c := range r.Report.Changes[:3] {
		fmt.Println(c.Rule, c.Entry, c.Reason)
	}
	// Output:
	// {"model":"claude-sonnet-4-5","max_tokens":32000,
	// W-120 e10 half of a surrogate pair in text
	// R-13 e16 turn from another session has no marker
	// R-21 e17 row was written by delivery-mirror
}

// send stands for a request to the provider.
func send(body []byte) { fmt.Printf("%.48s\n", body) }

// lost is a list of messages in which a call has no result.
const lost = `[
	{"role":"user","content":"How warm is it?"},
	{"role":"assistant","content":[{"type":"toolCall","id":"call_1","name":"weather","arguments":{}}]},
	{"role":"user","content":"Well?"}
]`

// A list of messages is read like a session file. Canonical messages can be had
// for every target.
func ExampleRead() {
	t, err := hygeia.Read(strings.NewReader(lost), "lost.json", hygeia.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := t.Replay(hygeia.Target{Provider: "mistral", Model: "mistral-large-latest"}, hygeia.ReplayOptions{MessagesOnly: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range r.Messages {
		fmt.Println(m.Role())
	}
	// Output:
	// user
	// assistant
	// toolResult
	// user
}

// Explain says what the provider would have answered.
func ExampleReplay_Explain() {
	t, err := hygeia.Read(strings.NewReader(lost), "lost.json", hygeia.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := t.Replay(hygeia.Target{Provider: "deepseek", Model: "deepseek-chat"}, hygeia.ReplayOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range r.Explain() {
		if e.Change.Rule == "R-72" {
			fmt.Println(e.Change.Reason)
			fmt.Println(e.Answer.Status, e.AnswerText)
			fmt.Println(e.Title)
		}
	}
	// Output:
	// call `call_1` has no result
	// 400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1
	// each call has one result directly behind its turn, a stand-in where there is none
}

// What a rule may do to content is part of it.
func ExampleRules() {
	for _, rule := range hygeia.Rules() {
		if rule.Stage == "pairing" && rule.Synthetic {
			fmt.Println(rule.ID, rule.Title)
		}
	}
	// Output:
	// R-72 each call has one result directly behind its turn, a stand-in where there is none
}

func ExampleFindRule() {
	rule := hygeia.FindRule("R-72")
	fmt.Println(rule.Stage, rule.Lossy, rule.Unstable)
	// Output: pairing false the real result arrives
}
