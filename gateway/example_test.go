package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"hygeia/gateway"
)

// A gateway that serves history alone, in a server of the program's own.
func Example() {
	state, err := os.MkdirTemp("", "sessions")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(state)
	g, err := gateway.New(gateway.Config{State: state})
	if err != nil {
		panic(err)
	}
	defer g.Close()
	server := httptest.NewServer(g.Handler())
	defer server.Close()
	res, err := http.Post(server.URL+"/sessions", "application/json", strings.NewReader(`{"key":"garden"}`))
	if err != nil {
		panic(err)
	}
	res.Body.Close()
	res, err = http.Get(server.URL + "/sessions/garden/history")
	if err != nil {
		panic(err)
	}
	defer res.Body.Close()
	var page struct {
		SessionKey string
		Messages   []any
	}
	if err := json.NewDecoder(res.Body).Decode(&page); err != nil {
		panic(err)
	}
	fmt.Println(res.Status, page.SessionKey, page.Messages)
	// Output:
	// 200 OK garden []
}
