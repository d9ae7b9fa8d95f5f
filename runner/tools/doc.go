// Package tools holds what a model may call: the interface of a tool, a set of
// them, and three tools that are built in.
//
// A [Tool] gets the arguments of a call as JSON and returns a [Result], which
// becomes the tool result of the transcript. An error of a tool is not one of the
// run: it becomes a result that says so, for the model to read. [Set.Call] never
// panics and always returns a result.
//
//	set, err := tools.New(tools.Read(root), tools.List(root))
//	result := set.Call(ctx, tools.Call{ID: "c1", Name: "read_file", Arguments: []byte(`{"path":"notes.txt"}`)})
//
// [Read] and [List] see the files below one folder and nothing else, links that
// lead out of it included: they go through an os.Root. [Shell] runs commands with
// the rights of the program itself. A working directory confines no shell, so it is
// off wherever nobody switches it on; of the environment it gets what
// [ShellOptions.Env] allows.
package tools
