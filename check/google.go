package check

import (
	"fmt"
	"slices"
)

// googleRules are the rules of file 90 §5 in the order in which the services
// look: what cannot be parsed, parameters, form of each content, order, pairing,
// signatures. Whether a signature is genuine (GG-10) only the service knows.
var googleRules = []func(*request){
	func(r *request) { r.surrogates("AN-27") },
	googleSize, googleValues, googleTools, googleParameters, googleForm, googleImages, googleOrder, googlePairing, googleSigned,
}

// generate returns the generateContent request of a body, and the pointer to
// it: Cloud Code Assist has it in an envelope.
func (r *request) generate() (node, string) {
	if r.target.API == "google-gemini-cli" {
		return r.root.get("request"), "/request"
	}
	return r.root, ""
}

var googleRoles = []string{"user", "model", "function"}

// googleForm checks each content for itself.
func googleForm(r *request) {
	if len(r.memo.contents) == 0 {
		_, prefix := r.generate()
		r.report("GG-14", prefix+"/contents")
	}
	for i := range r.memo.contents {
		c := &r.memo.contents[i]
		if !slices.Contains(googleRoles, c.role) {
			r.report("GG-11", c.path("role"))
		}
		if len(c.parts) == 0 {
			r.report("GG-06", c.path("parts"), "contents[N]", fmt.Sprintf("contents[%d]", c.index))
		}
		for j := range c.parts {
			googlePart(r, &c.parts[j])
		}
	}
}

func googlePart(r *request, p *gPart) {
	data := 0
	for f := range dataFields {
		if p.field(f).given() {
			data++
		}
	}
	switch {
	case data != 1:
		r.report("GG-07", p.path(), p.at()...)
	case r.target.API == "google-vertex" && p.field(ofText).empty():
		r.reportText("GG-07", p.path("text"), Lookup("GG-07").Messages[1])
	}
}

// googleOrder checks the order of contents.
func googleOrder(r *request) {
	contents := r.memo.contents
	for i := range contents {
		c := &contents[i]
		switch {
		case i == 0 && c.role == "model":
			r.report("GG-21", c.path())
		case i > 0 && c.role == contents[i-1].role && len(contents[i-1].responses) == 0:
			r.report("GG-02", c.path())
		}
		if len(c.calls) > 0 && !r.assist() && (i == 0 || contents[i-1].role == "model") {
			r.report("GG-01", c.path())
		}
	}
	if n := len(contents); n > 0 && contents[n-1].role == "model" {
		r.report("GG-12", contents[n-1].path())
	}
}

// googlePairing checks that each content of calls is answered by the next one.
func googlePairing(r *request) {
	if r.assist() {
		return // CA-03
	}
	contents := r.memo.contents
	for i := range contents {
		c, next := &contents[i], &gContent{}
		if i+1 < len(contents) {
			next = &contents[i+1]
		}
		switch {
		case len(c.responses) > 0 && (i == 0 || len(contents[i-1].calls) == 0):
			r.report("GG-04", c.path())
		case len(c.calls) > 0 && len(next.responses) != len(c.calls):
			r.report("GG-03", c.path())
		case len(c.calls) > 0:
			googlePairs(r, c.calls, next.responses)
		}
	}
}

// googlePairs holds responses against the calls that they answer.
func googlePairs(r *request, calls, responses []gPart) {
	for k := range responses {
		p := &responses[k]
		call, answer := calls[k].field(ofCall), p.field(ofResponse)
		id, want := answer.get("id").text(), call.get("id").text()
		switch {
		case id != "" && want != "" && id != want:
			r.report("GG-05", p.path())
		case r.options.Rules["GG-05"] && answer.get("name").text() != call.get("name").text():
			r.report("GG-05", p.path()) // most services take other names
		case r.gemini.from(3, 5) && (id == "" || want == ""):
			r.report("GG-23", p.path())
		}
		if images := answer.get("parts"); images.given() && r.gemini.before(3, 0) {
			r.report("GG-22", p.path())
		}
	}
}

// googleSigned checks that the first call of each step in the current turn is
// signed (GG-08). The turn starts behind the last words of the user.
func googleSigned(r *request) {
	if !r.gemini.from(3, 0) {
		return
	}
	contents := r.memo.contents
	start := len(contents) - 1
	for start >= 0 && (contents[start].role == "model" || len(contents[start].responses) == len(contents[start].parts)) {
		start--
	}
	for _, c := range contents[start+1:] {
		if len(c.calls) > 0 && c.calls[0].field(ofSignature).text() == "" {
			name := c.calls[0].field(ofCall).get("name").text()
			r.report("GG-08", c.calls[0].path(), c.calls[0].at("NAME", name)...)
		}
	}
}
