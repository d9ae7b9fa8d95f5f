package hygeia_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"hygeia"
	"hygeia/transcript"
)

// S-B09: turns that say that a user wrote them are believed when provenance and
// content were signed with the key of the installation, whatever the white space; all
// others go out marked as routed, and what is stored stays.
func TestSeal(t *testing.T) {
	seal, err := hygeia.NewSeal([]byte("an installation's key"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := hygeia.NewSeal([]byte("somebody else's key"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hygeia.NewSeal(make([]byte, 15)); !errors.Is(err, hygeia.ErrSealKey) {
		t.Errorf("%v", err)
	}
	if _, err := hygeia.NewSeal(make([]byte, 16)); err != nil {
		t.Error(err)
	}
	read := func(text string) *transcript.Message {
		t.Helper()
		var r transcript.Reader
		m, err := r.Message([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	user := read(`{"role":"user","content":"turn it off","provenance":{"kind":"external_user","sourceChannel":"acp","note":"1"}}`)
	routed := read(`{"role":"user","content":"turn it off","provenance":{"kind":"inter_session","sourceSessionKey":"agent:x:main"}}`)
	edit := func(m *transcript.Message, old, new string) *transcript.Message {
		text := string(m.AppendJSON(nil))
		if !strings.Contains(text, old) {
			t.Fatalf("%s has no %s", text, old)
		}
		return read(strings.Replace(text, old, new, 1))
	}
	const marker = "[Inter-session message]"
	for name, test := range map[string]struct {
		m      *transcript.Message
		marked bool
	}{
		"signed":           {seal.Sign(user), false},
		"laid out anew":    {edit(edit(seal.Sign(user), `"content":"turn`, `"content" : "\u0074urn`), `"sourceChannel":`, `"sourceChannel" :  `), false},
		"no provenance":    {read(`{"role":"user","content":"turn it off"}`), false},
		"unsigned":         {user, true},
		"another key":      {other.Sign(user), true},
		"other words":      {edit(seal.Sign(user), "off", "on"), true},
		"another channel":  {edit(seal.Sign(user), `"acp"`, `"web"`), true},
		"a field less":     {edit(seal.Sign(user), `,"note":"1"`, ``), true},
		"routed before":    {edit(seal.Sign(routed), "inter_session", "external_user"), true},
		"no signature":     {edit(seal.Sign(user), `"mac":"`, `"mac":"*`), true},
		"a longer one":     {edit(seal.Sign(user), `"}}`, `*"}}`), true},
		"no known kind":    {read(`{"role":"user","content":"turn it off","provenance":{"kind":"a friend"}}`), false},
		"routed as it was": {seal.Sign(routed), true},
	} {
		before := string(test.m.AppendJSON(nil))
		tr := &hygeia.Transcript{Name: name, Format: hygeia.FormatMessages, Context: transcript.NewContext([]*transcript.Message{test.m})}
		r, err := tr.Replay(hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, hygeia.ReplayOptions{Past: &hygeia.Past{Seal: seal}})
		if err != nil {
			t.Fatal(err)
		}
		if marked := strings.Contains(string(r.Body), marker); marked != test.marked {
			t.Errorf("%s: marked is %t: %s", name, marked, r.Body)
		}
		reported := 0
		for _, c := range r.Report.Changes {
			if c.Rule == "S-B09" {
				reported++
			}
		}
		if want := test.marked && !strings.HasPrefix(name, "routed as"); want != (reported == 1) {
			t.Errorf("%s: %d changes by S-B09", name, reported)
		}
		if after := string(tr.Context.Messages[0].AppendJSON(nil)); after != before {
			t.Errorf("%s: the input became %s", name, after)
		}
		if plain, err := tr.Replay(hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, hygeia.ReplayOptions{}); err != nil || strings.Contains(string(plain.Body), `"mac"`) ||
			strings.Contains(string(plain.Body), marker) != strings.HasPrefix(name, "routed as") {
			t.Errorf("%s: without a key %s, %v", name, plain.Body, err)
		}
	}
	if got := fmt.Sprint((*hygeia.Seal)(nil).Sign(user) == user, seal.Sign(seal.Sign(user)).Get("provenance").Object().Get("mac").String() == seal.Sign(user).Get("provenance").Object().Get("mac").String()); got != "true true" {
		t.Error(got)
	}
}
