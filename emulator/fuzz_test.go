package emulator

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzServe sends any body to any path: no panic, and an answer in JSON or a
// stream with a status of the provider.
func FuzzServe(f *testing.F) {
	var paths []string
	for _, rt := range routes {
		path := strings.NewReplacer("{account}", "a", "{gateway}", "g", "{project}", "p", "{location}", "l", "{model}", "claude-opus-5").Replace(rt.path)
		if prefix, ok := strings.CutSuffix(path, "{call}"); ok {
			for v := range verbs {
				paths = append(paths, prefix+"gemini-3-pro:"+v)
			}
			continue
		}
		paths = append(paths, path)
	}
	for i, e := range endpoints {
		for n := range paths {
			if i == n%len(endpoints) {
				f.Add(e.request(true), n)
				f.Add(e.bad, n)
			}
		}
	}
	f.Add(`{"model":"m","previous_response_id":"resp_1","input":[{"type":"item_reference","id":"rs_1"},7,null]}`, 6)
	f.Add(`{"model":"m","messages":{"role":[]},"contents":[[],{"parts":[null]}],"request":{"contents":{}},"input":{"converse":[]}}`, 3)
	e := New(Options{Known: func(token string) bool { return len(token)%2 == 0 }})
	f.Fuzz(func(t *testing.T, body string, n int) {
		path := paths[uint(n)%uint(len(paths))]
		w := handle(e, "localhost", path, body)
		kind := w.Header().Get("Content-Type")
		switch {
		case w.Code != 200 && w.Code != 400 && w.Code != 404 && w.Code != 422 && w.Code != 413:
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		case kind == "application/json" && !jsontext.Value(w.Body.Bytes()).IsValid():
			t.Fatalf("%s: no JSON: %s", path, w.Body)
		}
	})
}

// TestAtTheSameTime asks from many sides at once: each step of a script is given
// once, and every request is remembered.
func TestAtTheSameTime(t *testing.T) {
	const many = 40
	var steps []Step
	for i := range many {
		steps = append(steps, Step{Answer: Answer{Content: []Part{{Text: fmt.Sprintf("answer %d.", i)}}}})
	}
	var observed sync.Map
	s := start(t, Options{Respond: Script(steps...), Observe: func(r Request) { observed.Store(string(r.Body), r.Status) }})
	var mu sync.Mutex
	got := map[string]bool{}
	var wait sync.WaitGroup
	for i := range many {
		wait.Go(func() {
			body := fmt.Sprintf(`{"model":"gpt-5.1","input":"question %d"}`, i)
			res, err := http.Post(s.URL+"/v1/responses", "application/json", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			text, err := io.ReadAll(res.Body)
			if err != nil {
				t.Error(err)
			}
			s.Requests()
			mu.Lock()
			defer mu.Unlock()
			_, said, _ := strings.Cut(string(text), `"text":"answer`)
			said, _, _ = strings.Cut(said, `"`)
			got[said] = true
		})
	}
	wait.Wait()
	seen := 0
	observed.Range(func(_, status any) bool { seen++; return status == 200 })
	if len(got) != many || len(s.Requests()) != many || seen != many {
		t.Errorf("%d answers, %d requests, %d observed", len(got), len(s.Requests()), seen)
	}
}
