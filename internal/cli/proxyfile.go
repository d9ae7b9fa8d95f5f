package cli

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia"
	"hygeia/internal/jsonfault"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/proxy"
)

// proxyFile is the configuration file of hygeia proxy. Unknown members are an
// error: a limit that is misspelled must not be none.
type proxyFile struct {
	Listen    string       `json:"listen"`
	Hosts     []string     `json:"hosts"`
	TokenFile string       `json:"tokenFile"`
	Routes    []proxyRoute `json:"routes"`
	Limits    struct {
		MaxBody     int64    `json:"maxBody"`
		MaxBuffered int64    `json:"maxBuffered"`
		MaxRequests int      `json:"maxRequests"`
		BodyTime    duration `json:"bodyTime"`
		AnswerTime  duration `json:"answerTime"`
		IdleTime    duration `json:"idleTime"`
		StopTime    duration `json:"stopTime"`
	} `json:"limits"`
}

type proxyRoute struct {
	Prefix   string `json:"prefix"`
	Upstream string `json:"upstream"`
	To       string `json:"to"`
	DryRun   bool   `json:"dryRun"`
	Key      struct {
		Header string `json:"header"`
		File   string `json:"file"`
	} `json:"key"`
	// AWS signs requests anew, with the credentials of the environment.
	AWS struct {
		Region string `json:"region"`
	} `json:"aws"`
}

// duration is a time as Go writes it, "90s".
type duration time.Duration

// UnmarshalText reads a duration.
func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	switch {
	case err == nil && v <= 0:
		err = fmt.Errorf("%s is no time to wait", text)
	case err != nil:
		err = errors.New(`expected a time such as "90s" or "50ms"`)
	}
	*d = duration(v)
	return err
}

func readProxyFile(name string) (*proxyFile, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var f proxyFile
	if err := json.Unmarshal(text, &f, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, jsonfault.In(text, err))
	}
	return &f, nil
}

// proxy returns the configuration, all of it only reporting where dryRun is set.
// Providers that no profile knows are told to note: it may be a name of the user's
// own, for which the rules of the API hold, or a mistake.
func (f *proxyFile) proxy(dryRun bool, note func(string)) (proxy.Config, error) {
	l := &f.Limits
	c := proxy.Config{Hosts: f.Hosts, Limits: proxy.Limits{
		MaxBody: l.MaxBody, MaxBuffered: l.MaxBuffered, MaxRequests: l.MaxRequests,
		BodyTime: time.Duration(l.BodyTime), AnswerTime: time.Duration(l.AnswerTime), IdleTime: time.Duration(l.IdleTime), StopTime: time.Duration(l.StopTime),
	}}
	for _, r := range f.Routes {
		to, err := proxyTarget(r.To)
		if err != nil {
			return c, usageError{err}
		}
		o := hygeia.ReplayOptions{}
		if o.Policy, err = userConfig(to); err != nil {
			return c, err
		}
		res, err := policy.Resolve(to, o.Policy)
		if err != nil {
			return c, err
		}
		if res.UnknownProvider != "" {
			note("provider " + res.UnknownProvider + " is unknown: only the rules of the API hold that a path names; hygeia providers lists the known ones")
		}
		route := proxy.Route{Prefix: r.Prefix, Upstream: r.Upstream, To: to, DryRun: r.DryRun || dryRun, Replay: o}
		if r.Key.File != "" {
			route.Key.Header = http.CanonicalHeaderKey(r.Key.Header)
			if route.Key.Value, err = readSecret(r.Key.File); err != nil {
				return c, err
			}
			if payload.AccessToken(route.Key.Value) {
				if route.Replay.Payload.Identity, err = configured(o.Policy.Catalogue, to.Provider); err != nil {
					return c, err
				}
			}
		}
		if r.AWS.Region != "" {
			route.AWS = proxy.AWS{
				AccessKey: os.Getenv("AWS_ACCESS_KEY_ID"), SecretKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
				SessionToken: os.Getenv("AWS_SESSION_TOKEN"), Region: r.AWS.Region,
			}
		}
		c.Routes = append(c.Routes, route)
	}
	return c, nil
}
