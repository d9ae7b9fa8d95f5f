package gateway

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hygeia/transcript"
)

// marks name the states that a branch went through, so that a reader who comes back
// can say which one it saw: also to a gateway that was started since, and where the
// file was rewritten meanwhile (H-B03).
type marks struct {
	entries []*transcript.Entry
	sums    []uint64 // of all that is stored up to each entry
	counts  []int    // of the events up to each entry
}

// to returns the marks of a branch that has grown.
func (m marks) to(entries []*transcript.Entry, counts []int) marks {
	sums := m.sums
	var last uint64
	if n := len(sums); n > 0 {
		last = sums[n-1]
	}
	var text []byte
	for _, e := range entries[len(sums):] {
		text = e.AppendJSON(binary.BigEndian.AppendUint64(text[:0], last))
		sum := sha256.Sum256(text)
		last = binary.BigEndian.Uint64(sum[:])
		sums = append(sums, last)
	}
	return marks{entries, sums, counts}
}

// markSign parts the id of an entry from the sum of what is stored up to it, and
// partSign the id from how many of the events of the entry came, if not all did.
const (
	markSign = "~"
	partSign = "#"
)

// behind returns the mark of the branch as it was behind n events.
func (m marks) behind(n int) string {
	i, _ := slices.BinarySearch(m.counts, n)
	if i == len(m.counts) {
		return ""
	}
	if n == m.counts[len(m.counts)-1] {
		return m.last()
	}
	if part := n - m.before(i); n < m.counts[i] {
		return m.at(i, partSign+strconv.Itoa(part))
	}
	return m.at(i, "")
}

// before returns how many events there were in front of those of an entry.
func (m marks) before(i int) int {
	if i == 0 {
		return 0
	}
	return m.counts[i-1]
}

// last returns the mark of the branch as it is, "" for one without entries.
func (m marks) last() string {
	if n := len(m.entries); n > 0 {
		return m.at(n-1, "")
	}
	return ""
}

func (m marks) at(i int, part string) string {
	id := m.entries[i].ID
	if id == "" || strings.ContainsAny(id, "\r\n\x00") {
		return "" // it cannot be told
	}
	return fmt.Sprintf("%s%s%s%016x", id, part, markSign, m.sums[i])
}

// find returns the place of the entry with an id, -1 if there is none.
func (m marks) find(id string) int {
	for i := len(m.entries) - 1; i >= 0 && id != ""; i-- {
		if m.entries[i].ID == id {
			return i
		}
	}
	return -1
}

// seen returns how many events reached a reader that names a mark, -1 where the state
// that it saw is none of the branch. A bare id of an entry is believed.
func (m marks) seen(mark string) int {
	id, sum := mark, ""
	if at := strings.LastIndex(mark, markSign); at >= 0 && len(mark)-at == len(markSign)+16 {
		id, sum = mark[:at], mark[at+len(markSign):]
	}
	i, part := m.find(id), -1
	if at := strings.LastIndex(id, partSign); i < 0 && at > 0 {
		n, err := strconv.ParseUint(id[at+len(partSign):], 10, 31)
		if i = m.find(id[:at]); err != nil {
			return -1
		}
		part = int(n)
	}
	if i < 0 || sum != "" && fmt.Sprintf("%016x", m.sums[i]) != sum {
		return -1
	}
	if part < 0 {
		return m.counts[i]
	}
	return min(m.before(i)+part, m.counts[i])
}
