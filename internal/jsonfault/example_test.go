package jsonfault_test

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"hygeia/internal/jsonfault"
)

func Example() {
	text := []byte("{\n  \"limits\": {\"requests\": \"many\"}\n}")
	var config struct {
		Limits struct {
			Requests int `json:"requests"`
		} `json:"limits"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		fmt.Println(jsonfault.In(text, err))
	}
	// Output: line 2: /limits/requests: expected a whole number, found a string
}
