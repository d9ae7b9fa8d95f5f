package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"hygeia/internal/jsonline"
)

// Store is the folder with the sessions of one agent (F-01). The zero value is
// not useful.
type Store struct{ dir string }

// ErrSessionID says that an id can be no session's (F-03).
var ErrSessionID = errors.New("no session id")

// AgentStore returns the store of an agent under the root of state, which is
// ~/.openclaw unless it was moved. "" is the agent main; case does not count.
func AgentStore(state, agent string) Store {
	return Store{filepath.Join(state, "agents", agentID(agent), "sessions")}
}

// StoreAt returns the store at the path of the setting session.store: that of a
// folder, or of the index in it. {agentId} stands for the agent in it, and ~ in
// front for the folder home.
func StoreAt(path, home, agent string) Store {
	path = strings.ReplaceAll(path, "{agentId}", agentID(agent))
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		path = filepath.Join(home, path[1:])
	}
	if strings.HasSuffix(path, ".json") {
		path = filepath.Dir(path)
	}
	return Store{filepath.Clean(path)}
}

var notInAgent = regexp.MustCompile(`[^a-z0-9_-]+`)

// agentID returns an agent's id as it is compared, and fit to be the name of a
// folder.
func agentID(agent string) string {
	id := strings.Trim(notInAgent.ReplaceAllString(strings.ToLower(agent), "-"), "-")
	return cmp.Or(id, "main")
}

// Dir returns the folder.
func (s Store) Dir() string { return s.dir }

// agent returns the id of the agent whose store it is, as far as the path says
// it.
func (s Store) agent() string {
	if root := agentsRoot(s.dir); root != "" {
		return agentID(filepath.Base(filepath.Dir(s.dir)))
	}
	return agentID("")
}

// agentsRoot returns the folder of all agents if dir is …/agents/<id>/sessions,
// "" if not.
func agentsRoot(dir string) string {
	root := filepath.Dir(filepath.Dir(dir))
	if filepath.Base(dir) != "sessions" || filepath.Base(root) != "agents" {
		return ""
	}
	return root
}

// Path returns the path of the session file that a row of the index is about:
// the one that it names, if that is in this store or in that of another agent
// beside it, wherever links lead, else the default one (F-04). The error is
// ErrSessionID.
func (s Store) Path(row jsonline.Object) (string, error) {
	id := row.Get("sessionId").String()
	if !sessionID.MatchString(id) || idFromName(id+".jsonl") == "" {
		return "", fmt.Errorf("%w: %q", ErrSessionID, clip(id))
	}
	if path := s.named(row.Get("sessionFile").String()); path != "" {
		return path, nil
	}
	return filepath.Join(s.dir, id+".jsonl"), nil
}

// named returns where a path leads that an index names, "" if it is not one of
// a session of these agents.
func (s Store) named(path string) string {
	if idFromName(path) == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil || !s.holds(dir) {
		return ""
	}
	path = filepath.Join(dir, filepath.Base(path))
	real, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isLink(path):
		return path
	case err != nil || !s.holds(filepath.Dir(real)):
		return ""
	}
	return path
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// holds reports whether a folder, links resolved, is in this store or is one of
// its siblings.
func (s Store) holds(dir string) bool {
	own, err := filepath.EvalSymlinks(s.dir)
	if err != nil {
		return false
	}
	if rel, err := filepath.Rel(own, dir); err == nil && filepath.IsLocal(rel) {
		return true
	}
	root := agentsRoot(own)
	return root != "" && agentsRoot(dir) == root
}

// Files returns the names of the files in the store that by their name are of
// that session, the default one first (F-02). The error is that of reading the
// folder.
func (s Store) Files(id string) ([]string, error) {
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range list {
		if idFromName(d.Name()) == id && id != "" {
			names = append(names, d.Name())
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(rank(a, id), rank(b, id))
	})
	return names, nil
}

func rank(name, id string) int {
	switch {
	case name == id+".jsonl":
		return 0
	case strings.HasPrefix(name, id):
		return 1
	}
	return 2
}
