package model

import (
	"bytes"
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"hygeia/internal/jsonline"
)

// endpoint completes what the user configured by the environment and what is
// known of the provider.
func (s *sending) endpoint() (Endpoint, error) {
	provider, api := s.call.Target.Provider, s.call.Target.API
	h, known := hosts[provider]
	e := s.client.config.Endpoints[provider]
	if emulator := s.client.config.Emulator; emulator != "" {
		e = Endpoint{
			BaseURL: strings.TrimRight(emulator, "/") + "/to/" + url.PathEscape(provider) + s.road.root,
			Key:     "emulator", Region: "us-east-1", Location: "us-central1", Project: "emulator",
		}
		return e, nil
	}
	h.open = h.open || e.BaseURL != "" || s.call.BaseURL != ""
	e.Key = cmp.Or(strings.TrimSpace(e.Key), s.variable(h.keys))
	if provider == bedrock && e.Key == "" && e.AccessKey == "" {
		e.AccessKey, e.SecretKey = s.variable(env("AWS_ACCESS_KEY_ID")), s.variable(env("AWS_SECRET_ACCESS_KEY"))
		e.SessionToken = s.variable(env("AWS_SESSION_TOKEN"))
	}
	own := cmp.Or(h.bases[api], h.base)
	if variable := s.variable(h.url); variable != "" && h.bases[api] == "" {
		own = variable
	}
	e.BaseURL = cmp.Or(s.call.BaseURL, e.BaseURL, own)
	switch {
	case e.BaseURL == "" && !known:
		return e, notReady("nothing is known about provider %s: configure its base URL", provider)
	case e.BaseURL == "":
		return e, notReady("the base URL of provider %s is not configured: set %s", provider, strings.Join(h.url, " or "))
	case e.Key == "" && (e.AccessKey == "" || e.SecretKey == "") && len(e.Header) == 0 && !h.open:
		return e, notReady("no key for provider %s: set %s", provider, cmp.Or(strings.Join(h.keys, " or "), "one in the configuration"))
	}
	return e, nil
}

func (s *sending) variable(names []string) string {
	for _, name := range names {
		if v := strings.TrimSpace(s.client.config.Env(name)); v != "" { // keys out of files end in a line break
			return v
		}
	}
	return ""
}

// brace is a word to be filled in.
var brace = regexp.MustCompile(`\{([a-z]+)\}`)

// fill fills the words in braces in.
func (s *sending) fill(text string, e *Endpoint) (string, error) {
	own := map[string]string{"model": s.call.Target.Model, "region": e.Region, "location": e.Location, "project": e.Project}
	if own["location"] == "" && s.variable(words["location"]) == "global" || e.Location == "global" {
		text = strings.Replace(text, "//{location}-", "//", 1) // the host of all locations has no name in front
	}
	missing := ""
	out := brace.ReplaceAllStringFunc(text, func(word string) string {
		name := word[1 : len(word)-1]
		v := cmp.Or(own[name], s.variable(words[name]))
		if missing == "" && (v == "" || v == "." || v == "..") {
			missing = name
		}
		return escaped(v)
	})
	if missing != "" {
		return "", notReady("the %s of provider %s is not configured", missing, s.call.Target.Provider)
	}
	return out, nil
}

// escaped escapes one segment of a path as services that sign paths expect it.
func escaped(v string) string {
	return strings.NewReplacer(":", "%3A", "@", "%40", "+", "%2B", "=", "%3D", "&", "%26", "$", "%24").Replace(url.PathEscape(v))
}

// address is the URL of the request.
func (s *sending) address(e *Endpoint) (*url.URL, error) {
	base, err := s.fill(e.BaseURL, e)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Fragment != "" {
		return nil, notReady("the base URL of provider %s is no plain http or https URL", s.call.Target.Provider)
	}
	path, err := s.fill(s.road.path, e)
	if err != nil {
		return nil, err
	}
	path, query, _ := strings.Cut(path, "?")
	front := strings.TrimRight(u.EscapedPath(), "/")
	if s.call.Target.API == codexAPI {
		front = strings.TrimSuffix(front, "/v1") // W-341
	}
	whole := front + behind(front, path)
	if u.Path, err = url.PathUnescape(whole); err != nil {
		return nil, notReady("the path of the base URL of provider %s is not valid", s.call.Target.Provider)
	}
	u.RawPath = whole
	if u.RawQuery != "" && query != "" {
		query = "&" + query
	}
	u.RawQuery += query
	return u, nil
}

// behind returns what of a path does not stand at the end of the front already.
func behind(front, path string) string {
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '/') {
		if strings.HasSuffix(front, path[:end]) {
			return path[end:]
		}
	}
	return path
}

// request makes the HTTP request.
func (s *sending) request() (*http.Request, error) {
	e, err := s.endpoint()
	if err != nil {
		return nil, err
	}
	s.secrets = nil
	s.secrets.add(e.Key, e.AccessKey, e.SecretKey, e.SessionToken)
	for _, v := range e.Header {
		s.secrets.add(v)
	}
	u, err := s.address(&e)
	if err != nil {
		return nil, err
	}
	body := s.body(&e)
	r, err := http.NewRequestWithContext(s.attempt, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, v := range map[string]string{
		"Content-Type": "application/json", "Accept": s.road.accept, "Accept-Encoding": "identity", "User-Agent": "hygeia",
	} {
		r.Header.Set(name, v)
	}
	for name, v := range s.road.header {
		r.Header.Set(name, v)
	}
	s.say(r.Header, &e)
	for name, v := range e.Header {
		r.Header.Set(name, v)
	}
	return r, s.authorize(r, &e, body)
}

// body is the body of the call. The envelope of Cloud Code Assist names the
// project where others have it in the path (W-631).
func (s *sending) body(e *Endpoint) []byte {
	project := cmp.Or(e.Project, s.variable(words["project"]))
	envelope := jsonline.ParseObject(s.call.Body)
	if s.call.Target.API != codeAssistAPI || project == "" || !envelope.Has("request") || envelope.Has("project") {
		return s.call.Body
	}
	front := append(jsonline.AppendQuoted([]byte(`{"project":`), project), ',')
	return append(front, bytes.TrimLeft(s.call.Body, " \t\r\n")[1:]...)
}
