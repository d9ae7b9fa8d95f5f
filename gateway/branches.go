package gateway

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"hygeia/internal/jsonline"
	"hygeia/projection"
	"hygeia/session"
)

// branches lists the branches of a session, each with the words with which it leaves
// the active one and those with which it ends.
func (g *Gateway) branches(c *call) error {
	_, s, err := g.stored(c)
	if err != nil {
		return err
	}
	type branch struct {
		Leaf   string `json:"leaf"`
		Parts  string `json:"partsAt,omitempty"`
		Active bool   `json:"active"`
		Begins string `json:"begins,omitempty"`
		Ends   string `json:"ends,omitempty"`
	}
	list := []branch{}
	if s != nil {
		for _, tip := range s.Branches() {
			b, err := s.Branch(tip.Leaf)
			if err != nil {
				return err
			}
			begins, ends := projection.BranchWords(b.Entries(), tip.Parts, projection.Options{Redact: g.redactor.Text})
			list = append(list, branch{tip.Leaf, tip.Parts, tip.Active, begins, ends})
		}
	}
	return c.answer(http.StatusOK, struct {
		Branches []branch `json:"branches"`
	}{list})
}

// fork copies a branch into a session of its own (F-26).
func (g *Gateway) fork(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	var in struct {
		settings
		Leaf string `json:"leaf"`
	}
	if err := c.decode(&in); err != nil {
		return err
	}
	if err := in.checkNew(); err != nil {
		return err
	}
	s, err := g.load(p.Path)
	if err != nil {
		return err
	}
	if s == nil {
		return failure{http.StatusConflict, "empty", "the session holds nothing yet"}
	}
	b, err := s.Branch(in.Leaf)
	if err != nil {
		return notFound("there is no entry %s", strconv.Quote(in.Leaf))
	}
	f, err := b.Fork(session.WriteOptions{})
	switch {
	case errors.Is(err, session.ErrNoEntry):
		return failure{http.StatusConflict, "empty", "the session holds nothing yet"}
	case err != nil:
		return err
	}
	file, err := filepath.Abs(session.AgentStore(g.State, p.Agent).Dir())
	if err == nil {
		file, err = filepath.Rel(file, f.Path) // the state may move
	}
	if err == nil {
		o := jsonline.Object{}.With("sessionId", jsonline.Text(f.SessionID)).With("sessionFile", jsonline.Text(file))
		from := g.indexRow(p)
		// It holds what the session says since that began.
		for _, name := range []string{"modelProvider", "model", "sessionStartedAt"} {
			if v := from.Get(name); v.Exists() {
				o = o.With(name, v)
			}
		}
		err = g.add(c, p.Agent, in.settings, o)
	}
	if err != nil && !errors.Is(err, errStreamed) {
		return errors.Join(err, os.Remove(f.Path)) // no row leads to it
	}
	return err
}
