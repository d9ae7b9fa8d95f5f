package oslock

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// StartTime returns when the process began, in ticks since the machine did. ok
// is false where that is not known. Together with the id it names one process:
// ids are given out again.
func StartTime(pid int) (ticks int64, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The second field is the name of the program and may hold anything; the
	// 22nd is looked for.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const at = 22 - 3
	if len(fields) <= at {
		return 0, false
	}
	ticks, err = strconv.ParseInt(string(fields[at]), 10, 64)
	return ticks, err == nil
}

// CommandLine returns the words with which the process was started, nil where
// they are not known.
func CommandLine(pid int) (words []string) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	for word := range bytes.SplitSeq(bytes.TrimRight(text, "\x00"), []byte{0}) {
		words = append(words, string(word))
	}
	if len(words) == 1 && words[0] == "" {
		return nil // a process that is ending has none any more
	}
	return words
}
