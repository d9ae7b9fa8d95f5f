package measure

import (
	"hash/fnv"
	"testing"

	"pgregory.net/rapid"

	"hygeia/internal/casetest"
	"hygeia/policy"
)

// turns is how many targets a transcript of TestPropertyAccepted goes to.
const turns = 3

// TestPropertyAccepted holds G-1 to G-4 where ordinary runs of all checks can
// see it: each transcript goes to three targets in turn, check finds nothing in
// the body, the emulator answers it, a second run changes nothing and nothing is
// lost unreported. The text of a transcript chooses its first target, since
// rapid prefers the front of a list and all targets are to have their share.
func TestPropertyAccepted(t *testing.T) {
	var list []*policy.Resolution
	for _, target := range allTargets() {
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, res)
	}
	met := make([]int, len(list))
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.IntRange(0, len(list)-1).Draw(t, "recorded for")
		tr := draw(t, list[first].Target)
		h := fnv.New32a()
		h.Write(casetest.Lines(tr.ctx.Messages))
		for i := range turns {
			n := (int(h.Sum32()%uint32(len(list))) + i) % len(list)
			met[n]++
			tr.hold(t, list[n])
		}
	})
	least := met[0]
	for i, n := range met {
		if least = min(least, n); n == 0 && sum(met) >= 100*len(met) {
			t.Errorf("no transcript went to %+v", list[i].Target)
		}
	}
	t.Logf("%d pairs, %d targets, at least %d each", sum(met), len(met), least)
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}
