package emulator

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
)

func responsesBody(path, more, items string) string {
	switch {
	case strings.Contains(path, "codex"):
		return `{"model":"gpt-5.4","instructions":"You are Codex.","store":false,"stream":true,"include":["reasoning.encrypted_content"],` + more + `"input":[` + items + `]}`
	}
	return `{"model":"gpt-5.1","reasoning":{"effort":"low"},"include":["reasoning.encrypted_content"],` + more + `"input":[` + items + `]}`
}

const question = `{"role":"user","content":[{"type":"input_text","text":"q"}]}`

// output returns the items of an answer, one of a stream too.
func output(t *testing.T, a answer) []string {
	t.Helper()
	o := a.json()
	if !o.Exists() {
		_, last, _ := strings.Cut(a.text, "event: response.completed\ndata: ")
		last, _, _ = strings.Cut(last, "\n")
		o = under(jsonline.ParseObject([]byte(last)), "response").Object()
	}
	var out []string
	for _, v := range elements(o.Get("output")) {
		out = append(out, string(v.Raw))
	}
	if len(out) == 0 {
		t.Fatalf("no output in %s", a.text)
	}
	return out
}

func member(item, name string) string {
	return jsonline.ParseObject([]byte(item)).Get(name).String()
}

// without leaves a member of an item out.
func without(item string, names ...string) string {
	return string(jsonline.ParseObject([]byte(item)).Without(names...).AppendTo(nil))
}

// resultOf is the output of a call.
func resultOf(call string) string {
	return fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":"42"}`, member(call, "call_id"))
}

// TestEncryptedContent is the round trip without stored items (OR-09, AZ-02).
func TestEncryptedContent(t *testing.T) {
	for path, rule := range map[string]string{"/v1/responses": "OR-09", "/openai/v1/responses": "AZ-02", "/backend-api/codex/responses": "OR-09"} {
		t.Run(path, func(t *testing.T) {
			s := start(t, Options{Respond: thoughts()})
			more := `"store":false,`
			if strings.Contains(path, "codex") {
				more = ""
			}
			var items []string
			for _, item := range output(t, accepted(t, s, path, responsesBody(path, more, question))) {
				items = append(items, without(item, "id"))
			}
			encrypted := member(items[0], "encrypted_content")
			if !strings.HasPrefix(encrypted, "gAAA") {
				t.Fatalf("items %s", items)
			}
			round := func(items []string) string {
				return responsesBody(path, more, question+","+strings.Join(items, ",")+","+resultOf(items[len(items)-1]))
			}
			accepted(t, s, path, round(items))
			all := round(items)
			refused(t, s, path, strings.Replace(all, encrypted, flip(encrypted), 1), rule, 400, `The encrypted content gAAA... could not be verified. Reason: Encrypted content could not be decrypted or parsed.","type":"invalid_request_error","param":null,"code":"invalid_encrypted_content"}}`)
			refused(t, s, path, strings.Replace(all, encrypted, "gAAA", 1), rule, 400, "could not be verified")
			refused(t, start(t, Options{Key: []byte("other")}), path, all, rule, 400, "could not be verified")
			accepted(t, start(t, Options{Key: []byte("other"), Known: func(string) bool { return true }}), path, all)
		})
	}
	s := start(t, Options{Respond: thoughts()})
	first := output(t, accepted(t, s, "/v1/responses", responsesBody("", `"store":false,`, question)))
	again := responsesBody("", `"store":false,`, question+","+without(first[0], "id")+","+without(first[len(first)-1], "id")+","+resultOf(first[len(first)-1]))
	refused(t, s, "/openai/v1/responses", again, "AZ-02", 400, "could not be verified")

	// Azure holds what a deployment encrypted against that one, OpenAI not.
	other := func(body string) string {
		return strings.Replace(body, `"model":"gpt-5.1"`, `"model":"gpt-5.1-other"`, 1)
	}
	accepted(t, s, "/v1/responses", other(again))
	s = start(t, Options{Respond: thoughts()})
	first = output(t, accepted(t, s, "/openai/v1/responses", responsesBody("", `"store":false,`, question)))
	again = responsesBody("", `"store":false,`, question+","+without(first[0], "id")+","+without(first[len(first)-1], "id")+","+resultOf(first[len(first)-1]))
	accepted(t, s, "/openai/v1/responses", again)
	refused(t, s, "/openai/v1/responses", other(again), "AZ-02", 400, "could not be verified")
}

// TestItemIDs replays items with their ids (OR-01, OR-02, OR-08, AZ-01).
func TestItemIDs(t *testing.T) {
	const path = "/v1/responses"
	s := start(t, Options{Respond: thoughts()})
	items := output(t, accepted(t, s, path, responsesBody(path, `"store":true,`, question)))
	thought, hidden, said, call := items[0], items[1], items[2], items[3]
	body := func(items ...string) string {
		return responsesBody(path, `"store":true,`, question+","+strings.Join(append(items, resultOf(call)), ","))
	}
	accepted(t, s, path, body(thought, hidden, said, call))
	accepted(t, s, path, body(without(thought, "id"), without(hidden, "id"), without(said, "id"), without(call, "id")))
	reference := func(item string) string { return fmt.Sprintf(`{"type":"item_reference","id":%q}`, member(item, "id")) }
	accepted(t, s, path, body(reference(thought), reference(hidden), reference(said), reference(call)))
	accepted(t, s, path, body(without(thought, "encrypted_content"), hidden, said, call))

	need := member(hidden, "id")
	refused(t, s, path, body(thought, said, call), "OR-02", 400,
		"Item '"+member(said, "id")+"' of type 'message' was provided without its required 'reasoning' item: '"+need+"'.")
	refused(t, s, path, body(call), "OR-02", 400, "of type 'function_call' was provided without its required 'reasoning' item: '"+need+"'.")
	refused(t, s, path, body(thought, hidden, said, call, said), "OR-05", 400, "Duplicate item found with id")
	refused(t, s, path, body(thought, hidden, said, strings.Replace(call, member(call, "id"), "fc_1", 1)), "OR-08", 404, "Item with id 'fc_1' not found.")
	refused(t, s, path, body(thought, hidden, said, strings.Replace(call, member(call, "id"), flip(member(call, "id")), 1)), "OR-08", 404, "not found.")
	foreign := start(t, Options{Key: []byte("other")})
	refused(t, foreign, path, body(without(call, "x")), "OR-08", 404, "Item with id '"+member(call, "id")+"' not found.")
	refused(t, foreign, path, body(reference(call)), "OR-08", 404, "Item with id '"+member(call, "id")+"' not found.")

	// Another answer, and the reasoning of one in front of what another led to.
	other := output(t, accepted(t, s, path, responsesBody(path, `"store":true,`, question+","+question)))
	refused(t, s, path, responsesBody(path, `"store":true,`, question+","+other[0]+","+said), "OR-01", 400,
		"Item '"+member(other[0], "id")+"' of type 'reasoning' was provided without its required following item.")

	// Nothing is kept without store: ids are good only with all that they name.
	unstored := start(t, Options{Respond: thoughts()})
	items = output(t, accepted(t, unstored, path, responsesBody(path, `"store":false,`, `{"role":"user","content":"p"}`)))
	call = items[3]
	refused(t, unstored, path, body(items[0], items[1], items[2], reference(call)), "OR-08", 404, "not found.")
	accepted(t, unstored, path, body(items[0], items[1], items[2], call))
}

// TestPreviousResponse goes on from a stored response (OR-03, OR-04, OR-21).
func TestPreviousResponse(t *testing.T) {
	const path = "/v1/responses"
	s := start(t, Options{Respond: thoughts()})
	first := accepted(t, s, path, responsesBody(path, ``, question))
	id, call := first.json().Get("id").String(), output(t, first)[3]
	next := func(id, items string) string {
		return responsesBody(path, fmt.Sprintf(`"previous_response_id":%q,`, id), items)
	}
	second := accepted(t, s, path, next(id, resultOf(call)))
	if raw(second, "previous_response_id") != `"`+id+`"` {
		t.Errorf("second answer: %s", second.text)
	}
	third := accepted(t, s, path, next(second.json().Get("id").String(), question))
	if said := output(t, third); !strings.Contains(said[len(said)-1], `"text":"q"`) {
		t.Errorf("third answer: %s", said)
	}
	refused(t, s, path, next(id, question), "OR-03", 400, "No tool output found for function call "+member(call, "call_id")+".")
	refused(t, s, path, next(id, resultOf(call)+","+`{"type":"function_call_output","call_id":"call_x","output":"y"}`), "OR-04", 400, "No tool call found for function call output with call_id call_x.")
	refused(t, s, path, next(id, call+","+resultOf(call)), "OR-05", 400, "Duplicate item found with id "+member(call, "id"))
	refused(t, s, path, next("resp_unknown", question), "OR-21", 400,
		`{"error":{"message":"Previous response with id 'resp_unknown' not found.","type":"invalid_request_error","param":"previous_response_id","code":"previous_response_not_found"}}`)
	refused(t, s, path, responsesBody(path, `"conversation":"conv_1",`, question), "", 404, "Conversation with id 'conv_1' not found.")

	unstored := accepted(t, s, path, responsesBody(path, `"store":false,`, `{"role":"user","content":"p"}`))
	refused(t, s, path, next(unstored.json().Get("id").String(), question), "OR-21", 400, "not found.")
}

// TestStoreIsBounded holds that only the newest responses are kept.
func TestStoreIsBounded(t *testing.T) {
	var s store
	for i := range maxResponses + 5 {
		s.put(fmt.Sprint(i), []stored{jsonline.Parse(fmt.Appendf(nil, `{"id":"msg_%d"}`, i))}, 1)
	}
	_, old := s.response("4")
	_, item := s.item("msg_4")
	_, kept := s.response("5")
	if old || item || !kept || len(s.responses) != maxResponses || len(s.items) != maxResponses {
		t.Errorf("old %v %v, kept %v, %d responses", old, item, kept, len(s.responses))
	}
	s.put("large", nil, maxResponsesBytes)
	if len(s.responses) != 1 || s.bytes != maxResponsesBytes {
		t.Errorf("%d responses, %d bytes", len(s.responses), s.bytes)
	}
}
