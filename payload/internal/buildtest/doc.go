// Package buildtest holds what every converter has to prove. A converter states
// in a [Format] what is particular to it: its targets, its oracle, what stored
// turns may hold. [Run] goes through the cases beside the converter,
// [Properties] through generated histories, [Fuzz] through any message list;
// [Linear] and [Benchmark] measure.
//
// Each case is one archive, testdata/*.txtar:
//
//	why the case exists, with the rules it proves
//	-- target --   optional: {"provider":"","api":"","model":""}
//	-- policy --   optional: a JSON object of policy fields, merged onto the base
//	-- options --  optional: {"system":"","maxTokens":0,"thinking":"","sessionId":"","project":""}
//	-- tools --    optional: definitions, a JSON array
//	-- in --       one message per line
//	-- request --  instead of in: the body of a request of the same format
//	-- want --     the body: what stands in front of the messages, then one
//	               message per line; or the error
//	-- changes --  as in package casetest
//	-- notes --    optional: one per line
//
// For every case the harness asserts the body, the changes and the notes, that
// every rule is declared by the package with its kind of loss, that the input
// was not touched, that a second build gives the same bytes and that the oracle
// of the format finds nothing. Of a case with a request it asserts besides that
// package check finds nothing, and that the body, read again, goes out as it is.
// Run the tests with -update to rewrite want, changes and notes.
package buildtest
