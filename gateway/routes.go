package gateway

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
)

// route is one thing that is served. The OpenAPI document is made of the table.
type route struct {
	method, path string
	scope        scope
	summary      string
	query        []param
	body         string // schema of the JSON body, "" for none
	status       string // of a good answer
	answer       string // what it holds
	kind         string // its media type, "" means application/json
	handle       func(*Gateway, *call) error
}

// param is a parameter of the query. Any other is refused (H-B05).
type param struct{ name, schema, about string }

var (
	limitParam  = param{"limit", `{"type":"integer","minimum":1,"maximum":1000,"default":200}`, "most messages in the answer"}
	cursorParam = param{"cursor", `{"type":"string"}`, "nextCursor of an earlier answer: the messages before it"}
	viewParams  = []param{
		{"maxChars", `{"type":"integer","minimum":1,"maximum":500000,"default":8000}`, "longest text in characters"},
		{"includeThinking", `{"type":"boolean","default":false}`, "show what models thought"},
		{"includeTools", `{"type":"boolean","default":false}`, "show the calls of turns that also speak"},
		{"raw", `{"type":"boolean","default":false}`, "leave control text that models write as prose; scope admin"},
		{"leaf", `{"type":"string"}`, "the branch that ends at this entry"},
		{"parts", `{"type":"boolean","default":false}`, "add parts[] to each message: kind, name, text, and for words html that is safe to show"},
	}
	previewParams = []param{
		{"preview", `{"type":"integer","minimum":0,"maximum":12,"default":0}`, "add preview of each session: its last messages with words, and a title of the first where it has none"},
		{"maxChars", `{"type":"integer","minimum":20,"maximum":1000,"default":240}`, "longest text of a preview in characters"},
	}
	historyParams = append([]param{limitParam, cursorParam, {"live", `{"type":"boolean","default":false}`, "of a stream: also the growing text of the answer"}}, viewParams...)
)

var routes []route

// The table is set here because handlers refer to it (openapi).
func init() {
	routes = []route{
		{"GET", "/healthz", open, "Say that the service is up", nil, "", "200", "ok", "text/plain", (*Gateway).alive},
		{"GET", "/openapi.json", open, "This document", nil, "", "200", "an OpenAPI 3.1 document", "", (*Gateway).openapi},
		{"GET", "/metrics", admin, "Counters in the text format of Prometheus", nil, "", "200", "counters", "text/plain", (*Gateway).metrics},
		{"POST", "/login", open, "Trade a token for a cookie", nil, `{"type":"object","required":["token"],"properties":{"token":{"type":"string"}}}`, "200", "ok, scope, session", "", (*Gateway).login},
		{"POST", "/logout", open, "Forget the cookie", nil, "", "200", "ok", "", (*Gateway).logout},

		{"GET", "/sessions", read, "List the sessions, the newest first; with Accept: text/event-stream as a stream of sessions and changed", append([]param{
			{"limit", `{"type":"integer","minimum":1,"maximum":1000,"default":100}`, "most sessions in the answer"},
			{"offset", `{"type":"integer","minimum":0,"default":0}`, "how many to leave out"},
			{"search", `{"type":"string"}`, "only those with this text in key or title"},
			{"texts", `{"type":"boolean","default":false}`, "search in what is said, too; that reads every session"},
			{"archived", `{"type":"boolean","default":false}`, "the archived ones instead"},
		}, previewParams...), "", "200", "sessions[], total, hasMore", "", (*Gateway).list},
		{"POST", "/sessions", write, "Make a session", nil, `{"type":"object","properties":{"key":{"type":"string"},"title":{"type":"string","maxLength":200},"model":{"type":"string"}}}`, "201", "the session", "", (*Gateway).create},
		{"GET", "/sessions/{key}", read, "One session", previewParams, "", "200", "the session", "", (*Gateway).get},
		{"PATCH", "/sessions/{key}", write, "Change title, model or archive", nil, `{"type":"object","properties":{"title":{"type":"string","maxLength":200},"model":{"type":"string"},"archived":{"type":"boolean"}}}`, "200", "the session", "", (*Gateway).patch},
		{"GET", "/sessions/{key}/history", read, "The messages as people see them; with Accept: text/event-stream as a stream", historyParams, "", "200", "sessionKey, sessionId, messages[], items[] (the same), hasMore, nextCursor, cursorReset, inFlightRun", "", (*Gateway).history},
		{"GET", "/sessions/{key}/messages/{id}", read, "One message, whole", []param{{"maxChars", `{"type":"integer","minimum":1,"maximum":2000000,"default":1000000}`, "longest text in characters"}, viewParams[1], viewParams[2], viewParams[3], viewParams[4], viewParams[5]}, "", "200", "ok, message", "", (*Gateway).message},
		{"GET", "/sessions/{key}/search", read, "The messages that hold a text, the newest first", []param{{"text", `{"type":"string"}`, "what is searched for, whatever its case"}, {"limit", `{"type":"integer","minimum":1,"maximum":1000,"default":50}`, "most matches in the answer"}, viewParams[0], viewParams[1], viewParams[2], viewParams[3], viewParams[4]}, "", "200", "matches[]: id, seq, role, excerpt; total", "", (*Gateway).search},
		{"GET", "/sessions/{key}/pictures/{id}/{n}", read, "The n-th picture of a message, from 0", []param{viewParams[4]}, "", "200", "the picture", "image/*", (*Gateway).picture},
		{"POST", "/sessions/{key}/messages", write, "Send a prompt; the same idempotencyKey never runs twice", nil, `{"type":"object","required":["message","idempotencyKey"],"properties":{"message":{"type":"string"},"idempotencyKey":{"type":"string","maxLength":200},"model":{"type":"string"},"leaf":{"type":"string","description":"the entry to go on from: another than the active one makes a branch"},"interrupt":{"type":"boolean","default":false,"description":"stop what runs in the session and what waits there, and answer this"},"attachments":{"type":"array","maxItems":20,"items":{"type":"object","required":["data"],"properties":{"data":{"type":"string","contentEncoding":"base64"},"mimeType":{"type":"string"}}}}}}`, "202", "runId, status", "", (*Gateway).send},
		{"GET", "/sessions/{key}/runs/{id}", read, "What became of a run", nil, "", "200", "runId, status, text, stopReason, error, endedAt", "", (*Gateway).run},
		{"DELETE", "/sessions/{key}/runs/{id}", write, "Stop a run", nil, "", "200", "ok, aborted", "", (*Gateway).abort},
		{"DELETE", "/sessions/{key}/runs", write, "Stop what runs in a session and what waits there", nil, "", "200", "ok, aborted, runIds[]", "", (*Gateway).abortAll},
		{"GET", "/sessions/{key}/branches", read, "List the branches", nil, "", "200", "branches[]: leaf, partsAt, active, begins (the first words behind partsAt), ends (the last words)", "", (*Gateway).branches},
		{"POST", "/sessions/{key}/fork", write, "Copy a branch into a session of its own", nil, `{"type":"object","properties":{"leaf":{"type":"string","description":"the entry at which the branch ends; without it the active one"},"key":{"type":"string"},"title":{"type":"string","maxLength":200},"model":{"type":"string"}}}`, "201", "the new session", "", (*Gateway).fork},
		{"POST", "/sessions/{key}/inject", admin, "Add an assistant row that no model wrote", nil, `{"type":"object","required":["message"],"properties":{"message":{"type":"string"},"label":{"type":"string","maxLength":100}}}`, "200", "ok, messageId", "", (*Gateway).inject},
		{"POST", "/sessions/{key}/compact", admin, "Let a summary stand for the older part", nil, `{"type":"object","properties":{"summary":{"type":"string"},"keepTokens":{"type":"integer","minimum":1}}}`, "200", "ok, entry", "", (*Gateway).compact},
		{"GET", "/sessions/{key}/health", read, "What is wrong with the file, and what the engine would change for each provider", []param{{"to", `{"type":"string"}`, "PROVIDER/MODEL of which the changes are told one by one"}, {"api", `{"type":"string"}`, "the API of that target, where it is not the provider's default one"}}, "", "200", "file, bytes, leaf, branches, problems[], backups[], targets[]", "", (*Gateway).health},
		{"GET", "/sessions/{key}/export", read, "The whole session as a document", []param{{"as", `{"type":"string","enum":["html","markdown"],"default":"html"}`, "its form"}, viewParams[1], viewParams[2], viewParams[4]}, "", "200", "the document", "text/html", (*Gateway).export},
		{"POST", "/sessions/{key}/shares", admin, "Make a token that shows this session alone, for a time", nil, `{"type":"object","properties":{"expiresInSeconds":{"type":"integer","minimum":1,"default":86400}}}`, "201", "id, token, expires", "", (*Gateway).shareSession},
		{"DELETE", "/shares/{id}", admin, "Revoke a share", nil, "", "200", "ok", "", (*Gateway).revokeShare},
		{"POST", "/v1/chat/completions", write, "OpenAI's Chat Completions in front of sessions", nil, `{"type":"object","required":["messages"],"properties":{"model":{"type":"string"},"messages":{"type":"array","items":{"type":"object"}},"stream":{"type":"boolean"},"user":{"type":"string"}}}`, "200", "a chat completion", "", (*Gateway).complete},
		{"GET", "/v1/models", read, "The models that a chat completion may name, as OpenAI lists them", nil, "", "200", "object, data[]: id, object, created, owned_by", "", (*Gateway).models},
		{"GET", "/v1/models/{id...}", read, "One of these models", nil, "", "200", "id, object, created, owned_by", "", (*Gateway).model},

		{"GET", "/{$}", open, "The chat page", nil, "", "200", "the page", "text/html", (*Gateway).page},
		{"GET", "/static/{name}", open, "Script and style of the chat page", nil, "", "200", "the file", "*/*", (*Gateway).static},
	}
}

// methodsOf returns the methods that the path of a request has.
func methodsOf(r *http.Request) string {
	var allowed []string
	for _, route := range routes {
		mux := http.NewServeMux()
		mux.HandleFunc(route.path, func(http.ResponseWriter, *http.Request) {})
		if _, pattern := mux.Handler(r); pattern != "" {
			allowed = append(allowed, route.method)
		}
	}
	return strings.Join(allowed, ", ")
}

// openapi serves the document that the table makes.
func (g *Gateway) openapi(c *call) error {
	type object = map[string]any
	paths := map[string]object{}
	for _, r := range routes {
		path := strings.ReplaceAll(strings.TrimSuffix(r.path, "{$}"), "...}", "}")
		var parameters []any
		for _, part := range strings.Split(path, "/") {
			if name, ok := strings.CutPrefix(part, "{"); ok {
				parameters = append(parameters, object{"name": strings.TrimSuffix(name, "}"), "in": "path", "required": true, "schema": object{"type": "string"}})
			}
		}
		for _, p := range r.query {
			parameters = append(parameters, object{"name": p.name, "in": "query", "description": p.about, "schema": rawSchema(p.schema)})
		}
		kind := r.kind
		if kind == "" {
			kind = "application/json"
		}
		operation := object{
			"summary": r.summary,
			"responses": object{
				r.status:  object{"description": r.answer, "content": object{kind: object{}}},
				"default": object{"description": "an error: ok false, error.type, error.message"},
			},
		}
		if parameters != nil {
			operation["parameters"] = parameters
		}
		if r.body != "" {
			operation["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": rawSchema(r.body)}}}
		}
		if r.scope != open {
			operation["security"] = []any{object{"token": []string{}}, object{"cookie": []string{}}}
			operation["description"] = "Scope: " + scopeNames[r.scope] + "."
		}
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path][strings.ToLower(r.method)] = operation
	}
	return c.answer(http.StatusOK, object{
		"openapi": "3.1.0",
		"info":    object{"title": "Hygeia gateway", "version": "1", "license": object{"name": "MIT", "identifier": "MIT"}},
		"paths":   paths,
		"components": object{"securitySchemes": object{
			"token":  object{"type": "http", "scheme": "bearer"},
			"cookie": object{"type": "apiKey", "in": "cookie", "name": cookieName},
		}},
	})
}

func rawSchema(text string) any {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic("gateway: schema in the table of routes: " + err.Error())
	}
	return v
}
