package cli

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/projection"
	"hygeia/session"
	"hygeia/transcript"
)

func (a *app) sessions() *cobra.Command {
	o, limit := &output{}, 0
	c := &cobra.Command{
		Use:   "sessions [DIR]",
		Short: "List the sessions of a folder",
		Long: `Lists the session files in DIR and below it (default: the current folder), the
one that changed last first, with what was said last. A file that cannot be read
is listed with the reason.`,
		Args: cobra.MatchAll(between(0, 1, "at most one DIR"), unnamed),
		RunE: func(_ *cobra.Command, args []string) error {
			if limit < 0 {
				return usage("--limit must not be negative")
			}
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return a.list(o, dir, limit)
		},
	}
	c.Flags().IntVar(&limit, "limit", 0, "list only the `N` that changed last (default: all)")
	o.flags(c)
	return c
}

// listed is one session of a folder.
type listed struct {
	File     string    `json:"file"`
	ID       string    `json:"id,omitempty"`
	Name     string    `json:"name,omitempty"`
	Model    string    `json:"model,omitempty"`
	Messages int       `json:"messages"`
	Branches int       `json:"branches"`
	Bytes    int64     `json:"bytes"`
	Changed  time.Time `json:"changed"`
	Last     string    `json:"last,omitempty"`
	Error    string    `json:"error,omitempty"`
}

func (a *app) list(o *output, dir string, limit int) error {
	list, unlisted, err := sessionFiles(dir)
	if err != nil {
		return err
	}
	read := make([]string, len(list))
	for i, l := range list {
		read[i] = filepath.Join(dir, l.File)
	}
	if err := a.notInput(read, o.path); err != nil {
		return err
	}
	total := len(list)
	if limit > 0 && total > limit {
		list = list[:limit]
	}
	redactor, err := session.NewRedactor()
	if err != nil {
		return err
	}
	var done atomic.Int64
	end := a.bar(&done, len(list))
	next := make(chan *listed)
	var w sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		w.Go(func() {
			for l := range next {
				l.read(filepath.Join(dir, l.File), projection.Options{Redact: redactor.Text})
				done.Add(1)
			}
		})
	}
	for i := range list {
		next <- &list[i]
	}
	close(next)
	w.Wait()
	end()
	answer := struct {
		Sessions []listed `json:"sessions"`
		Total    int      `json:"total"`
	}{list, total}
	if err := a.show(o, answer, func(w io.Writer, width int) { printSessions(w, width, list, total) }); err != nil {
		return err
	}
	return a.unlisted(unlisted)
}

// sessionFiles finds the session files in a folder, the newest first. A folder below it
// that cannot be listed keeps nobody from the others.
func sessionFiles(dir string) (list []listed, unlisted []error, err error) {
	list = []listed{}
	if info, err := os.Stat(dir); err != nil {
		return nil, nil, err
	} else if !info.IsDir() {
		return nil, nil, usage("%s is no folder", dir)
	}
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error { // its errors are kept
		switch {
		case err != nil:
			unlisted = append(unlisted, err)
			return fs.SkipDir
		case d.IsDir() || !session.IsSessionFile(d.Name()):
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil // it went away, or is no file
		}
		list = append(list, listed{File: filepath.FromSlash(name), Bytes: info.Size(), Changed: info.ModTime().UTC()})
		return nil
	})
	slices.SortFunc(list, func(a, b listed) int {
		return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(a.File, b.File))
	})
	return list, unlisted, nil
}

// read fills in what the file says.
func (l *listed) read(path string, show projection.Options) {
	t, err := hygeia.Open(path, hygeia.OpenOptions{Format: hygeia.FormatSession, Session: session.OpenOptions{AsIs: true}})
	if err != nil {
		l.Error = err.Error()
		return
	}
	messages, err := t.History(show)
	if err != nil {
		l.Error = err.Error()
		return
	}
	l.ID, l.Messages, l.Last = t.Session.Header().ID, len(messages), lastWords(messages)
	l.Branches = len(t.Session.Branches())
	for _, e := range t.Session.Entries() {
		if e.Type == transcript.EntrySessionInfo {
			l.Name = e.Get("name").String()
		}
		if e.Message != nil && e.Message.Is(transcript.Assistant) && e.Message.Model() != "" {
			l.Model = e.Message.Provider() + "/" + e.Message.Model()
		}
	}
}

func printSessions(w io.Writer, width int, list []listed, total int) {
	rows := table{head: []string{"CHANGED", "FILE", "NAME", "MODEL", "MESSAGES", "LAST WORDS"}}
	for _, l := range list {
		last := l.Last
		if l.Error != "" {
			last = "cannot be read: " + l.Error
		}
		rows.add(l.Changed.Format("2006-01-02 15:04"), l.File, l.Name, l.Model, fmt.Sprint(l.Messages), last)
	}
	if len(list) > 0 {
		rows.print(w, width)
	}
	if len(list) < total {
		fmt.Fprintf(w, "%d of ", len(list))
	}
	fmt.Fprintln(w, plural(total, "session"))
}
