package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia"
	"hygeia/internal/jsonfault"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/runner"
	"hygeia/runner/model"
)

// endpointConfig is the part of the user's configuration that says where providers
// are and how they are entered.
type endpointConfig struct {
	Models struct {
		Providers map[string]struct {
			BaseURL      string            `json:"baseUrl"`
			APIKey       string            `json:"apiKey"`
			Headers      map[string]string `json:"headers"`
			Region       string            `json:"region"`
			Location     string            `json:"location"`
			Project      string            `json:"project"`
			AccessKey    string            `json:"accessKey"`
			SecretKey    string            `json:"secretKey"`
			SessionToken string            `json:"sessionToken"`
			OAuth        *struct {
				Identity  string            `json:"identity"`
				ToolNames map[string]string `json:"toolNames"`
			} `json:"oauth"`
		} `json:"providers"`
	} `json:"models"`
}

// userEndpoints reads the endpoints from config.json. ${NAME} stands for a variable
// of the environment in keys and headers.
func userEndpoints(catalogue interface{ Fold(string) string }) (map[string]model.Endpoint, error) {
	_, path, err := readConfig()
	if err != nil || path == "" {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil // there is none
	}
	var c endpointConfig
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, jsonfault.In(text, err))
	}
	out := map[string]model.Endpoint{}
	for name, p := range c.Models.Providers {
		e := model.Endpoint{
			BaseURL: p.BaseURL, Key: filled(p.APIKey), Region: p.Region, Location: p.Location, Project: p.Project,
			AccessKey: filled(p.AccessKey), SecretKey: filled(p.SecretKey), SessionToken: filled(p.SessionToken),
		}
		for header, value := range p.Headers {
			if e.Header == nil {
				e.Header = map[string]string{}
			}
			e.Header[header] = filled(value)
		}
		if o := p.OAuth; o != nil {
			e.Identity = &payload.Identity{System: o.Identity, ToolNames: o.ToolNames}
			if err := e.Identity.Check(); err != nil {
				return nil, fmt.Errorf("%s: models.providers.%s.oauth: %w", path, name, err)
			}
		}
		out[catalogue.Fold(name)] = e
	}
	return out, nil
}

// identity returns how requests to a target name themselves, nil unless the access
// that is configured is by token (W-231).
func identity(catalogue *policy.Catalogue, t hygeia.Target) (*payload.Identity, error) {
	endpoints, err := userEndpoints(catalogue)
	if err != nil {
		return nil, err
	}
	return model.New(model.Config{Endpoints: endpoints}).Identity(catalogue.Fold(t.Provider)), nil
}

// configured returns how requests to a provider name themselves in access by token,
// nil where the configuration does not say it.
func configured(catalogue *policy.Catalogue, provider string) (*payload.Identity, error) {
	endpoints, err := userEndpoints(catalogue)
	return endpoints[catalogue.Fold(provider)].Identity, err
}

func filled(text string) string {
	if !strings.Contains(text, "${") {
		return text // a key may hold a lone dollar
	}
	return os.Expand(text, os.Getenv)
}

// userPast reads from config.json how much of the past the session with that key
// takes along, tells times by the clock of this machine, and has
// the key with which the installation signs where turns come from (S-B09).
func userPast(key string) (*hygeia.Past, error) {
	var c struct {
		Channels map[string]runner.Channel `json:"channels"`
		Agents   struct {
			Defaults struct {
				Heartbeat struct {
					Prompt string `json:"prompt"`
				} `json:"heartbeat"`
			} `json:"defaults"`
		} `json:"agents"`
		Session struct {
			ProvenanceKey string `json:"provenanceKey"`
		} `json:"session"`
	}
	past := &hygeia.Past{Zone: time.Local}
	_, path, err := readConfig()
	if err != nil || path == "" {
		return past, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return past, nil // there is none
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, jsonfault.In(text, err))
	}
	past.Heartbeat = c.Agents.Defaults.Heartbeat.Prompt
	if key := c.Session.ProvenanceKey; key != "" {
		if past.Seal, err = hygeia.NewSeal([]byte(filled(key))); err != nil {
			return nil, fmt.Errorf("%s: session.provenanceKey: %w", path, err)
		}
	}
	past.Limit = runner.HistoryLimit(key, c.Channels)
	return past, nil
}
