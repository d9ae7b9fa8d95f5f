package measure

const (
	googles  = "^google\\S* google-"
	gemini3  = " google-\\S* gemini-3"
	assisted = "google-antigravity .*claude"
)

var (
	modelTurns   = at("contents/*", is("role", "model"))
	calling      = at("contents/*", is("role", "model"), holdsPart("functionCall"))
	responding   = at("contents/*", is("role", "user"), holdsPart("functionResponse"))
	answerParts  = at("contents/*/parts/*", has("functionResponse"))
	inlineImages = at("contents/*/parts/*/inlineData")
	modelText    = object{"role": "model", "parts": []any{object{"text": "So"}}}
)

var googleMutations = []mutation{
	{"GG-01", "google-generative-ai", behind(at("contents/*", is("role", "user"), func(s *spot) bool { n := s.next(); return n != nil && holdsPart("functionCall")(n) }), modelText)},
	{"GG-03", "google-generative-ai", drop(answerParts)},
	{"GG-03", "google-vertex", drop(responding)},
	{"GG-04", "google-generative-ai", behind(calling, object{"role": "user", "parts": []any{object{"text": "x"}}})},
	{"GG-05", "google-generative-ai .*gemini-3", put(at("contents/*/parts/*/functionResponse", has("id")), "id", "other")},
	{"GG-06", googles, put(modelTurns, "parts", []any{})},
	{"GG-07", googles, put(at("contents/*/parts/*", has("text")), "functionCall", object{"name": "read", "args": object{}})},
	{"GG-07", googles, set(at("contents/*/parts/*"), object{})},
	{"GG-07", "google-vertex", put(at("contents/*/parts/*", has("text")), "text", "")},
	{"GG-08", gemini3, func(m *mutant) bool { return roundLosesSignature(m) }},
	{"GG-09", googles, set(at("contents/*/parts/*/thoughtSignature"), "not base64!")},
	{"GG-11", googles, put(modelTurns, "role", "assistant")},
	{"GG-13", "google-generative-ai", insert(at("tools/*/functionDeclarations"), end, object{"name": "x", "parameters": object{"type": "object", "$schema": "x"}})},
	{"GG-14", googles, set(at("contents"), []any{})},
	{"GG-15", googles, put(at("contents/*/parts/*/functionCall"), "name", "9lives")},
	{"GG-15", googles, put(at("contents/*/parts/*/functionResponse"), "name", "a b")},
	{"GG-16", googles, put(inlineImages, "mimeType", "image/gif")},
	{"GG-16", googles, put(inlineImages, "data", "aGVsbG8=")},
	{"GG-17", googles, insert(at("contents/*/parts", isList), end, object{"text": longText})},
	{"GG-18", googles, root("cachedContent", "cachedContents/x")},
	{"GG-19", googles, root("generationConfig", object{"thinkingConfig": object{"thinkingBudget": 1024, "thinkingLevel": "high"}})},
	{"GG-19", "google-generative-ai .*gemini-2.5-pro", root("generationConfig", object{"thinkingConfig": object{"thinkingBudget": 0}})},
	{"GG-20", googles, put(at("contents/*/parts/*/functionCall"), "args", "x")},
	{"GG-20", googles, put(at("contents/*/parts/*/functionResponse"), "response", "x")},
	{"GG-22", "google-generative-ai .*gemini-2", put(at("contents/*/parts/*/functionResponse"), "parts", []any{object{"inlineData": object{"mimeType": "image/png", "data": tinyPNG}}})},
	{"GG-23", "gemini-3.5", drop(at("contents/*/parts/*/functionResponse/id"))},
	{"AN-27", googles, set(at("contents/*/parts/*/text"), loneHalf)},
	{"CA-01", assisted, drop(at("contents/*/parts/*/thoughtSignature", parent(is("thought", true))))},
	{"CA-02", assisted, drop(at("tools/*/functionDeclarations/*/parameters"))},
	{"CA-03", assisted, drop(responding)},
	{"CA-03", assisted, same(at("contents/*/parts/*/functionCall/id"))},
	{"CA-03", assisted, drop(at("contents/*/parts/*/functionCall/id"))},
	{"CA-04", "google-gemini-cli", root("store", false)},
	{"CA-05", assisted, put(at("contents/*/parts/*"), "thoughtSignature", "skip_thought_signature_validator")},
}

func holdsPart(name string) func(*spot) bool {
	return func(s *spot) bool {
		parts, _ := s.get("parts").([]any)
		for _, p := range parts {
			if p.(object)[name] != nil {
				return true
			}
		}
		return false
	}
}

// roundLosesSignature takes the signature off the first call of the last content
// with calls, where a response to it ends the request.
func roundLosesSignature(m *mutant) bool {
	list := m.all(at("contents/*"))
	if len(list) < 2 || !holdsPart("functionResponse")(list[len(list)-1]) || !holdsPart("functionCall")(list[len(list)-2]) {
		return false
	}
	if holdsPart("text")(list[len(list)-1]) {
		return false
	}
	for _, p := range list[len(list)-2].get("parts").([]any) {
		if part := p.(object); part["functionCall"] != nil {
			delete(part, "thoughtSignature")
			return true
		}
	}
	return false
}
