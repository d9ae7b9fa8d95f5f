package measure

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hygeia"
	"hygeia/check"
	"hygeia/internal/gen"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// unseen are the rules that no body shows to be broken, with the reason. The
// others need a mutation.
var unseen = map[string]string{
	"AN-18": "the answer that the blocks must equal is known to the service alone",
	"AN-38": "the prefix that a signature is bound to is known to the service alone",
	"OR-21": "the responses that are stored are known to the service alone",
	"AZ-02": "the deployment that encrypted content is of is known to the service alone",
	"GG-10": "whom a signature is of is known to the service alone",
	"OP-05": "which details came with a call is known to the service alone",
	"MM-01": "AN-05 finds it", "MM-07": "AN-03 finds it", "MM-08": "the rules of Anthropic find it",
	"AZ-04": "the rules of the Responses API find it", "OP-01": "the rules of the service behind find it",
	"CX-02": "the instructions are the caller's", "LO-11": "the tools are the caller's", "LO-08": "CC-18 finds it", "CA-06": "the rules of Gemini find it", "MM-05": "CC-18 finds it", "CC-22": "CC-08 finds it", "OP-07": "MI-01 finds it",
}

// TestMutations breaks finished bodies at random places, each rule of the
// rulebook in turn, and expects the checker to name the rule: the properties are
// worth no more than that.
func TestMutations(t *testing.T) {
	mutations := slices.Concat(anthropicMutations, chatMutations, responsesMutations, googleMutations, bedrockMutations, optionalMutations)
	seen := map[string]bool{}
	for _, mu := range mutations {
		seen[mu.rule] = true
	}
	for _, rule := range check.Rules() {
		if seen[rule.ID] == (unseen[rule.ID] != "") {
			t.Errorf("%s: a mutation %v, said to be unseen %v: %s", rule.ID, seen[rule.ID], !seen[rule.ID], rule.Rule)
		}
	}
	c := finished(t)
	t.Logf("%d mutations of %d rules, %d bodies; %d rules that no body shows", len(mutations), len(seen), len(c), len(unseen))
	for i, mu := range mutations {
		t.Run(fmt.Sprintf("%s/%d", mu.rule, i), func(t *testing.T) {
			c.found(t, mu, rand.New(rand.NewPCG(1, uint64(i))))
		})
	}
}

// corpus are accepted bodies.
type corpus []finishedBody

type finishedBody struct {
	target hygeia.Target
	text   []byte
}

// transcripts is how many the bodies are made of, wanted how many of them each
// mutation breaks.
const transcripts, wanted = 60, 10

func finished(t *testing.T) corpus {
	t.Helper()
	var c corpus
	for _, target := range append(kinds, hygeia.Target{Provider: "llama.cpp", Model: "qwen3"}, hygeia.Target{Provider: "lmstudio", Model: "qwen3"},
		hygeia.Target{Provider: "cerebras", Model: "qwen3"}, hygeia.Target{Provider: "qwen", Model: "qwen3-max"}) {
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		contexts := rapid.Custom(func(t *rapid.T) *transcript.Context { return drawFor(t, res.Target) })
		for seed := range transcripts {
			tr := &trial{ctx: contexts.Example(seed + 1)}
			for _, m := range tr.ctx.Messages {
				tr.own = append(tr.own, seed%2 == 0 && m.Provider() != "")
			}
			o := hygeia.ReplayOptions{Payload: payload.Options{System: "Be brief.", Tools: tools[res.Target.API]}}
			if seed%3 > 0 {
				o.Payload.Thinking = payload.ThinkHigh
			}
			r, err := replay(tr.context(res.Target), res, o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Body != nil && len(r.Messages) > 1 {
				c = append(c, finishedBody{res.Target, r.Body})
			}
		}
	}
	return c
}

// found breaks bodies and asserts that the checker finds the rule.
func (c corpus) found(t *testing.T, mu mutation, r *rand.Rand) {
	t.Helper()
	n, fits := 0, regexp.MustCompile(mu.target)
	breaks := func(text []byte, target hygeia.Target) (bool, []check.Finding) {
		findings, err := check.Payload(text, target, check.Options{Rules: map[string]bool{mu.rule: true}})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(findings, func(f check.Finding) bool { return f.Rule == mu.rule }), findings
	}
	for _, i := range r.Perm(len(c)) {
		b := c[i]
		if !fits.MatchString(b.target.Provider + " " + b.target.API + " " + b.target.Model) {
			continue
		}
		text := broken(b.text, mu.do, r)
		if text == nil {
			continue
		}
		text = bytes.ReplaceAll(text, []byte(loneHalf), []byte(`\ud83d`))
		if already, _ := breaks(b.text, b.target); already {
			continue
		}
		if found, findings := breaks(text, b.target); !found {
			t.Fatalf("to %v the checker finds %v in\n%s\nwhich was\n%s", b.target, findings, text, b.text)
		}
		if n++; n == wanted || n == 2 && len(text) > 1<<20 {
			return
		}
	}
	if n == 0 {
		t.Error("no body has a place to break")
	}
}

// loneHalf stands for half of a surrogate pair, which no encoder writes.
const loneHalf = "LONE-HALF"

const tinyPNG = gen.PNG

// widePNG is more pixels wide than any service takes.
var widePNG = func() string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 9000, 1))); err != nil {
		panic(err) // into memory
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}()

func manyPictures(n int) []any {
	return slices.Repeat([]any{object{"type": "image", "source": object{"type": "base64", "media_type": "image/png", "data": tinyPNG}}}, n)
}

func chatImages(n int) []any {
	return slices.Repeat([]any{object{"type": "image_url", "image_url": "data:image/png;base64," + tinyPNG}}, n)
}

func converseImages(n int) []any {
	return slices.Repeat([]any{object{"image": object{"format": "png", "source": object{"bytes": tinyPNG}}}}, n)
}
