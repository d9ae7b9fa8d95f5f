package session

import (
	"errors"
	"io"
	"path/filepath"
	"slices"

	"hygeia/internal/swap"
	"hygeia/transcript"
)

// OpenOptions says how a session is opened. The zero value repairs what is
// damaged in memory and leaves the disk as it is.
type OpenOptions struct {
	// RepairOptions say how a damaged file is repaired: on the disk with Write, in
	// memory without. Out and Checked do not count.
	RepairOptions
	// AsIs switches the repair off.
	AsIs bool
	// Cache remembers the session; nil remembers nothing.
	Cache *Cache
}

// Open reads the session file at path and repairs it before if it needs that
// (Q-03, C-06). A file that needs none is read once, and not at all if the cache
// has it. Where the disk takes no new file, and for one that others keep writing
// to, the repaired session is in memory only, so that the user can go on (F-B17).
//
// The report tells what was repaired, in memory or on the disk; it is nil with
// AsIs. The error is one of Load or Repair, and there is no session then.
func Open(path string, o OpenOptions) (*Session, *RepairReport, error) {
	o.Out, o.Checked = "", nil
	if o.Root != "" {
		if _, err := resolve(path, o.Root); err != nil {
			return refusal(path, err)
		}
	}
	if o.AsIs {
		s, err := Load(path, Options{MaxLine: o.MaxLine})
		return s, nil, err
	}
	if s, r := o.Cache.find(path); s != nil {
		return s, r, nil
	}
	s, r, err := diagnose(path, o)
	switch {
	case err != nil || r.Snapshot != nil:
		return s, r, err
	case !o.Write:
		return openInMemory(path, o, s)
	}
	if r, err = Repair(path, o.RepairOptions); r.InMemoryOnly || errors.Is(err, ErrBusy) {
		why := r.Reason
		s, r, err = openInMemory(path, o, s)
		r.Reason = why
		return s, r, err
	}
	if err != nil {
		return nil, r, err
	}
	s, now, err := diagnose(path, o)
	if err == nil {
		r.Snapshot = now.Snapshot
	}
	return s, r, err
}

func refusal(path string, err error) (*Session, *RepairReport, error) {
	r := &RepairReport{File: path}
	r.refuse(err)
	return nil, r, failed(path, err)
}

// diagnose reads the file and finds out on the way whether it needs a repair: then
// the report has no snapshot.
func diagnose(path string, o OpenOptions) (*Session, *RepairReport, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return refusal(path, err)
	}
	defer f.Close()
	s := newSession(path, info.Size())
	s.ills = &ills{}
	if err := s.fill(io.NewSectionReader(f, 0, info.Size()), Options{MaxLine: o.MaxLine}, nil); err != nil {
		return refusal(path, err)
	}
	r := s.report(path, info.Size())
	if file, err := resolve(path, ""); err == nil && !o.SkipLeftovers {
		r.Leftovers, _ = swap.Leftovers(filepath.Dir(file), filepath.Base(file))
	}
	if s.healthy() {
		r.Snapshot = info
		o.Cache.keep(path, s, info, f)
	}
	return s, r, nil
}

// report is that of a session in which nothing was repaired.
func (s *Session) report(path string, size int64) *RepairReport {
	return &RepairReport{File: path, BytesBefore: size, BytesAfter: size, Branches: len(s.tips())}
}

// openInMemory reads what a repair of the file would write. asRead is the file as
// it was read, which has to do where others keep writing to it.
func openInMemory(path string, o OpenOptions, asRead *Session) (s *Session, r *RepairReport, err error) {
	opt := o.RepairOptions
	opt.Write, opt.Lock = false, nil
	opt.init()
	j := repair{RepairOptions: opt, report: &RepairReport{File: path}}
	j.read = func(v *survey, out output) (err error) {
		s, err = v.reread(out)
		return err
	}
	err = j.run(path)
	r = j.report
	switch {
	case errors.Is(err, ErrBusy):
		pending := r.PendingTail
		r = asRead.report(path, r.BytesBefore)
		s, r.PendingTail, r.Reason, err = asRead, pending, ErrBusy.Error(), nil
	case err != nil:
		r.refuse(err)
		return nil, r, failed(path, err)
	case s == nil:
		s = asRead // what is wrong with it is nothing that a repair changes
	}
	r.InMemoryOnly = r.Changes > 0
	return s, r, nil
}

// OpenText is Open for a text of that size which is no file, or none that can be
// repaired: it is repaired in memory. The name stands for it as in [Read]. The
// errors are those of Open that are not about files.
func OpenText(text io.ReaderAt, size int64, name string, o OpenOptions) (*Session, *RepairReport, error) {
	s := newSession(name, size)
	if !o.AsIs {
		s.ills = &ills{}
	}
	all := func() io.Reader { return io.NewSectionReader(text, 0, size) }
	if err := s.fill(all(), Options{MaxLine: o.MaxLine}, nil); err != nil {
		_, r, err := refusal(name, err)
		return nil, r, err
	}
	r := s.report(name, size)
	switch {
	case o.AsIs:
		return s, nil, nil
	case s.healthy():
		return s, r, nil
	}
	v, err := newSurvey(text, size, name, surveyOptions{Options: o.lines()})
	if err == nil && v.clean() {
		r.OversizedLines = v.long
		return s, r, nil
	}
	if err == nil {
		r = &RepairReport{File: name, BytesBefore: size, OversizedLines: v.long, Branches: len(v.tips())}
		s, err = v.reread(output{report: r, each: o.Each})
		r.InMemoryOnly = r.Changes > 0
	}
	if err != nil {
		return refusal(name, err)
	}
	return s, r, nil
}

// ills are what only a repair cares about in messages that are whole.
type ills struct {
	pairs pairs
	found bool
}

// look looks at the message of record i.
func (x *ills) look(i int32, m *transcript.Message) {
	x.pairs.message(i, m)
	x.found = x.found || isIll(m)
}

// healthy reports whether there is nothing for a repair to do. It is asked once.
func (s *Session) healthy() bool {
	if s.ills.found || slices.ContainsFunc(s.problems, func(p Problem) bool { return !p.Note }) {
		return false
	}
	return !slices.ContainsFunc(s.ills.pairs.missing(), func(c openCall) bool { return s.waitsFor(c) })
}
