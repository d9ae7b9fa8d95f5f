package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia"
	"hygeia/projection"
	"hygeia/transcript"
)

// ErrURL says that an address is not that of a gateway.
var ErrURL = errors.New("not the address of a gateway")

// Remote is the [Source] of a gateway.
type Remote struct {
	base   string
	token  string
	client *http.Client
}

// NewRemote returns the source of the gateway at an address, http or https. The
// token, "" for none, goes there and nowhere else: redirects are not followed.
// A nil transport is that of the standard library.
func NewRemote(address, token string, transport http.RoundTripper) (*Remote, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%w: expected http://HOST or https://HOST without a name, a query or a fragment", ErrURL)
	}
	return &Remote{
		base: strings.TrimRight(u.String(), "/"), token: token,
		client: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}

// largestAnswer is how much of an answer is read, in bytes.
const largestAnswer = 64 << 20

// request asks the gateway; body nil is none.
func (r *Remote) request(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, r.base+path, in)
	if err != nil {
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	res, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return res, nil
	}
	defer res.Body.Close()
	var answer struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	text, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10)) // what came tells what there is to tell
	if json.Unmarshal(text, &answer) != nil || answer.Error.Message == "" {
		answer.Error.Message = http.StatusText(res.StatusCode)
	}
	return nil, refusal{res.StatusCode, answer.Error.Message}
}

// refusal is an answer of a gateway that is an error.
type refusal struct {
	status  int
	message string
}

func (e refusal) Error() string {
	return fmt.Sprintf("the gateway answers %d: %s", e.status, e.message)
}

// ask asks the gateway and decodes what it answers.
func (r *Remote) ask(ctx context.Context, method, path string, body, answer any) error {
	res, err := r.request(ctx, method, path, body, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if answer == nil {
		return nil
	}
	if err := json.UnmarshalRead(io.LimitReader(res.Body, largestAnswer), answer); err != nil {
		return fmt.Errorf("the answer of the gateway cannot be read: %w", err)
	}
	return nil
}

func at(key, rest string) string { return "/sessions/" + url.PathEscape(key) + rest }

func (s Show) query() url.Values {
	q := url.Values{
		"limit": {strconv.Itoa(s.Limit)}, "includeThinking": {strconv.FormatBool(s.Thinking)}, "includeTools": {strconv.FormatBool(s.Tools)},
	}
	if s.Leaf != "" {
		q.Set("leaf", s.Leaf)
	}
	return q
}

// pageJSON is a page of history as the gateway gives it.
type pageJSON struct {
	Messages    []jsontext.Value `json:"messages"`
	NextCursor  string           `json:"nextCursor"`
	InFlightRun *struct {
		RunID string `json:"runId"`
		Text  string `json:"text"`
	} `json:"inFlightRun"`
}

func (p pageJSON) page(show Show) (Page, error) {
	out := Page{Older: p.NextCursor}
	for _, text := range p.Messages {
		m, err := shown(text, show)
		if err != nil {
			return out, err
		}
		if m != nil {
			out.Messages = append(out.Messages, m)
		}
	}
	return out, nil
}

// shown reads a message of a gateway. It is projected again, since a gateway may be
// older than this program (H-61); what is clean stays as it is.
func shown(text []byte, show Show) (*transcript.Message, error) {
	var reader transcript.Reader
	m, err := reader.Message(text)
	if err != nil {
		return nil, fmt.Errorf("a message of the gateway cannot be read: %w", err)
	}
	if list := projection.Project([]*transcript.Message{m}, projection.Options{Thinking: show.Thinking, Tools: show.Tools}); len(list) > 0 {
		return list[0], nil
	}
	return nil, nil
}

// Before implements [Source].
func (r *Remote) Before(ctx context.Context, key, cursor string, show Show) (Page, error) {
	query := show.query()
	query.Set("cursor", cursor)
	var answer pageJSON
	if err := r.ask(ctx, "GET", at(key, "/history?"+query.Encode()), nil, &answer); err != nil {
		return Page{}, err
	}
	return answer.page(show)
}

// Send implements [Source].
func (r *Remote) Send(ctx context.Context, key string, p Prompt) error {
	type attachment struct {
		Data []byte `json:"data"`
	}
	body := struct {
		Message        string       `json:"message"`
		IdempotencyKey string       `json:"idempotencyKey"`
		Model          string       `json:"model,omitempty"`
		Leaf           string       `json:"leaf,omitempty"`
		Attachments    []attachment `json:"attachments,omitempty"`
	}{Message: p.Text, IdempotencyKey: p.Run, Model: p.Model, Leaf: p.Leaf}
	for _, file := range p.Files {
		body.Attachments = append(body.Attachments, attachment{file})
	}
	return r.ask(ctx, "POST", at(key, "/messages"), body, nil)
}

// Stop implements [Source].
func (r *Remote) Stop(ctx context.Context, key, run string) error {
	return r.ask(ctx, "DELETE", at(key, "/runs/"+url.PathEscape(run)), nil, nil)
}

// Branches implements [Source].
func (r *Remote) Branches(ctx context.Context, key string) ([]Branch, error) {
	var answer struct {
		Branches []Branch `json:"branches"`
	}
	err := r.ask(ctx, "GET", at(key, "/branches"), nil, &answer)
	return answer.Branches, err
}

// Outcome implements [Source].
func (r *Remote) Outcome(ctx context.Context, key, run string) (e Event, over bool) {
	e = Event{Kind: Ended, Run: run}
	var answer struct {
		Status string `json:"status"`
		Text   string `json:"text"`
		Error  string `json:"error"`
	}
	err := r.ask(ctx, "GET", at(key, "/runs/"+url.PathEscape(run)), nil, &answer)
	if no := (refusal{}); errors.As(err, &no) {
		return e, true // forgotten: the history says what was stored
	}
	e.Text = projection.LiveText(answer.Text)
	if answer.Error != "" {
		e.Err = errors.New(answer.Error)
	}
	return e, err == nil && answer.Status != "queued" && answer.Status != "started" && answer.Status != "in_flight"
}

// Health implements [Source].
func (r *Remote) Health(ctx context.Context, key, to, api string) (h hygeia.Health, err error) {
	query := ""
	if to != "" {
		query = "?" + url.Values{"to": {to}, "api": {api}}.Encode()
	}
	err = r.ask(ctx, "GET", at(key, "/health"+query), nil, &h)
	return h, err
}

// Export implements [Source].
func (r *Remote) Export(ctx context.Context, key string) ([]byte, error) {
	res, err := r.request(ctx, "GET", at(key, "/export?as=markdown"), nil, nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(io.LimitReader(res.Body, largestAnswer))
}
