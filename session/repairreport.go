package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"hygeia/internal/swap"
)

// RepairReport says what a repair did, or would do (F-60, F-B25). After a
// refusal all counters are 0.
type RepairReport struct {
	File string `json:"file"`
	// Changes is how many changes there are. Without RepairOptions.Write none
	// of them was made.
	Changes  int  `json:"changes"`
	Repaired bool `json:"repaired"` // the file was rewritten, or the copy written

	DroppedLines               int `json:"droppedLines"`                // without any record in them (F-51)
	RewrittenAssistantMessages int `json:"rewrittenAssistantMessages"`  // failed turns without content (F-51.3)
	DroppedBlankUserMessages   int `json:"droppedBlankUserMessages"`    // always 0: user turns stay (F-54)
	RewrittenUserMessages      int `json:"rewrittenUserMessages"`       // user turns without content (F-54)
	RemovedCorruptedImages     int `json:"removedCorruptedImageBlocks"` // that no decoder reads (F-55)
	InsertedToolResults        int `json:"insertedToolResults"`         // stand-ins (F-56)
	RelinkedEntries            int `json:"relinkedEntries"`             // with another parent than before (F-B01, D-14)
	DuplicateIDs               int `json:"duplicateIds"`                // entries that got an id of their own (F-B12)
	NULLines                   int `json:"nulLines"`                    // from which NUL bytes were taken (F-B11)
	OversizedLines             int `json:"oversizedLines"`              // too long to be checked, left as they are (F-B09)
	SalvagedLines              int `json:"salvagedLines"`               // broken, but with records in them (F-B08, D-18)
	RewrittenHeaders           int `json:"rewrittenHeaders"`            // made anew or moved to the front (F-17)

	// Branches is how many branches the file has, the active one included.
	Branches int `json:"branches"`
	// PendingTail says that the last line seems to be being written. Nothing was
	// changed then.
	PendingTail bool `json:"pendingTail"`
	// InMemoryOnly says that the disk takes no new file. Open gives the repaired
	// session all the same. After Open it says that the repair is in memory only.
	InMemoryOnly bool `json:"inMemoryOnly"`

	BackupPath     string   `json:"backupPath,omitempty"`     // of the original, where it is still there
	QuarantinePath string   `json:"quarantinePath,omitempty"` // of what was left out, where something was
	Leftovers      []string `json:"leftovers,omitempty"`      // paths of what earlier repairs left behind
	Expired        []string `json:"expiredPaths,omitempty"`   // of what was left out 90 days ago or longer, removed now
	BytesBefore    int64    `json:"bytesBefore"`              // size of the file
	BytesAfter     int64    `json:"bytesAfter"`               // and of what a repair makes of it
	ElapsedMS      int64    `json:"elapsedMs"`                // milliseconds that it took
	Reason         string   `json:"reason,omitempty"`         // why nothing was done, or not all of it

	// Notes are what is worth knowing and stays as it is: bytes that are not UTF-8 (F-B11),
	// those of the first 100 lines, and what fell out of the context (C-B06).
	Notes []Problem `json:"notes,omitempty"`

	// Snapshot is the file as it was checked or written, for
	// RepairOptions.Checked. It is nil when something is still to be done.
	Snapshot fs.FileInfo `json:"-"`
}

// RepairChange is one change of a file, in terms of the file before it.
type RepairChange struct {
	Line      int    `json:"line"`            // physical lines from 1; what is inserted stands behind Last
	Last      int    `json:"last"`            // the last of the lines, Line for one
	Rule      string `json:"rule"`            // of the specification, as F-B01
	Op        string `json:"op"`              // drop, insert, replace or move
	Entry     string `json:"entry,omitempty"` // its id, "" for none
	Reason    string `json:"reason"`          // a fact, without the place (D-13)
	Lossy     bool   `json:"lossy"`           // something is left out; it goes to the quarantine file
	Synthetic bool   `json:"synthetic"`       // something is made up
}

// Why a repair gives up, besides the errors of Load. The errors around them name
// the file.
var (
	ErrBusy     = errors.New("changed during repair")                // three times in a row (F-B06)
	ErrOutside  = errors.New("the link leads out of the folder")     // F-B15
	ErrNoSpace  = errors.New("no space")                             // F-B17
	ErrReadOnly = errors.New("read-only")                            // F-B17
	ErrExists   = errors.New("there is already a file of that name") // RepairOptions.Out
)

// counters returns the counters of r that count changes, with the words for
// them.
func (r *RepairReport) counters() []counter {
	return []counter{
		{&r.DroppedLines, "line dropped", "lines dropped"},
		{&r.SalvagedLines, "line salvaged", "lines salvaged"},
		{&r.NULLines, "line with NUL bytes", "lines with NUL bytes"},
		{&r.RewrittenHeaders, "header put in front", "headers put in front"},
		{&r.DuplicateIDs, "duplicate id", "duplicate ids"},
		{&r.RelinkedEntries, "entry relinked", "entries relinked"},
		{&r.InsertedToolResults, "tool result inserted", "tool results inserted"},
		{&r.RewrittenAssistantMessages, "assistant turn rewritten", "assistant turns rewritten"},
		{&r.RewrittenUserMessages, "user turn rewritten", "user turns rewritten"},
		{&r.RemovedCorruptedImages, "image removed", "images removed"},
		{&r.OversizedLines, "line too long to be checked", "lines too long to be checked"},
	}
}

type counter struct {
	n         *int
	one, many string
}

// Counters returns what was counted in words, without what is 0.
func (r *RepairReport) Counters() string {
	var parts []string
	for _, c := range r.counters() {
		switch *c.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+c.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", *c.n, c.many))
		}
	}
	return strings.Join(parts, ", ")
}

// String returns one line for a log: the name of the file without its folder
// and what was counted (F-61).
func (r *RepairReport) String() string {
	text := filepath.Base(r.File)
	if c := r.Counters(); c != "" {
		text += ": " + c
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text
}

// Add adds the counters of another report, for totals.
func (r *RepairReport) Add(o *RepairReport) {
	to := r.counters()
	for i, c := range o.counters() {
		*to[i].n += *c.n
	}
	r.Changes += o.Changes
	r.BytesBefore += o.BytesBefore
	r.BytesAfter += o.BytesAfter
	r.Branches += o.Branches
}

const (
	missingFile = "missing session file"
	emptyFile   = "empty session file" // also one without a line that is a record (F-58)
)

// reasons are the texts of errors that have one of their own (F-58).
var reasons = []struct {
	err  error
	text string
}{
	{fs.ErrNotExist, missingFile},
	{ErrEmpty, emptyFile},
	{ErrNotSession, "invalid session header"},
	{ErrBusy, ErrBusy.Error()},
	{ErrNoSpace, ErrNoSpace.Error()},
	{ErrReadOnly, ErrReadOnly.Error()},
}

// reset takes back what was counted.
func (r *RepairReport) reset() {
	for _, c := range r.counters() {
		*c.n = 0
	}
	r.Changes, r.Branches, r.BytesAfter, r.Notes = 0, 0, 0, nil
}

// refuse takes back what was counted and says why nothing was done.
func (r *RepairReport) refuse(err error) {
	r.reset()
	if r.Reason != "" {
		return
	}
	for _, known := range reasons {
		if errors.Is(err, known.err) {
			r.Reason = known.text
			return
		}
	}
	r.Reason = reason(err).Error()
}

// unwritten says why a file could not be written.
func unwritten(err error) error {
	why := reason(err)
	switch {
	case errors.Is(err, swap.ErrChanged):
		return err
	case errors.Is(err, fs.ErrExist):
		return ErrExists
	case swap.NoSpace(err):
		return fmt.Errorf("%w: %w", ErrNoSpace, why)
	case swap.ReadOnly(err):
		return fmt.Errorf("%w: %w", ErrReadOnly, why)
	}
	return fmt.Errorf("repair failed: %w", why)
}
