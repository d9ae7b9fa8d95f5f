package emulator_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"hygeia/emulator"
)

func Example() {
	s := emulator.NewServer(emulator.Options{})
	defer s.Close()

	ask := func(body string) {
		res, err := http.Post(s.URL+"/v1/chat/completions", "application/json", strings.NewReader(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		fmt.Println(res.StatusCode, strings.Contains(string(text), `"content":"hello"`))
	}
	ask(`{"model":"mistral-large-latest","messages":[{"role":"user","content":"hello"}]}`)
	ask(`{"model":"mistral-large-latest","messages":[{"role":"assistant","content":"hello"}]}`)

	for _, r := range s.Requests() {
		fmt.Printf("%s %d %q\n", r.Target.Provider, r.Status, r.Rule)
	}
	// Output:
	// 200 true
	// 400 false
	// mistral 200 ""
	// mistral 400 "MI-04"
}

func ExampleScript() {
	s := emulator.NewServer(emulator.Options{Respond: emulator.Script(
		emulator.Step{Contains: "weather", Answer: emulator.Answer{Content: []emulator.Part{
			{Text: "Let me see."}, {Call: "weather", Arguments: []byte(`{"city":"Bern"}`), ID: "call_1"},
		}}},
		emulator.Step{To: "openai/*", Answer: emulator.Answer{Status: 429, Error: "Slow down."}},
	)})
	defer s.Close()

	for range 2 {
		res, err := http.Post(s.URL+"/v1/responses", "application/json", strings.NewReader(`{"model":"gpt-5.1","input":"How is the weather?"}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		fmt.Println(res.StatusCode, strings.Contains(string(text), `"call_id":"call_1","name":"weather"`))
	}
	// Output:
	// 200 true
	// 429 false
}
