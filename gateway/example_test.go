package gateway_test

import (
	"fmt"
	"io"
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
	text, err := io.ReadAll(res.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(res.StatusCode, string(text))
	// Output:
	// 200 {"sessionKey":"garden","messages":[],"items":[],"hasMore":false}
}
