package tui

import (
	"context"
	"net/url"
)

// rowJSON is a session as the gateway lists it.
type rowJSON struct {
	Key       string `json:"key"`
	Title     string `json:"title"`
	Model     string `json:"model"`
	UpdatedAt int64  `json:"updatedAt"`
	HasRun    bool   `json:"hasActiveRun"`
}

func (r rowJSON) session() Session { return Session{r.Key, r.Title, r.Model, r.UpdatedAt, r.HasRun} }

// List implements [Source].
func (r *Remote) List(ctx context.Context, search string) ([]Session, error) {
	var answer struct {
		Sessions []rowJSON `json:"sessions"`
	}
	query := url.Values{"limit": {"1000"}, "preview": {"1"}} // a title of what was said where nobody gave one
	if search != "" {
		query.Set("search", search)
	}
	if err := r.ask(ctx, "GET", "/sessions?"+query.Encode(), nil, &answer); err != nil {
		return nil, err
	}
	var list []Session
	for _, row := range answer.Sessions {
		list = append(list, row.session())
	}
	return list, nil
}

// Create implements [Source].
func (r *Remote) Create(ctx context.Context) (Session, error) {
	var row rowJSON
	err := r.ask(ctx, "POST", "/sessions", map[string]string{}, &row)
	return row.session(), err
}

// Rename implements [Source].
func (r *Remote) Rename(ctx context.Context, key, title string) error {
	return r.ask(ctx, "PATCH", at(key, ""), map[string]string{"title": title}, nil)
}

// Archive implements [Source].
func (r *Remote) Archive(ctx context.Context, key string) error {
	return r.ask(ctx, "PATCH", at(key, ""), map[string]bool{"archived": true}, nil)
}
