package images

import (
	"fmt"
	"sync"
	"weak"

	"hygeia/imaging"
	"hygeia/transcript"
)

// memo remembers what is known about image blocks that were looked at before, so
// that a session that stays in memory does not have its pictures read again with
// every turn (I-B06). A block never changes, and the memo keeps none alive. Only
// time depends on it.
type memo struct {
	most int // blocks; beyond it everything is forgotten, dead blocks too
	mu   sync.Mutex
	of   map[weak.Pointer[transcript.Block]]memory
}

// memory is what is known about a block.
type memory struct {
	kept  string      // the limits under which it went out as it is
	sum   imaging.Sum // of its picture, if that had to be known
	plain string      // media type of its picture, if the data is canonical as stored
}

var seen = memo{most: 1 << 15}

// minSeen is the size of a block in bytes from which it is worth remembering:
// smaller ones are read in about the time that remembering takes.
const minSeen = 1 << 15

func (m *memo) get(b *transcript.Block) memory {
	if b.Members().Size() < minSeen {
		return memory{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.of) == 0 {
		return memory{}
	}
	return m.of[weak.Make(b)]
}

func (m *memo) put(b *transcript.Block, what memory) {
	if b.Members().Size() < minSeen {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil || len(m.of) >= m.most {
		m.of = map[weak.Pointer[transcript.Block]]memory{}
	}
	m.of[weak.Make(b)] = what
}

// memoKey writes limits as a comparable value.
func memoKey(l imaging.Limits) string { return fmt.Sprintf("%+v", l) }
