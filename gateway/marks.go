package gateway

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"hygeia/projection"
	"hygeia/transcript"
)

// marks name the states that a branch went through, so that a reader who comes back
// can say which one it saw: also to a gateway that was started since, and where the
// file was rewritten meanwhile (H-B03).
type marks struct {
	entries []*transcript.Entry
	sums    []uint64 // of all that is stored up to each entry
	counts  []int    // how many messages were shown then
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

// markSign parts the id of an entry from the sum of what is stored up to it.
const markSign = "~"

// of returns the mark of the state in which a message was shown, "" for one without
// an entry. Of the messages of one entry all but the last have #1, #2 and so on
// behind its id.
func (m marks) of(message *transcript.Message) string {
	id := projection.MetaOf(message).ID
	if i := m.find(id); i >= 0 {
		return mark(id, m.sums[i])
	}
	return ""
}

// last returns the mark of the branch as it is, "" for one without entries.
func (m marks) last() string {
	if n := len(m.entries); n > 0 {
		return mark(m.entries[n-1].ID, m.sums[n-1])
	}
	return ""
}

func mark(id string, sum uint64) string {
	if id == "" || strings.ContainsAny(id, "\r\n\x00") {
		return "" // it cannot be told
	}
	return fmt.Sprintf("%s%s%016x", id, markSign, sum)
}

// find returns the place of the entry that a shown id belongs to, -1 if there is none.
func (m marks) find(id string) int {
	for i := len(m.entries) - 1; i >= 0 && id != ""; i-- {
		if m.entries[i].ID == id {
			return i
		}
	}
	if at := strings.LastIndexByte(id, '#'); at > 0 {
		return m.find(id[:at])
	}
	return -1
}

// seen returns how many messages a reader has whose last event had that mark, -1 where
// the state that it saw is none of the branch. A bare id of an entry is believed.
func (s shown) seen(mark string) int {
	id, sum := mark, ""
	if at := strings.LastIndex(mark, markSign); at >= 0 && len(mark)-at == len(markSign)+16 {
		id, sum = mark[:at], mark[at+len(markSign):]
	}
	i := s.marks.find(id)
	if i < 0 || sum != "" && fmt.Sprintf("%016x", s.marks.sums[i]) != sum {
		return -1
	}
	const most = 32 // messages of one entry
	n := s.marks.counts[i]
	for k := n; k > max(0, n-most); k-- {
		if projection.MetaOf(s.messages[k-1]).ID == id {
			return k
		}
	}
	return n
}
