package tui

import (
	"context"
	"errors"

	"hygeia"
	"hygeia/runner"
	"hygeia/transcript"
)

// Show says what people want to see.
type Show struct {
	Thinking bool
	Tools    bool // the calls of turns that also speak, and results in full
	Limit    int  // most messages of a page
	// Leaf is the entry at which the branch ends that is shown, "" for the active one.
	Leaf string
}

// Page is a piece of a history, oldest first.
type Page struct {
	Messages []*transcript.Message
	// Older is the cursor of the page before, "" where there is none.
	Older string
}

// EventKind says what an event tells.
type EventKind int

// The kinds of events.
const (
	Loaded   EventKind = iota // Event.Page is the newest page, which replaces what was shown
	Added                     // Event.Message came
	Replaced                  // Event.Message stands for the one with its id
	Grew                      // Event.Text, Event.Thinking and Event.Calls are what the answer says so far; Event.Run is its run
	Ended                     // the run Event.Run is over; Event.Err says why it failed
	Note                      // Event.Text is something to know
	Lost                      // the connection is gone and will be tried again
)

// Event is something that happens in a session that is followed.
type Event struct {
	Kind    EventKind
	Page    Page
	Message *transcript.Message
	Run     string
	Text    string
	// Thinking and Calls are those of the turn that is being said.
	Thinking string
	Calls    []runner.GrowingCall
	Err      error
}

// Prompt is what a person sends.
type Prompt struct {
	Text  string
	Run   string   // the id of the run; the same again is never stored twice
	Model string   // PROVIDER/MODEL, "" for that of the session
	Leaf  string   // the entry to go on from, "" for the end
	Files [][]byte // pictures

	taken bool // the source has it
}

// Session is a row of the picker.
type Session struct {
	Key, Title, Model string
	Updated           int64 // epoch milliseconds, 0 if unknown
	Running           bool
}

// Branch is one branch of a session.
type Branch struct {
	Leaf   string `json:"leaf"`
	Parts  string `json:"partsAt"` // the entry at which it leaves the others, "" for none
	Active bool   `json:"active"`
	Begins string `json:"begins"` // the first words behind Parts
	Ends   string `json:"ends"`   // the last words
}

// Source is where sessions come from. Its methods may be called at the same time.
type Source interface {
	// List returns the sessions whose key or title holds the text, newest first.
	List(ctx context.Context, search string) ([]Session, error)
	// Create makes a session.
	Create(ctx context.Context) (Session, error)
	// Rename gives a session a title.
	Rename(ctx context.Context, key, title string) error
	// Archive puts a session away.
	Archive(ctx context.Context, key string) error
	// Before returns the page that ends at a cursor.
	Before(ctx context.Context, key, cursor string, show Show) (Page, error)
	// Follow tells what happens in a session until ctx ends: first Loaded.
	Follow(ctx context.Context, key string, show Show, tell func(Event))
	// Send takes a prompt; what comes of it is told by Follow.
	Send(ctx context.Context, key string, p Prompt) error
	// Stop ends a run. What was said so far stays.
	Stop(ctx context.Context, key, run string) error
	// Branches lists the branches of a session.
	Branches(ctx context.Context, key string) ([]Branch, error)
	// Outcome is the end of a run, if it is over: for who missed the event.
	Outcome(ctx context.Context, key, run string) (e Event, over bool)
	// Health looks at a session; to is the target whose changes are listed, "" for
	// none, api its API, "" for the default one.
	Health(ctx context.Context, key, to, api string) (hygeia.Health, error)
	// Export returns the session as a document in Markdown.
	Export(ctx context.Context, key string) ([]byte, error)
}

// What sources answer.
var (
	ErrAlone = errors.New("a single session file: that takes --state or --url")
	ErrBusy  = errors.New("an answer is under way")
)
