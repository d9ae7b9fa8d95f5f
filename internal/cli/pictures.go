package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"hygeia"
	"hygeia/hygiene/passes/images"
	"hygeia/imaging"
	"hygeia/transcript"
)

// picture is one picture of a session, as scripts read it.
type picture struct {
	Number   int    `json:"number"`
	Entry    string `json:"entry,omitzero"`
	Message  int    `json:"message"`
	Block    int    `json:"block"`
	Type     string `json:"type,omitzero"`
	Declared string `json:"declared,omitzero"`
	Width    int    `json:"width,omitzero"`
	Height   int    `json:"height,omitzero"`
	Bytes    int    `json:"bytes,omitzero"`
	Animated bool   `json:"animated,omitzero"`
	Action   string `json:"action"` // keep, change, omit or link
	Reason   string `json:"reason,omitzero"`
	Out      *sent  `json:"out,omitzero"`
	File     string `json:"file,omitzero"`

	stored images.Stored
}

// sent is what goes out in the place of a picture.
type sent struct {
	Type   string `json:"type"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Bytes  int    `json:"bytes"`
}

// pictures finds the pictures in all messages of a file, of every branch.
func pictures(t *hygeia.Transcript) (list []*picture) {
	add := func(entry string, i int, m *transcript.Message) {
		for j, b := range m.Blocks() {
			if s, ok := images.Inspect(b); ok {
				list = append(list, &picture{Number: len(list) + 1, Entry: entry, Message: i, Block: j, Declared: s.Declared, stored: s})
			}
		}
	}
	if t.Session == nil {
		for i, m := range t.Context.Messages {
			add("", i, m)
		}
		return list
	}
	n := 0
	for _, e := range t.Session.Entries() {
		if e.Message != nil {
			add(e.ID, n, e.Message)
			n++
		}
	}
	return list
}

// judge says what would become of each picture.
func judge(list []*picture, l imaging.Limits, blind bool) {
	var jobs []imaging.Job
	var waiting []*picture
	for _, p := range list {
		switch s := p.stored; {
		case s.Linked:
			p.Action, p.Reason = "link", "the picture lies elsewhere and is not fetched"
		case s.Err != nil:
			p.Action, p.Reason = "omit", s.Err.Error()
		default:
			p.measure(imaging.Probe(s.Picture))
			if blind {
				p.Action, p.Reason = "omit", "the model takes no images"
				continue
			}
			jobs, waiting = append(jobs, imaging.Job{Picture: s.Picture}), append(waiting, p)
		}
	}
	for i, r := range imaging.NewReducer().FitAll(context.Background(), jobs, l) {
		waiting[i].settle(r)
	}
}

func (p *picture) measure(i imaging.Info) {
	p.Type, p.Width, p.Height, p.Animated = i.MediaType, i.Width, i.Height, imaging.Animated(p.stored.Picture)
	p.Bytes = p.stored.Picture.Bytes()
}

func (p *picture) settle(r imaging.Result) {
	var reasons []string
	for _, f := range r.Why {
		reasons = append(reasons, f.Text)
	}
	p.Action, p.Reason = "change", strings.Join(reasons, ", ")
	switch {
	case r.Err != nil:
		p.Action, p.Reason = "omit", r.Err.Error()
		return
	case r.Picture == p.stored.Picture:
		p.Action = "keep"
	}
	i := imaging.Probe(r.Picture)
	p.Out = &sent{i.MediaType, i.Width, i.Height, r.Picture.Bytes()}
}

// writePictures writes the pictures that were found to new files in a folder.
// Their names hold nothing of the session but letters, digits and dashes.
func writePictures(dir string, list []*picture) error {
	if !slices.ContainsFunc(list, func(p *picture) bool { return p.stored.Err == nil && !p.stored.Linked }) {
		return nil // no empty folder
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, p := range list {
		if p.stored.Linked || p.stored.Err != nil {
			continue
		}
		file, err := p.stored.Picture.File()
		if err != nil {
			return err
		}
		p.File = p.name()
		f, err := root.OpenFile(p.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(file)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (p *picture) name() string {
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, p.Entry)
	name := fmt.Sprintf("%04d", p.Number)
	if plain != "" {
		name += "-" + plain[:min(len(plain), 40)]
	}
	_, kind, _ := strings.Cut(p.stored.Picture.MediaType, "/")
	return name + "." + kind
}
