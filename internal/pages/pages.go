// Package pages makes room for texts of many megabytes. A size goes in, a slice
// comes out, as from make. Where the system has huge pages it is asked for them:
// fetching a new page costs about as much as copying into it, and a text of 200 MB
// has 50 000 small ones.
package pages

// Large is from how many bytes on a text gets huge pages. To make them up the
// system may have to move other memory; what they save of a smaller text is not
// worth that in a program that serves many.
const Large = 64 << 20

// Room is make([]byte, 0, n).
func Room(n int) []byte { return Part(n, n)[:0] }

// Part is make([]byte, n), of a text that has that many bytes as a whole.
func Part(n, text int) []byte {
	b := make([]byte, n)
	if text >= Large {
		advise(b)
	}
	return b
}
