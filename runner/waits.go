package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"hygeia/session"
)

const loop = "the session waits for this one: its reply would never come"

// waits knows which session waits for the reply of which (S-B07), by what stands for
// their keys in names of files. Where folder is not "" others in other processes
// know it too: a wait is a lock there, which ends with the process that holds it.
type waits struct {
	folder string

	mu  sync.Mutex
	own map[string]map[string]int
}

// edge is a wait: who waits for whom in which run, all of them digests.
type edge struct{ from, to, run string }

// path returns the path of which the lock is that of the wait.
func (w *waits) path(e edge) string {
	return filepath.Join(w.folder, strings.Join([]string{"wait", e.from, e.to, e.run}, "-"))
}

// digest stands for the key of a session or the id of a run.
func digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

// reaches reports whether a waits for b, at first or at second hand.
func (w *waits) reaches(ctx context.Context, a, b string) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.leads(ctx, digest(a), digest(b))
}

// leads does the work of reaches, of whoever has mu.
func (w *waits) leads(ctx context.Context, a, b string) (bool, error) {
	others, err := w.others()
	if err != nil {
		return false, err
	}
	seen, next := map[string]bool{}, []string{a}
	for len(next) > 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		for to := range w.own[at] {
			next = append(next, to)
		}
		for _, e := range others {
			if e.from != at || w.own[e.from][e.to] > 0 {
				continue
			}
			held, err := w.held(ctx, e)
			if err != nil {
				return false, err
			}
			if held {
				next = append(next, e.to)
			}
		}
		if at != a && at == b {
			return true, nil
		}
	}
	return false, nil
}

// others returns the waits that stand in the folder, over or not.
func (w *waits) others() (list []edge, err error) {
	if w.folder == "" {
		return nil, nil
	}
	files, err := os.ReadDir(w.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".lock")
		if parts := strings.Split(name, "-"); ok && len(parts) == 4 && parts[0] == "wait" {
			list = append(list, edge{parts[1], parts[2], parts[3]})
		}
	}
	return list, err
}

// held reports whether a wait of the folder is not over.
func (w *waits) held(ctx context.Context, e edge) (bool, error) {
	const moment = 50 * time.Millisecond
	lock, err := session.Acquire(ctx, w.path(e), session.LockOptions{Wait: moment})
	if errors.Is(err, session.ErrLocked) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, lock.Release() // its process is gone
}

// await notes that from waits for the reply of to in a run, unless to waits for from
// or is it. A person waits for nobody.
func (w *waits) await(ctx context.Context, from, to, run string) (forget func(), ok bool, err error) {
	if from == "" {
		return func() {}, true, nil
	}
	if from == to {
		return nil, false, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.folder != "" { // nobody may note a wait between the look and the note
		alone, err := session.Acquire(ctx, filepath.Join(w.folder, "waits"), session.LockOptions{})
		if err != nil {
			return nil, false, err
		}
		defer alone.Release()
	}
	e := edge{digest(from), digest(to), digest(run)}
	loops, err := w.leads(ctx, e.to, e.from)
	if loops || err != nil {
		return nil, false, err
	}
	var lock *session.Lock
	if w.folder != "" {
		lock, err = session.Acquire(ctx, w.path(e), session.LockOptions{MaxHold: longestFlow, Stale: longestFlow})
		if err != nil {
			return nil, false, err
		}
	}
	if w.own == nil {
		w.own = map[string]map[string]int{}
	}
	if w.own[e.from] == nil {
		w.own[e.from] = map[string]int{}
	}
	w.own[e.from][e.to]++
	return func() { w.forget(e, lock) }, true, nil
}

func (w *waits) forget(e edge, lock *session.Lock) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.own[e.from][e.to]--; w.own[e.from][e.to] == 0 {
		delete(w.own[e.from], e.to)
	}
	if len(w.own[e.from]) == 0 {
		delete(w.own, e.from)
	}
	if lock != nil {
		_ = lock.Release() // the file of the lock is all that could stay
	}
}
