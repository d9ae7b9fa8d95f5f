package proxy

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"hygeia"
)

// Config says what a proxy does. Routes are needed, everything else has a
// default.
type Config struct {
	Routes []Route
	// Token must come with every request, "" for none. It is needed on other
	// addresses than the loopback and where a route has a key.
	Token string
	// Hosts are names besides those of the loopback under which requests may
	// come.
	Hosts []string
	// Limits bound what one caller can take.
	Limits Limits
	// Log takes a line for each request, nil for none. It holds no content.
	Log *slog.Logger
}

// Route is an upstream and the paths that lead to it.
type Route struct {
	// Prefix is the beginning of the paths, "" for all. It does not go on.
	Prefix string
	// Upstream is the URL to which the rest of the path is added.
	Upstream string
	// To names the provider, and the model, whose rules hold; see
	// hygeia.Transport.
	To hygeia.Target
	// DryRun only reports.
	DryRun bool
	// Key is the credential for requests that bring none but the token.
	Key Key
	// Replay holds the user's profiles and limits on pictures. An identity in it
	// (W-231) is that of requests with Key.
	Replay hygeia.ReplayOptions
	// AWS signs the requests anew that go to Bedrock; what the caller signed with
	// counts for nothing. Its zero value signs nothing.
	AWS AWS
}

// Key is a credential as a header, e.g. X-Api-Key.
type Key struct{ Header, Value string }

// Limits bound what requests may take. Zero values stand for the defaults in
// brackets.
type Limits struct {
	MaxBody     int64         // bytes of one body with a transcript, unpacked (64 MiB)
	MaxBuffered int64         // bytes of all such bodies at a time, as they come (1 GiB)
	MaxRequests int           // requests at a time (1024)
	BodyTime    time.Duration // for a whole body with a transcript, for a pause in another (1 min)
	AnswerTime  time.Duration // for the upstream to begin its answer (10 min)
	IdleTime    time.Duration // for a pause in an answer or a WebSocket (10 min)
	StopTime    time.Duration // for requests under way when the proxy is told to stop (10 s)
}

func (l Limits) filled() Limits {
	return Limits{
		MaxBody: cmp.Or(l.MaxBody, 64<<20), MaxBuffered: cmp.Or(l.MaxBuffered, 1<<30), MaxRequests: cmp.Or(l.MaxRequests, 1024),
		BodyTime: cmp.Or(l.BodyTime, time.Minute), AnswerTime: cmp.Or(l.AnswerTime, 10*time.Minute),
		IdleTime: cmp.Or(l.IdleTime, 10*time.Minute), StopTime: cmp.Or(l.StopTime, 10*time.Second),
	}
}

// ErrConfig is what errors of a configuration wrap.
var ErrConfig = errors.New("proxy configuration")

func (c *Config) check() error {
	if len(c.Routes) == 0 {
		return fmt.Errorf("%w: no upstream", ErrConfig)
	}
	var prefixes []string
	for _, r := range c.Routes {
		if err := r.check(c.Token != ""); err != nil {
			return fmt.Errorf("%w: route %q: %w", ErrConfig, cmp.Or(r.Prefix, "/"), err)
		}
		if p := strings.Trim(r.Prefix, "/"); slices.Contains(prefixes, p) {
			return fmt.Errorf("%w: two routes for %q", ErrConfig, "/"+p)
		}
		prefixes = append(prefixes, strings.Trim(r.Prefix, "/"))
	}
	return nil
}

func (r *Route) check(token bool) error {
	u, err := url.Parse(r.Upstream)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return errors.New("the upstream is no http or https URL") // which may hold a key
	case u.User != nil, u.RawQuery != "", u.Fragment != "":
		return errors.New("the upstream must not have a user, a query or a fragment")
	case !plainPath(u.EscapedPath()):
		return errors.New("the upstream has dot segments in its path")
	case !plainPath("/" + strings.Trim(r.Prefix, "/")):
		return errors.New("the prefix is no plain path")
	case (r.Key.Header == "") != (r.Key.Value == ""):
		return errors.New("a key needs a header and a value")
	case r.AWS != AWS{} && (r.AWS.AccessKey == "" || r.AWS.SecretKey == "" || r.AWS.Region == ""):
		return errors.New("signing needs an access key, a secret key and a region")
	case (r.Key.Value != "" || r.AWS != AWS{}) && !token:
		return errors.New("a key of the proxy's own needs a token")
	}
	return nil
}
