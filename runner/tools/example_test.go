package tools_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"hygeia/runner/tools"
)

// A model reads a file of one folder, and what it may not see is a result that says
// so.
func ExampleSet_Call() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("Buy milk.\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()
	set, err := tools.New(tools.Read(root), tools.List(root))
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range []string{"notes.txt", "../secret.txt"} {
		r := set.Call(context.Background(), tools.Call{ID: "c1", Name: "read_file", Arguments: fmt.Appendf(nil, `{"path":%q}`, path)})
		fmt.Printf("failed %v: %q\n", r.Failed, r.Text)
	}
	// Output:
	// failed false: "Buy milk.\n"
	// failed true: "../secret.txt: path escapes from parent"
}
