package gateway

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// defaultModel is the name under which clients ask for the model of a session.
const defaultModel = "hygeia/default"

// openModel is a model as OpenAI lists it (H-43).
type openModel struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"` // that nobody knows: 0
	OwnedBy string `json:"owned_by"`
}

// models lists what a chat completion may name (H-43): the model of a session
// itself, those that are configured, and those that sessions have.
func (g *Gateway) models(c *call) error {
	list, err := g.openModels(c)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Object string      `json:"object"`
		Data   []openModel `json:"data"`
	}{"list", list})
}

func (g *Gateway) model(c *call) error {
	list, err := g.openModels(c)
	if err != nil {
		return err
	}
	id := c.r.PathValue("id")
	i := slices.IndexFunc(list, func(m openModel) bool { return m.ID == id })
	if i < 0 {
		return notFound("there is no model %s", strconv.Quote(id))
	}
	return c.answer(http.StatusOK, list[i])
}

func (g *Gateway) openModels(c *call) ([]openModel, error) {
	list := []openModel{}
	if g.Run == nil {
		return list, nil // nothing answers here
	}
	rows, err := g.rows(listing{only: c.who.session}.wants)
	if err != nil {
		return nil, err
	}
	names := []string{defaultModel}
	if c.who.session == "" {
		names = append(names, g.Models...)
	}
	for _, r := range rows {
		names = append(names, r.Model)
	}
	seen := map[string]bool{}
	for _, name := range names {
		owner, _, ok := strings.Cut(name, "/")
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		list = append(list, openModel{name, "model", 0, owner})
	}
	return list, nil
}
