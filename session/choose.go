package session

import (
	"context"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// ChooseBranch makes the branch that ends at an entry the active one, so that what is
// appended goes on from there (F-21). Nothing is overwritten. It returns
// [ErrUnknownEntry] where there is no such entry.
func ChooseBranch(ctx context.Context, path, leaf string, o WriteOptions) error {
	w, err := OpenWriter(ctx, path, o)
	if err != nil {
		return err
	}
	defer w.Close()
	if w.Leaf() == leaf {
		return nil
	}
	if err := w.Select(leaf); err != nil {
		return err
	}
	_, err = w.Append(transcript.NewEntry(transcript.EntryLeaf).With("targetId", jsonline.Text(leaf)))
	return err
}
