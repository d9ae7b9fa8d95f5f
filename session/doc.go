// Package session reads, repairs and writes the session files in which agents store conversations:
// JSON lines that form a tree, of which one branch is active (file 40 of the
// specification).
//
// [Load] and [Read] take a file of any version and any state of damage, and
// return a [Session]: what stands in it, in memory as version 3, and as
// [Problem] values what was found wrong and what was made of it. Nothing on
// disk changes. [Session.Context] turns a branch into the messages that a
// replay starts from.
//
// [Open] does the same for a caller who goes on working with the session: it
// repairs what needs it before, in memory or on the disk, and a [Cache] makes it
// cheap to do so again and again. [Repair] is that alone: it plans, and if told so
// replaces the file durably.
//
// A read session is immutable and safe for concurrent use.
//
// [OpenWriter] takes the lock of a file and adds the entries of a run to it,
// [Writer.Pause] lets others at it while the run waits for a model, and a [Guard]
// in front sees to it that tool calls have results, secrets stay out and results
// in bounds. An [Appender] adds single entries from outside a run. A [Store] knows
// which sessions an agent has. All of them keep others away with a [Lock].
//
// [Compact], or [Writer.Compact] within a run, lets a summary stand for the older
// part of a conversation: a line is appended, nothing goes. [Writer.Rotate] writes
// a successor of a file that was compacted, [Branch.Fork] one branch to a file of its
// own.
package session
