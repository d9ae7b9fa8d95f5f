//go:build !linux

package pages

// advise does nothing: there is no such hint.
func advise([]byte) {}
