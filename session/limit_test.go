package session

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
)

// F-47: how much of a result's texts is kept, and what is said about the rest.
func TestLimitText(t *testing.T) {
	text := func(n int) string { return strings.Repeat("ü", n) }
	block := func(n int) string { return `{"type":"text","text":"` + text(n) + `"}` }
	image := `{"type":"image","data":"` + strings.Repeat("A", 40_000) + `","mimeType":"image/png"}`
	cut := func(n, dropped int) string {
		return fmt.Sprintf(`{"type":"text","text":"%s\n[tool result cut: %d characters left out]"}`, text(n), dropped)
	}
	for _, c := range []struct {
		name    string
		limit   int
		in, out string // content, "" for the same
	}{
		{"short", 0, `[` + block(16_000) + `]`, ""},
		{"long", 0, `[` + block(16_001) + `]`, `[` + cut(16_000, 1) + `]`},
		{"string", 0, `"` + text(16_002) + `"`, `"` + text(16_000) + `\n[tool result cut: 2 characters left out]"`},
		{"together", 0, `[` + block(9_000) + `,` + image + `,` + block(9_000) + `,` + block(5) + `]`, `[` + block(9_000) + `,` + image + `,` + cut(7_000, 2_005) + `]`},
		{"none left", 0, `[` + block(16_000) + `,` + block(3) + `]`, `[` + block(16_000) + `,` + cut(0, 3) + `]`},
		{"smaller", 5_000, `[` + block(6_000) + `]`, `[` + cut(5_000, 1_000) + `]`},
		{"least", 10, `[` + block(3_000) + `]`, `[` + cut(2_000, 1_000) + `]`},
		{"escaped", 0, `[{"type":"text","text":"` + strings.Repeat(`\u00fc`, 16_000) + `"}]`, ""},
		{"odd", 0, `[7,null,{"type":"text"},{"type":"future","text":"` + text(20_000) + `"}]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := messageOf(t, `{"role":"toolResult","content":`+c.in+`}`)
			before := string(in.AppendJSON(nil))
			out, notes := Limits{Text: c.limit}.Result(in)
			want := before
			if c.out != "" {
				want = `{"role":"toolResult","content":` + c.out + `}`
			}
			if got := string(out.AppendJSON(nil)); got != want {
				t.Errorf("got %d bytes: %.80s … %s", len(got), got, got[max(0, len(got)-80):])
			}
			if (out == in) != (c.out == "") || (len(notes) == 0) != (c.out == "") {
				t.Errorf("copied %v, notes %v", out != in, notes)
			}
			if again, notes := (Limits{Text: c.limit}).Result(out); again != out || len(notes) > 0 {
				t.Errorf("cut again: %v", notes)
			}
			if string(in.AppendJSON(nil)) != before {
				t.Error("the input changed")
			}
		})
	}
	long := messageOf(t, `{"role":"user","content":"`+text(20_000)+`","details":"`+text(20_000)+`"}`)
	if out, notes := (Limits{}).Result(long); out != long || len(notes) > 0 {
		t.Error("a user turn was cut")
	}
}

// F-47: what is kept of details that are too big.
func TestLimitDetails(t *testing.T) {
	big := `"output":"` + strings.Repeat("x", 9_000) + `"`
	many := strings.Builder{}
	for i := range 60 {
		fmt.Fprintf(&many, `"k%d":0,`, i)
	}
	rows := strings.Repeat(`{"sessionId":"s","status":"ok","transcript":[1]},`, 12)
	for name, c := range map[string]struct{ in, out string }{
		"small":   {`{"output":"x"}`, `{"output":"x"}`},
		"scalars": {`{"status":"done","pid":7,"exitCode":null,"truncated":true,"cwd":["no"],` + big + `}`, `{"persistedDetailsTruncated":true,"originalDetailsBytes":N,"originalDetailKeys":["status","pid","exitCode","truncated","cwd","output"],"status":"done","pid":7,"exitCode":null,"truncated":true}`},
		"long string": {
			`{"fullOutputPath":"` + strings.Repeat("é", 2_001) + `",` + big + `}`,
			`{"persistedDetailsTruncated":true,"originalDetailsBytes":N,"originalDetailKeys":["fullOutputPath","output"],"fullOutputPath":"` + strings.Repeat("é", 2_000) + `[cut]"}`,
		},
		"list":      {`[` + strings.Repeat("1,", 5_000) + `1]`, `{"persistedDetailsTruncated":true,"originalDetailsBytes":N,"originalDetailKeys":[]}`},
		"stand-in":  {`{"openclawSyntheticMissingToolResult":true,` + big + `}`, `{"persistedDetailsTruncated":true,"originalDetailsBytes":N,"originalDetailKeys":["openclawSyntheticMissingToolResult","output"],"openclawSyntheticMissingToolResult":true}`},
		"too much":  {`{"name":"` + strings.Repeat("世", 2_000) + `","cwd":"` + strings.Repeat("世", 2_000) + `"}`, `{"persistedDetailsTruncated":true,"originalDetailsBytes":N,"finalDetailsTruncated":true}`},
		"many keys": {`{` + many.String() + big + `}`, ``},
		"sessions":  {`{"sessions":[` + rows + `7],` + big + `}`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			out, notes := Limits{}.Result(messageOf(t, `{"role":"toolResult","details":`+c.in+`}`))
			d := out.Get("details")
			if changed := string(d.Raw) != c.in; changed != (len(notes) == 1) {
				t.Errorf("changed %v, told %v", changed, notes)
			}
			want := strings.Replace(c.out, ":N", fmt.Sprintf(":%d", len(c.in)), 1)
			if c.out != "" && string(d.Raw) != want {
				t.Errorf("got %s", d.Raw)
			}
			if len(d.Raw) > 8<<10 || !jsonline.Valid(d.Raw) {
				t.Errorf("%d bytes", len(d.Raw))
			}
			switch n := strings.Count(string(d.Raw), `"k`); {
			case name == "many keys" && n != 40:
				t.Errorf("%d keys", n)
			case name == "sessions" && strings.Count(string(d.Raw), `{"status":"ok","sessionId":"s"}`) != 10:
				t.Errorf("got %s", d.Raw)
			}
			if again, notes := (Limits{}).Result(out); again != out || len(notes) > 0 {
				t.Errorf("again: %v", notes)
			}
		})
	}
}
