package hygeia

import (
	"sync"

	"hygeia/policy"
)

// memo remembers what a Transport has found out. Its zero value is empty.
type memo struct {
	mu       sync.Mutex
	policies map[Target]*policy.Resolution
}

// The bounds of what is remembered of policies.
const (
	maxPolicies  = 512
	maxModelName = 256
)

// resolve is policy.Resolve for options that are the same in all calls.
func (m *memo) resolve(t Target, o policy.Options) (*policy.Resolution, error) {
	m.mu.Lock()
	res := m.policies[t]
	m.mu.Unlock()
	if res != nil {
		return res, nil
	}
	res, err := policy.Resolve(t, o)
	if err != nil || len(t.Model) > maxModelName {
		return res, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.policies == nil || len(m.policies) >= maxPolicies {
		m.policies = map[Target]*policy.Resolution{}
	}
	m.policies[t] = res
	return res, nil
}
