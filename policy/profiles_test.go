package policy

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// userCatalogue loads one user file named user.json.
func userCatalogue(t *testing.T, data string) *Catalogue {
	t.Helper()
	c, err := Load(File{Name: "user.json", Data: []byte(data)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestProfileErrors: a fault names the file and the JSON path.
func TestProfileErrors(t *testing.T) {
	const entry = `"id":"x","source":"s","verified":"2026-01-02"`
	tests := map[string]struct{ data, path, text string }{
		"no JSON":             {`{"providers":[`, "/providers", "ends too early"},
		"unknown member":      {`{"provider":[]}`, "/provider", "unknown member"},
		"unknown inner":       {`{"providers":[{` + entry + `},{` + entry + `,"alias":[]}]}`, "/providers/1/alias", "unknown member"},
		"unknown condition":   {`{"providers":[{` + entry + `,"rules":[{"when":{"model":["x"]},"set":{}}]}]}`, "/providers/0/rules/0/when/model", "unknown member"},
		"unknown field":       {`{"providers":[{` + entry + `,"rules":[{"set":{}},{"set":{"wire":{"prefil":"never"}}}]}]}`, "/providers/0/rules/1/set/wire/prefil", "unknown policy field"},
		"unknown in a record": {`{"providers":[{` + entry + `,"rules":[{"set":{"toolCallIdForm":{"min":1}}}]}]}`, "/providers/0/rules/0/set/toolCallIdForm/min", "unknown member"},
		"derived field":       {`{"providers":[{` + entry + `,"rules":[{"set":{"responses":true}}]}]}`, "/providers/0/rules/0/set/responses", "unknown policy field"},
		"wrong type (P-10)":   {`{"providers":[{` + entry + `,"rules":[{"set":{"dropThinkingBlocks":"yes"}}]}]}`, "/providers/0/rules/0/set/dropThinkingBlocks", "expected true or false"},
		"no such value":       {`{"providers":[{` + entry + `,"rules":[{"set":{"toolCallIdMode":"strict8"}}]}]}`, "/providers/0/rules/0/set/toolCallIdMode", "none of"},
		"no set":              {`{"providers":[{` + entry + `,"rules":[{}]}]}`, "/providers/0/rules/0/set", ""},
		"no source":           {`{"providers":[{"id":"x","verified":"2026-01-02"}]}`, "/providers/0", "source"},
		"no date":             {`{"providers":[{"id":"x","source":"s","verified":"soon"}]}`, "/providers/0", "verified"},
		"no id":               {`{"providers":[{"source":"s","verified":"2026-01-02"}]}`, "/providers/0", "id"},
		"id not lower":        {`{"providers":[{"id":"X","source":"s","verified":"2026-01-02"}]}`, "/providers/0", "lower"},
		"alias taken":         {`{"providers":[{` + entry + `,"aliases":["azure"]}]}`, "/providers/0", "azure-openai"},
		"id taken":            {`{"providers":[{` + entry + `,"alsoAnswersTo":["groq"]}]}`, "/providers/0", "belongs to"},
		"id is an alias":      {`{"providers":[{"id":"azure","source":"s","verified":"2026-01-02"}]}`, "/providers/0", "alias of"},
		"alias is an id":      {`{"providers":[{` + entry + `,"aliases":["groq"]}]}`, "/providers/0", "id of a provider"},
		"api without family":  {`{"apis":[{` + entry + `}]}`, "/apis/0", "no family"},
		"no family":           {`{"providers":[{` + entry + `,"family":"zz"}]}`, "/providers/0/family", "zz"},
		"no api":              {`{"providers":[{` + entry + `,"defaultApi":[{"api":"zz"}]}]}`, "/providers/0/defaultApi/0", "zz"},
		"no api family":       {`{"providers":[{` + entry + `,"rules":[{"when":{"apis":["@zz"]},"set":{}}]}]}`, "/providers/0/rules/0/when", "@zz"},
		"no pattern list":     {`{"providers":[{` + entry + `,"rules":[{"when":{"models":["@zz"]},"set":{}}]}]}`, "/providers/0/rules/0/when", "zz"},
		"pattern loop":        {`{"patterns":{"a":["@a"]},"providers":[{` + entry + `,"rules":[{"when":{"models":["@a"]},"set":{}}]}]}`, "/providers/0/rules/0/when", "contains itself"},
		"bad pattern":         {`{"providers":[{` + entry + `,"rules":[{"when":{"models":["("]},"set":{}}]}]}`, "/providers/0/rules/0/when", "regexp"},
		"layer of a user":     {`{"rules":[{"name":"n","layer":"model","source":"s","verified":"2026-01-02","set":{}}]}`, "/rules/0", "layer"},
		"layer in an entry":   {`{"providers":[{` + entry + `,"rules":[{"layer":"model","set":{}}]}]}`, "/providers/0/rules/0/layer", "layer"},
		"nameless rule":       {`{"rules":[{"source":"s","verified":"2026-01-02","set":{}}]}`, "/rules/0", "id"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Load(File{Name: "mine.json", Data: []byte(tt.data)})
			var pe *ProfileError
			if !errors.As(err, &pe) {
				t.Fatalf("error %v is no ProfileError", err)
			}
			if pe.File != "mine.json" || pe.Path != tt.path || !strings.Contains(pe.Error(), tt.text) {
				t.Errorf("got %q at %s, want %q at %s", pe, pe.Path, tt.text, tt.path)
			}
		})
	}
}

// TestTie: two rules of equal rank must agree on a value.
func TestTie(t *testing.T) {
	const tie = `{"providers":[{"id":"mybox","source":"s","verified":"2026-01-02","rules":[
		{"when":{"models":["a"]},"set":{"wire":{"maxImages":1,"toolNameMax":9}}},
		{"when":{"models":["b"]},"specificity":SPEC,"set":{"wire":{"maxImages":2,"toolNameMax":9}}}]}]}`
	target := Target{Provider: "mybox", Model: "ab"}
	c := userCatalogue(t, strings.Replace(tie, "SPEC", "0", 1))
	_, err := Resolve(target, Options{Catalogue: c})
	var te *TieError
	if !errors.As(err, &te) || te.Field != "wire.maxImages" || string(te.A.Value)+string(te.B.Value) != "12" {
		t.Fatalf("error %v, want a tie of wire.maxImages", err)
	}
	if _, err := Resolve(Target{Provider: "mybox", Model: "a"}, Options{Catalogue: c}); err != nil {
		t.Errorf("only one of the rules holds: %v", err)
	}
	c = userCatalogue(t, strings.Replace(tie, "SPEC", "1", 1))
	res, err := Resolve(target, Options{Catalogue: c})
	if err != nil || res.Policy.Wire.MaxImages != 2 {
		t.Errorf("the more specific rule wins: %v", err)
	}
}

// TestUserProfiles: add a provider, override one, replace a family.
func TestUserProfiles(t *testing.T) {
	c := userCatalogue(t, `{
		"families":[{"id":"mi","source":"s","verified":"2026-01-02","rules":[{"set":{"validateGeminiTurns":true}}]}],
		"providers":[
			{"id":"bigbox","aliases":["bb"],"family":"oc","defaultApi":[{"api":"openai-responses"}],"source":"my notes","verified":"2026-01-02"},
			{"id":"openai","source":"my contract","verified":"2026-01-02","rules":[{"when":{"apis":["openai-responses"]},"set":{"wire":{"storeItems":true}}}]}],
		"rules":[{"name":"mine","source":"s","verified":"2026-01-02","when":{"models":["claude"]},"set":{"dropThinkingBlocks":false}}]}`)

	res := resolve(t, "BB", "", "x", Options{Catalogue: c})
	if res.Target != (Target{"bigbox", rspAPI, "x"}) || res.UnknownProvider != "" || res.Family != "oc" {
		t.Errorf("added provider: %+v", res)
	}
	res = resolve(t, "openai-codex", rspAPI, "gpt-5", Options{Catalogue: c})
	e := traceOf(res, "wire.storeItems")
	if !res.Policy.Wire.StoreItems || digest(res.Policy) != "synth" || e == nil || e.From != "user user.json: provider openai" || e.Source != "my contract" {
		t.Errorf("overridden provider (D-40): %+v", e)
	}
	if got := digest(resolve(t, "mistral", ccAPI, "x", Options{Catalogue: c}).Policy); got != "G" {
		t.Errorf("replaced family: %q", got)
	}
	if got := digest(resolve(t, "anthropic", "", "claude-2.1", Options{Catalogue: c}).Policy); got != nativeRecord {
		t.Errorf("rule of the user: %q", got)
	}
	if resolve(t, "openai", rspAPI, "gpt-5", Options{}).Policy.Wire.StoreItems {
		t.Error("the built-in catalogue must not change")
	}
	i := slices.IndexFunc(c.Profiles(), func(p ProfileInfo) bool { return p.ID == "bigbox" && p.User })
	if i < 0 {
		t.Error("the table does not list the added provider")
	}
}

// TestUserFamilyAndAPI: a named family holds for every API, and rules can be
// added to a known API or host.
func TestUserFamilyAndAPI(t *testing.T) {
	c := userCatalogue(t, `{
		"apis":[{"id":"anthropic-messages","source":"s","verified":"2026-01-02","rules":[{"set":{"wire":{"maxImages":7}}}]}],
		"providers":[
			{"id":"minimax","family":"gg","source":"s","verified":"2026-01-02"},
			{"id":"openai","hosts":["gw.example"],"aliases":["openai-codex","oai"],"source":"s","verified":"2026-01-02"}]}`)
	p := resolve(t, "minimax-cn", antAPI, "MiniMax-M2.7", Options{Catalogue: c}).Policy
	if digest(p) != googleRecord || !p.AnthropicFamily || p.Wire.MaxImages != 7 {
		t.Errorf("%q, %d images", digest(p), p.Wire.MaxImages)
	}
	res := resolve(t, "oai", ccAPI, "gpt-5", Options{Catalogue: c})
	if res.Target.Provider != "openai" || res.Policy.Wire.StrictKeys {
		t.Errorf("another host is not OpenAI's own endpoint: %+v", res.Target)
	}
}

// TestDefinedTwice: built-in files do not override each other.
func TestDefinedTwice(t *testing.T) {
	provider := []byte(`{"providers":[{"id":"x","source":"s","verified":"2026-01-02"}]}`)
	api := []byte(`{"apis":[{"id":"x","family":"x","source":"s","verified":"2026-01-02"}]}`)
	for _, data := range [][]byte{provider, api} {
		if _, err := compile([]File{{Name: "a", Data: data}, {Name: "b", Data: data}}); err == nil || !strings.Contains(err.Error(), "twice") {
			t.Errorf("error %v for %s", err, data)
		}
	}
}

func TestLoadFS(t *testing.T) {
	dir := fstest.MapFS{
		"schema.json": {Data: []byte(`{"not":"a profile"}`)},
		"notes.txt":   {Data: []byte(`x`)},
		"a.json":      {Data: []byte(`{"providers":[{"id":"bigbox","source":"s","verified":"2026-01-02"}]}`)},
	}
	c, err := LoadFS(dir)
	if err != nil {
		t.Fatal(err)
	}
	if res := resolve(t, "bigbox", "", "x", Options{Catalogue: c}); res.UnknownProvider != "" {
		t.Error("the provider of the folder is not known")
	}
	if _, err := LoadFS(os.DirFS(t.TempDir() + "/none")); err != nil {
		t.Errorf("no folder, no profiles: %v", err)
	}
}

// TestEntryAndOptions_D29: profile, then entry, then caller.
func TestEntryAndOptions_D29(t *testing.T) {
	yes, no := true, false
	e := Entry{
		Reasoning: &no, SupportsReasoningEffort: &no, Input: []string{"text"}, BaseURL: "http://localhost:1/v1",
		CanonicalModelID: "c", ContextWindow: 5, MaxOutputTokens: 6,
	}
	m := resolve(t, "openai", rspAPI, "gpt-5", Options{Entry: e}).Policy.Model
	want := Model{
		SupportsReasoningEffort: &no, BaseURL: "http://localhost:1/v1", CanonicalModelID: "c",
		ContextWindow: 5, MaxOutputTokens: 6, ThinkingDefault: ThinksOn,
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("entry (-want +got):\n%s", diff)
	}
	res := resolve(t, "openai", rspAPI, "gpt-5", Options{Entry: e, Reasoning: &yes, Images: &yes, ForeignThinking: ForeignText})
	if m := res.Policy.Model; !m.Reasoning || !m.Images || res.Policy.ForeignThinking != ForeignText {
		t.Errorf("the caller goes first: %+v", m)
	}
	if from := traceOf(res, "model.images").From; from != "option" {
		t.Errorf("trace says %q", from)
	}
	if resolve(t, "mybox", ccAPI, "qwen3", Options{Reasoning: &yes}).Policy.DropReasoningFromHistory {
		t.Error("--reasoning counts as the fact of P-23")
	}
}

// TestBuiltinGroups: every built-in provider, family and API was checked
// against a source on a date, and no provider id has two meanings.
func TestBuiltinGroups(t *testing.T) {
	if len(Profiles()) < 50 {
		t.Errorf("only %d providers", len(Profiles()))
	}
	for _, p := range Profiles() {
		if p.Source == "" || p.Verified == "" || p.Family == "" || p.DefaultAPI == "" {
			t.Errorf("incomplete: %+v", p)
		}
		for _, a := range p.Aliases {
			if Builtin().providers[a] != nil {
				t.Errorf("%s is an alias and an id", a)
			}
		}
	}
	for _, r := range Builtin().rules {
		if r.source == "" || r.verified == "" || r.from == "" {
			t.Errorf("rule without a source: %+v", r)
		}
	}
	want := []string{
		antAPI, "azure-openai-responses", brAPI, cliAPI, ggAPI, "google-vertex", "mistral-conversations", "ollama",
		"openai-chatgpt-responses", ccAPI, rspAPI,
	}
	slices.Sort(want)
	if got := APIs(); !slices.Equal(got, want) {
		t.Errorf("APIs() = %q", got)
	}
}

// schemaNode is what the test reads of schema.json.
type schemaNode struct {
	Properties           map[string]schemaNode `json:"properties"`
	Defs                 map[string]schemaNode `json:"$defs"`
	AdditionalProperties any                   `json:"additionalProperties"`
	Enum                 []string              `json:"enum"`
	Unknown              map[string]any        `json:",embed"`
}

// TestSchema: schema.json lists exactly the members and values that the code
// reads.
func TestSchema(t *testing.T) {
	data, err := fs.ReadFile(embedded, "profiles/"+schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var root schemaNode
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	types := map[string]reflect.Type{
		"": reflect.TypeFor[profileFile](), "api": reflect.TypeFor[apiProfile](), "family": reflect.TypeFor[familyProfile](),
		"provider": reflect.TypeFor[providerProfile](), "familyFor": reflect.TypeFor[familyFor](), "defaultApi": reflect.TypeFor[defaultAPI](),
		"rule": reflect.TypeFor[ruleProfile](), "when": reflect.TypeFor[condition](),
		"policy": reflect.TypeFor[Policy](), "model": reflect.TypeFor[Model](), "wire": reflect.TypeFor[Wire](),
	}
	if len(root.Defs) != len(types)-1 {
		t.Errorf("%d definitions, want %d", len(root.Defs), len(types)-1)
	}
	for name, typ := range types {
		node := root
		if name != "" {
			node = root.Defs[name]
		}
		if node.AdditionalProperties != false {
			t.Errorf("%q allows unknown members", name)
		}
		var want []string
		for i := range typ.NumField() {
			if m := memberName(typ.Field(i)); !slices.Contains(derivedFields, m) {
				want = append(want, m)
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(node.Properties))); diff != "" {
			t.Errorf("members of %q (-code +schema):\n%s", name, diff)
		}
	}
	for name, values := range enums {
		group, member, ok := strings.Cut(name, ".")
		if !ok {
			group, member = "policy", name
		}
		if diff := cmp.Diff(values, root.Defs[group].Properties[member].Enum); diff != "" {
			t.Errorf("values of %s (-code +schema):\n%s", name, diff)
		}
	}
	if got := slices.Sorted(maps.Keys(topLayers)); !slices.Equal(got, slices.Sorted(slices.Values(root.Defs["rule"].Properties["layer"].Enum))) {
		t.Errorf("layers %q differ from the schema", got)
	}
}
