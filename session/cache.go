package session

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"hygeia/internal/swap"
	"hygeia/session/internal/lines"
)

// Cache remembers sessions that needed no repair, so that to open one again that
// is unchanged costs one stat, and to open one that was only appended to costs
// reading the suffix (F-63). The zero value is ready; a nil one remembers
// nothing. It is safe for concurrent use.
//
// A file of which the end is as it was and behind which something stands is taken
// for one that was appended to: session files are written in no other way, or
// replaced.
type Cache struct {
	// MaxBytes is how long the files may be together, 0 means 256 MiB. In memory
	// a session takes about three times as much as its file.
	MaxBytes int64

	mu    sync.Mutex
	files []*remembered // the one that was used last in front
}

// What F-63 allows.
const (
	maxRemembered   = 8
	maxSuffix       = 8 << 20
	defaultMaxBytes = 256 << 20
	maxEnd          = 4 << 10
)

// remembered is a session and the file as it was then.
type remembered struct {
	path    string
	session *Session
	info    fs.FileInfo
	end     []byte       // the last bytes of the file
	report  RepairReport // without its snapshot
}

// keep remembers a session that needs no repair.
func (c *Cache) keep(path string, s *Session, info fs.FileInfo, file io.ReaderAt) {
	if c == nil {
		return
	}
	end := make([]byte, min(maxEnd, info.Size()))
	if _, err := file.ReadAt(end, info.Size()-int64(len(end))); err != nil {
		return
	}
	c.add(&remembered{path, s, info, end, *s.report(path, info.Size())})
}

func (c *Cache) add(f *remembered) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files = slices.DeleteFunc(c.files, func(old *remembered) bool { return old.path == f.path })
	c.files = slices.Insert(c.files, 0, f)
	room := c.MaxBytes
	if room == 0 {
		room = defaultMaxBytes
	}
	for i, f := range c.files {
		if room -= f.info.Size(); room < 0 || i == maxRemembered {
			clear(c.files[i:])
			c.files = c.files[:i]
			return
		}
	}
}

// find returns what is remembered of a file, brought up to date, nil if that is
// of no use.
func (c *Cache) find(path string) (*Session, *RepairReport) {
	f := c.take(path)
	if f == nil {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil
	}
	if !f.same(info) {
		if f = f.grown(info); f == nil {
			return nil, nil
		}
		c.add(f)
	}
	r := f.report
	r.Snapshot = info
	return f.session, &r
}

// take returns what is remembered of a file and puts that in front.
func (c *Cache) take(path string) *remembered {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.files, func(f *remembered) bool { return f.path == path })
	if i < 0 {
		return nil
	}
	f := c.files[i]
	c.files = slices.Insert(slices.Delete(c.files, i, i+1), 0, f)
	return f
}

func (f *remembered) same(info fs.FileInfo) bool {
	return os.SameFile(f.info, info) && f.info.Size() == info.Size() &&
		f.info.ModTime().Equal(info.ModTime()) && swap.Changed(f.info).Equal(swap.Changed(info))
}

// grown is f with what was appended to the file, nil where that has to be read as
// a whole.
func (f *remembered) grown(info fs.FileInfo) *remembered {
	was := f.info.Size()
	if !f.session.extensible() || !endsRecord(f.end) || !os.SameFile(f.info, info) || info.Size() <= was || info.Size()-was > maxSuffix {
		return nil
	}
	file, info, err := openRegular(f.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	if !os.SameFile(f.info, info) || info.Size()-was > maxSuffix {
		return nil
	}
	text := make([]byte, int64(len(f.end))+info.Size()-was)
	if _, err := file.ReadAt(text, was-int64(len(f.end))); err != nil || !bytes.HasPrefix(text, f.end) {
		return nil
	}
	s := f.session.extended(bytes.NewReader(text[len(f.end):]))
	if s == nil || !s.healthy() {
		return nil
	}
	end := text[max(0, len(text)-maxEnd):]
	return &remembered{f.path, s, info, bytes.Clone(end), *s.report(f.path, info.Size())}
}

// endsRecord reports whether a file ends with the line of an object.
func endsRecord(end []byte) bool {
	line, ok := bytes.CutSuffix(end, newline)
	return ok && bytes.HasSuffix(bytes.TrimSuffix(line, []byte{'\r'}), []byte{'}'})
}

var newline = []byte{'\n'}

// extensible reports whether nothing is known of the session but what its
// records say.
func (s *Session) extensible() bool {
	return !s.faulty && s.version == 3 && s.header.Entry != nil && s.before == 0 && len(s.repeats) == 0 && len(s.digests) == 0
}

// extended returns a session with the same records and those of r behind them.
// It shares all that does not change with s.
func (s *Session) extended(r io.Reader) *Session {
	n := &Session{collector: s.collector, labels: map[string]string{}}
	n.tree = s.tree.unlinked()
	n.see, n.shared = n, true
	n.entries, n.places, n.odd = slices.Clip(s.entries), slices.Clip(s.places), slices.Clip(s.odd)
	last := s.line
	if i := len(s.places) - 1; i >= 0 {
		last = int(s.places[i].last)
	}
	n.ills = &ills{pairs: pairs{results: slices.Clone(s.ills.pairs.results), waiting: slices.Clone(s.ills.pairs.waiting)}}
	_, err := lines.Read(r, lines.Options{Line: last + 1}, filling{n, nil})
	if err != nil || n.complete() != nil {
		return nil
	}
	return n
}
