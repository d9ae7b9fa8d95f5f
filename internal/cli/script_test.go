package cli_test

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"

	"hygeia/internal/cli"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"hygeia": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"shape":  func() { shape(os.Stdin, os.Stdout, os.Args[1:]) },
	})
}

// TestScript runs the command line from outside: what goes in, what comes out,
// and the exit code.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HYGEIA_HOME", e.WorkDir+"/no-home")
			e.Values[keptKey{}] = map[string]kept{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status,
			"keep":   keep,
			"kept":   stillKept,
		},
	})
}

// status runs a program and demands an exit code: status 2 hygeia replay.
func status(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

type (
	keptKey struct{}
	kept    struct {
		text    string
		changed time.Time
	}
)

// keep remembers files; stillKept demands that nothing has touched them.
func keep(ts *testscript.TestScript, _ bool, args []string) {
	for _, file := range args {
		ts.Value(keptKey{}).(map[string]kept)[file] = look(ts, file)
	}
}

func stillKept(ts *testscript.TestScript, _ bool, args []string) {
	for _, file := range args {
		if was, is := ts.Value(keptKey{}).(map[string]kept)[file], look(ts, file); was != is {
			ts.Fatalf("%s was written", file)
		}
	}
}

func look(ts *testscript.TestScript, file string) kept {
	info, err := os.Stat(ts.MkAbs(file))
	ts.Check(err)
	return kept{ts.ReadFile(file), info.ModTime()}
}

// shape prints the paths of the JSON values on in with their types, one a line,
// without looking into the members named by opaque.
func shape(in io.Reader, out io.Writer, opaque []string) {
	var v any
	if err := json.UnmarshalRead(bufio.NewReader(in), &v); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	paths := map[string]bool{}
	shapeOf(paths, "", v, opaque)
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintln(out, p)
	}
}

func shapeOf(paths map[string]bool, at string, v any, opaque []string) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if slices.Contains(opaque, name) {
				paths[at+"."+name+" …"] = true
				continue
			}
			shapeOf(paths, at+"."+name, member, opaque)
		}
	case []any:
		for _, element := range v {
			shapeOf(paths, at+"[]", element, opaque)
		}
	case nil:
		paths[cmp.Or(at, ".")+" null"] = true
	default:
		paths[fmt.Sprintf("%s %T", cmp.Or(at, "."), v)] = true
	}
}
