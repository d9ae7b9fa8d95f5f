package projection_test

import (
	"fmt"

	"hygeia/projection"
	"hygeia/transcript"
)

// People are shown what was said to them, and nothing of silent replies.
func ExampleProject() {
	list := []*transcript.Message{
		transcript.NewText(transcript.User, "Is the build green?"),
		transcript.New(transcript.Assistant, transcript.NewTextBlock("<think>I look.</think>Yes.")),
		transcript.NewText(transcript.User, "Thanks."),
		transcript.New(transcript.Assistant, transcript.NewTextBlock("NO_REPLY")),
	}
	for _, m := range projection.Project(list, projection.Options{}) {
		text := m.Text().String()
		for _, b := range m.Blocks() {
			text += b.Text()
		}
		fmt.Printf("%s: %s\n", m.Role(), text)
	}
	// Output:
	// user: Is the build green?
	// assistant: Yes.
	// user: Thanks.
}
