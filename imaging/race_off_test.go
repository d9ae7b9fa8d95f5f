//go:build !race

package imaging

// raceEnabled reports that pixels take ten times as long, and memory more.
const raceEnabled = false
