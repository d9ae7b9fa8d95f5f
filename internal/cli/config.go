package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"hygeia"
	"hygeia/internal/jsonfault"
	"hygeia/policy"
)

// config is the part of the user's configuration that concerns models, in the
// form of models.providers.* (P-05), pictures (I-04), and the log. Other members are
// ignored.
type config struct {
	Logging struct {
		Level string `json:"level"`
	} `json:"logging"`
	Agents struct {
		Defaults agentDefaults `json:"defaults"`
	} `json:"agents"`
	Models struct {
		Providers map[string]struct {
			API     string        `json:"api"`
			BaseURL string        `json:"baseUrl"`
			Models  []configModel `json:"models"`
		} `json:"providers"`
	} `json:"models"`
}

type configModel struct {
	ID            string   `json:"id"`
	Reasoning     *bool    `json:"reasoning"`
	Input         []string `json:"input"`
	ContextWindow int      `json:"contextWindow"`
	MaxTokens     int      `json:"maxTokens"`
	Compat        struct {
		SupportsReasoningEffort *bool `json:"supportsReasoningEffort"`
	} `json:"compat"`
	Params struct {
		CanonicalModelID string `json:"canonicalModelId"`
	} `json:"params"`
}

// configDir is $HYGEIA_HOME, or the folder of the product in the user's
// configuration directory.
func configDir() (string, error) {
	if dir := os.Getenv("HYGEIA_HOME"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "hygeia"), nil
}

// userCatalogue returns the built-in profiles with those of profiles/*.json in
// the configuration directory on top.
func userCatalogue() (*policy.Catalogue, error) {
	dir, err := configDir()
	if err != nil {
		return policy.Builtin(), nil // no home directory, no user profiles
	}
	profiles := filepath.Join(dir, "profiles")
	if _, err := os.Stat(profiles); errors.Is(err, fs.ErrNotExist) {
		return policy.Builtin(), nil
	}
	catalogue, err := policy.LoadFS(os.DirFS(profiles))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", profiles, err)
	}
	return catalogue, nil
}

// userModels returns the names of the models that config.json lists, behind the one
// that answers where nobody chooses.
func userModels(first string) ([]string, error) {
	c, _, err := readConfig()
	var list []string
	for provider, p := range c.Models.Providers {
		for _, m := range p.Models {
			if m.ID != "" {
				list = append(list, provider+"/"+m.ID)
			}
		}
	}
	slices.Sort(list)
	if _, e := hygeia.ParseTarget(first); e == nil { // not that of this process
		list = append([]string{first}, list...)
	}
	return list, err
}

// userFiles are the files of the configuration directory that commands read.
func userFiles() []string {
	dir, err := configDir()
	if err != nil {
		return nil
	}
	names, _ := fs.Glob(os.DirFS(dir), "profiles/*.json") // the pattern is a good one
	paths := []string{filepath.Join(dir, "config.json")}
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}

// userConfig returns what config.json in the configuration directory says
// about a target.
func userConfig(t hygeia.Target) (policy.Options, error) {
	var o policy.Options
	var err error
	if o.Catalogue, err = userCatalogue(); err != nil {
		return o, err
	}
	c, _, err := readConfig()
	if err != nil {
		return o, err
	}
	o.Entry = c.entry(o.Catalogue, t)
	return o, nil
}

// readConfig reads config.json in the configuration directory, an empty one if
// there is none, and returns its path.
func readConfig() (*config, string, error) {
	var c config
	dir, err := configDir()
	if err != nil {
		return &c, "", nil // no home directory, no configuration
	}
	path := filepath.Join(dir, "config.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &c, path, nil
	}
	if err != nil {
		return &c, path, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return &c, path, fmt.Errorf("%s: %w", path, jsonfault.In(text, err))
	}
	return &c, path, nil
}

// entry finds the model's entry; names are compared after folding (P-02, P-B02).
func (c *config) entry(catalogue *policy.Catalogue, t hygeia.Target) policy.Entry {
	var e policy.Entry
	for name, p := range c.Models.Providers {
		if catalogue.Fold(name) != catalogue.Fold(t.Provider) {
			continue
		}
		e.API, e.BaseURL = p.API, p.BaseURL
		for _, m := range p.Models {
			if m.ID == t.Model {
				e.UserWritten = true
				e.Reasoning, e.Input = m.Reasoning, m.Input
				e.SupportsReasoningEffort = m.Compat.SupportsReasoningEffort
				e.CanonicalModelID = m.Params.CanonicalModelID
				e.ContextWindow, e.MaxOutputTokens = m.ContextWindow, m.MaxTokens
			}
		}
	}
	return e
}
