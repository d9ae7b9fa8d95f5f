package hygeia

import (
	"hygeia/projection"
	"hygeia/transcript"
)

// History returns what people are shown of the transcript, oldest first (file
// 50): of a session the visible records of the branch that was opened, of a list
// or a request its messages. The error is that of a branch that is not there.
func (t *Transcript) History(o projection.Options) ([]*transcript.Message, error) {
	if t.Session == nil {
		return projection.Project(t.Context.Messages, o), nil
	}
	branch, err := t.Session.Branch(t.leaf)
	if err != nil {
		return nil, err
	}
	return projection.Project(projection.Records(branch.Entries()), o), nil
}
