package tui

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/projection"
	"hygeia/runner"
)

// The time between attempts to reach a gateway that is gone.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 10 * time.Second
)

// longestSilence is how long a stream may say nothing, not even that it is alive,
// before it is taken for dead.
const longestSilence = 60 * time.Second

// Follow implements [Source]. A connection that breaks is made again: the page is
// loaded anew, so that nothing is lost or stands twice.
func (r *Remote) Follow(ctx context.Context, key string, show Show, tell func(Event)) {
	pause := firstPause
	for ctx.Err() == nil {
		f := following{r: r, ctx: ctx, key: key, show: show, tell: tell}
		err := f.stream()
		if ctx.Err() != nil {
			return
		}
		if no := (refusal{}); errors.As(err, &no) && no.status < 500 && no.status != http.StatusTooManyRequests {
			tell(Event{Kind: Note, Text: no.Error()})
			return
		}
		if f.loaded {
			pause = firstPause
		}
		tell(Event{Kind: Lost, Err: err})
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
	}
}

// following is one connection of a follower.
type following struct {
	r      *Remote
	ctx    context.Context
	key    string
	show   Show
	tell   func(Event)
	loaded bool
	grew   Event // the answer under way
}

func (f *following) stream() error {
	ctx, cancel := context.WithCancel(f.ctx)
	defer cancel()
	query := f.show.query()
	query.Set("live", "true")
	res, err := f.r.request(ctx, "GET", at(f.key, "/history?"+query.Encode()), nil, http.Header{"Accept": {"text/event-stream"}})
	if err != nil {
		return err
	}
	defer res.Body.Close()
	silence := time.AfterFunc(longestSilence, cancel)
	defer silence.Stop()
	return readEvents(res.Body, func() { silence.Reset(longestSilence) }, f.hear)
}

// readEvents reads an event stream to its end. alive is called for each line.
func readEvents(in io.Reader, alive func(), on func(name string, data []byte) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), largestAnswer)
	name, data := "", []byte(nil)
	for lines.Scan() {
		alive()
		line := lines.Text()
		switch field, value, _ := strings.Cut(line, ":"); field {
		case "":
			if line == "" && data != nil {
				if err := on(name, data); err != nil {
					return err
				}
				name, data = "", nil
			}
		case "event":
			name = strings.TrimPrefix(value, " ")
		case "data":
			if data != nil {
				data = append(data, '\n')
			}
			data = append(data, strings.TrimPrefix(value, " ")...)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF
}

// hear takes an event of the gateway.
func (f *following) hear(name string, data []byte) error {
	var in struct {
		pageJSON
		Message   jsontext.Value `json:"message"`
		MessageID string         `json:"messageId"`
		RunID     string         `json:"runId"`
		DeltaText string         `json:"deltaText"`
		Replace   bool           `json:"replace"`

		DeltaThinking   string                `json:"deltaThinking"`
		ReplaceThinking bool                  `json:"replaceThinking"`
		Calls           *[]runner.GrowingCall `json:"calls"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	switch name {
	case "history":
		page, err := in.page(f.show)
		if err != nil {
			return err
		}
		f.loaded = true
		f.tell(Event{Kind: Loaded, Page: page})
	case "message", "replace":
		m, err := shown(in.Message, f.show)
		if err != nil || m == nil {
			return err
		}
		kind := Added
		if name == "replace" {
			kind = Replaced
		}
		f.tell(Event{Kind: kind, Message: m})
	case "delta":
		if in.RunID != f.grew.Run {
			f.grew = Event{Kind: Grew, Run: in.RunID}
		}
		if in.Replace {
			f.grew.Text = ""
		}
		if in.ReplaceThinking {
			f.grew.Thinking = ""
		}
		f.grew.Text += in.DeltaText
		f.grew.Thinking += in.DeltaThinking
		if in.Calls != nil {
			f.grew.Calls = *in.Calls
		}
		shown := f.grew
		shown.Text = projection.LiveText(shown.Text)
		f.tell(shown)
	case "end":
		f.grew = Event{}
		e, _ := f.r.Outcome(f.ctx, f.key, in.RunID)
		f.tell(e)
	}
	return nil
}
