package acp

import (
	"bufio"
	"context"
	"io"
)

// line is one message; text is nil where it was too long.
type line struct{ text []byte }

// readLines reads to the end. Of a line that is too long nothing is kept.
func readLines(ctx context.Context, in io.Reader, to chan<- line) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		var l line
		long, some := false, false
		for {
			part, err := r.ReadSlice('\n')
			some = some || len(part) > 0
			if long = long || len(l.text)+len(part) > longestLine; long {
				l.text = nil
			} else {
				l.text = append(l.text, part...)
			}
			if err == bufio.ErrBufferFull {
				continue
			}
			if some {
				select {
				case to <- l:
				case <-ctx.Done():
					return nil
				}
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			break
		}
	}
}
