package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hygeia/session"
)

// jobs returns the files that the arguments mean, each once, and what earlier
// repairs left in the folders. A folder that cannot be listed keeps nobody from the
// others.
func (o *repairing) jobs(args []string) (jobs []*job, leftovers []string, err error) {
	seen := map[string]bool{}
	add := func(path, root, name string) error {
		file, err := filepath.EvalSymlinks(path)
		if err == nil && seen[file] {
			return nil
		}
		seen[file] = err == nil
		j := &job{path: path, root: root}
		if o.outDir != "" {
			j.out = filepath.Join(o.outDir, name)
			if err := os.MkdirAll(filepath.Dir(j.out), 0o700); err != nil {
				return err
			}
		}
		jobs = append(jobs, j)
		return nil
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			if err := add(arg, "", filepath.Base(arg)); err != nil {
				return nil, nil, err
			}
			continue
		}
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				o.unread = append(o.unread, err)
				return fs.SkipDir
			case d.IsDir():
				left, _ := session.Leftovers(path) // one that cannot be listed comes again with its error
				leftovers = append(leftovers, left...)
				return nil
			case !session.IsSessionFile(path):
				return nil
			}
			name, err := filepath.Rel(arg, path)
			return errors.Join(err, add(path, arg, name))
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return jobs, leftovers, nil
}

// repairInput repairs standard input. With --out the session goes to a file, or to
// standard output, and then the report to standard error.
func (a *app) repairInput(o *repairing) error {
	printed := o.outDir == "-"
	if err := a.notInput([]string{"-"}, o.path, o.outDir); err != nil {
		return err
	}
	path, err := a.spool()
	if err != nil {
		return err
	}
	defer os.Remove(path)
	j := &job{path: path, out: o.outDir}
	if printed {
		j.out = path + ".out"
		defer os.Remove(j.out)
	}
	o.run(j, 0)
	j.report.File = "-"
	told := a
	if printed {
		told = &app{stdin: a.stdin, stdout: a.stderr, stderr: a.stderr}
	}
	if printed && j.err == nil {
		j.err = a.printRepaired(o, j)
	}
	err = told.conclude(o, []*job{j}, nil)
	if j.err != nil {
		err = &spoolError{err, path}
	}
	return err
}

// spoolError is an error about the file that standard input was written to.
type spoolError struct {
	err  error
	path string
}

func (e *spoolError) Error() string {
	return strings.ReplaceAll(e.err.Error(), e.path, "standard input")
}
func (e *spoolError) Unwrap() error { return e.err }

// printRepaired prints the repaired session, unless something was left out of it that
// nobody would have any more.
func (a *app) printRepaired(o *repairing, j *job) error {
	if dropped := j.report.QuarantinePath; dropped != "" && o.Quarantine == "" {
		j.report.QuarantinePath, j.report.Repaired = "", false
		return errors.Join(os.Remove(dropped), errors.New("something is left out of the repaired session: --quarantine DIR keeps it"))
	}
	f, err := os.Open(j.out)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(a.stdout, f)
	return err
}

// places are the files that are read, and the copies that are written.
func places(jobs []*job) (paths []string) {
	for _, j := range jobs {
		paths = append(paths, j.path, j.out)
	}
	return paths
}

// spool writes standard input to a file, since it must be read more than once.
func (a *app) spool() (path string, err error) {
	f, err := os.CreateTemp("", "hygeia-*.jsonl")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, a.stdin)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}
