package acceptance_test

import (
	"fmt"
	"strings"
)

var thinkingRules = []rule{
	{"no-thinking", "", "no thinking goes out", each(noThinking)},
	{"thinking", "TEXT SIGNATURE", "thinking with exactly that text and signature goes out", each(thinkingKept)},
	{"signature-kept", "SIGNATURE…", "each signature goes out, unchanged", each(signatureKept)},
	{"no-signature", "PIECE…", "no signature of thinking, text or a call holds the piece", each(noSignature)},
	{"signed-thinking", "", "all thinking that goes out has a signature", each(signedThinking)},
}

func noThinking(v *view, _ []string) error {
	for _, p := range v.all {
		if p.kind == thinkingPart {
			return fmt.Errorf("the thinking %q goes out", p.text)
		}
	}
	return nil
}

func thinkingKept(v *view, args []string) error {
	for _, p := range v.all {
		if p.kind == thinkingPart && p.text == args[0] && p.signature == args[1] {
			return nil
		}
	}
	return fmt.Errorf("the thinking %q with signature %q is gone", args[0], args[1])
}

func signatureKept(v *view, args []string) error {
next:
	for _, want := range args {
		for _, p := range v.all {
			if p.signature == want {
				continue next
			}
		}
		return fmt.Errorf("the signature %q is gone", want)
	}
	return nil
}

func noSignature(v *view, args []string) error {
	for _, p := range v.all {
		for _, bad := range args {
			if strings.Contains(p.signature, bad) {
				return fmt.Errorf("a %s has the signature %q", p.kind, p.signature)
			}
		}
	}
	return nil
}

func signedThinking(v *view, _ []string) error {
	for _, p := range v.all {
		if p.kind == thinkingPart && strings.TrimSpace(p.signature) == "" {
			return fmt.Errorf("the thinking %q has no signature", p.text)
		}
	}
	return nil
}
