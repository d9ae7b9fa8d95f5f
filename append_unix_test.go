//go:build unix

package hygeia

import (
	"bytes"
	"fmt"
	"syscall"
	"testing"
)

// BenchmarkAppend is one turn more in a session that is in memory: the engine and the
// body, without reading (D-50). cpu-ns/message is the time that the process worked for
// each message, the collector included, which other processes do not add to;
// copy-ns/message what it takes to copy the bodies into new memory.
func BenchmarkAppend(b *testing.B) {
	for _, damaged := range []bool{false, true} {
		for _, target := range benchTargets {
			for _, n := range []int{1_000, 10_000} {
				b.Run(fmt.Sprintf("%s/%s/%d", kind(damaged), target.Provider, n), func(b *testing.B) { benchAppend(b, target, n, damaged) })
			}
		}
	}
}

func benchAppend(b *testing.B, target Target, n int, damaged bool) {
	in, err := Read(bytes.NewReader(benchSession(n, damaged)), "bench", OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	var body []byte
	replay := func() {
		r, err := in.Replay(target, ReplayOptions{Prompt: "go on"})
		if err != nil {
			b.Fatal(err)
		}
		body = r.Body
	}
	for range 2 { // the second is remembered
		replay()
	}
	began := worked()
	for b.Loop() {
		replay()
	}
	grown := worked()
	for range b.N {
		body = bytes.Clone(body)
	}
	each := float64(b.N) * float64(n)
	b.ReportMetric(float64(grown-began)/each, "cpu-ns/message")
	b.ReportMetric(float64(worked()-grown)/each, "copy-ns/message")
}

// worked returns how many nanoseconds the process has used a processor.
func worked() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
