package acceptance_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hygeia"
	"hygeia/session"
)

// sessionFile is what reading a session file tells.
type sessionFile struct {
	id       string // of the session
	leaf     string // id of the last entry of the active branch
	entries  []entry
	problems []session.Problem
}

// entry is a record with the id under which it is known after reading.
type entry struct {
	id    string
	texts []string
}

func readFile(t *hygeia.Transcript) *sessionFile {
	s := t.Session
	f := &sessionFile{id: s.Header().ID, leaf: s.Leaf(), problems: t.Problems()}
	for _, e := range s.Entries() {
		f.entries = append(f.entries, entry{e.ID, values(e.AppendJSON(nil))})
	}
	return f
}

// file gives assertions about session files what they need.
func file(f func(*sessionFile, []string) error) func(*outcome, []string) error {
	return func(o *outcome, args []string) error {
		if o.file == nil {
			return errors.New("the input is no session file")
		}
		return f(o.file, args)
	}
}

var sessionRules = []rule{
	{"context-has", "TEXT…", "each text stands in the messages of the active branch", func(o *outcome, args []string) error { return survives(o.in, args) }},
	{"context-once", "TEXT…", "each text stands exactly once in the messages of the active branch", func(o *outcome, args []string) error { return once(o.in, args) }},
	{"context-lacks", "TEXT…", "none of the texts stands in the messages of the active branch", func(o *outcome, args []string) error { return absent(o.in, args) }},
	{"context-ends", "TEXT", "the last message of the active branch holds the text", contextEnds},
	{"valid-utf8", "", "what goes out is UTF-8", each(validUTF8)},
	{"stored", "TEXT…", "each text stands in an entry that was read, on whichever branch", file(stored)},
	{"entries", "ID…", "the entries that were read have these ids, in the order of the file", file(entries)},
	{"entries-unique", "", "no two entries have the same id", file(entriesUnique)},
	{"leaf", "ID", "the active branch ends at that entry", file(leaf)},
	{"session-id", "REGEXP", "the id of the session matches", file(sessionID)},
	{"problem", "RULE LINE", "a problem under that rule is reported for that line", file(problem)},
	{"problem-says", "TEXT…", "one problem holds all of these texts", file(problemSays)},
	{"problems", "N", "N problems are reported, mere notes among them", file(problems)},
	{"only-notes", "", "all problems are mere notes", file(onlyNotes)},
}

func contextEnds(o *outcome, args []string) error {
	list := o.in.turns
	if len(list) == 0 || !list[len(list)-1].has(args[0]) {
		return errors.New("the last message says something else")
	}
	return nil
}

func validUTF8(v *view, _ []string) error {
	if !utf8.Valid(v.json) {
		return errors.New("there are other bytes in it")
	}
	return nil
}

func stored(f *sessionFile, args []string) error {
	for _, want := range args {
		if !slices.ContainsFunc(f.entries, func(e entry) bool { return count(e.texts, want) > 0 }) {
			return fmt.Errorf("%q stands in no entry", want)
		}
	}
	return nil
}

func entries(f *sessionFile, args []string) error {
	var got []string
	for _, e := range f.entries {
		got = append(got, e.id)
	}
	if !slices.Equal(got, args) {
		return fmt.Errorf("the ids are %s", strings.Join(got, " "))
	}
	return nil
}

func entriesUnique(f *sessionFile, _ []string) error {
	seen := map[string]bool{}
	for _, e := range f.entries {
		if seen[e.id] {
			return fmt.Errorf("two entries have the id %q", e.id)
		}
		seen[e.id] = true
	}
	return nil
}

func leaf(f *sessionFile, args []string) error {
	if f.leaf != args[0] {
		return fmt.Errorf("it ends at %q", f.leaf)
	}
	return nil
}

func sessionID(f *sessionFile, args []string) error {
	re, err := regexp.Compile(args[0])
	if err == nil && !re.MatchString(f.id) {
		err = fmt.Errorf("the id is %q", f.id)
	}
	return err
}

func problem(f *sessionFile, args []string) error {
	line, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	for _, p := range f.problems {
		if p.Rule == args[0] && p.Line <= line && line <= max(p.Line, p.Last) {
			return nil
		}
	}
	return f.told()
}

func problemSays(f *sessionFile, args []string) error {
	for _, p := range f.problems {
		all := p.String() + " " + p.Entry + " " + strings.Join(p.Entries, " ")
		if !slices.ContainsFunc(args, func(s string) bool { return !strings.Contains(all, s) }) {
			return nil
		}
	}
	return f.told()
}

func problems(f *sessionFile, args []string) error {
	want, err := strconv.Atoi(args[0])
	if err == nil && len(f.problems) != want {
		err = f.told()
	}
	return err
}

func onlyNotes(f *sessionFile, _ []string) error {
	if slices.ContainsFunc(f.problems, func(p session.Problem) bool { return !p.Note }) {
		return f.told()
	}
	return nil
}

// told lists what was reported.
func (f *sessionFile) told() error {
	var list []string
	for _, p := range f.problems {
		list = append(list, p.Rule+" "+p.String())
	}
	return fmt.Errorf("the problems are %q", list)
}
