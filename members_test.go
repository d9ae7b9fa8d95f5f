package hygeia

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
	"hygeia/wire"
)

// TestPropertyUnknownMembers is G-4 and G-7 for what nobody knows: a member that
// is planted at any level of a message, block or tool of a request, in every
// format, is found again in what goes out, or in a change that takes it away.
func TestPropertyUnknownMembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.SampledFrom(everyAPI).Draw(t, "target")
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		format := decoders[res.Target.API].format
		var body string
		if rapid.Bool().Draw(t, "clean") {
			body = renderers[format](&clean{t: t, p: res.Policy, target: res.Target})
		} else {
			body = odd[format](&bodies{t: t})
		}
		p := &planter{t: t}
		body = p.body(jsonline.Parse([]byte(body)))
		in, err := Read(strings.NewReader(body), "body", OpenOptions{Format: FormatRequest(res.Target.API)})
		if err != nil {
			t.Fatal(err)
		}
		r, err := in.Replay(res.Target, ReplayOptions{})
		if errors.Is(err, payload.ErrNothingToSend) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, where := range p.where {
			if name := planted(i); !strings.Contains(string(r.Body), name) && !taken(r.Report, name) && !leftOut(in.Request, r.Report, name) {
				t.Fatalf("to %+v: %s in %s is lost\nbody:    %s\nrequest: %s\n%s", res.Target, name, where, r.Body, body, casetest.Changes(r.Report))
			}
		}
	})
}

// A member that is lost with a block of its own is not told of twice, and where
// nothing was changed nothing is looked for.
func TestReportMembers(t *testing.T) {
	const head = `{"model":"claude-sonnet-4-5","max_tokens":50,"messages":[`
	for _, c := range []struct{ name, body, want string }{
		{"clean", head + `{"role":"user","content":"q","xNew":1}]}`, ""},
		{"joined", head + `{"role":"user","content":"q","xNew":1},{"role":"user","content":"r","xNew":2}]}`, `"xNew":2`},
		{"left out whole", head + `{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":" ","xNew":1}],"xNew":2},{"role":"user","content":"r"}]}`, ""},
		{"a block left out", head + `{"role":"user","content":[{"type":"text","text":" ","xNew":1},{"type":"text","text":"q"}]}]}`, ""},
		{"of a picture", head + `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + png + `","xNew":{"a":1}}},{"type":"text","text":" "}]}]}`, `"xNew":{"a":1}`},
	} {
		r := replayed(t, []byte(c.body), Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"})
		var lost []string
		for i := range r.Report.Changes {
			if s, ok := r.Report.Changes[i].Before.(string); ok && r.Report.Changes[i].Rule == "W-124" {
				lost = append(lost, s)
			}
		}
		if got := strings.Join(lost, "\n"); got != c.want {
			t.Errorf("%s: lost %q, want %q\n%s\n%s", c.name, got, c.want, r.Body, casetest.Changes(r.Report))
		}
	}
}

func planted(n int) string { return fmt.Sprintf("xPlanted%dx", n) }

// planter puts members that nobody knows into the objects of a request.
type planter struct {
	t     *rapid.T
	where []string
}

// body plants into the messages and tools of a body.
func (p *planter) body(v jsonline.Value) string {
	var members []string
	for name, m := range v.Object().Members() {
		text := string(m.Raw)
		switch name {
		case "messages", "contents", "input", "tools":
			text = p.value(m, name)
		case "request", "toolConfig":
			text = p.body(m)
		}
		members = append(members, string(jsonline.Quote(name))+":"+text)
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (p *planter) value(v jsonline.Value, in string) string {
	var list []string
	switch v.Kind {
	case jsonline.Array:
		for e := range v.Elements() {
			list = append(list, p.value(e, in))
		}
		return "[" + strings.Join(list, ",") + "]"
	case jsonline.ObjectKind:
	default:
		return string(v.Raw)
	}
	for name, m := range v.Object().Members() {
		text := string(m.Raw)
		if !callers[name] { // those are free to hold anything
			text = p.value(m, in+"/"+name)
		}
		list = append(list, string(jsonline.Quote(name))+":"+text)
	}
	if rapid.IntRange(0, 2).Draw(p.t, "plant") == 0 {
		list = append(list, fmt.Sprintf(`%q:{"n":%d.0}`, planted(len(p.where)), len(p.where)))
		p.where = append(p.where, in)
	}
	return "{" + strings.Join(list, ",") + "}"
}

// taken reports whether a change takes a member away: it is in what was there
// before and not in what is there now.
func taken(r *hygiene.Report, name string) bool {
	for i := range r.Changes {
		if c := &r.Changes[i]; strings.Contains(spelledOut(c.Before), name) && !strings.Contains(spelledOut(c.After), name) {
			return true
		}
	}
	return false
}

func spelledOut(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case *transcript.Message:
		return string(v.AppendJSON(nil))
	case *transcript.Block:
		return string(v.AppendJSON(nil))
	}
	return fmt.Sprint(v)
}

// leftOut reports whether all that became of the element with that member is left
// out.
func leftOut(req *wire.Request, r *hygiene.Report, name string) bool {
	out := make([]bool, len(req.Messages))
	for i := range r.Changes {
		if c := &r.Changes[i]; c.Block < 0 && c.Op == hygiene.Drop && c.Message >= 0 {
			out[c.Message] = true
		}
	}
	for _, turn := range req.Turns {
		if strings.Contains(string(turn.Raw.Raw), name) {
			return gone(out[turn.From:turn.To])
		}
	}
	return false
}
