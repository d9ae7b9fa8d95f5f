package cli

import (
	"io"
	"os"

	"hygeia"
	"hygeia/transcript"
)

// readPictures reads the pictures that are to be attached to a prompt. A file
// that is none is a mistake of the caller.
func readPictures(paths []string) (list []*transcript.Block, err error) {
	for _, path := range paths {
		file, err := readUpTo(path, hygeia.MaxPicture+1)
		if err != nil {
			return nil, err
		}
		b, err := hygeia.Picture(file)
		if err != nil {
			return nil, usage("--image %s: %v", path, err)
		}
		list = append(list, b)
	}
	return list, nil
}

// readUpTo reads at most n bytes of a file.
func readUpTo(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n))
}
