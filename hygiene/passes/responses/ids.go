package responses

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"hygeia/hygiene"
)

// namer makes the ids of calls legal and unique, in list order.
type namer struct {
	covered []int
	used    map[string]int // how often an id was wanted, by its first form
}

// newNamer returns a namer for a list of about that many calls.
func newNamer(covered []int, calls int) *namer {
	return &namer{covered: covered, used: make(map[string]int, calls)}
}

// name is the callids.Namer of.
func (n *namer) name(message, block int, id string) (string, hygiene.Edit) {
	call, item, composite := split(id)
	legal := n.part(call, "call_")
	if composite && block >= 0 && !n.isCovered(message, block) {
		return legal, hygiene.Edit{Rule: "R-82", Reason: "no reasoning item stands in front of call `" + id + "` in its turn"}
	}
	same := legal == call
	if composite {
		part := n.part(item, "fc_")
		same = same && part == item
		if !same {
			legal += "|" + part
		}
	}
	if same {
		return id, hygiene.Edit{}
	}
	return legal, hygiene.Edit{Rule: "R-80", Reason: "id `" + id + "` is not legal or was used before"}
}

func (n *namer) isCovered(message, block int) bool {
	return n.covered != nil && n.covered[message] > 0 && n.covered[message] <= block
}

// split cuts an id into call part and item part at the first bar that is
// neither at its start nor at its end.
func split(id string) (call, item string, composite bool) {
	i := strings.IndexByte(id, '|')
	if i <= 0 || i == len(id)-1 {
		return id, "", false
	}
	return id[:i], id[i+1:], true
}

// part returns the legal form of one part that no part before it has.
func (n *namer) part(p, prefix string) string {
	p = strings.TrimSpace(p)
	first := p
	if !legal(p, prefix) {
		first = rebuild(p, prefix, p)
	}
	n.used[first]++
	if n.used[first] == 1 {
		return first
	}
	for {
		other := rebuild(p, prefix, p+":"+strconv.Itoa(n.used[first]))
		if n.used[other] == 0 {
			n.used[other] = 1
			return other
		}
		n.used[first]++
	}
}

// maxPart is the longest part in characters (OR-07, OR-11).
const maxPart = 64

// legal reports whether a part has its prefix and is short and plain enough.
func legal(p, prefix string) bool {
	tail, ok := strings.CutPrefix(p, prefix)
	if !ok || tail == "" || len(p) > maxPart {
		return false
	}
	for i := range len(tail) {
		if !plain(rune(tail[i])) {
			return false
		}
	}
	return true
}

func plain(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// rebuild makes a legal part: prefix, what of p is plain, and digits of the hash
// of seed.
func rebuild(p, prefix, seed string) string {
	if seed == "" {
		seed = prefix
	}
	var b strings.Builder
	for _, c := range strings.TrimPrefix(p, prefix) {
		switch {
		case plain(c):
			b.WriteRune(c)
		case c > 0xFFFF:
			b.WriteString("__") // one for each UTF-16 unit
		default:
			b.WriteByte('_')
		}
	}
	const digits = 10
	tail := strings.Trim(b.String(), "_")
	tail = tail[:min(len(tail), maxPart-len(prefix)-digits-1)]
	if tail == "" {
		tail = "id"
	}
	sum := sha256.Sum256([]byte(seed))
	return prefix + tail + "_" + hex.EncodeToString(sum[:])[:digits]
}
