package endtoend_test

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestDockerfileBuilds carries out the first stage of the Docker file in an empty
// folder, as docker would: nothing but what is copied is there. What comes out needs
// no library of a system, since its image has none, and starts.
func TestDockerfileBuilds(t *testing.T) {
	if os.Getenv("HYGEIA_FULL") == "" {
		t.Skip("everything is compiled anew; HYGEIA_FULL=1 does that")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, built := t.TempDir(), filepath.Join(t.TempDir(), "hygeia")
	stages := 0
	for line := range strings.Lines(example(t, "Dockerfile")) {
		command, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch command {
		case "FROM":
			stages++
		case "COPY":
			if stages == 1 {
				copyInto(t, dir, root, strings.Fields(rest))
			}
		case "RUN":
			run := exec.Command("sh", "-c", strings.Replace(rest, "-o /hygeia", "-o "+built, 1))
			run.Dir = dir
			run.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off")
			if out, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", rest, err, out)
			}
		}
	}
	if runtime.GOOS == "linux" {
		f, err := elf.Open(built)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 {
			t.Errorf("it needs %q, %v", libraries, err)
		}
	}
	if out, err := exec.Command(built, "proxy", "--help").CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--config")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// copyInto does COPY NAME… PLACE, for files of the root and for all of it.
func copyInto(t *testing.T, dir, root string, names []string) {
	t.Helper()
	for _, name := range names[:len(names)-1] {
		if name == "." {
			list := exec.Command("git", "ls-files", "-z")
			list.Dir = root
			out, err := list.Output()
			if err != nil {
				t.Skip("the files of the project are not known: ", err)
			}
			names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
			copyInto(t, dir, root, append(names, "."))
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
