package imaging_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"log"

	"hygeia/imaging"
)

// A picture that is too long on one side comes out smaller; one that fits is the
// same text.
func ExampleReducer_Fit() {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 2400, 60))); err != nil {
		log.Fatal(err)
	}
	read, err := imaging.Read(imaging.Encode(file.Bytes()), "image/png")
	if err != nil {
		log.Fatal(err)
	}
	r := imaging.NewReducer()
	out := r.Fit(context.Background(), imaging.Job{Picture: read.Picture}, imaging.Limits{})
	if out.Err != nil {
		log.Fatal(out.Err)
	}
	small := imaging.Probe(out.Picture)
	fmt.Println(out.Why[0].Rule, out.Why[0].Text)
	fmt.Println(small.MediaType, small.Width, small.Height)
	// Output:
	// I-17 2400x60 is over 1200 px
	// image/png 1200 30
}
