package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"hygeia/internal/jsonfault"
	"hygeia/runner"
)

// failures are what went wrong in flows while nobody waited.
type failures struct {
	mu   sync.Mutex
	last error
}

func (f *failures) add(run string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = fmt.Errorf("run %s: %w", run, err)
}

func (f *failures) err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last
}

// stateFolder demands that --state names a folder.
func stateFolder(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--state %s: no such folder", path)
	case err != nil:
		return fmt.Errorf("--state: %w", err)
	case !info.IsDir():
		return usage("--state %s is no folder", path)
	}
	return nil
}

// sessionFolder demands that the folder of a session file is there: the file may be
// new, but a folder that is not is a name with a mistake in it.
func sessionFolder(path string) error {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("session %s: there is no folder %s; nothing was stored", path, dir)
	case err != nil:
		return fmt.Errorf("session %s: %w", path, err)
	case !info.IsDir():
		return fmt.Errorf("session %s: %s is no folder", path, dir)
	}
	return nil
}

// prose is where words for people go: standard output is for JSON alone with --json.
func (a *app) prose(r *running) io.Writer {
	if r.json {
		return a.stderr
	}
	return a.stdout
}

// postConfig reads what config.json says about sending in an installation, and about
// its agents (S-31, S-32, S-41).
func postConfig(state string) (o runner.PostOptions, err error) {
	sessions := runner.Sessions{State: state}
	o.Sessions = sessions
	var c struct {
		Agents struct {
			List []struct {
				ID string `json:"id"`
			} `json:"list"`
		} `json:"agents"`
		Session struct {
			AgentToAgent struct {
				MaxPingPongTurns *int `json:"maxPingPongTurns"`
			} `json:"agentToAgent"`
		} `json:"session"`
		Tools struct {
			AgentToAgent struct {
				Enabled bool     `json:"enabled"`
				Allow   []string `json:"allow"`
			} `json:"agentToAgent"`
			Sessions struct {
				Visibility runner.Visibility `json:"visibility"`
			} `json:"sessions"`
		} `json:"tools"`
	}
	_, path, err := readConfig()
	if err != nil || path == "" {
		return o, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return o, nil // there is none
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return o, fmt.Errorf("%s: %w", path, jsonfault.In(text, err))
	}
	for _, a := range c.Agents.List {
		if id := strings.ToLower(strings.TrimSpace(a.ID)); id != "" {
			sessions.Agents = append(sessions.Agents, id)
		}
	}
	o.Sessions = sessions
	if n := c.Session.AgentToAgent.MaxPingPongTurns; n != nil {
		if o.Turns = *n; *n == 0 {
			o.Turns = -1
		}
	}
	o.Access = runner.Access{
		Visibility: c.Tools.Sessions.Visibility, AgentToAgent: c.Tools.AgentToAgent.Enabled, Allow: c.Tools.AgentToAgent.Allow,
	}
	return o, nil
}
