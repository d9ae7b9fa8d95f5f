package gateway

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// feeds wake the streams of a session when something happened in it. A stream
// looks for itself what that was, so one that reads slowly holds nobody up and
// nothing is queued for it.
type feeds struct {
	mu      sync.Mutex
	wake    map[string]map[chan struct{}]bool // by the path of the file
	streams int
	of      map[string]int // by share; "" is the token
}

// mostOfShare is how many streams the readers of one share may have.
const mostOfShare = 100

// join returns what wakes a stream, and what ends that; the failure is 503.
func (f *feeds) join(path string, who caller, most int) (wake chan struct{}, leave func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.streams >= most || who.share != "" && f.of[who.share] >= mostOfShare {
		return nil, nil, failure{http.StatusServiceUnavailable, "too_many", "there are too many streams"}
	}
	if f.wake == nil {
		f.wake = map[string]map[chan struct{}]bool{}
	}
	if f.wake[path] == nil {
		f.wake[path] = map[chan struct{}]bool{}
	}
	c := make(chan struct{}, 1)
	f.wake[path][c] = true
	f.streams++
	if f.of == nil {
		f.of = map[string]int{}
	}
	f.of[who.share]++
	return c, func() { f.leave(path, who, c) }, nil
}

func (f *feeds) leave(path string, who caller, c chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of[who.share]--; f.of[who.share] == 0 {
		delete(f.of, who.share)
	}
	delete(f.wake[path], c)
	if len(f.wake[path]) == 0 {
		delete(f.wake, path)
	}
	f.streams--
}

func (f *feeds) poke(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.wake[path] {
		select {
		case c <- struct{}{}:
		default: // it is awake
		}
	}
}

func (f *feeds) paths() (list []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for path := range f.wake {
		list = append(list, path)
	}
	return list
}

// watch looks whether other programs have written to the files that streams
// tell of.
func (g *Gateway) watch() {
	tick := time.NewTicker(g.Poll)
	defer tick.Stop()
	last := map[string]any{}
	for {
		select {
		case <-g.ctx.Done():
			return
		case <-tick.C:
		}
		paths := g.feeds.paths()
		if len(paths) == 0 {
			clear(last)
		}
		for _, path := range paths {
			now, err := g.state(path)
			if err == nil && last[path] != now {
				last[path] = now
				g.feeds.poke(path)
			}
		}
	}
}

// state is what tells whether something has changed in a session, or in the list.
func (g *Gateway) state(path string) (any, error) {
	if path != listFeed {
		return g.load(path)
	}
	indexes, err := filepath.Glob(filepath.Join(escapeGlob(g.State), "agents", "*", "sessions", "sessions.json"))
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, name := range indexes {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintln(&b, name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String(), nil
}
