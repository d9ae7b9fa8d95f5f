package hygeia

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// rooms says what each room may import of ours (design §2). A room is the
// longest prefix that fits a folder; "*" is everything.
var rooms = []struct {
	room string
	may  []string
}{
	{".", []string{"*", "!cmd", "!internal/cli"}},
	{"transcript", []string{"internal/jsonline", "internal/texts"}},
	{"session", []string{"transcript", "imaging", "internal/jsonline", "internal/pages", "internal/swap", "internal/texts"}},
	{"internal/jsonfault", nil},
	{"policy", []string{"internal/jsonfault"}},
	{"hygiene", []string{"transcript", "policy", "internal/jsonline"}},
	{"hygiene/passes", []string{"hygiene", "transcript", "policy", "internal/jsonline", "internal/texts", "internal/wrappers"}},
	{"hygiene/passes/images", []string{"hygiene", "transcript", "policy", "imaging", "internal/jsonline", "internal/texts", "hygiene/passes/internal"}},
	{"hygiene/passes/internal/passtest", []string{"*"}},
	{"imaging", nil},
	{"payload/internal/buildtest", []string{"*"}},
	{"payload", []string{"transcript", "policy", "hygiene", "wire", "internal/jsonline", "internal/pages", "internal/texts", "!hygiene/passes"}},
	{"wire", []string{"transcript", "internal/jsonline"}},
	{"wire/internal/decodetest", []string{"*"}},
	{"check", []string{"policy", "internal/jsonline"}}, // D-49
	{"emulator", []string{"check", "policy", "internal/guard", "internal/jsonfault", "internal/jsonline"}},
	{"emulator/endtoend", []string{"*"}},
	{"runner", []string{"*", "!cmd", "!internal/cli"}},
	{"internal/guard", nil},
	{"internal/jsonline", nil},
	{"internal/pages", nil},
	{"internal/swap", nil},
	{"internal/texts", nil},
	{"internal/wrappers", []string{"internal/texts"}},
	{"gateway", []string{"*", "!cmd", "!internal/cli"}},
	{"tui", []string{"", "projection", "runner", "session", "transcript", "internal/export", "internal/jsonline"}},
	{"internal/gen", []string{"transcript", "internal/jsonline"}},
	{"internal/casetest", []string{"hygiene", "transcript", "policy", "internal/jsonline"}},
	{"proxy", []string{"", "internal/guard"}},
	{"proxy/endtoend", []string{"*"}},
	{"proxy/coding", nil},
	{"proxy/endpoint", []string{"internal/jsonline"}},
	{"proxy/naming", []string{"internal/jsonline", "proxy/endpoint"}},
	{"internal/cli", []string{"*", "!cmd"}},
	{"internal/docgen", []string{"*", "!cmd", "!internal/cli"}},
	{"cmd", []string{"internal/cli"}},
	{"internal/measure", []string{"*"}},
	{"internal/markdown", nil},
	{"internal/export", []string{"transcript", "projection", "internal/jsonline", "internal/markdown"}},
	{"projection", []string{"transcript", "internal/jsonline", "internal/texts", "internal/wrappers"}},
	{"acceptance", []string{"*"}},
	{"acp", []string{"*", "!cmd", "!internal/cli"}},
}

// TestRooms reads the import graph and holds it against the table. Tests of a
// room may also import the test rooms.
func TestRooms(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && file != "." {
			if _, err := os.Stat(path.Join(file, "go.mod")); err == nil {
				return fs.SkipDir // a module of its own
			}
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := path.Dir(file)
		for _, spec := range f.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			of, ours := strings.CutPrefix(name, "hygeia")
			if !ours || of != "" && of[0] != '/' {
				continue
			}
			of = strings.TrimPrefix(of, "/")
			test := strings.HasSuffix(file, "_test.go") && (of == "internal/gen" || of == "internal/casetest" || dir == "." || of == dir)
			if !test && !mayImport(t, dir, of) {
				t.Errorf("%s must not import %s", file, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func mayImport(t *testing.T, dir, of string) bool {
	t.Helper()
	room, best := -1, -1
	for i, r := range rooms {
		if (r.room == "." && dir == "." || dir == r.room || strings.HasPrefix(dir, r.room+"/")) && len(r.room) > best {
			room, best = i, len(r.room)
		}
	}
	if room < 0 {
		t.Errorf("%s is no room of the table", dir)
		return true
	}
	if of == rooms[room].room || strings.HasPrefix(of, rooms[room].room+"/") {
		return true
	}
	allowed := false
	for _, m := range rooms[room].may {
		if not, ok := strings.CutPrefix(m, "!"); ok && within(of, not) {
			return false
		} else if !ok && (m == "*" || within(of, m)) {
			allowed = true
		}
	}
	return allowed
}

func within(of, room string) bool { return of == room || strings.HasPrefix(of, room+"/") }
