package runner

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia/internal/swap"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// letter is a prompt for the run that is active in a session, in this process or in
// another one (S-33). It lies in a folder beside the session file until that run
// stores it. Only a run takes letters, since it has claimed the session, so each is
// taken once.
//
// Whoever sent it runs the same prompt with the same key when the session is free. It
// is answered then, or is answered now: a letter that nobody took costs nothing, and a
// crash on either side neither loses nor doubles it (S-B08).
type letter struct {
	Key, Text string
	Origin    Origin
	Sent      time.Time

	file string
}

// A letter is taken by the second of these names: from then on its sender cannot take
// it back, and the next run goes on with it should this one be killed.
const (
	offered  = ".json"
	accepted = ".taken"
)

// maxLetter is the longest letter, in bytes. A longer prompt waits for its turn.
const maxLetter = 16 << 20

// ownRun reports whether a session is that of a single run.
func ownRun(key string) bool { return strings.Contains(key, ":run:") }

// mailOf returns the folder of the letters to the session with that [realPath].
func mailOf(name string) string { return name + ".mail" }

// offer puts a letter where the run that is active in the session file finds it.
func offer(path string, p Prompt) (*letter, error) {
	l := &letter{Key: p.Key, Text: p.Body, Origin: *p.Origin, Sent: time.Now()}
	text, err := json.Marshal(l)
	if err != nil || len(text) > maxLetter {
		return nil, err
	}
	folder := mailOf(realPath(path))
	l.file = filepath.Join(folder, digest(l.Key)+offered)
	for range 3 { // whoever takes the last letter takes the folder away
		if err = os.MkdirAll(folder, 0o700); err != nil {
			break
		}
		_, err = swap.Do(swap.OS, swap.Job{Path: l.file, Now: l.Sent, Write: func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}})
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("a letter to %s: %w", path, err)
	}
	return l, nil
}

// remove takes the letter away. Gone says that somebody else did.
func (l *letter) remove() (gone bool) {
	gone = errors.Is(os.Remove(l.file), fs.ErrNotExist)
	_ = os.Remove(filepath.Dir(l.file)) // unless there are others
	return gone
}

// letters takes what was sent to the session with that [realPath], in the order in
// which it was sent. What cannot be read stays where it is, and is told in the error.
func letters(name string) (list []*letter, err error) {
	folder := mailOf(name)
	files, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range files {
		end := filepath.Ext(f.Name())
		if !f.Type().IsRegular() || end != offered && end != accepted {
			continue
		}
		l, why := read(filepath.Join(folder, strings.TrimSuffix(f.Name(), end)), end)
		if why != nil {
			err = errors.Join(err, why)
			continue
		}
		if l != nil {
			list = append(list, l)
		}
	}
	slices.SortStableFunc(list, func(a, b *letter) int { return cmp.Or(a.Sent.Compare(b.Sent), strings.Compare(a.Key, b.Key)) })
	return list, err
}

// read takes one letter, nil for one that was withdrawn.
func read(name, end string) (*letter, error) {
	l := &letter{file: name + accepted}
	if err := os.Rename(name+end, l.file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	f, err := os.Open(l.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := json.UnmarshalRead(io.LimitReader(f, maxLetter), l); err != nil {
		return nil, fmt.Errorf("%s: %w", l.file, err)
	}
	if l.Key == "" || strings.TrimSpace(l.Text) == "" {
		return nil, fmt.Errorf("%s: %w", l.file, ErrNothing)
	}
	l.Origin.Kind = transcript.InterSession // whoever wrote the file
	return l, nil
}

// receive stores what was sent to the session since, and reports whether that was
// anything.
func (s *run) receive() (more bool, err error) {
	came, unread := letters(realPath(s.path))
	if unread != nil {
		if note := "letters of other sessions: " + unread.Error(); !slices.Contains(s.result.Notes, note) {
			s.result.Notes = append(s.result.Notes, note)
		}
	}
	for _, l := range came {
		stored, err := s.take(l)
		if err != nil {
			return false, err
		}
		more = more || stored
		l.remove()
	}
	return more, nil
}

// take stores a letter, unless the session has it.
func (s *run) take(l *letter) (stored bool, err error) {
	if s.taken(l.Key) >= 0 {
		return false, nil
	}
	p := Prompt{Body: l.Text, Key: l.Key, Origin: &l.Origin}
	m, notes := p.stored()
	s.result.Notes = append(s.result.Notes, notes...)
	id, err := s.addTurn(m)
	if err != nil || s.last() < 0 || s.context.Messages[s.last()].Origin.Entry != id {
		return false, err // a compaction has summed it up
	}
	s.on(Event{Kind: Received, Text: l.Origin.Session})
	if !strings.Contains(s.prompt.System, texts.SendRoles) {
		s.prompt.System = paragraphs(s.prompt.System, texts.SendRoles)
	}
	if was := s.prompt.Origin; was == nil || l.Origin.Hops > was.Hops {
		s.prompt.Origin = &l.Origin // calls go on the longer chain (S-B07)
	}
	return true, nil
}
