package conformance_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// vocabulary is the words of each enumeration, which are the constants of a
// string type of its own.
type vocabulary map[string][]string

// values reports parts of a type that the SDK does not know and keeps as raw JSON,
// and words that are none of their enumeration.
func (j *judge) values(t reporter, b body, request any) {
	t.Helper()
	walk(reflect.ValueOf(request), func(v reflect.Value) {
		name := v.Type().String()
		if raw, ok := v.Interface().(interface{ Overrides() (any, bool) }); ok {
			if text, kept := raw.Overrides(); kept {
				t.Errorf("%s to %s/%s: %s keeps raw JSON: %s", b.name, b.target.Provider, b.target.Model, name, text)
			}
		}
		known := j.words[v.Type().PkgPath()+"."+v.Type().Name()]
		if v.Kind() != reflect.String || v.Len() == 0 || known == nil || open[name] {
			return
		}
		j.known[name] = true
		said := v.String()
		if anyCase[name] {
			said = strings.ToUpper(said)
		}
		if !slices.Contains(known, said) {
			t.Errorf("%s to %s/%s: %s is none of %s: %q", b.name, b.target.Provider, b.target.Model, name, known, said)
		}
	})
}

// open are types whose constants are examples.
var open = map[string]bool{"anthropic.Model": true}

// anyCase are enumerations whose words the service reads in either case: its
// own examples have small letters where the SDK has capitals.
var anyCase = map[string]bool{"genai.ThinkingLevel": true, "genai.Type": true}

// walk visits every value in a decoded request.
func walk(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	case reflect.Struct:
		visit(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), visit)
			}
		}
	default:
		visit(v)
	}
}

// readWords reads the constants in the source of the SDKs.
func readWords(t reporter) vocabulary {
	t.Helper()
	w := vocabulary{}
	for _, path := range []string{
		"github.com/anthropics/anthropic-sdk-go",
		"github.com/openai/openai-go/v3", "github.com/openai/openai-go/v3/responses", "github.com/openai/openai-go/v3/shared",
		"google.golang.org/genai", "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types",
	} {
		p, err := build.Import(path, ".", 0)
		if err != nil {
			t.Fatalf("%v", err)
		}
		for _, name := range p.GoFiles {
			w.file(t, path, filepath.Join(p.Dir, name))
		}
	}
	return w
}

func (w vocabulary) file(t reporter, pkg, name string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, d := range f.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, s := range group.Specs {
			c := s.(*ast.ValueSpec)
			typ, named := c.Type.(*ast.Ident)
			if !named || len(c.Values) != 1 {
				continue
			}
			if lit, ok := c.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				word, _ := strconv.Unquote(lit.Value) // of parsed source
				w[pkg+"."+typ.Name] = append(w[pkg+"."+typ.Name], word)
			}
		}
	}
}
