package projection

import (
	"strings"
	"testing"
)

func TestRemoveScaffolding(t *testing.T) {
	for in, want := range map[string]string{
		"a <think>x</think> b":            "a  b",
		"x</think>answer":                 "answer",
		"<final>yo</final>":               "yo",
		"`<think>` in code":               "`<think>` in code",
		"```\n<think>x</think>\n```\nend": "```\n<think>x</think>\n```\nend",
		"pre <tool_call>{\"n\":1":         "pre ",
		`<tool_call>{"a":"<tool_call>b</tool_call>"}</tool_call> d`: " d",
		"use the <tool_call> tag please":                            "use the <tool_call> tag please",
		"<think>left open":                                          "left open",
		"a<think>b<think>c</think>d":                                "a b d",
		"a<thinking>b</thinking>c":                                  "a c",
		"<|assistant|>Total is 5.</tool_call></arg_value><|end|>":   "Total is 5.",
		"if (a < b || b > c) { x <| y }":                            "if (a < b || b > c) { x <| y }",
		"one<|sep|>two":                                             "one two",
		"für<|sep|>über, né<|sep|>1, 1<|sep|>. و<|sep|>٣":           "für über, né 1, 1. و ٣",
		"<｜tool▁calls▁begin｜>x":                                     "x",
		"Let me look.\n<tool_call>\n<function=read>\n<parameter=path>\nnotes.md\n</parameter>\n</function>\n</tool_call>\nFound it.":          "Let me look.\n\nFound it.",
		"Checking:\n<minimax:tool_call>\n<invoke name=\"exec\">\n<parameter name=\"command\">ls</parameter>\n</invoke>\n</minimax:tool_call>": "Checking:\n",
		"Use this:\n```xml\n<invoke name=\"x\"/>\n```\nand close it.":                                                                         "Use this:\n```xml\n<invoke name=\"x\"/>\n```\nand close it.",
		"<relevant-memories>\nold\n</relevant-memories>\nnew":                                                                                 "\nnew",
		"<relevant_memories>old":                    "",
		"🔧 exec: ls -l\nDone.":                      "Done.",
		"[Tool Call: read]\nArguments: {}\n\nDone.": "\nDone.",
		"[Tool Result for call_1]\nsecret\n\nDone.": "\nDone.",
		"[tool] is a word":                          "[tool] is a word",
		"a ` b <think>x</think>\n\n c ` d":          "a ` b \n\n c ` d",
	} {
		if got := RemoveScaffolding(in); got != want {
			t.Errorf("%q:\n%q, want\n%q", in, got, want)
		}
	}
}

func FuzzRemoveScaffolding(f *testing.F) {
	for _, s := range pieces {
		f.Add(s + "x" + s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := RemoveScaffolding(text)
		if len(got) > 2*len(text) {
			t.Errorf("%d bytes became %d", len(text), len(got))
		}
		if !strings.ContainsAny(text, "<[🔧🛠⚙🔨🧰") && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func BenchmarkRemoveScaffolding(b *testing.B) {
	for name, text := range map[string]string{
		"prose":  strings.Repeat("Words that say something, and more of them. ", 2_000),
		"tags":   strings.Repeat("<think>a</think> b `c` ", 4_000),
		"open":   strings.Repeat("<think> <tool_call>{ ", 4_000),
		"quotes": strings.Repeat("` `` ``` ", 10_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				RemoveScaffolding(text)
			}
		})
	}
}
