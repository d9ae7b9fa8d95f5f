package session

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/imaging"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

func redactor(t testing.TB, forms ...string) *Redactor {
	t.Helper()
	r, err := NewRedactor(forms...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// x is a run of n characters with digits, as keys are made of.
func x(n int) string { return strings.Repeat("a1B2", n/4+1)[:n] }

// F-48: forms of secrets, and texts that only look like one.
func TestRedactText(t *testing.T) {
	r := redactor(t, `/internal-(\d+)/i`, `zz\d+`)
	for in, want := range map[string]string{
		"key sk-" + x(20) + ".":                      "key ***.",
		"sk-ant-api03-" + x(90):                      "***",
		"class sk-folding-cube-wrapper":              "",
		"task-" + x(20):                              "",
		"sk_live_" + x(24):                           "***",
		"ghp_" + x(36):                               "***",
		"github_pat_" + x(40):                        "***",
		"glpat-" + x(20):                             "***",
		"xoxb-123456789012-" + x(24):                 "***",
		"AIza" + x(35):                               "***",
		"ya29." + x(60):                              "***",
		"AKIAIOSFODNN7EXAMPLE":                       "***",
		"AKIAIOSFODNN7EXAMPLES":                      "",
		"gsk_" + x(30):                               "***",
		"eyJ" + x(20) + ".eyJ" + x(30) + "." + x(30): "***",
		"bot12345678:" + x(35):                       "***",
		"at 12:30:45 it began":                       "",
		"Authorization: Bearer " + x(30):             "Authorization: Bearer ***",
		"authorization: basic " + x(16):              "authorization: basic ***",
		"basic internationalization":                 "",
		"X-Api-Key: " + x(20):                        "X-Api-Key: ***",
		"https://me:hunter2@host/x":                  "https://me:***@host/x",
		"redis://:hunter2@host":                      "redis://:***@host",
		"http://host:8080/a@b":                       "",
		"GET /v1?key=" + x(20) + "&alt=sse":          "GET /v1?key=***&alt=sse",
		"export DB_PASSWORD=correcthorse":            "export DB_PASSWORD=***",
		`API_KEY="` + x(12) + `"`:                    `API_KEY="***"`,
		"TOKEN=${TOKEN_FROM_ENV}":                    "",
		"maxTokens=12345678":                         "",
		`{"password": "hunter22", "n": 1}`:           `{"password": "***", "n": 1}`,
		`{"nextToken":"page-2-of-3"}`:                "",
		"curl --token " + x(12):                      "curl --token ***",
		"curl --password --verbose":                  "",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----": "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----",
		"-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----":           "",
		"INTERNAL-77 and zz12":                  "INTERNAL-*** and ***",
		"two sk-" + x(20) + " and ghp_" + x(36): "two *** and ***",
	} {
		if want == "" {
			want = in
		}
		if got := r.Text(in); got != want || r.Text(got) != got {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestRedactorForms(t *testing.T) {
	if _, err := NewRedactor("a", "("); err == nil || !strings.Contains(err.Error(), "form 2") {
		t.Errorf("got %v", err)
	}
	for _, b := range builtIn {
		if b.hints == "" || b.hints != strings.ToLower(b.hints) {
			t.Errorf("%s: hints %q", b.form, b.hints)
		}
		regexp.MustCompile(b.form)
	}
	for form, want := range map[string]string{
		`name=(\w+) id=(\w+)`: "name=ab id=***", // the last group is the secret
		`name=(\w+)( not)?`:   "name=*** id=cd",
		`z*`:                  "name=ab id=cd",
		`//`:                  "name=ab id=cd",
	} {
		if got := redactor(t, form).Text("name=ab id=cd"); got != want {
			t.Errorf("%s: %s, want %s", form, got, want)
		}
	}
	// W-115: names of fields are no texts, whatever a form looks for.
	for _, name := range []string{"reasoning", "reasoning_content", "reasoning_text", "reasoning_details"} {
		m := messageOf(t, `{"role":"assistant","content":[{"type":"thinking","thinking":"ghp_`+x(36)+`","thinkingSignature":"`+name+`"}]}`)
		if out, _ := redactor(t, `reason\w+`).Message(m); !strings.Contains(string(out.AppendJSON(nil)), `"***","thinkingSignature":"`+name+`"`) {
			t.Errorf("%s became %s", name, out.AppendJSON(nil))
		}
	}
}

// F-48: what is redacted in a message, and what never is.
func TestRedactMessage(t *testing.T) {
	key := "sk-" + x(20)
	sig := strings.Repeat("QUtJQQ", 20)
	for name, c := range map[string]struct{ in, out string }{
		"text":      {`{"role":"user","content":"` + key + `"}`, `{"role":"user","content":"***"}`},
		"clean":     {`{"role":"user","content":"hello","n":1.0}`, ``},
		"block":     {`{"role":"user","content":[{"type":"text","text":"` + key + `"},"` + key + `",7]}`, `{"role":"user","content":[{"type":"text","text":"***"},"***",7]}`},
		"single":    {`{"role":"toolResult","content":{"type":"text","text":"` + key + `"}}`, `{"role":"toolResult","content":{"type":"text","text":"***"}}`},
		"deep":      {`{"role":"toolResult","details":{"a":[{"b":["` + key + `"]}]}}`, `{"role":"toolResult","details":{"a":[{"b":["***"]}]}}`},
		"error":     {`{"role":"assistant","content":[],"errorBody":"` + key + `"}`, `{"role":"assistant","content":[],"errorBody":"***"}`},
		"key aware": {`{"role":"assistant","content":[{"type":"toolCall","id":"` + key + `","name":"f","arguments":{"api_key":"x","Pass\u0077ord":["y",{"z":"y"}],"token":7,"tokens":"k"}}]}`, `{"role":"assistant","content":[{"type":"toolCall","id":"` + key + `","name":"f","arguments":{"api_key":"***","Pass\u0077ord":["***",{"z":"y"}],"token":7,"tokens":"k"}}]}`},
		"ids":       {`{"role":"toolResult","toolCallId":"` + key + `","call_id":"` + key + `","idempotencyKey":"` + key + `","content":[]}`, ``},
		"data":      {`{"role":"toolResult","details":{"file":"` + strings.Repeat("QUl6YQ", 60) + "/AIza" + x(35) + `"}}`, ``},
		"alphabet":  {`{"role":"toolResult","content":"` + strings.Repeat("AZMaZmz059-_+/", 20) + "+AKIAIOSFODNN7EXAMPLE/" + `=="}`, ``},
		"no data":   {`{"role":"toolResult","content":"` + strings.Repeat("AZMaZmz059-_+/", 20) + "+AKIAIOSFODNN7EXAMPLE/" + `==="}`, `{"role":"toolResult","content":"` + strings.Repeat("AZMaZmz059-_+/", 20) + `+***/==="}`},
		"redacted":  {`{"role":"assistant","content":[{"type":"redacted_thinking","data":"` + strings.Repeat("QUtJ", 20) + `/AKIAIOSFODNN7EXAMPLE/"}]}`, ``},
		"escapes":   {`{"role":"user","content":"\u0073k-` + x(20) + `\n","x":"\u0073","x":"` + key + `"}`, `{"role":"user","content":"***\n","x":"\u0073","x":"***"}`},
		"signatures": {
			`{"role":"assistant","content":[{"type":"thinking","thinking":"x","thinkingSignature":"` + sig + `"},{"type":"redacted_thinking","data":"` + sig + `"},` +
				`{"type":"text","text":"x","textSignature":"msg_` + x(30) + `"},{"type":"toolCall","id":"c","name":"f","arguments":{},"thoughtSignature":"` + sig + `"},` +
				`{"type":"thinking","thinking":"x","thinkingSignature":"reasoning_content"}]}`, ``,
		},
		"no signature": {
			`{"role":"assistant","content":[{"type":"thinking","thinking":"x","thinkingSignature":"` + key + `"},{"type":"text","text":"x","textSignature":"` + key + `"},{"type":"redacted_thinking","data":"` + key + `"}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":"x","thinkingSignature":"***"},{"type":"text","text":"x","textSignature":"***"},{"type":"redacted_thinking","data":"***"}]}`,
		},
		"not of an assistant": {`{"role":"user","content":[{"type":"text","text":"x","textSignature":"` + key + `"}]}`, `{"role":"user","content":[{"type":"text","text":"x","textSignature":"***"}]}`},
		"signed secret": {
			`{"role":"assistant","content":[{"type":"thinking","thinkingSignature":"` + sig + `","thinking":"` + key + `"}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinkingSignature":"","thinking":"***"}]}`,
		},
		"signed call": {
			`{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","thoughtSignature":"` + sig + `","arguments":{"a":"` + key + `"}},{"type":"toolCall","id":"d","name":"f","arguments":{},"thoughtSignature":"` + sig + `"}]}`,
			`{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","thoughtSignature":"","arguments":{"a":"***"}},{"type":"toolCall","id":"d","name":"f","arguments":{},"thoughtSignature":"` + sig + `"}]}`,
		},
		"item of a text": {
			`{"role":"assistant","content":[{"type":"text","text":"` + key + `","textSignature":"msg_` + x(30) + `"}]}`,
			`{"role":"assistant","content":[{"type":"text","text":"***","textSignature":"msg_` + x(30) + `"}]}`,
		},
		"reasoning item": {
			`{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":` + quoted(`{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"t"}],"content":[1],"encrypted_content":"`+key+`","status":"completed"}`) + `}]}`,
			`{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":` + quoted(`{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"`+key+`","status":"completed"}`) + `}]}`,
		},
		"bare item":      {`{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":` + quoted(`{"summary": [], "id":"rs_1","type":"reasoning"}`) + `}]}`, ``},
		"text signature": {`{"role":"assistant","content":[{"type":"text","text":"t","textSignature":` + quoted(`{"v":1,"id":"msg_1","phase":"final_answer"}`) + `}]}`, ``},
		"no item":        {`{"role":"assistant","content":[{"type":"text","text":"t","textSignature":` + quoted(`{"a":"`+key+`"}`) + `}]}`, `{"role":"assistant","content":[{"type":"text","text":"t","textSignature":` + quoted(`{"a":"***"}`) + `}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			in := messageOf(t, c.in)
			in.Origin.Entry = "e"
			out, notes := redactor(t).Message(in)
			want := c.out
			if want == "" {
				want = c.in
			}
			if got := string(out.AppendJSON(nil)); got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
			if (out == in) != (c.out == "") || (len(notes) == 0) != (c.out == "") || out.Origin != in.Origin {
				t.Errorf("copied %v, notes %v", out != in, notes)
			}
			if again, notes := redactor(t).Message(out); again != out {
				t.Errorf("again: %v", notes)
			}
			if out, _ := new(Redactor).Message(in); out != in {
				t.Error("redacted while it is off")
			}
			for _, n := range notes {
				if strings.Contains(n.Reason, key) {
					t.Errorf("the note holds the secret: %v", n)
				}
			}
		})
	}
}

func quoted(text string) string { return string(jsonline.Quote(text)) }

// png is a picture of one pixel.
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// F-48: a valid image is kept and spelled in one way; what only says it is one is
// a text.
func TestRedactImages(t *testing.T) {
	if _, err := imaging.Read(png, "image/png"); err != nil {
		t.Fatal(err)
	}
	url := "data:image/png;base64," + png
	spaced := png[:40] + `\n` + png[40:]
	key := "sk-" + x(20)
	in := messageOf(t, `{"role":"user","MediaPath":"/`+key+`","content":[{"text":"`+key+`","type":"image","data":"`+spaced+`","mimeType":"image/png","note":"`+key+`"},`+
		`{"type":"image","data":"`+png+`","mimeType":"image/png"},{"type":"image","data":"`+key+`","mimeType":"image/png"},`+
		`{"type":"x","image_url":{"url":"`+url+`"},"source":{"media_type":"image/png","data":"`+url+`"}}]}`)
	want := `{"role":"user","MediaPath":"/***","content":[{"text":"***","type":"image","data":"` + png + `","mimeType":"image/png","note":"***"},` +
		`{"type":"image","data":"` + png + `","mimeType":"image/png"},{"type":"image","data":"***","mimeType":"image/png"},` +
		`{"type":"x","image_url":{"url":"` + url + `"},"source":{"media_type":"image/png","data":"` + png + `"}}]}`
	out, notes := redactor(t).Message(in)
	if got := string(out.AppendJSON(nil)); got != want || len(notes) != 2 {
		t.Errorf("\n got %s\nwant %s\n%v", got, want, notes)
	}
}

// G-2 of F-48: of texts made of what the forms look for, a second look finds
// nothing.
func TestPropertyRedact(t *testing.T) {
	r := redactor(t)
	pieces := []string{
		"sk-", "ghp_", "AKIA", "xoxb-", "eyJ", "bot", "Bearer ", "Basic ", "--token ", "--password=", "X-Api-Key: ", "://", "a:b@", "@", ":",
		"?key=", "&token=", "API_KEY=", "TOKEN", "\"password\":\"", "\"", "'", "=", " ", "\n", ".", "***", "*", "$", "/", "-", "_",
		"-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", x(8), x(16), x(36), "12345678", "hunter", "ABCDEFGHIJKLMNOP", "x-api-key",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces"), "")
		once := r.Text(text)
		if again := r.Text(once); again != once {
			t.Fatalf("%q\nonce  %q\ntwice %q", text, once, again)
		}
	})
}

// G-2, G-6, G-7 of F-48 on any text.
func FuzzRedact(f *testing.F) {
	for _, text := range []string{
		"--token x/sk-" + x(20), `KEY=a"password":"hunter22"`, "bearer basic " + x(20), "://a:b@://c:d@e", "--secret --token=" + x(20),
		"TOKEN=-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----", "A_KEY=*" + x(20), `"token":"***aaaaaaa"`,
	} {
		f.Add(text)
	}
	r, err := NewRedactor()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := r.Text(text)
		if again := r.Text(once); again != once {
			t.Errorf("%q\nonce  %q\ntwice %q", text, once, again)
		}
		m := transcript.New(transcript.Assistant, transcript.NewTextBlock(text)).With("details", jsonline.Text(text))
		out, _ := r.Message(m)
		var reader transcript.Reader
		if _, err := reader.Message(out.AppendJSON(nil)); err != nil {
			t.Error(err)
		}
	})
}
