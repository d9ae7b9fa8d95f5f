package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/policy"
)

// resolved is a provider with the policy of a typical model.
type resolved struct {
	policy.ProfileInfo
	res *policy.Resolution
}

func providerPages(all map[string]string) error {
	var list []resolved
	for _, p := range policy.Profiles() {
		model := typical[p.ID]
		if model == "" {
			return fmt.Errorf("models.go names no typical model of provider %s", p.ID)
		}
		res, err := policy.Resolve(policy.Target{Provider: p.ID, Model: model}, policy.Options{})
		if err != nil {
			return err
		}
		list = append(list, resolved{p, res})
		all["providers/"+p.ID+".md"] = providerPage(&list[len(list)-1])
	}
	index, err := providerIndex(list)
	all["providers/README.md"] = index
	return err
}

func providerIndex(list []resolved) (string, error) {
	var p page
	p.f("# Providers\n\n" + generated)
	p.f("What a provider needs is data: `policy/profiles/*.json`, extended and overridden by\n`$HYGEIA_HOME/profiles/*.json`. Each page shows the policy of a typical model and\nwhich layer sets each field; `hygeia policy --to PROVIDER/MODEL` does so for any\nmodel. A provider that is not listed gets the fallback policy of its API, and the\nreport says so.\n\n")
	p.table("Provider", "Other names", "Default API", "Family", "Verified")
	for _, r := range list {
		p.row("["+r.ID+"]("+r.ID+".md)", names(&r), r.DefaultAPI, r.Family, r.Verified)
	}
	p.f("\n## Defaults\n\nThe value of each field where nothing sets it.\n\n")
	values, err := defaults(list)
	if err != nil {
		return "", err
	}
	p.table("Field", "Default")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		p.row(code(name), code(values[name]))
	}
	return p.String(), nil
}

func names(r *resolved) string {
	return strings.Join(slices.Concat(r.Aliases, r.AlsoAnswersTo), ", ")
}

func providerPage(r *resolved) string {
	var p page
	p.f("# %s\n\n"+generated, r.ID)
	p.table("", "")
	p.row("other names", cmp.Or(names(r), "none"))
	p.row("default API", r.DefaultAPI)
	p.row("family", r.Family)
	p.row("source", r.Source)
	p.row("verified", r.Verified)
	p.f("\n## Policy of %s\n\nAPI %s, family %s.\n\n", code(r.ID+"/"+r.res.Target.Model), code(r.res.Target.API), r.res.Family)
	p.table("Field", "Value", "Set by", "Source", "Verified")
	for _, e := range r.res.Trace {
		p.row(code(e.Field), code(string(e.Value)), e.From, e.Source, e.Verified)
	}
	p.f("\nEvery other field has its [default](README.md#defaults).\n")
	return p.String()
}

// defaults returns, by name, the value that each field has where no layer sets
// it.
func defaults(list []resolved) (map[string]string, error) {
	found := map[string]string{}
	for _, r := range list {
		values, err := fields(r.res.Policy)
		if err != nil {
			return nil, err
		}
		for _, e := range r.res.Trace {
			delete(values, e.Field)
		}
		maps.Copy(found, values)
	}
	return found, nil
}

// fields returns the JSON of every field of a policy by its name in a trace.
func fields(p *policy.Policy) (map[string]string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	var record map[string]jsontext.Value
	if err := json.Unmarshal(text, &record); err != nil {
		return nil, err
	}
	for name, value := range record {
		if name != "model" && name != "wire" {
			values[name] = string(value)
			continue
		}
		var part map[string]jsontext.Value
		if err := json.Unmarshal(value, &part); err != nil {
			return nil, err
		}
		for member, value := range part {
			values[name+"."+member] = string(value)
		}
	}
	return values, nil
}
