package session

import (
	"fmt"
	"testing"
)

// The table of ids has a free slot, at which a search for what is not there ends,
// however long the file was said to be (G-6).
func TestIndexHasRoom(t *testing.T) {
	for guess := range int64(200) {
		tree := newTree(guess * lineLength)
		for i := range 300 {
			tree.add(record{typ: message, id: keyOf(fmt.Sprint(i))})
			if x := tree.index; x.used >= len(x.slots) {
				t.Fatalf("%d records were expected: %d slots, %d of them taken", guess, len(x.slots), x.used)
			}
		}
	}
}
