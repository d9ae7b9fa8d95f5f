package cli

import (
	"fmt"
	"sync"
	"time"
)

// progress shows, on a terminal, what the program is doing once it has taken
// more than a second. The returned function ends it and clears the line.
func (a *app) progress(what string) func() {
	if terminalWidth(a.stderr) == 0 {
		return func() {}
	}
	stop := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		shown := false
		for n := 1; ; n++ {
			select {
			case <-stop:
				if shown {
					fmt.Fprint(a.stderr, "\r\033[K")
				}
				return
			case <-time.After(time.Second):
				shown = true
				fmt.Fprintf(a.stderr, "\r\033[K%s … %d s", safe(what), n)
			}
		}
	})
	return sync.OnceFunc(func() { close(stop); ended.Wait() })
}
