package session

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/internal/swap"
	"hygeia/transcript"
)

// Rotation says what successor a session file got.
type Rotation struct {
	Path      string // of the successor
	SessionID string // in its header
	Kept      int    // records of the old file that are in it
	Left      int    // records that are in the old file only
}

// What a rotation answers. The errors around them name the file.
var (
	ErrNotCompacted = errors.New("not compacted") // there is nothing to leave out
	ErrProof        = errors.New("the successor does not say what the old file says")
)

// Rotate writes a successor of a session file whose active branch was compacted:
// without what was summed up and is of no use any more, and with the active
// branch at its end (C-08). The old file stays as it is, and stays the session
// until somebody puts the successor in its place.
//
// The successor is proven before (C-B04): read from the disk again it has to give
// the same context and hold every record that it should. If it does not, it is
// removed and the error is ErrProof. The others are ErrNotCompacted, ErrDamaged
// and those of Append.
func (w *Writer) Rotate() (r *Rotation, err error) {
	err = w.do(func() error {
		if err := w.relearn(); err != nil {
			return err
		}
		if w.tail.headless {
			return ErrNotCompacted
		}
		if err := w.current(); err != nil {
			return err
		}
		r, err = w.rotate()
		return err
	})
	return r, err
}

func (w *Writer) rotate() (*Rotation, error) {
	b, err := w.read.Branch(w.leaf)
	if err != nil {
		return nil, err
	}
	old := &rotation{Session: w.read, b: b, c: b.compaction()}
	if err := old.mark(); err != nil {
		return nil, err
	}
	now := w.o.Now().UTC()
	id, err := fullID(w.o.Random, nil)
	if err != nil {
		return nil, err
	}
	from, err := filepath.Abs(w.path)
	if err != nil {
		return nil, err
	}
	h := Header{ID: id, Timestamp: now.Format(isoTime), ParentSession: from}
	path := filepath.Join(filepath.Dir(from), successorName(h))
	head := old.head(h)
	_, err = swap.Do(swap.OS, swap.Job{Path: path, Like: w.tail.info, Now: now, Write: func(out io.Writer) error {
		return old.write(out, head)
	}})
	if err != nil {
		return nil, fmt.Errorf("writing the successor: %w", err)
	}
	if err := old.prove(path); err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	order := old.order()
	return &Rotation{Path: path, SessionID: id, Kept: len(order), Left: len(old.entries) - len(order)}, nil
}

// successorName returns the name of a file that goes on from another (F-02).
func successorName(h Header) string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(h.Timestamp) + "_" + h.ID + ".jsonl"
}

// rotation decides what of a session goes into its successor.
type rotation struct {
	*Session
	b    *Branch
	c    cut
	gone []bool // by record
	// up finds the nearest record above another that stays, none for none.
	up func(int32) int32
}

// head returns the header of the successor: the old one as far as it says nothing
// else.
func (r *rotation) head(h Header) []byte {
	old := r.header.Entry
	if old == nil {
		h.CWD = r.header.CWD
		return headerLine(h)
	}
	return oneLine(old.Members().With("id", jsonline.Text(h.ID)).With("timestamp", jsonline.Text(h.Timestamp)).
		With("parentSession", jsonline.Text(h.ParentSession)).AppendTo(nil))
}

// mark finds what stays behind.
func (r *rotation) mark() error {
	if r.c.at < 0 {
		return ErrNotCompacted
	}
	r.gone = make([]bool, len(r.entries))
	for i, n := range r.nodes {
		if n.kind == lost {
			return fmt.Errorf("%w: %s", ErrDamaged, Problem{Line: int(r.places[i].line), Reason: "no whole record"})
		}
		r.gone[i] = n.typ == leafControl // the end of the file is the leaf
	}
	answer := r.answer()
	newest := map[typ]bool{}
	for p := r.c.at - 1; p >= 0; p-- {
		i, t := r.b.path[p], r.b.typ(p)
		switch t {
		case message:
			r.gone[i] = p < r.c.from && !r.answers(answer, p)
		case customMessage, branchSummary:
			r.gone[i] = answer >= 0 && answer < p && p < r.c.from
		case modelChange, thinkingLevel, sessionInfo:
			r.gone[i], newest[t] = newest[t], true
		}
	}
	for i, n := range r.nodes {
		if n.typ == label {
			to := r.first(keyOf(r.entries[i].Get("targetId").String()))
			r.gone[i] = r.gone[i] || to != none && r.gone[to]
		}
	}
	r.overrule()
	r.up = r.parents()
	return nil
}

// answer returns the position of the last assistant turn that was summed up. It
// stays with its results, so that the successor is never without one, unless
// nothing of the conversation was kept; -1 for none.
func (r *rotation) answer() int {
	for p := r.c.from - 1; p >= 0 && r.c.from < r.c.at; p-- {
		if m := r.b.entry(p).Message; r.b.typ(p) == message && m.Is(transcript.Assistant) && !isArtefact(m) {
			return p
		}
	}
	return -1
}

// answers reports whether position p is that of the answer or a result of it.
func (r *rotation) answers(answer, p int) bool {
	return answer >= 0 && (p == answer || p > answer && r.b.entry(p).Message.Is(transcript.ToolResult))
}

func (r *rotation) write(to io.Writer, head []byte) error {
	out := bufio.NewWriter(to)
	out.Write(head)
	place := map[int32]int{} // on the active branch, from 1 on
	for p, i := range r.b.path {
		place[i] = p + 1
	}
	for _, i := range r.order() {
		out.Write(lineOf(r.successor(i, place[i]-1)))
	}
	return out.Flush()
}
