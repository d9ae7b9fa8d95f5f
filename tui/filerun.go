package tui

import (
	"context"
	"fmt"

	"hygeia"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/session"
)

// Send implements [Source]. One answer is under way at a time.
func (f *File) Send(_ context.Context, _ string, p Prompt) error {
	prompt := runner.Prompt{Body: p.Text, Key: p.Run + ":user"}
	for i, file := range p.Files {
		picture, err := hygeia.Picture(file)
		if err != nil {
			return fmt.Errorf("picture %d: %w", i+1, err)
		}
		prompt.Pictures = append(prompt.Pictures, picture)
	}
	r, err := f.o.Run(p.Model)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.run != nil {
		cancel()
		return ErrBusy
	}
	run := &fileRun{id: p.Run, cancel: cancel}
	f.run = run
	f.work.Go(func() {
		defer cancel()
		if p.Leaf != "" { // the session goes on from another entry (H-B18)
			if err := session.ChooseBranch(ctx, f.o.Path, p.Leaf, session.WriteOptions{}); err != nil {
				f.end(run, &runner.Result{}, err)
				return
			}
		}
		result, err := r.Run(ctx, f.o.Path, prompt, func(e runner.Event) { f.hear(run, e) })
		if ctx.Err() != nil {
			err = nil // it was stopped, which is no failure
		}
		f.end(run, result, err)
	})
	return nil
}

func (f *File) hear(run *fileRun, e runner.Event) {
	f.mu.Lock()
	run.turn.Hear(e)
	switch {
	case e.Kind == runner.Said && e.Model.Kind == model.Retrying:
		f.notes = append(f.notes, "the provider is overloaded; trying again in "+e.Model.Wait.String())
	case e.Kind == runner.Resent:
		f.notes = append(f.notes, "refused by the provider, sent again: "+e.Text)
	case e.Kind == runner.Compacted:
		f.notes = append(f.notes, "compacted: "+e.Text)
	case e.Kind == runner.Repaired:
		f.notes = append(f.notes, "the file was repaired: "+e.Text)
	}
	f.mu.Unlock()
	f.poke()
}

func (f *File) end(run *fileRun, result *runner.Result, err error) {
	f.mu.Lock()
	f.run = nil
	if r := result.Repair; r != nil {
		for _, path := range []string{r.BackupPath, r.QuarantinePath} {
			if path != "" {
				f.notes = append(f.notes, "kept: "+path)
			}
		}
	}
	f.notes = append(f.notes, result.Notes...)
	f.ended = append(f.ended, Event{Kind: Ended, Run: run.id, Text: result.Text, Err: err})
	f.mu.Unlock()
	f.poke()
}

// Stop implements [Source].
func (f *File) Stop(_ context.Context, _, run string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.run != nil && f.run.id == run {
		f.run.cancel()
	}
	return nil
}
