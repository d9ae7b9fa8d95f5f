package policy

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestUserEntryInherits: a user's entry of a known provider or API that says
// nothing changes nothing, whatever the target: family, hosts, aliases, names,
// default API and what signs thinking stay (P-15, P-B02, P-B09).
func TestUserEntryInherits(t *testing.T) {
	var providers, apis []string
	for _, p := range builtin().order {
		providers = append(providers, fmt.Sprintf(`{"id":%q,"source":"s","verified":"2026-01-02"}`, p.ID))
	}
	for id := range builtin().apis {
		apis = append(apis, fmt.Sprintf(`{"id":%q,"source":"s","verified":"2026-01-02"}`, id))
	}
	c := userCatalogue(t, `{"providers":[`+strings.Join(providers, ",")+`],"apis":[`+strings.Join(apis, ",")+`]}`)
	names := []string{"nobody"}
	for id := range builtin().providers {
		names = append(names, id)
	}
	for alias := range builtin().aliases {
		names = append(names, alias)
	}
	for _, name := range names {
		for _, api := range []string{"", antAPI, ccAPI, rspAPI} {
			for _, model := range []string{"claude-sonnet-4-5", "gpt-5", "gemini-3-pro"} {
				for _, o := range []Options{{}, {Entry: Entry{API: antAPI}}, {Entry: Entry{API: "google-vertex"}}, {Entry: Entry{BaseURL: "https://api.openai.com/v1"}}, {Entry: Entry{BaseURL: "https://gw.openrouter.ai/api"}}, {Entry: Entry{BaseURL: "https://notopenrouter.ai"}}} {
					want := resolve(t, name, api, model, o)
					o.Catalogue = c
					got := resolve(t, name, api, model, o)
					if !reflect.DeepEqual(got.Policy, want.Policy) || got.Target != want.Target || got.Family != want.Family || got.DefaultedAPI != want.DefaultedAPI {
						t.Fatalf("%s %s %s %+v: %+v, want %+v", name, api, model, o.Entry, got.Target, want.Target)
					}
				}
			}
		}
	}
}

// TestTargetIsExplained: the trace says where provider and API of a target come
// from (P-B02, P-08, P-B09, D-11).
func TestTargetIsExplained(t *testing.T) {
	for _, c := range []struct {
		provider, api string
		entry         Entry
		field, from   string // "" for none
	}{
		{"bedrock", "", Entry{}, "target.provider", "alias bedrock"},
		{"amazon-bedrock", "", Entry{}, "target.provider", ""},
		{"Amazon-Bedrock", "", Entry{}, "target.provider", ""},
		{"openai", "openai-codex-responses", Entry{}, "target.api", "alias openai-codex-responses"},
		{"openai", rspAPI, Entry{}, "target.api", ""},
		{"mybox", "", Entry{API: antAPI}, "target.api", "entry api"},
		{"anthropic", "", Entry{}, "target.api", "default api of provider anthropic"},
		{"mybox", "", Entry{}, "target.api", "default api of unknown provider mybox"},
		{"", "", Entry{}, "target.api", ""},
	} {
		e := traceOf(resolve(t, c.provider, c.api, "x", Options{Entry: c.entry}), c.field)
		if got := (e != nil); got != (c.from != "") || got && e.From != c.from {
			t.Errorf("%s %s %+v: %s is from %+v, want %q", c.provider, c.api, c.entry, c.field, e, c.from)
		}
	}
}
