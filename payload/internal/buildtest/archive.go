package buildtest

import (
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

func lines(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\n") + "\n"
}

func section(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// set replaces a section; an empty one is left away.
func set(a *txtar.Archive, name, data string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = []byte(data)
			return
		}
	}
	if data != "" {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(data)})
	}
}
