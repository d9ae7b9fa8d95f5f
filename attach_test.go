package hygeia_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"log"
	"strings"
	"testing"

	"hygeia"
	"hygeia/imaging"
	"hygeia/transcript"
)

var claude = hygeia.Target{Provider: "anthropic", Model: "claude-sonnet-4-5"}

// drawing is a white PNG.
func drawing(w, h int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func hello(t testing.TB) *hygeia.Transcript {
	in, err := hygeia.Read(strings.NewReader(`[{"role":"user","content":"Hello."}]`), "hello.json", hygeia.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func picture(t testing.TB, file []byte) *transcript.Block {
	b, err := hygeia.Picture(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Pictures of a prompt stand behind its text, in order, within the limits (I-02);
// those that cannot go out are left out with a note, and the caller's list is as
// it was (G-3).
func TestAttach(t *testing.T) {
	wide, small, cut := picture(t, drawing(1300, 13)), picture(t, drawing(5, 4)), picture(t, drawing(5, 4)[:45])
	list := []*transcript.Block{wide, cut, small}
	for want, o := range map[string]hygeia.ReplayOptions{
		"Look: 1200x12 5x4": {Prompt: "Look:", Attach: list},
		" 200x2 5x4":        {Attach: list, Images: imaging.Limits{MaxSide: 200}},
		"Look:":             {Prompt: "Look:", Attach: list[1:2]},
		"Hello.":            {Attach: list[1:2]},
	} {
		o.MessagesOnly = true
		r, err := hello(t).Replay(claude, o)
		if err != nil {
			t.Fatal(err)
		}
		m := r.Messages[len(r.Messages)-1]
		got := m.Text().String()
		for _, b := range m.Blocks() {
			if b.IsText() {
				got += b.Text()
				continue
			}
			i := imaging.Probe(imaging.Picture{MediaType: b.Get("mimeType").String(), Data: b.Get("data").String()})
			got += fmt.Sprintf(" %dx%d", i.Width, i.Height)
		}
		if !strings.HasSuffix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if notes := strings.Join(r.Report.Notes, "\n"); !strings.Contains(notes, "was dropped: image is left out: cannot decode") {
			t.Errorf("%s: notes %q", want, notes)
		}
	}
	if list[0] != wide || list[1] != cut || list[2] != small {
		t.Error("the list of the caller was changed")
	}
}

// A file that is no picture is found out at once (I-B02), and so is one that is
// too large to be looked at (D-06).
func TestPicture(t *testing.T) {
	for want, file := range map[string][]byte{
		"not a picture": []byte("hello"), "image is empty": nil, "unsupported format image/svg+xml": []byte("<svg/>"),
		"image exceeds input size limit (32.00MB)": make([]byte, hygeia.MaxPicture+1),
	} {
		if _, err := hygeia.Picture(file); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A replay ends with its context (I-B11), whatever pictures it is at.
func TestReplayEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, o := range []hygeia.ReplayOptions{{Context: ctx}, {Context: ctx, Attach: []*transcript.Block{picture(t, drawing(1301, 13))}}} {
		if r, err := hello(t).Replay(claude, o); !errors.Is(err, context.Canceled) || r != nil {
			t.Errorf("got %v, %v", r, err)
		}
	}
}

// A picture of a file goes out with a prompt, made to fit the target.
func ExamplePicture() {
	b, err := hygeia.Picture(drawing(4000, 3000))
	if err != nil {
		log.Fatal(err)
	}
	t, err := hygeia.Read(strings.NewReader(lost), "lost.json", hygeia.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := t.Replay(claude, hygeia.ReplayOptions{Prompt: "What is this?", Attach: []*transcript.Block{b}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Contains(r.Body, []byte("What is this?")), r.Report.Notes[0])
	// Output:
	// true attached picture 1 was changed: 4000x3000 is over 1200 px; goes out as 1200x900 image/png, 2.8KB of 17.7KB (16%)
}
