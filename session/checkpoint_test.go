package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hygeia/internal/jsonline"
)

// storeWith makes a store with a session that talk writes, and a row for it.
func storeWith(t *testing.T, words string) (Store, string) {
	t.Helper()
	s := Store{t.TempDir()}
	path := filepath.Join(s.dir, "s-1.jsonl")
	row := `{"agent:main:other":{"sessionId":"s-9"},"agent:main:main":{"sessionId":"s-1","unknown":1.0,"compactionCount":4}}`
	for name, text := range map[string]string{path: talk(words), s.indexPath(): row} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s, path
}

// C-06, C-09: a compaction is recorded in the row of its session, which goes on
// in the successor if there is one.
func TestCheckpoint(t *testing.T) {
	for _, rotate := range []bool{false, true} {
		s, path := storeWith(t, "u10 a10 u10 a10")
		c, err := Compact(t.Context(), path, CompactOptions{
			KeepTokens: 20, Summary: "short", Rotate: rotate, Reason: CompactedOnOverflow,
			Record: RecordBeside(t.Context(), path, brief),
		}, writeOptions())
		if err != nil {
			t.Fatal(err)
		}
		x, err := s.Index()
		if err != nil {
			t.Fatal(err)
		}
		row := x.Row("agent:main:main")
		want := Checkpoint{
			SessionKey: "agent:main:main", SessionID: "s-1", CreatedAt: writeOptions().Now().UnixMilli(), Reason: "overflow-retry",
			TokensBefore: 40, TokensAfter: 22, Summary: "short", FirstKept: "e3",
			Before: CheckpointPlace{SessionID: "s-1", File: path, Leaf: "e4", Entry: "e4"},
			After:  CheckpointPlace{SessionID: "s-1", File: path, Leaf: c.Entry, Entry: c.Entry},
		}
		live := path
		if rotate {
			want.After.SessionID, want.After.File, live = c.Rotation.SessionID, c.Rotation.Path, c.Rotation.Path
		}
		got := x.Checkpoints("agent:main:main")
		if len(got) != 1 || got[0].ID == "" {
			t.Fatalf("checkpoints %+v", got)
		}
		want.ID = got[0].ID
		if d := cmp.Diff(want, got[0]); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		if string(row.Get("unknown").Raw) != "1.0" || string(row.Get("compactionCount").Raw) != "5" {
			t.Errorf("row %s", row.AppendTo(nil))
		}
		if now, err := s.Path(row); err != nil || now != live {
			t.Errorf("the session is in %s, want %s (%v)", now, live, err)
		}
	}
}

// A session without a row, or in a folder without an index, is compacted all the
// same. The index of others is left alone.
func TestRecordBesideNothing(t *testing.T) {
	path, _ := compacted(t, "u10 a10 u10 a10", CompactOptions{KeepTokens: 20, Summary: "s"})
	if err := RecordBeside(t.Context(), path, brief)(Checkpoint{}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(path), indexName)); err == nil {
		t.Error("an index was made")
	}
	s, path := storeWith(t, "u10 a10 u10 a10")
	before, err := os.ReadFile(s.indexPath())
	if err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(filepath.Dir(path), "s-2.jsonl")
	if err := os.Rename(path, second); err != nil {
		t.Fatal(err)
	}
	if err := RecordBeside(t.Context(), second, brief)(Checkpoint{}); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadFile(s.indexPath()); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the index became %s (%v)", after, err)
	}
}

// An error of Record does not undo the compaction, and does not hide it.
func TestCheckpointFails(t *testing.T) {
	_, path := storeWith(t, "u10 a10 u10 a10")
	full := errors.New("index full")
	c, err := Compact(t.Context(), path, CompactOptions{
		KeepTokens: 20, Summary: "s", Record: func(Checkpoint) error { return full },
	}, writeOptions())
	if !errors.Is(err, full) || c == nil {
		t.Fatalf("%v %v", c, err)
	}
	if got := origins(contextOf(t, path).Messages); got[0] != c.Entry {
		t.Errorf("the context is %v", got)
	}
}

// C-09: the newest 25 stay, in bounds, byte for byte; one that is too long for
// the index goes in without its summary.
func TestCheckpointBounds(t *testing.T) {
	row := func() *Index {
		x := newIndex()
		x.Set("k", jsonline.Object{}.With("compactionCheckpoints", jsonline.Parse([]byte(`[{"checkpointId":"old","odd":1.0},7]`))))
		return x
	}
	x := row()
	for n := range 24 {
		if err := x.AddCheckpoint("k", Checkpoint{ID: fmt.Sprint(n)}); err != nil {
			t.Fatal(err)
		}
	}
	list := string(x.Row("k").Get("compactionCheckpoints").Raw)
	if !strings.HasPrefix(list, `[7,{"checkpointId":"0"`) || strings.Count(list, "checkpointId") != 24 {
		t.Errorf("after 24 more than two: %.80s", list)
	}
	if got := x.Checkpoints("k"); len(got) != 24 || got[23].ID != "23" {
		t.Errorf("read %d", len(got))
	}
	x = row()
	for n := range 5 {
		if err := x.AddCheckpoint("k", Checkpoint{ID: fmt.Sprint(n), Summary: strings.Repeat("x", maxCheckpointBytes/2-1000)}); err != nil {
			t.Fatal(err)
		}
	}
	if got := x.Checkpoints("k"); len(got) != 2 || got[0].ID != "3" || got[1].Summary == "" {
		t.Errorf("%d of large ones stay", len(got))
	}
	if err := x.AddCheckpoint("k", Checkpoint{ID: "huge", Summary: strings.Repeat("x", maxCheckpointBytes)}); err != nil {
		t.Fatal(err)
	}
	if got := x.Checkpoints("k"); got[len(got)-1].ID != "huge" || got[len(got)-1].Summary != "" {
		t.Errorf("the last is %s", got[len(got)-1].ID)
	}
	if err := x.AddCheckpoint("nobody", Checkpoint{}); err == nil || len(x.Keys()) != 1 {
		t.Error("a row was made up")
	}
}
