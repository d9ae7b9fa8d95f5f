package hygeia

import (
	"os"
	"path/filepath"

	"hygeia/hygiene"
	"hygeia/session"
)

// Health is what the engine says of a session as it is stored (H-B15). It holds no
// words of the session.
type Health struct {
	Bytes    int64    `json:"bytes"` // size of the file, 0 where it cannot be read
	Leaf     string   `json:"leaf,omitempty"`
	Branches int      `json:"branches"` // the active one included
	Problems []string `json:"problems"` // a line each, the first 100
	Backups  []string `json:"backups"`  // names of what repairs left beside the file
	// Targets has a row for each of [Transcript.Outlook].
	Targets []TargetHealth `json:"targets"`
	// Changes are those of [Transcript.Planned], where they were asked for.
	Changes []PlannedChange `json:"changes,omitempty"`
}

// TargetHealth is what one target says of a session.
type TargetHealth struct {
	Target  string   `json:"target"` // PROVIDER/MODEL
	API     string   `json:"api,omitempty"`
	Rules   []string `json:"rules"`          // that the session as it is breaks there
	Changes int      `json:"changes"`        // that the engine would make
	Empty   bool     `json:"empty,omitzero"` // no turn is left to send
}

// PlannedChange is a change that the engine would make. What stands there before and
// after is no part of it: it may hold what is not shown.
type PlannedChange struct {
	Rule      string     `json:"rule"`
	Pass      string     `json:"pass"`
	Op        hygiene.Op `json:"op"`
	Entry     string     `json:"entry,omitempty"` // its id, "" for none
	Message   int        `json:"message"`         // index in the context; one that is inserted stands behind it
	Reason    string     `json:"reason"`          // a fact about the place (D-13)
	Lossy     bool       `json:"lossy"`
	Synthetic bool       `json:"synthetic"`
}

const (
	mostProblems = 100 // that are told
	// nextPrompt stands for the prompt that would come next: whether a session can go
	// on is what people want to know of it.
	nextPrompt = "Go on."
)

// Health looks at a session that was opened from a file, with a prompt behind it. The
// errors are those of [Transcript.Outlook].
func (t *Transcript) Health(o ReplayOptions) (Health, error) {
	h := Health{Leaf: t.Session.Leaf(), Branches: len(t.Session.Branches()), Problems: []string{}, Targets: []TargetHealth{}}
	h.Bytes, h.Backups = fileFacts(t.Name)
	problems := t.Problems()
	for _, p := range problems[:min(len(problems), mostProblems)] {
		h.Problems = append(h.Problems, p.String())
	}
	o.Prompt = nextPrompt
	verdicts, err := t.Outlook(o)
	for _, v := range verdicts {
		h.Targets = append(h.Targets, TargetHealth{v.Target.Provider + "/" + v.Target.Model, v.Target.API, v.Rules, v.Changes, v.Empty})
	}
	return h, err
}

// Planned returns the changes that [Transcript.Health] counts for a target, with the
// reasons. The errors are those of [Transcript.Replay].
func (t *Transcript) Planned(to Target, o ReplayOptions) ([]PlannedChange, error) {
	o.Prompt = nextPrompt
	r, err := t.Replay(to, o)
	if err != nil {
		return nil, err
	}
	list := []PlannedChange{}
	for _, c := range r.Report.Changes {
		list = append(list, PlannedChange{c.Rule, c.Pass, c.Op, c.Entry, c.Message, c.Reason, c.Lossy, c.Synthetic})
	}
	return list, nil
}

// fileFacts returns the size of a session file and the names of the backups beside it.
func fileFacts(path string) (size int64, backups []string) {
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
	}
	backups = []string{}
	left, _ := session.Leftovers(filepath.Dir(path)) // none where the folder cannot be read
	for _, l := range left {
		if name := filepath.Base(l); session.BackupOf(name) == filepath.Base(path) {
			backups = append(backups, name)
		}
	}
	return size, backups
}
