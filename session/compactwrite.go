package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// Compaction says what was done.
type Compaction struct {
	Plan    *CompactionPlan
	Session string // id in the header of the file
	Entry   string // id of the compaction
	Leaf    string // of the branch before it
	Summary string
	// Redacted says that secrets were taken out of the summary (F-48).
	Redacted bool
	// Rotation is the successor of the file, nil for none.
	Rotation *Rotation
	// Repair is what was done to the file before (C-06), nil if that was somebody
	// else's part. Whoever compacts has to tell people of the paths in it (F-B25).
	Repair *RepairReport
}

// TokensAfter estimates the size of the context as it is now.
func (c *Compaction) TokensAfter() int {
	return tokensOf(lengthOf(c.Summary)) + c.Plan.TokensKept()
}

// Compact repairs the session file at path and compacts its active branch, all
// under the lock of the file (C-06, Q-03): an entry is appended that holds the
// summary and says from where on the messages before it stay in the context.
// Nothing of the file goes. The errors are those of OpenWriter and
// [Writer.Compact], and those of Load for a file that is not there or empty.
func Compact(ctx context.Context, path string, o CompactOptions, wo WriteOptions) (c *Compaction, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, failed(path, err) // a writer would take it for a new session
	}
	w, err := OpenWriter(ctx, path, wo)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if w.Session() == nil {
		return nil, failed(path, ErrEmpty)
	}
	c, err = w.Compact(ctx, o)
	if c != nil {
		c.Repair = w.Repair()
	}
	return c, err
}

// Compact compacts the run's branch and brings that to the disk: before, the
// context is the old one, afterwards it is the summary and just the messages that
// the plan keeps, and a crash leaves one of the two (C-B05). An empty summary, or
// an error of Summarise, writes nothing. While it is at work the writer pauses;
// what Resume has to say about others holds.
//
// The errors are those of [Branch.PlanCompaction], of Summarise, ErrEmptySummary,
// those of Pause, Resume and Append, and then, beside a Compaction that is in the
// file all the same, those of Sync, of [Writer.Rotate] and of Record.
func (w *Writer) Compact(ctx context.Context, o CompactOptions) (*Compaction, error) {
	c := &Compaction{Leaf: w.leaf}
	err := w.do(func() (err error) {
		c.Plan, err = w.planCompaction(o)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.Session = w.read.Header().ID
	var details jsonline.Object // of a given summary somebody else has them
	if c.Summary = o.Summary; o.Summarise != nil && c.Summary == "" {
		if c.Summary, err = w.summarise(ctx, c.Plan, o.Summarise); err != nil {
			return nil, err
		}
		details = c.Plan.files()
	}
	if strings.TrimSpace(c.Summary) == "" {
		return nil, failed(w.path, ErrEmptySummary)
	}
	redacted := cmp.Or(o.Redactor, builtInRedactor()).Text(c.Summary)
	c.Summary, c.Redacted = redacted, redacted != c.Summary
	err = w.do(func() (err error) {
		c.Entry, err = w.appendCompaction(c.Plan, c.Summary, details)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := w.sync(); err != nil {
		return c, err
	}
	return c, w.afterwards(c, o)
}

// afterwards does what is to be done when a compaction is on the disk.
func (w *Writer) afterwards(c *Compaction, o CompactOptions) (err error) {
	if o.Rotate {
		if c.Rotation, err = w.Rotate(); err != nil {
			return err
		}
	}
	if o.Record == nil {
		return nil
	}
	p, err := w.checkpoint(c, cmp.Or(o.Reason, CompactedManually))
	if err == nil {
		err = o.Record(*p)
	}
	if err != nil {
		return failed(w.path, fmt.Errorf("recording the compaction: %w", err))
	}
	return nil
}

// planCompaction plans for the file as it is now.
func (w *Writer) planCompaction(o CompactOptions) (*CompactionPlan, error) {
	if w.tail.headless || w.leaf == "" {
		return nil, ErrNothingToCompact
	}
	if err := w.load(); err != nil {
		return nil, err
	}
	b, err := w.read.Branch(w.leaf)
	if err != nil {
		return nil, err
	}
	return b.planCompaction(o)
}

// summarise calls for the summary of what the plan does not keep.
func (w *Writer) summarise(ctx context.Context, p *CompactionPlan, make func(context.Context, CompactionInput) (string, error)) (text string, err error) {
	if err := w.Pause(); err != nil {
		return "", err
	}
	if text, err = p.summarise(ctx, make); err != nil {
		err = failed(w.path, err)
	}
	// A run that was told to stop compacting goes on with its writer.
	return text, errors.Join(err, w.Resume(context.WithoutCancel(ctx)))
}

// summarise makes the summary of what the plan does not keep.
func (p *CompactionPlan) summarise(ctx context.Context, make func(context.Context, CompactionInput) (string, error)) (string, error) {
	var parts []string
	for _, in := range []CompactionInput{{Messages: p.Messages, Previous: p.Previous}, {Messages: p.Prefix, OfTurn: true}} {
		text := in.Previous // stays as it is where there is nothing to add to it
		if len(in.Messages) > 0 {
			var err error
			if text, err = make(ctx, in); err != nil {
				return "", fmt.Errorf("making the summary: %w", err)
			}
			if strings.TrimSpace(text) == "" {
				return "", ErrEmptySummary
			}
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n\n"+texts.SplitTurn+"\n\n"), nil
}

// appendCompaction appends the entry (C-01). A hard boundary names itself as the
// first entry that is kept, as one does that was made by rewriting the file
// (C-05), but it is written at once (C-B03).
func (w *Writer) appendCompaction(p *CompactionPlan, summary string, details jsonline.Object) (id string, err error) {
	id, err = shortID(w.o.Random, w.tail.known)
	if err != nil {
		return "", err
	}
	e := transcript.NewEntry(transcript.EntryCompaction).
		With("summary", jsonline.Text(summary)).
		With("firstKeptEntryId", jsonline.Text(orSelf(p.KeptFrom, id))).
		With("tokensBefore", jsonline.Int(p.TokensBefore))
	if details.Exists() {
		e = e.With("details", details.Value())
	}
	return w.append(e, func(_ io.Reader, taken func(string) bool) (string, error) {
		if taken(id) {
			return "", fmt.Errorf("the id %s was taken meanwhile", id)
		}
		return id, nil
	})
}

func orSelf(id, self string) string {
	if id == "" {
		return self
	}
	return id
}
