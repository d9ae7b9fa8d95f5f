package runner

import (
	"testing"

	"github.com/go-json-experiment/json"
)

// TestHistoryLimit holds R-97: where the limit comes from.
func TestHistoryLimit(t *testing.T) {
	t.Parallel()
	var channels map[string]Channel
	err := json.Unmarshal([]byte(`{"Telegram":{"historyLimit":7,"dmHistoryLimit":5,"dms":{"ada":{"historyLimit":2},"bo":{},"cy":{"historyLimit":0}}},"slack":{}}`), &channels)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]int{
		"agent:main:telegram:dm:ada":           2,
		"telegram:direct:ada:thread:9":         2,
		"agent:main:telegram:direct:ada:topic": 5,
		"agent:main:telegram:dm:bo":            5,
		"agent:main:telegram:dm:cy":            0,
		"agent:main:telegram:dm:other":         5,
		"agent:main:TELEGRAM:group:1":          7,
		"agent:main:telegram:channel:x:y":      7,
		"agent:main:slack:group:1":             0,
		"agent:main:main":                      0,
		"":                                     0,
	} {
		if got := HistoryLimit(key, channels); got != want {
			t.Errorf("%s: %d, want %d", key, got, want)
		}
	}
}
