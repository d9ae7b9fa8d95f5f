package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"hygeia/internal/jsonline"
)

// CompactionReason says why a session was compacted (C-04, C-09).
type CompactionReason string

// The reasons.
const (
	CompactedManually   CompactionReason = "manual"
	CompactedAtLimit    CompactionReason = "auto-threshold"
	CompactedOnOverflow CompactionReason = "overflow-retry"
	CompactedOnTimeout  CompactionReason = "timeout-retry"
)

// Checkpoint is what the index of an agent's sessions says about a compaction
// (C-09).
type Checkpoint struct {
	ID           string           `json:"checkpointId"`
	SessionKey   string           `json:"sessionKey"` // of the row; AddCheckpoint fills it in
	SessionID    string           `json:"sessionId"`
	CreatedAt    int64            `json:"createdAt"` // epoch milliseconds
	Reason       CompactionReason `json:"reason"`
	TokensBefore int              `json:"tokensBefore,omitzero"` // of the context, estimated or counted; 0 if unknown
	TokensAfter  int              `json:"tokensAfter,omitzero"`
	Summary      string           `json:"summary,omitzero"`
	FirstKept    string           `json:"firstKeptEntryId,omitzero"`
	Before       CheckpointPlace  `json:"preCompaction"`
	After        CheckpointPlace  `json:"postCompaction"` // in the successor where there is one (C-08)
}

// CheckpointPlace is a place in a session file.
type CheckpointPlace struct {
	SessionID string `json:"sessionId"`
	File      string `json:"sessionFile,omitzero"` // its path
	Leaf      string `json:"leafId,omitzero"`      // end of the branch
	Entry     string `json:"entryId,omitzero"`     // newest entry of it
}

const (
	maxCheckpoints     = 25
	maxCheckpointBytes = 64 << 10 // of all of a session
)

// checkpoint tells of a compaction of the run's branch. Whoever records it knows
// under which key.
func (w *Writer) checkpoint(c *Compaction, reason CompactionReason) (*Checkpoint, error) {
	id, err := fullID(w.o.Random, nil)
	if err != nil {
		return nil, err
	}
	file, err := filepath.Abs(w.path)
	if err != nil {
		return nil, err
	}
	p := &Checkpoint{
		ID: id, SessionID: c.Session, CreatedAt: w.o.Now().UnixMilli(), Reason: reason,
		TokensBefore: c.Plan.TokensBefore, TokensAfter: c.TokensAfter(),
		Summary: c.Summary, FirstKept: orSelf(c.Plan.KeptFrom, c.Entry),
	}
	p.Before = CheckpointPlace{SessionID: p.SessionID, File: file, Leaf: c.Leaf, Entry: c.Leaf}
	p.After = CheckpointPlace{SessionID: p.SessionID, File: file, Leaf: c.Entry, Entry: c.Entry}
	if r := c.Rotation; r != nil {
		p.After.SessionID, p.After.File = r.SessionID, r.Path
	}
	return p, nil
}

// AddCheckpoint notes a compaction in the row of its session, of which there has
// to be one, and makes the file that the session goes on in the row's. The newest
// 25 checkpoints stay, as far as they fit into 64 KiB; the newest always does,
// without its summary if that is too long. The error says that there is no row.
func (x *Index) AddCheckpoint(key string, c Checkpoint) error {
	row := x.Row(key)
	if !row.Exists() {
		return fmt.Errorf("session %q: no row in the index", clip(key))
	}
	c.SessionKey = key
	text, err := json.Marshal(c)
	if err == nil && len(text) > maxCheckpointBytes {
		c.Summary = ""
		text, err = json.Marshal(c)
	}
	if err != nil {
		return err
	}
	list := [][]byte{text}
	for v := range row.Get("compactionCheckpoints").Elements() {
		list = append(list, v.Raw)
	}
	list = append(list[1:], list[0]) // newest last
	size, first := 0, len(list)
	for first > 0 && len(list)-first < maxCheckpoints && size+len(list[first-1]) <= maxCheckpointBytes || first == len(list) {
		first--
		size += len(list[first])
	}
	row = row.With("compactionCheckpoints", jsonline.Parse(array(list[first:])))
	n, _ := row.Get("compactionCount").Number()
	row = row.With("compactionCount", jsonline.Int(int(n)+1))
	if c.After.SessionID != c.Before.SessionID {
		row = row.With("sessionId", jsonline.Text(c.After.SessionID)).With("sessionFile", jsonline.Text(c.After.File))
	}
	x.Set(key, row)
	return nil
}

// Checkpoints returns what is known of the compactions of a session, the newest
// last.
func (x *Index) Checkpoints(key string) (list []Checkpoint) {
	for v := range x.Row(key).Get("compactionCheckpoints").Elements() {
		var c Checkpoint
		if json.Unmarshal(v.Raw, &c) == nil { // what others wrote may be of another form
			list = append(list, c)
		}
	}
	return list
}

func array(list [][]byte) []byte {
	text := []byte{'['}
	for i, raw := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, raw...)
	}
	return append(text, ']')
}

// RecordBeside returns what notes compactions of a session file in the index in
// its folder, for [CompactOptions.Record]. Where that has no row for the file,
// nothing is noted. Its errors are those of [Store.Index] and [Store.Update].
func RecordBeside(ctx context.Context, path string, o LockOptions) func(Checkpoint) error {
	return func(c Checkpoint) error {
		s := Store{filepath.Dir(path)}
		x, err := s.Index()
		if err != nil {
			return err
		}
		key := s.keyOf(x, path)
		if key == "" {
			return nil
		}
		_, err = s.Update(ctx, o, func(x *Index) error { return x.AddCheckpoint(key, c) })
		return err
	}
}

// keyOf returns the key of the row that is about the file at path, "" for none.
func (s Store) keyOf(x *Index, path string) string {
	file, err := os.Stat(path)
	if err != nil {
		return ""
	}
	for _, key := range x.keys {
		named, err := s.Path(x.Row(key))
		if err != nil {
			continue
		}
		if is, err := os.Stat(named); err == nil && os.SameFile(file, is) {
			return key
		}
	}
	return ""
}
