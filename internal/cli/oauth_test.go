package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/emulator"
)

// W-231 from end to end: with an access token and an identity in the configuration,
// requests name both, and session and tools see their own names. A replay shows the
// same. With a key of another kind nothing of it goes out.
func TestIdentity(t *testing.T) {
	for _, c := range []struct {
		key  string
		goes bool
	}{{"sk-ant-oat01-planted", true}, {"sk-ant-api03-planted", false}} {
		wire := "read_file"
		if c.goes {
			wire = "Read"
		}
		server := emulator.NewServer(emulator.Options{Respond: emulator.Script(
			emulator.Step{To: "anthropic/*", Answer: emulator.Answer{Content: []emulator.Part{{Call: wire, Arguments: jsontext.Value(`{"path":"a.txt"}`)}}}},
			emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Text: "It says hi."}}}},
		)})
		defer server.Close()
		home := t.TempDir()
		t.Setenv("HYGEIA_HOME", home)
		for name, text := range map[string]string{
			"config.json": `{"models":{"providers":{"anthropic":{"baseUrl":"` + server.URL + `","apiKey":"` + c.key + `",
				"oauth":{"identity":"You are the gardener of Example Corp.","toolNames":{"read_file":"Read"}}}}}}`,
			"system": "You water plants.", "a.txt": "hi from the folder",
		} {
			if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		session, system := filepath.Join(home, "s.jsonl"), filepath.Join(home, "system")
		const to = "anthropic/claude-opus-4-6"
		code, out, told := run(nil, "run", "--session", session, "--to", to, "--system", system, "--tool", "read", "--dir", home, "read it")
		if code != 0 || !strings.Contains(out, "It says hi.") || !strings.Contains(told, "tool read_file: done") {
			t.Fatalf("exit code %d: %s%s", code, out, told)
		}
		stored, err := os.ReadFile(session)
		if err != nil || !strings.Contains(string(stored), `"name":"read_file"`) || strings.Contains(string(stored), `"Read"`) {
			t.Errorf("stored is %v\n%s", err, stored)
		}
		code, body, told := run(nil, "replay", session, "--to", to, "--system", system, "--prompt", "Go on.")
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, told)
		}
		bodies := []string{body}
		for _, r := range server.Requests() {
			bodies = append(bodies, string(r.Body))
		}
		if len(bodies) != 3 {
			t.Fatalf("%d bodies", len(bodies))
		}
		for i, body := range bodies {
			front := strings.Contains(body, `"system":[{"type":"text","text":"You are the gardener of Example Corp."},{"type":"text","text":"You water plants."`)
			if front != c.goes {
				t.Errorf("%s: the system prompt of body %d: %s", c.key, i, body)
			}
			if !strings.Contains(body, `"name":"`+wire+`"`) || strings.Count(body, `"name":"Read"`)+strings.Count(body, `"name":"read_file"`) != strings.Count(body, `"name":"`+wire+`"`) {
				t.Errorf("%s: the tools of body %d: %s", c.key, i, body)
			}
		}
		if strings.Contains(told+out+string(stored), "planted") {
			t.Errorf("the key is told")
		}
	}
}

// W-231: an identity that no request could go out under is refused where it stands.
func TestIdentityRefused(t *testing.T) {
	for given, want := range map[string]string{
		`{"bash":"Ba sh"}`:        `toolNames["bash"]: "Ba sh" is not legal`,
		`{"a":"Bash","b":"Bash"}`: `"a" and "b" both go out as "Bash"`,
		`{"a":"b","b":"Bash"}`:    `"a" goes out as "b", which has another name itself`,
		`{"":"Bash"}`:             `toolNames has "", which is no name`,
		`{"bash":7}`:              `toolNames`,
	} {
		home := t.TempDir()
		t.Setenv("HYGEIA_HOME", home)
		if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"models":{"providers":{"anthropic":{"oauth":{"toolNames":`+given+`}}}}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, told := run(nil, "replay", poisoned, "--to", "anthropic/claude-opus-4-6")
		if code != 3 || !strings.Contains(told, want) || !strings.Contains(told, "config.json") {
			t.Errorf("%s: exit code %d: %s", given, code, told)
		}
	}
}
