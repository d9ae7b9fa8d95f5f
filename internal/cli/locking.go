package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"hygeia/runner"
	"hygeia/session"
)

// untilTold returns a context that ends when the program is told to end: by a key, by
// what started it, or by a terminal that goes away, unless nohup or the like says that
// this is to be ignored.
func untilTold() (context.Context, context.CancelFunc) {
	endings := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		endings = append(endings, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), endings...)
}

// endings are the signals at which locks are given up (F-41).
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGHUP}

// locking does work that takes the locks of session files, for which a run in the
// session is waited for: it would take the work for a takeover (F-43). If the program
// is told to end meanwhile, writes under way end, none begins any more, the locks are
// given up, and then the program ends by that signal.
func (a *app) locking(work func(lock func(path string) (session.Held, error)) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	told := make(chan os.Signal, 1)
	if heard := slices.DeleteFunc(slices.Clone(endings), signal.Ignored); len(heard) > 0 { // none would mean all
		signal.Notify(told, heard...)
	}
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case sig := <-told:
			cancel()
			session.ReleaseLocks()
			endBy(sig)
		case <-done:
		}
	})
	err := work(a.claimer(ctx))
	close(done)
	watch.Wait()
	signal.Stop(told)
	return err
}

// claimer takes sessions from runs, and the locks of their files. A run is waited for
// as long as a lock is (F-40).
func (a *app) claimer(ctx context.Context) func(path string) (session.Held, error) {
	o := session.LockOptions{}.WithEnv(os.Getenv)
	lock := o.Locker(ctx)
	var telling sync.Mutex // there may be several files at a time
	return func(path string) (session.Held, error) {
		leave, err := runner.Claim(ctx, path, cmp.Or(o.Wait, time.Minute), func(what string) {
			telling.Lock()
			defer telling.Unlock()
			fmt.Fprintln(a.stderr, safe(what))
		})
		if err != nil {
			return nil, err
		}
		held, err := lock(path)
		if err != nil {
			leave()
			return nil, err
		}
		return claim{held, leave}, nil
	}
}

// claim is the lock of a session in which nobody runs.
type claim struct {
	session.Held
	leave func()
}

// Release gives up both.
func (c claim) Release() error {
	defer c.leave()
	return c.Held.Release()
}

// endBy ends the program as the signal would have done.
func endBy(sig os.Signal) {
	signal.Reset(sig)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(sig) == nil {
		time.Sleep(time.Second) // it comes when it comes
	}
	os.Exit(exitFailure)
}
