package acceptance_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var runRules = []rule{
	{"deterministic", "", "reading and replaying the same input again gives the same messages, body and report", deterministic},
	{"idempotent", "", "replaying the messages that go out changes nothing", idempotent},
	{"prefix-stable", "", "for every number of complete turns, what their replay sends is the beginning of what the whole sends", prefixStable},
}

func deterministic(o *outcome, _ []string) error {
	other, err := o.again()
	switch {
	case err != nil:
		return err
	case !bytes.Equal(o.out.json, other.out.json):
		return errors.New("the messages differ")
	case o.body != nil && !bytes.Equal(o.body.json, other.body.json):
		return errors.New("the bodies differ")
	case !bytes.Equal(o.printed, other.printed):
		return errors.New("the reports differ")
	}
	return nil
}

// idempotent leaves the changes of converters out: they concern the body, and
// the messages stay as the passes left them.
func idempotent(o *outcome, _ []string) error {
	other, err := o.settled()
	if err != nil {
		return err
	}
	if !bytes.Equal(o.out.json, other.out.json) {
		return fmt.Errorf("%s became %s under %v", o.out.json, other.out.json, reported(other))
	}
	return nil
}

// prefixStable cuts in front of every user turn that another one does not
// precede. The last message of a part may be one that grows by further blocks.
func prefixStable(o *outcome, _ []string) error {
	for n := 1; n < len(o.in.turns); n++ {
		if o.in.turns[n].role != "user" || o.in.turns[n-1].role == "user" {
			continue
		}
		part, err := o.cut(n)
		if err != nil {
			return err
		}
		for i, v := range part.views() {
			if err := prefix(v, o.views()[i]); err != nil {
				return fmt.Errorf("%s of the first %d: %w", v.name, n, err)
			}
		}
	}
	return nil
}

func prefix(part, whole *view) error {
	if len(part.turns) > len(whole.turns) {
		return fmt.Errorf("it has %d messages, the whole has %d", len(part.turns), len(whole.turns))
	}
	for i := range part.turns {
		a, errA := plain(part.turns[i].raw)
		b, errB := plain(whole.turns[i].raw)
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		if i == len(part.turns)-1 {
			b.content = b.content[:min(len(a.content), len(b.content))]
		}
		if !reflect.DeepEqual(a, b) {
			return fmt.Errorf("message %d is %s and not %s", i, part.turns[i].raw, whole.turns[i].raw)
		}
	}
	return nil
}

// plainMessage is a message of which only the blocks are taken apart.
type plainMessage struct {
	members map[string]string
	content []string
}

// plain reads a message. Cache markers are left out, and a string is a lone
// block (D-21).
func plain(raw []byte) (plainMessage, error) {
	m := plainMessage{members: map[string]string{}}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(raw, &members, loose); err != nil {
		return m, err
	}
	for name, v := range members {
		if name != "content" {
			m.members[name] = string(v)
		}
	}
	content := members["content"]
	if content.Kind() != '[' {
		m.content = []string{`{"type":"text","text":` + string(content) + `}`}
		return m, nil
	}
	var blocks []jsontext.Value
	if err := json.Unmarshal(content, &blocks, loose); err != nil {
		return m, err
	}
	for _, b := range blocks {
		m.content = append(m.content, strings.Replace(string(b), `,"cache_control":{"type":"ephemeral"}`, "", 1))
	}
	return m, nil
}
