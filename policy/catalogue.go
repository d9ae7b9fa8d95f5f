package policy

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"sync"
)

//go:embed profiles/*.json
var embedded embed.FS

// schemaFile describes the profile files; it is none itself.
const schemaFile = "schema.json"

// Catalogue is a compiled set of profiles. It is immutable and safe for
// concurrent use.
type Catalogue struct {
	aliases    map[string]string // provider spelling → id (P-B02)
	apiAliases map[string]string
	apis       map[string]*apiProfile
	families   map[string]*familyProfile
	providers  map[string]*provider // by every id it answers to (P-07)
	order      []*provider          // by id
	rules      []*rule              // ascending rank
}

// provider is a profile with its default APIs compiled.
type provider struct {
	providerProfile
	defaultModels []*patternList // one per DefaultAPI
	user          bool
}

// File is one profile file of a user.
type File struct {
	Name string // for error messages
	Data []byte

	user bool
}

var builtinFiles = sync.OnceValue(func() []File {
	sub, err := fs.Sub(embedded, "profiles")
	if err != nil {
		panic(err)
	}
	files, err := readFiles(sub)
	if err != nil {
		panic(err)
	}
	return files
})

// builtin is the catalogue of the embedded profiles. That they compile is
// proven by the tests of this package, hence the panic.
var builtin = sync.OnceValue(func() *Catalogue {
	c, err := compile(builtinFiles())
	if err != nil {
		panic(err)
	}
	return c
})

// Builtin returns the catalogue of the embedded profiles.
func Builtin() *Catalogue { return builtin() }

// Load returns the built-in catalogue with the profiles of a user on top. A
// provider, API, family or pattern list with a new id is added. With a known id
// the family and the pattern list replace the built-in ones, while a provider
// or API overrides the members it has and adds its rules. Rules of user files
// outrank every rule of built-in ones but the invariants. Errors are of type
// [*ProfileError], which names file and member.
func Load(files ...File) (*Catalogue, error) {
	all := append([]File(nil), builtinFiles()...)
	for _, f := range files {
		f.user = true
		all = append(all, f)
	}
	return compile(all)
}

// LoadFS is [Load] with every *.json file at the top of fsys, for example of
// os.DirFS(dir). A file named schema.json is passed over. The error is that of
// reading a file, or a [*ProfileError].
func LoadFS(fsys fs.FS) (*Catalogue, error) {
	files, err := readFiles(fsys)
	if err != nil {
		return nil, fmt.Errorf("profiles: %w", err)
	}
	return Load(files...)
}

func readFiles(fsys fs.FS) ([]File, error) {
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, err
	}
	var files []File
	for _, name := range names {
		if path.Base(name) == schemaFile {
			continue
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Name: name, Data: data})
	}
	return files, nil
}
