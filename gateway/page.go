package gateway

import (
	"embed"
	"path"
)

//go:embed web
var web embed.FS

var webTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

// page serves the shell of the chat page. It holds nothing of a session: what it
// shows comes over the same routes as for everybody.
func (g *Gateway) page(c *call) error {
	text, err := web.ReadFile("web/index.html")
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, err = c.w.Write(text)
	return streamed(err)
}

func (g *Gateway) static(c *call) error {
	name := c.r.PathValue("name")
	text, err := web.ReadFile("web/" + path.Base(name))
	kind := webTypes[path.Ext(name)]
	if err != nil || kind == "" {
		return notFound("there is no such file")
	}
	c.w.Header().Set("Content-Type", kind)
	_, err = c.w.Write(text)
	return streamed(err)
}
