// Package runner is an agent run, from a prompt to the stored reply, with all
// hygiene in one place: a session goes through it against any provider and stays
// healthy whatever providers and crashes do.
//
//	r, err := runner.New(runner.Options{Target: target, Model: model.New(model.Config{})})
//	…
//	result, err := r.Run(ctx, "chat.jsonl", runner.Prompt{Body: "What is new?"}, func(e runner.Event) { … })
//
// A run takes the lock of the session file, repairs it if needed, adds the
// user turn, and asks the model until it calls no more tools. The lock is given up
// while the model or a tool works (F-43). What is stored is what was said: the user
// turn holds the [Prompt.Body] alone, and what programs add to it goes out with the
// request and is gone afterwards (X-01, X-B19).
//
// Every request is built by the facade from what is stored, so the same session
// gives the same request anywhere (G-9). When a provider refuses one with an answer
// that the rulebook knows, it is sent once more with what that rule asks for; when
// it is too large, the session is compacted and sent once more (W-901…W-904, C-04).
// A run that is aborted, fails or is killed leaves a file that the next run goes on
// from.
//
// # Other sessions
//
// A [Post] carries prompts from one session to another (file 60): as the tool
// sessions_send, and for people. Reply loop and announce step are steps with keys
// of their own, so that a flow which was cut short goes on where it stopped.
package runner
