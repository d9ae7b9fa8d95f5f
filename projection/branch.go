package projection

import "hygeia/transcript"

const (
	branchReach   = 64  // how many entries are looked at for words
	longestBranch = 120 // characters of the words of a branch
)

// BranchWords returns what is said first on a branch behind the entry at which it
// parts from another, and what is said last on it, each on one line. They are ""
// where nothing is said near there. The cost does not depend on the length of what
// both have in common.
func BranchWords(entries []*transcript.Entry, parts string, o Options) (begins, ends string) {
	at := len(entries)
	for at > 0 && entries[at-1].ID != parts {
		at--
	}
	for _, m := range Project(Records(entries[at:min(len(entries), at+branchReach)]), o) {
		if begins = Words(m, longestBranch); begins != "" && !m.Is(transcript.ToolResult) {
			break
		}
		begins = ""
	}
	shown := Project(Records(entries[max(0, len(entries)-branchReach):]), o)
	for i := len(shown) - 1; i >= 0; i-- {
		if ends = Words(shown[i], longestBranch); ends != "" && !shown[i].Is(transcript.ToolResult) {
			return begins, ends
		}
	}
	return begins, ""
}
