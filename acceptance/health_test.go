package acceptance_test

import (
	"os"
	"reflect"
	"testing"

	"hygeia"
	"hygeia/internal/casetest"
	"hygeia/tui"
)

// H-B15: a terminal says of the health of a session what a gateway says of it, with the
// backups beside it, and the changes where they are asked for.
func TestSurfacesSayTheSameOfHealth(t *testing.T) {
	text, err := os.ReadFile("../examples/poisoned.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	path := casetest.Install(t, state, surfacesKey, surfacesID, text)
	backup := path + ".bak-1-1"
	if err := os.WriteFile(backup, text, 0o600); err != nil {
		t.Fatal(err)
	}
	remote, err := tui.NewRemote(serve(t, state), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	look := func(s tui.Source, key, to, api string) hygeia.Health {
		h, err := s.Health(t.Context(), key, to, api)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	for _, of := range [][2]string{{}, {"openai/gpt-4o", ""}, {"openai/gpt-4o", "openai-completions"}} {
		file, gateway := look(openFile(t, path), "", of[0], of[1]), look(remote, surfacesKey, of[0], of[1])
		if !reflect.DeepEqual(file, gateway) {
			t.Errorf("%q: the terminal says\n%+v\nthe gateway\n%+v", of, file, gateway)
		}
		if len(file.Problems) == 0 || len(file.Backups) != 1 || file.Bytes != int64(len(text)) || (len(file.Changes) > 0) != (of[0] != "") {
			t.Errorf("%q: %+v", of, file)
		}
	}
	if none := look(openFile(t, path+".none"), "", "", ""); none.Bytes != 0 || len(none.Targets) != 0 {
		t.Errorf("of a session without a file: %+v", none)
	}
}
