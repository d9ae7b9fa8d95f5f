package transcript_test

import (
	"fmt"
	"log"

	"hygeia/transcript"
)

// A message keeps the text that it was read from: unknown members and the spelling
// of numbers come out as they went in, and a change makes a copy.
func ExampleReader_Message() {
	var r transcript.Reader
	m, err := r.Message([]byte(`{"role":"user", "content":"hi", "score":1.50}`))
	if err != nil {
		log.Fatal(err)
	}
	changed := m.WithText("hello")
	fmt.Println(string(m.AppendJSON(nil)))
	fmt.Println(string(changed.AppendJSON(nil)))
	// Output:
	// {"role":"user", "content":"hi", "score":1.50}
	// {"role":"user","content":"hello","score":1.50}
}
