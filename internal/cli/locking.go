package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"hygeia/session"
)

// endings are the signals at which locks are given up (F-41).
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGABRT}

// locking does work that takes the locks of session files. If the program is told
// to end meanwhile, writes under way end, none begins any more, the locks are
// given up, and then the program ends by that signal.
func locking(work func(lock func(path string) (session.Held, error)) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	told := make(chan os.Signal, 1)
	signal.Notify(told, slices.DeleteFunc(slices.Clone(endings), signal.Ignored)...)
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
	err := work(session.LockOptions{}.WithEnv(os.Getenv).Locker(ctx))
	close(done)
	watch.Wait()
	signal.Stop(told)
	return err
}

// endBy ends the program as the signal would have done.
func endBy(sig os.Signal) {
	signal.Reset(sig)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(sig) == nil {
		time.Sleep(time.Second) // it comes when it comes
	}
	os.Exit(exitFailure)
}
