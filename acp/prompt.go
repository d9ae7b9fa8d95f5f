package acp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/segmentio/asm/base64"

	"hygeia"
	"hygeia/internal/texts"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/transcript"
)

// longestPrompt is how much text a prompt may hold, in bytes (H-72). Pictures have
// their own limit, hygeia.MaxPicture.
const (
	longestPrompt = 2 << 20
	mostPictures  = 20
)

// prompt lets the model answer. The answer to the request is why it ended (H-72).
func (s *server) prompt(ctx context.Context, p prompting) (any, error) {
	b := s.find(p.SessionID)
	if b == nil {
		return nil, unknownSession(p.SessionID)
	}
	parts, err := promptOf(p.Prompt)
	if err != nil {
		return nil, err
	}
	runID := newID()
	parts.Key = runID + ":user"
	parts.Hidden = s.around(b, runID)
	if s.Provenance != NoProvenance {
		parts.Origin = &runner.Origin{Kind: transcript.ExternalUser, SessionID: b.id, Channel: "acp", Tool: bridge}
	}
	ctx, cancel := context.WithCancel(ctx)
	end := b.prompts.begin(cancel)
	return later(func() (any, error) {
		defer cancel()
		defer end()
		defer s.touch(b.peer)
		t := s.teller(b.id)
		result, err := b.run.Run(ctx, b.peer.Path, parts, t.event)
		t.finish()
		return s.over(ctx, t, result, err)
	}), nil
}

// bridge is what stands in a session for this surface (H-72).
const bridge = "openclaw_acp"

// around is what the model is told around a prompt and nobody else: where the client
// works, and where the prompt comes from (H-B11, H-72).
func (s *server) around(b *bound, runID string) string {
	hidden := texts.WorkingDirectory + projection.OneLine(b.cwd)
	if s.Provenance != MetaReceipt {
		return hidden
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	target := b.run.Target()
	receipt := []string{texts.SourceReceiptOpen}
	for _, f := range [][2]string{
		{"bridge", bridge},
		{"originHost", host},
		{"originCwd", b.cwd},
		{"acpSessionId", b.id},
		{"originSessionId", b.id},
		{"targetSession", b.peer.Key},
		{"targetModel", target.Provider + "/" + target.Model},
		{"runId", runID},
	} {
		receipt = append(receipt, f[0]+"="+projection.OneLine(f[1]))
	}
	return strings.Join(append(receipt, texts.SourceReceiptClose), "\n") + "\n\n" + hidden
}

// over says why a run ended, and tells the client what went wrong.
func (s *server) over(ctx context.Context, t *teller, r *runner.Result, err error) (any, error) {
	var failed *model.Error
	switch {
	case ctx.Err() != nil || r.StopReason == model.Cancelled:
		return prompted{StopReason: "cancelled"}, nil
	case errors.Is(err, runner.ErrTooManyCalls):
		return prompted{StopReason: "max_turn_requests"}, nil
	case errors.As(err, &failed):
		why := s.redactor.Text(failed.Error())
		t.say(messageChunk, why, &meta{Error: string(failed.Kind)})
		p := prompted{StopReason: "end_turn", Meta: &meta{Error: why}}
		if failed.Kind == model.Refused {
			p.StopReason = "refusal"
		}
		return p, nil
	case err != nil:
		return nil, err
	case r.StopReason == model.Length:
		return prompted{StopReason: "max_tokens"}, nil
	}
	return prompted{StopReason: "end_turn"}, nil
}

// promptOf makes of the blocks of a client what is stored: text, and pictures.
func promptOf(blocks []block) (p runner.Prompt, err error) {
	var text []string
	var pictures []*transcript.Block
	size := 0
	for i, b := range blocks {
		words, picture, err := partOf(b)
		if err != nil {
			return p, fail(codeParams, "prompt/%d: %s", i, err.Error())
		}
		if picture != nil {
			pictures = append(pictures, picture)
		}
		if words != "" {
			text = append(text, words)
		}
		if size += len(words); size > longestPrompt {
			return p, fail(codeParams, "prompt: more than %d bytes of text", longestPrompt)
		}
	}
	if len(pictures) > mostPictures {
		return p, fail(codeParams, "prompt: more than %d pictures", mostPictures)
	}
	p = runner.Gateway(strings.Join(text, "\n"), pictures)
	if p.Body == "" {
		return p, fail(codeParams, "prompt: it is empty")
	}
	return p, nil
}

// partOf returns what a block says, or the picture that it is.
func partOf(b block) (words string, picture *transcript.Block, err error) {
	switch b.Type {
	case "text":
		return b.Text, nil, nil
	case "image":
		picture, err = pictureOf(b.Data)
		return "", picture, err
	case "resource_link":
		if b.URI == "" {
			return "", nil, errors.New("a link needs a uri")
		}
		return link(b.Name, b.URI), nil, nil
	case "resource":
		r := b.Resource
		switch {
		case r == nil || r.URI == "":
			return "", nil, errors.New("a resource needs a uri")
		case r.Text != nil:
			return link("", r.URI) + "\n" + fenced(*r.Text), nil, nil
		case r.Blob != nil && strings.HasPrefix(r.MimeType, "image/"):
			picture, err = pictureOf(*r.Blob)
			return "", picture, err
		}
		return "", nil, errors.New("a resource must hold text or a picture")
	}
	return "", nil, fmt.Errorf("content of type %q is not taken", short(b.Type))
}

func pictureOf(data string) (*transcript.Block, error) {
	if len(data)/4*3 > hygeia.MaxPicture {
		return nil, fmt.Errorf("a picture has more than %d bytes", hygeia.MaxPicture)
	}
	file, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, errors.New("the data of the picture is no base64")
	}
	return hygeia.Picture(file)
}

// link is a reference to a resource as Markdown.
func link(name, uri string) string {
	uri = projection.OneLine(uri)
	if name = projection.OneLine(name); name == "" {
		return "<" + uri + ">"
	}
	return "[" + name + "](" + uri + ")"
}

// fenced puts a text between fences that do not occur in it.
func fenced(text string) string {
	longest, run := 2, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}
