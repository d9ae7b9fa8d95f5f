package gateway

import (
	"os"

	"hygeia"
	"hygeia/session"
)

func makeFolder(dir string) error { return os.MkdirAll(dir, 0o700) }

// transcript opens a session for the engine, nil if it has no file yet.
func (g *Gateway) transcript(path string) (*hygeia.Transcript, error) {
	t, err := hygeia.Open(path, hygeia.OpenOptions{Format: hygeia.FormatSession, Session: session.OpenOptions{Cache: &g.cache}})
	if session.IsMissing(err) {
		return nil, nil
	}
	return t, err
}

// escapeGlob makes a name stand for itself in a pattern.
func escapeGlob(name string) string {
	var b []rune
	for _, r := range name {
		switch r {
		case '*', '?', '[':
			b = append(b, '[', r, ']')
		case '\\':
			b = append(b, '?')
		default:
			b = append(b, r)
		}
	}
	return string(b)
}
