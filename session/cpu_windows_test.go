package session

import "time"

func cpu(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
