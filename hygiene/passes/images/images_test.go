package images

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"
	"strings"
	"testing"
	"time"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/imaging"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

var (
	bg     = context.Background()
	seeing = &policy.Policy{Model: policy.Model{Images: true}}
	narrow = &policy.Policy{Model: policy.Model{Images: true}, Wire: policy.Wire{MaxImages: 2, MaxBodyBytes: 500, ImageTypes: []string{"image/png"}}}
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestRandom(t *testing.T) { // G-2, G-3, G-4
	for _, p := range []*policy.Policy{seeing, {}, narrow} {
		passtest.Attack(t, p, Pass)
	}
}

func TestStable(t *testing.T) { // G-5, below the limits of W-104
	passtest.Stable(t, seeing, Pass)
	passtest.Stable(t, &policy.Policy{}, Pass)
}

func TestCleanIsFree(t *testing.T) { passtest.Free(t, Pass, seeing, 8) } // G-6, I-B13

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, seeing) }

// shot is a picture of noise, which is a photo as far as encoders are concerned.
func shot(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	state := uint32(w*h + 1)
	for i := 0; i < len(m.Pix); i += 4 {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		binary.LittleEndian.PutUint32(m.Pix[i:], state&0x3f3f3f|0xff606060)
	}
	return m
}

func asPNG(t testing.TB, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return imaging.Encode(b.Bytes())
}

func block(data, mediaType string) string {
	return fmt.Sprintf(`{"type":"image","data":"%s","mimeType":"%s"}`, data, mediaType)
}

func user(blocks ...string) string {
	return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
}

// read makes a context of lines.
func read(t testing.TB, lines ...string) *transcript.Context {
	return transcript.NewContext(casetest.Messages(t, []byte(strings.Join(lines, "\n"))))
}

func sanitize(c *transcript.Context, p *policy.Policy, pass *hygiene.Pass) *hygiene.Result {
	return hygiene.Sanitize(c, policy.Target{}, p, []*hygiene.Pass{pass})
}

// sent decodes the picture of a block.
func sent(t testing.TB, b *transcript.Block) (image.Image, string) {
	t.Helper()
	file, err := base64.StdEncoding.DecodeString(b.Get("data").String())
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return m, b.Get("mimeType").String()
}

// The default of 1200 px, proportions kept (Q-11, B098-2); the reason says what
// is wrong with the picture.
func TestSide(t *testing.T) {
	res := sanitize(read(t, user(`{"type":"text","text":"one wide picture"}`, block(asPNG(t, shot(2400, 60)), "image/png"))), seeing, Pass)
	m, mediaType := sent(t, res.Messages[0].Blocks()[1])
	if m.Bounds() != image.Rect(0, 0, 1200, 30) || mediaType != "image/jpeg" {
		t.Errorf("%v of %s goes out", m.Bounds(), mediaType)
	}
	if got, want := string(casetest.Changes(&res.Report)), "I-17 replace message=0 block=1 lossy: 2400x60 is over 1200 px; goes out as 1200x30 image/jpeg of quality 85, 4.4KB of 293.6KB (2%)\n"; got != want {
		t.Errorf("changes: %s", got)
	}
}

// The limits of the user count, and of those of the target the stricter ones
// (I-04, I-05, AN-43).
func TestLimits(t *testing.T) {
	anthropic := &policy.Policy{Model: policy.Model{Images: true}, Wire: policy.Wire{MaxImageSide: 2000, MaxImageText: 5 << 20}}
	wide := user(block(asPNG(t, shot(2400, 60)), "image/png"))
	for _, test := range []struct {
		user imaging.Limits
		to   *policy.Policy
		want int
	}{
		{imaging.Limits{}, seeing, 1200},
		{imaging.Limits{MaxSide: 800}, seeing, 800},
		{imaging.Limits{MaxSide: 2300}, seeing, 2300},
		{imaging.Limits{MaxSide: 2300}, anthropic, 2000},
		{imaging.Limits{MaxSide: 800}, anthropic, 800},
		{imaging.Limits{}, anthropic, 1200},
		{imaging.Limits{MaxSide: 2300, MaxBytes: 4000}, seeing, 1800},
	} {
		res := sanitize(read(t, wide), test.to, New(bg, test.user))
		if m, _ := sent(t, res.Messages[0].Blocks()[0]); m.Bounds().Dx() != test.want {
			t.Errorf("%+v: %d px, want %d", test.user, m.Bounds().Dx(), test.want)
		}
	}
	l := Limits(imaging.Limits{MaxText: 100}, anthropic)
	if l.MaxText != 100 {
		t.Errorf("text limit %d", l.MaxText)
	}
}

// With more than 20 pictures no side is over 2000 px, however large the user
// allows them, and the small ones stay (AN-43, B098-1). That holds from the
// first picture on, so the 21st changes nothing before it (G-5).
func TestManyPictures(t *testing.T) {
	p := &policy.Policy{Model: policy.Model{Images: true}, Wire: policy.Wire{MaxImages: 100, MaxImageSide: 2000}}
	var lines []string
	for i := range 22 {
		data := passtest.PNG
		if i == 2 || i == 16 {
			data = asPNG(t, shot(2400, 60))
		}
		lines = append(lines, user(fmt.Sprintf(`{"type":"text","text":"shot %d"}`, i), block(data, "image/png")))
	}
	pass := New(bg, imaging.Limits{MaxSide: 8000})
	res := sanitize(read(t, lines...), p, pass)
	for i, m := range res.Messages {
		got, _ := sent(t, m.Blocks()[1])
		want := image.Rect(0, 0, 8, 8)
		if i == 2 || i == 16 {
			want = image.Rect(0, 0, 2000, 50)
		}
		if got.Bounds() != want {
			t.Errorf("picture %d is %v", i, got.Bounds())
		}
	}
	if len(res.Report.Changes) != 2 {
		t.Errorf("changes:\n%s", casetest.Changes(&res.Report))
	}
	few := sanitize(read(t, lines[:5]...), p, pass)
	if !strings.HasPrefix(string(casetest.Lines(res.Messages)), string(casetest.Lines(few.Messages))) {
		t.Error("more pictures change the first ones")
	}
}

// A format that the target does not take is converted: WebP, and the first
// frame of an animated GIF (B107-1, B108-1).
func TestConversion(t *testing.T) {
	pngAndJPEG := &policy.Policy{Model: policy.Model{Images: true}, Wire: policy.Wire{ImageTypes: []string{"image/png", "image/jpeg"}}}
	frame := func(c color.Color) *image.Paletted {
		return image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{c})
	}
	red := color.RGBA{255, 0, 0, 255}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{frame(red), frame(color.White)}, Delay: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	const webp = "UklGRlAAAABXRUJQVlA4IEQAAABwAgCdASoQAAwAAgA0JbACdGuA/wFx/geiAVrwAP71hpcF8i2FBJ3Gl//v2+fqz/XjAJX/7LL7//0JReHMI+dCSgAAAA=="
	res := sanitize(read(t, user(block(imaging.Encode(b.Bytes()), "image/gif")), user(block(webp, "image/webp"))), pngAndJPEG, Pass)
	m, mediaType := sent(t, res.Messages[0].Blocks()[0])
	if mediaType != "image/png" || color.RGBAModel.Convert(m.At(3, 3)) != red {
		t.Errorf("the GIF is %s with %v", mediaType, m.At(3, 3))
	}
	if m, mediaType = sent(t, res.Messages[1].Blocks()[0]); m.Bounds() != image.Rect(0, 0, 16, 12) || mediaType != "image/png" && mediaType != "image/jpeg" {
		t.Errorf("the WebP is %s of %v", mediaType, m.Bounds())
	}
	if got, want := string(casetest.Changes(&res.Report)), "I-B02 replace message=0 block=0 lossy: image/gif is not taken; goes out as 8x8 image/png, 80B of 101B (79%)\n"+
		"I-B02 replace message=1 block=0 lossy: image/webp is not taken; goes out as 16x12 image/jpeg of quality 85, 626B of 88B (711%)\n"; got != want {
		t.Errorf("changes:\n%s", got)
	}
}

// Options of the user: metadata, orientation (I-B10, I-B12).
func TestOptions(t *testing.T) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, shot(60, 40), nil); err != nil {
		t.Fatal(err)
	}
	exif := "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	file := append([]byte("\xff\xd8"+exif+"\xff\xfe\x00\x08secret"), b.Bytes()[2:]...)
	c := read(t, user(block(imaging.Encode(file), "image/jpeg")))
	if res := sanitize(c, seeing, Pass); !res.Report.Empty() || res.Messages[0] != c.Messages[0] {
		t.Errorf("by default: %s", casetest.Changes(&res.Report))
	}
	for want, l := range map[string]imaging.Limits{
		"I-B12 replace message=0 block=0 lossy: it holds metadata; goes out as 60x40 image/jpeg, 1003B of 1013B (99%)\n":                  {StripMetadata: true},
		"I-B10 replace message=0 block=0 lossy: it lies on its side; goes out as 40x60 image/jpeg of quality 90, 1.1KB of 1013B (111%)\n": {Turn: true},
	} {
		res := sanitize(c, seeing, New(bg, l))
		if got := string(casetest.Changes(&res.Report)); got != want {
			t.Errorf("changes: %s", got)
		}
		out, _ := base64.StdEncoding.DecodeString(res.Messages[0].Blocks()[0].Get("data").String())
		if bytes.Contains(out, []byte("secret")) {
			t.Error("the comment goes out")
		}
		if m, _ := sent(t, res.Messages[0].Blocks()[0]); l.Turn && m.Bounds() != image.Rect(0, 0, 40, 60) {
			t.Errorf("turned: %v", m.Bounds())
		}
		if again := sanitize(transcript.NewContext(res.Messages), seeing, New(bg, l)); !again.Report.Empty() {
			t.Errorf("a second run: %s", casetest.Changes(&again.Report))
		}
	}
}

// A session with many pictures costs next to nothing the second time, whether
// they go out as they are or not (I-B06), also when it was read anew.
func TestSecondTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	var lines []string
	for i := range 20 {
		m := shot(1300+i, 60)
		if i%2 == 0 {
			m = shot(1000-i, 60)
		}
		lines = append(lines, user(block(asPNG(t, m), "image/png")))
	}
	c := read(t, lines...)
	run := func(c *transcript.Context) (time.Duration, string) {
		runtime.GC()
		start := time.Now()
		res := sanitize(c, seeing, Pass)
		took := time.Since(start)
		return took, string(casetest.Lines(res.Messages))
	}
	first, want := run(c)
	second, got := run(c)
	anew, again := run(read(t, lines...))
	t.Logf("first %v, second %v, read anew %v", first, second, anew)
	if got != want || again != want {
		t.Error("the results differ")
	}
	for i, m := range c.Messages {
		known := seen.get(m.Blocks()[0])
		if kept := i%2 == 0; (known.kept != "") != kept || (known.sum != imaging.Sum{}) == kept || (known.plain == "image/png") == kept {
			t.Errorf("picture %d: %+v is known", i, known)
		}
	}
}

// BenchmarkFifty measures a session with 50 pictures, half of which have to be
// reduced: for the first time, once more, and read anew by somebody else.
func BenchmarkFifty(b *testing.B) {
	var lines []string
	for i := range 50 {
		w, h := 800+i, 600
		if i%2 == 0 {
			w, h = 2000+i, 1500
		}
		lines = append(lines, user(block(asPNG(b, shot(w, h)), "image/png")))
	}
	c := read(b, lines...)
	for name, prepare := range map[string]func(){
		"first": func() { c, shared = read(b, lines...), imaging.NewReducer() },
		"again": func() {},
		"anew":  func() { c = read(b, lines...) },
	} {
		sanitize(c, seeing, Pass)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				prepare()
				b.StartTimer()
				sanitize(c, seeing, Pass)
			}
		})
	}
}

// The memo keeps no block alive and does not grow without end.
func TestMemo(t *testing.T) {
	m := memo{most: 100}
	gone := make(chan bool)
	large := strings.Repeat("x", minSeen)
	for i := range m.most + 10 {
		b := transcript.NewTextBlock(large)
		if i == m.most+5 {
			runtime.AddCleanup(b, func(c chan bool) { close(c) }, gone)
		}
		m.put(b, memory{kept: "x"})
		if m.get(b).kept != "x" {
			t.Fatal("forgotten at once")
		}
	}
	if len(m.of) > m.most {
		t.Errorf("%d blocks are remembered", len(m.of))
	}
	for range 50 {
		runtime.GC()
		select {
		case <-gone:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("a block stays alive")
}

// I-02: the other places where pictures come in use the same code.
func TestCallers(t *testing.T) {
	c := read(t, user(block(passtest.PNG, "image/png"), block("AAAA", "image/png"), block(asPNG(t, shot(1300, 13)), "image/png")))
	list := c.Messages[0].Blocks()
	kept, notes, err := Attached(bg, append(list, transcript.NewTextBlock("x")), PromptLabel, imaging.Limits{})
	if err != nil || len(kept) != 2 || kept[0] != list[0] || kept[1] == list[2] {
		t.Errorf("%d kept, %v", len(kept), err)
	}
	want := "attached picture 2 was dropped: image is left out: not a picture, declared as image/png\n" +
		"attached picture 3 was changed: 1300x13 is over 1200 px; goes out as 1200x12 image/jpeg of quality 85, 3.3KB of 34.7KB (10%)\nattachment 4 was dropped: it is no picture"
	if got := strings.Join(notes, "\n"); got != want {
		t.Errorf("notes:\n%s", got)
	}
	for in, want := range map[string]string{
		`{"role":"toolResult","content":[{"type":"text","text":" "},` + block(passtest.PNG, "image/png") + `]}`: `[` + block(passtest.PNG, "image/png") + `]`,
		`{"role":"toolResult","content":[` + block("AAAA", "image/png") + `]}`:                                  `[{"type":"text","text":"[read:a.png] image payload omitted: not a picture, declared as image/png"}]`,
		`{"role":"toolResult","content":[{"type":"text","text":" "}]}`:                                          `[{"type":"text","text":"[empty content omitted]"}]`,
		`{"role":"toolResult","content":[]}`:                                                                    "",
		`{"role":"toolResult","content":[` + block(passtest.PNG, "image/png") + `]}`:                            "",
		`{"role":"toolResult","content":"x"}`:                                                                   "",
	} {
		m := read(t, in).Messages[0]
		got, err := Result(bg, m, ReadLabel("a.png"), imaging.Limits{})
		if err != nil || (got == m) != (want == "") || want != "" && string(got.AppendJSON(nil)) != `{"role":"toolResult","content":`+want+`}` {
			t.Errorf("%s became %s", in, got.AppendJSON(nil))
		}
	}
}

// Work ends with the context, and nothing that it left is taken for a fault of a
// picture or remembered (I-B11).
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(bg)
	cancel()
	c := read(t, user(block(asPNG(t, shot(1309, 131)), "image/png"), block(asPNG(t, shot(131, 131)), "image/png")))
	if res := sanitize(c, seeing, New(ctx, imaging.Limits{})); !res.Report.Empty() {
		t.Errorf("changes: %s", casetest.Changes(&res.Report))
	}
	if _, _, err := Attached(ctx, c.Messages[0].Blocks(), PromptLabel, imaging.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("attached: %v", err)
	}
	if _, err := Result(ctx, c.Messages[0], ReadLabel("a.png"), imaging.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("result: %v", err)
	}
	if res := sanitize(c, seeing, Pass); len(res.Report.Changes) != 1 {
		t.Errorf("afterwards: %s", casetest.Changes(&res.Report))
	}
	// In the middle: the pictures were looked at already.
	w := newWalk(bg, imaging.Limits{MaxSide: 77})
	w.look(c.Messages[0].Blocks()[0])
	w.ctx = ctx
	w.reduce()
	if b, _ := w.result(c.Messages[0].Blocks()[0]); b != c.Messages[0].Blocks()[0] {
		t.Errorf("became %s", b.AppendJSON(nil))
	}
}

// W-104: the surplus goes in steps of a quarter, the newest stay (B114-1).
func TestSurplus(t *testing.T) {
	for _, c := range [][3]int{{104, 100, 25}, {100, 100, 0}, {126, 100, 50}, {9, 8, 2}, {2, 1, 1}, {5, 3, 2}, {5, 0, 0}} {
		if got := surplus(c[0], c[1]); got != c[2] {
			t.Errorf("surplus of %d over %d: got %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
