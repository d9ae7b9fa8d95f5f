package session

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hygeia/internal/swap"
)

// stubborn is a file system that removes no backup.
type stubborn struct{ swap.FS }

func (f stubborn) Remove(name string) error {
	if strings.Contains(name, ".bak-") {
		return fs.ErrPermission
	}
	return f.FS.Remove(name)
}

// F-61: one line for a repair with what was counted, one for a backup that stays,
// one warning for a file that was refused and none for one that is not there or
// empty. None of them holds more than the base name and anything of the content.
func TestRepairLog(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name string
		path string
		o    RepairOptions
		want string // a pattern
	}{
		{"repaired", write("a.jsonl", torn), RepairOptions{Write: true}, `^level=DEBUG msg="session file repaired" file=a.jsonl did="1 line dropped, 1 entry relinked"\n$`},
		{"backup kept on request", write("b.jsonl", torn), RepairOptions{Write: true, KeepBackup: true}, `^level=DEBUG msg="session file repaired" [^\n]*\n$`},
		{"backup stays", write("c.jsonl", torn), RepairOptions{Write: true, fs: stubborn{swap.OS}}, `^level=DEBUG msg="session file repaired" [^\n]*\nlevel=DEBUG msg="backup not removed" file=c.jsonl.bak-\d+-\d+\n$`},
		{"plan", write("d.jsonl", torn), RepairOptions{}, `^$`},
		{"clean", write("e.jsonl", mended), RepairOptions{Write: true}, `^$`},
		{"refused", write("f.jsonl", `{"type":"secret"}`), RepairOptions{Write: true}, `^level=WARN msg="session file not repaired" file=f.jsonl reason="invalid session header"\n$`},
		{"no record", write("i.jsonl", "top secret"), RepairOptions{Write: true}, `^$`},
		{"missing", filepath.Join(dir, "g.jsonl"), RepairOptions{Write: true}, `^$`},
		{"empty", write("h.jsonl", ""), RepairOptions{Write: true}, `^$`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			c.o.Log = slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			}}))
			Repair(c.path, c.o)
			if got := out.String(); !regexp.MustCompile(c.want).MatchString(got) || strings.Contains(got, "secret") {
				t.Errorf("%q", got)
			}
		})
	}
}
