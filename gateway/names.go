package gateway

import (
	"strings"
	"sync"

	"hygeia/projection"
	"hygeia/session"
)

// names are titles and keys as they are shown. To look for secrets in a name takes
// longer than all else about a row, and lists are asked for often, so what came of it
// is remembered.
type names struct {
	redactor *session.Redactor
	mu       sync.Mutex
	known    map[string]string
}

const mostNames = 50_000

// plain is a name without secrets, on one line (H-B13).
func (n *names) plain(name string) string {
	return n.of("p"+name, func() string {
		return strings.Join(strings.Fields(projection.OneLine(n.redactor.Text(name))), " ")
	})
}

// derived is a title that another program made of what a user wrote (X-B01).
func (n *names) derived(title string) string {
	return n.of("d"+title, func() string { return projection.Title(title, n.redactor.Text) })
}

func (n *names) of(key string, show func() string) string {
	if len(key) == 1 {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if shown, ok := n.known[key]; ok {
		return shown
	}
	if n.known == nil || len(n.known) >= mostNames {
		n.known = map[string]string{}
	}
	shown := show()
	n.known[key] = shown
	return shown
}
