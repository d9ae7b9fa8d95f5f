package buildtest

import (
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// Messages reads a JSON array of messages.
func Messages(t fataler, text string) []*transcript.Message {
	var r transcript.Reader
	list, err := r.Messages([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return list
}

// listed returns the list of messages of a body, under whatever name it stands,
// also in an envelope. It is absent where there is none.
func listed(body []byte) jsonline.Value {
	o := jsonline.Parse(body).Object()
	if r := o.Get("request").Object(); r.Exists() {
		o = r
	}
	for _, name := range []string{"messages", "input", "contents"} {
		if v := o.Get(name); v.Kind == jsonline.Array {
			return v
		}
	}
	return jsonline.Value{}
}

// BodyMessages returns the messages of a body, each as it is spelled.
func BodyMessages(body []byte) []string {
	var list []string
	for v := range listed(body).Elements() {
		list = append(list, string(v.Raw))
	}
	return list
}

// pretty puts every message of a body on a line of its own.
func pretty(body []byte) string {
	list := listed(body)
	if !list.Exists() {
		return string(body) + "\n"
	}
	at := strings.LastIndex(string(body), string(list.Raw))
	var b strings.Builder
	b.Write(body[:at])
	b.WriteString("[\n")
	for _, m := range BodyMessages(body) {
		b.WriteString(m + "\n")
	}
	b.WriteString("]")
	b.Write(body[at+len(list.Raw):])
	b.WriteByte('\n')
	return b.String()
}
