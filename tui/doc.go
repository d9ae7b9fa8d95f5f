// Package tui is the chat in a terminal: it shows a session as people see it,
// sends prompts, and shows the answer while it comes (file 70 §4).
//
//	file ──▶ File ──┐
//	                ├─▶ Source ──▶ Run: events in, screen out
//	URL  ──▶ Remote ┘
//
// A [Source] gives the messages that package projection shows, so a terminal
// shows the same turns as any other surface (H-B14), and takes prompts. [File] is
// one session file that a runner of this process answers in; [Remote] is a
// gateway. Nothing here holds a rule of hygiene.
//
// All that is shown goes through [Safe]: a session is hostile, and a terminal
// obeys what it is told (H-61).
package tui
