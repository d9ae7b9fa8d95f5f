package cli

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"hygeia/session"
)

// repairing holds the flags of repair.
type repairing struct {
	output
	session.RepairOptions
	outDir, restore string
	unread          []error // folders that cannot be listed
}

func (a *app) repair() *cobra.Command {
	o := &repairing{}
	c := &cobra.Command{
		Use:   "repair PATH…",
		Short: "Repair session files",
		Long: `Finds what is damaged in session files: torn, glued and broken lines, records
that hang from nothing, ids that stand twice, missing headers, turns that are no
valid records. PATH is a file, a folder with all its sessions, or - for standard
input. Without --write nothing is written: it says what would change, and ends
with exit code 1 if something would.

With --write each damaged file is replaced durably: a crash at any moment leaves
the old or the new file complete. What is left out of a file goes to a neighbour
file *.dropped-<time>. Lines that are not damaged keep every byte. A run in the
session is waited for.

Of standard input --out FILE takes the repaired session; --out - prints it on
standard output, and the report on standard error.`,
		Args: func(c *cobra.Command, args []string) error { return o.check(c, args) },
		RunE: func(_ *cobra.Command, args []string) error {
			if !o.Write && o.restore == "" {
				return a.repairAll(o, args)
			}
			var err error
			if o.Log, err = a.log(); err != nil {
				return err
			}
			return a.locking(func(lock func(string) (session.Held, error)) error {
				o.Lock = lock
				if o.restore != "" {
					return a.restore(o)
				}
				return a.repairAll(o, args)
			})
		},
	}
	f := c.Flags()
	f.BoolVar(&o.Write, "write", false, "replace the damaged files")
	f.StringVar(&o.outDir, "out", "", "write repaired copies of all sessions to the folder `DIR` instead; that of standard input to a file of that name, or to -")
	f.BoolVar(&o.KeepBackup, "keep-backup", false, "leave the original beside each file that is replaced")
	f.StringVar(&o.Quarantine, "quarantine", "", "put what is left out of files into the folder `DIR`")
	f.StringVar(&o.restore, "restore", "", "put `BACKUP` back in the place of its file, which becomes a backup itself")
	o.flags(c)
	return c
}

// check demands flags and arguments that go together.
func (o *repairing) check(c *cobra.Command, args []string) error {
	writes := o.Write || o.outDir != ""
	stdin := false
	for _, path := range args {
		stdin = stdin || path == "-"
	}
	if err := unnamed(c, args); err != nil {
		return err
	}
	switch {
	case o.restore != "" && (writes || o.KeepBackup || o.Quarantine != "" || len(args) > 0):
		return usage("--restore BACKUP goes alone")
	case o.restore == "" && len(args) == 0:
		return usage("%s takes one PATH or more; see %s --help", c.Name(), c.CommandPath())
	case o.Write && o.outDir != "":
		return usage("--write replaces the files, --out writes copies: only one of them")
	case o.KeepBackup && !o.Write:
		return usage("--keep-backup goes with --write")
	case o.Quarantine != "" && !writes:
		return usage("--quarantine goes with --write or --out")
	case stdin && (o.Write || len(args) > 1):
		return usage("- is read alone and never written; repair - --out FILE gives the repaired session, --out - prints it")
	case o.outDir == "-" && !stdin:
		return usage("--out - is for standard input; --out DIR takes the copies of files")
	}
	return nil
}

func (a *app) restore(o *repairing) error {
	if err := a.notInput([]string{o.restore, session.BackupOf(o.restore)}, o.path); err != nil {
		return err
	}
	r, err := session.Restore(o.restore, o.RepairOptions)
	if err != nil {
		return err
	}
	return a.show(&o.output, r, func(w io.Writer, _ int) {
		fmt.Fprintf(w, "%s is what it was in %s\n", safe(r.File), safe(r.From))
		if r.BackupPath != "" {
			fmt.Fprintf(w, "what it was before is in %s\n", safe(r.BackupPath))
		}
	})
}

// job is the repair of one file.
type job struct {
	path, out string
	root      string // of the folder that it was found in, "" for a file that was named
	report    *session.RepairReport
	err       error
	changes   []session.RepairChange // the first maxChanges
	counts    map[string]int
}

// maxChanges is how many changes of a file are shown. There may be millions.
const maxChanges = 10_000

func (a *app) repairAll(o *repairing, args []string) error {
	if args[0] == "-" {
		return a.repairInput(o)
	}
	jobs, leftovers, err := o.jobs(args)
	if err != nil {
		return err
	}
	if err := a.notInput(places(jobs), o.path); err != nil {
		return err
	}
	var done atomic.Int64
	end := a.bar(&done, len(jobs))
	workers := min(runtime.GOMAXPROCS(0), len(jobs))
	next := make(chan *job)
	var w sync.WaitGroup
	for range workers {
		w.Go(func() {
			for j := range next {
				o.run(j, workers)
				done.Add(1)
			}
		})
	}
	for _, j := range jobs {
		next <- j
	}
	close(next)
	w.Wait()
	end()
	return a.conclude(o, jobs, leftovers)
}

// run repairs a file, one of so many at the same time.
func (o *repairing) run(j *job, workers int) {
	opt := o.RepairOptions
	opt.Out, opt.Root, opt.SkipLeftovers = j.out, j.root, j.root != ""
	if workers > 1 {
		opt.Workers = 1
	}
	opt.Each = func(c *session.RepairChange) {
		switch {
		case c == nil:
			j.changes, j.counts = nil, nil
			return
		case len(j.changes) < maxChanges:
			j.changes = append(j.changes, *c)
		}
		if j.counts == nil {
			j.counts = map[string]int{}
		}
		j.counts[c.Rule]++
	}
	j.report, j.err = session.Repair(j.path, opt)
}
