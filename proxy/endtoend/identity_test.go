package endtoend_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hygeia/emulator"
)

// W-231: requests that go out with the access token of the proxy name sender and
// tools as the operator's configuration says, and their answers the caller's tools;
// requests with a key of the caller do without.
func TestCommandIdentity(t *testing.T) {
	e := emulator.NewServer(emulator.Options{RequireHeaders: true, Respond: emulator.Script(emulator.Step{
		Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Call: "Bash"}}},
	})})
	defer e.Close()
	home := t.TempDir()
	for name, text := range map[string]string{
		"config.json": `{"models":{"providers":{"anthropic":{"oauth":{"identity":"You are the gardener of Example Corp.","toolNames":{"bash":"Bash"}}}}}}`,
		"key":         "Bearer sk-ant-oat01-planted\n",
		"token":       "sesame\n",
		"proxy.json": fmt.Sprintf(`{"tokenFile":%q,"routes":[{"upstream":%q,"to":"anthropic","key":{"header":"authorization","file":%q}}]}`,
			filepath.Join(home, "token"), e.URL, filepath.Join(home, "key")),
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := run(t, []string{"HYGEIA_HOME=" + home}, "--config", filepath.Join(home, "proxy.json"))
	const body = `{"model":"claude-opus-4-6","max_tokens":100,"stream":%t,"tools":[{"name":"bash","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"bash"},"messages":[{"role":"user","content":"q"}]}`
	for _, stream := range []bool{true, false} {
		came := fmt.Sprintf(body, stream)
		for _, caller := range []string{"", "sk-ant-oat01-callers"} {
			header := []string{"Hygeia-Token", "sesame", "Anthropic-Version", "2023-06-01", "Content-Type", "application/json", "Accept-Encoding", "gzip"}
			if caller != "" {
				header = append(header, "Authorization", "Bearer "+caller)
			}
			got := ask(t, r.url+"/v1/messages", came, header...)
			requests := e.Requests()
			sent := requests[len(requests)-1]
			went := string(sent.Body)
			switch {
			case got.status != 200:
				t.Errorf("%d %s", got.status, got.text)
			case caller != "" && (went != came || !strings.Contains(got.text, `"name":"Bash"`)):
				t.Errorf("with the caller's key %s went out, the answer is %s", went, got.text)
			case caller == "" && (!strings.Contains(went, `"system":[{"type":"text","text":"You are the gardener of Example Corp."}]`) ||
				!strings.Contains(went, `"tool_choice":{"type":"tool","name":"Bash"}`) || strings.Contains(went, "bash") ||
				!strings.Contains(got.text, `"name":"bash"`) || strings.Contains(got.text, "Bash")):
				t.Errorf("%s went out, the answer is %s", went, got.text)
			}
		}
	}
	r.terminate(t)
	if strings.Contains(r.log.String(), "planted") {
		t.Errorf("the log holds the key: %s", &r.log)
	}
}
