package payload

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Identity is how requests name their sender and its tools where an access token
// (W-231) gives access on such terms. What it says is the operator's: none comes
// with this product.
type Identity struct {
	// System is the first block of the system prompt, "" for none. The
	// application's own prompt follows as a further block.
	System string
	// ToolNames are the names under which tools go out, by the names that the
	// application knows. A name that another tool of the request has stays free
	// for that one.
	ToolNames map[string]string
}

// accessToken begins every access token.
const accessToken = "sk-ant-oat"

// AccessToken reports whether a key is an access token (W-231), as it stands or
// behind the name of the scheme.
func AccessToken(key string) bool {
	return strings.HasPrefix(strings.TrimPrefix(key, "Bearer "), accessToken)
}

// AccessBetas are the betas that go along with an access token, in the form of the
// header Anthropic-Beta (W-231).
const AccessBetas = "claude-code-20250219,oauth-2025-04-20"

// ErrIdentity says that an identity cannot be sent.
var ErrIdentity = errors.New("no valid identity")

// Check says what is wrong with an identity: names that the format forbids, two
// tools under one name, a chain of names. Nothing is wrong with none. The error
// wraps [ErrIdentity].
func (i *Identity) Check() error {
	form := &Names{form: NameForm{Max: 64}}
	of := map[string]string{}
	names := i.names()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		wire := names[name]
		onward, chained := names[wire]
		switch other, taken := of[wire]; {
		case strings.TrimSpace(name) != name || name == "":
			return fmt.Errorf("%w: toolNames has %q, which is no name", ErrIdentity, name)
		case !form.legal(wire):
			return fmt.Errorf("%w: toolNames[%q]: %q is not legal: up to 64 of A-Z, a-z, 0-9, _ and -", ErrIdentity, name, wire)
		case taken:
			return fmt.Errorf("%w: toolNames: %q and %q both go out as %q", ErrIdentity, other, name, wire)
		case chained && onward != wire:
			return fmt.Errorf("%w: toolNames: %q goes out as %q, which has another name itself", ErrIdentity, name, wire)
		}
		of[wire] = name
	}
	return nil
}

// names returns the names that an identity gives tools, none for no identity.
func (i *Identity) names() map[string]string {
	if i == nil {
		return nil
	}
	return i.ToolNames
}

// SystemBlocks returns the texts of the system prompt, each a block of its own: the
// identity, and what of the prompt stands in front of and behind a cache boundary
// (W-231, W-123). stable is the index of the second, -1 where it is blank.
func (o *Options) SystemBlocks() (blocks []string, stable int) {
	stable = -1
	if o.Identity != nil && o.Identity.System != "" {
		blocks = append(blocks, o.Identity.System)
	}
	front, behind := SplitSystem(o.System)
	if front != "" && !slices.Contains(blocks, front) {
		stable = len(blocks)
		blocks = append(blocks, front)
	}
	if behind != "" {
		blocks = append(blocks, behind)
	}
	return blocks, stable
}
