//go:build race

package imaging

// raceEnabled reports that times and memory mean nothing.
const raceEnabled = true
