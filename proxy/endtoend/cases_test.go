package endtoend_test

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/txtar"

	"hygeia/emulator"
	"hygeia/policy"
)

// sharedCases lies beside the project while it is being developed.
const sharedCases = "../../../shared/cases/cases.jsonl"

// trusting takes signatures for genuine, since those of cases are made up.
var trusting = emulator.Options{Known: func(string) bool { return true }}

// pathOf returns the path of a request of an API for a target.
func pathOf(api, provider, model string) string {
	api = policy.FoldAPI(api)
	for _, r := range roads {
		if r.api == api && r.provider == provider {
			return strings.ReplaceAll(r.path, strings.ReplaceAll(r.model, ":", "%3A"), strings.ReplaceAll(model, ":", "%3A"))
		}
	}
	for _, r := range roads {
		if r.api == api {
			return strings.ReplaceAll(r.path, strings.ReplaceAll(r.model, ":", "%3A"), strings.ReplaceAll(model, ":", "%3A"))
		}
	}
	return ""
}

// TestSharedRequests sends every case of the collection that is a request.
func TestSharedRequests(t *testing.T) {
	text, err := os.ReadFile(sharedCases)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not there", sharedCases)
	}
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, trusting)
	n, refused := 0, 0
	for line := range bytes.Lines(text) {
		var c struct {
			ID     string `json:"id"`
			Format string `json:"format"`
			Target struct {
				Provider string `json:"provider"`
				API      string `json:"modelApi"`
				Model    string `json:"modelId"`
			} `json:"target"`
			Input jsontext.Value `json:"input"`
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		api, ok := strings.CutPrefix(c.Format, "request:")
		if !ok {
			continue
		}
		n++
		if policy.FoldAPI(api) != policy.FoldAPI(c.Target.API) {
			c.Target.Provider = "anthropic" // a request that is to be converted, in its own format
		}
		path := pathOf(api, c.Target.Provider, c.Target.Model)
		direct, through, arrived, err := h.both(c.Target.Provider, path, c.Input)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		if direct.status != http.StatusOK {
			refused++
		}
		if fault := judge(direct, through, c.Input, arrived); fault != "" {
			t.Errorf("%s to %s: %s", c.ID, path, fault)
		}
	}
	t.Logf("%d requests, %d of them refused directly", n, refused)
	if n == 0 || refused == 0 {
		t.Error("the cases prove nothing")
	}
}

// TestRequests sends every request of the acceptance tests in its own format.
func TestRequests(t *testing.T) {
	files, err := filepath.Glob("../../acceptance/testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	h := newHouse(t, trusting)
	refused := 0
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		target := ""
		for _, f := range a.Files {
			if f.Name == "target" {
				target = strings.TrimSpace(string(f.Data))
			}
			api, ok := strings.CutPrefix(f.Name, "request ")
			fields := strings.Fields(target)
			if !ok || len(fields) != 3 || policy.FoldAPI(fields[1]) != policy.FoldAPI(api) {
				continue
			}
			body := bytes.TrimSpace(f.Data)
			direct, through, arrived, err := h.both(fields[0], pathOf(api, fields[0], fields[2]), body)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if direct.status == http.StatusNotFound || through.status == http.StatusNotFound {
				continue // a provider without a route here
			}
			if direct.status != http.StatusOK {
				refused++
			}
			if fault := judge(direct, through, body, arrived); fault != "" {
				t.Errorf("%s: %s", filepath.Base(file), fault)
			}
		}
	}
	if refused < 10 {
		t.Errorf("only %d requests were refused directly", refused)
	}
}
