package main

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const docs = "../../docs"

var link = regexp.MustCompile(`\]\(([^)#]+\.md)`)

// The pages under docs say what the code and the profiles say.
func TestPagesHaveNotDrifted(t *testing.T) {
	want, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, folder := range folders {
		files, err := os.ReadDir(filepath.Join(docs, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(docs, folder, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			got[path.Join(folder, f.Name())] = string(text)
		}
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); d != "" {
		t.Errorf("pages (-code +docs), run go generate ./...:\n%s", d)
	}
	for name, text := range want {
		if d := cmp.Diff(text, got[name]); got[name] != "" && d != "" {
			t.Errorf("docs/%s (-code +docs), run go generate ./...:\n%s", name, d)
		}
	}
}

// Every link of a page leads to a page.
func TestLinks(t *testing.T) {
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if target := path.Join(path.Dir(name), m[1]); all[target] == "" {
				t.Errorf("%s leads to %s", name, target)
			}
		}
	}
}
