package session

import (
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// F-B27: when something is left out of a file, what was left out of that file
// more than 90 days ago goes, and that is told. Everything else stays.
func TestQuarantineExpires(t *testing.T) {
	path := tornFile(t)
	dir := filepath.Dir(path)
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	old := []string{"s.jsonl.corrupt-2026-02-01T08-00-00Z-0a1b2c3d.jsonl", "s.jsonl.dropped-2026-02-01T08-00-00.000Z"}
	stays := []string{
		"s.jsonl.dropped-2026-04-01T08-00-00.000Z", "t.jsonl.dropped-2026-02-01T08-00-00.000Z", "s.jsonl.dropped-never",
		"s.jsonl.reset.2020-02-01T08-00-00Z",
	}
	for _, name := range slices.Concat(old, stays) {
		write(t, filepath.Join(dir, name), "x")
	}
	o := RepairOptions{now: func() time.Time { return now }}
	if r, err := Repair(path, o); err != nil || len(r.Expired) > 0 || len(names(t, dir)) != 1+len(old)+len(stays) {
		t.Errorf("a plan: %+v, %v", r, err)
	}
	o.Write = true
	r, err := Repair(path, o)
	if err != nil || !slices.Equal(r.Expired, []string{filepath.Join(dir, old[0]), filepath.Join(dir, old[1])}) {
		t.Fatalf("%+v, %v", r, err)
	}
	want := append([]string{"s.jsonl", filepath.Base(r.QuarantinePath)}, stays...)
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
