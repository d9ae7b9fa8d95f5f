package emulator

import (
	"fmt"
	"sync"

	"hygeia/check"
	"hygeia/internal/jsonline"
)

// stored is an item that a response left behind.
type stored = jsonline.Value

// store keeps responses for requests that refer to them, the newest ones.
type store struct {
	mu        sync.Mutex
	responses map[string]kept
	items     map[string]stored
	order     []string
	bytes     int
}

type kept struct {
	items []stored
	size  int
}

// The bounds of the store.
const (
	maxResponses      = 1000
	maxResponsesBytes = 64 << 20
)

func (s *store) put(id string, items []stored, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.responses == nil {
		s.responses, s.items = map[string]kept{}, map[string]stored{}
	}
	if _, ok := s.responses[id]; ok {
		return // the same request again has the same response
	}
	s.responses[id] = kept{items, size}
	s.order = append(s.order, id)
	s.bytes += size
	for _, v := range items {
		if id := v.Object().Get("id").String(); id != "" {
			s.items[id] = v
		}
	}
	for len(s.order) > maxResponses || s.bytes > maxResponsesBytes && len(s.order) > 1 {
		s.forget(s.order[0])
		s.order = s.order[1:]
	}
}

func (s *store) forget(id string) {
	gone := s.responses[id]
	delete(s.responses, id)
	s.bytes -= gone.size
	for _, v := range gone.items {
		delete(s.items, v.Object().Get("id").String())
	}
}

func (s *store) response(id string) ([]stored, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.responses[id]
	return k.items, ok
}

func (s *store) item(id string) (stored, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.items[id]
	return v, ok
}

// verifyResponses holds ids and encrypted content against what was issued: OR-01,
// OR-02, OR-08, OR-09, OR-21, and pairing over what is stored.
func (c *call) verifyResponses() *refusal {
	if f := c.verifyStored(); f != nil {
		return f
	}
	items := elements(c.root.Get("input"))
	whole, refers := append([]stored(nil), c.previous...), c.previous != nil
	for _, v := range items {
		kept, reference, f := c.verifyItem(v)
		if f != nil {
			return f
		}
		whole, refers = append(whole, kept), refers || reference
	}
	if f := c.verifyOutputs(whole); f != nil {
		return f
	}
	if refers {
		return c.verifyWhole(whole)
	}
	return nil
}

func (c *call) verifyStored() *refusal {
	id := c.root.Get("previous_response_id").String()
	if id != "" && c.previous == nil && !c.e.known(id) {
		if f := c.server("OR-21", fmt.Sprintf("Previous response with id '%s' not found.", id)); f != nil {
			f.param = "previous_response_id"
			return f
		}
	}
	conversation := c.root.Get("conversation")
	if id := conversation.String() + under(c.root, "conversation", "id").String(); id != "" && !c.e.known(id) {
		return &refusal{status: 404, message: fmt.Sprintf("Conversation with id '%s' not found.", id)}
	}
	return nil
}

// verifyItem verifies one item. It returns the item, or what is stored of it if
// it only refers to that.
func (c *call) verifyItem(v stored) (item stored, reference bool, f *refusal) {
	o := v.Object()
	id, encrypted := o.Get("id").String(), o.Get("encrypted_content").String()
	if encrypted != "" && !c.e.known(encrypted) && c.responsesIssuer().openEncrypted(encrypted) == nil {
		rule := "OR-09"
		if c.target.Provider == "azure-openai" {
			rule = "AZ-02"
		}
		return v, false, c.server(rule, fmt.Sprintf("The encrypted content %.4s... could not be verified. "+
			"Reason: Encrypted content could not be decrypted or parsed.", encrypted))
	}
	if id == "" || c.e.known(id) {
		return v, false, nil
	}
	typ := o.Get("type").String()
	bare := typ == "item_reference" || typ == "reasoning" && encrypted == ""
	kept, ok := c.e.store.item(id)
	if ok && bare {
		return kept, true, nil
	}
	if _, issued := c.responsesIssuer().openItemID(id); issued && !bare || ok {
		return v, false, nil
	}
	text := fmt.Sprintf("Item with id '%s' not found.", id)
	if !c.stores() {
		text += " Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input."
	}
	f = c.server("OR-08", text)
	return v, false, f
}

// verifyOutputs holds that items which come with their ids stand where they
// stood: a reasoning item in front of what it led to (OR-01, OR-02).
func (c *call) verifyOutputs(items []stored) *refusal {
	is := c.responsesIssuer()
	before := map[string]bool{} // reasoning items of the output that the walk is in
	var turn [8]byte
	for i, v := range items {
		o := v.Object()
		name, typ := o.Get("id").String(), o.Get("type").String()
		id, issued := is.openItemID(name)
		if !issued {
			if o.Get("role").String() == user {
				clear(before)
			}
			continue
		}
		if id.turn != turn {
			clear(before)
			turn = id.turn
		}
		if typ == "reasoning" {
			before[name] = true
			if i+1 < len(items) {
				next, ok := is.openItemID(items[i+1].Object().Get("id").String())
				if f := c.following(name); ok && next.turn != turn && f != nil {
					return f
				}
			}
			continue
		}
		if need := is.itemID("rs", itemID{index: id.reasoning, turn: id.turn}); id.reasoned && !before[need] && !c.e.known(need) {
			if f := c.server("OR-02", fmt.Sprintf("Item '%s' of type '%s' was provided without its required 'reasoning' item: '%s'.", name, typ, need)); f != nil {
				return f
			}
		}
	}
	return nil
}

// following is the refusal of a reasoning item without what it led to.
func (c *call) following(name string) *refusal {
	return c.server("OR-01", fmt.Sprintf("Item '%s' of type 'reasoning' was provided without its required following item.", name))
}

// wholeRules are those that concern items of the request and stored ones
// together.
var wholeRules = map[string]bool{"OR-01": true, "OR-03": true, "OR-04": true, "OR-05": true}

// verifyWhole holds the request together with what it refers to against the
// rulebook.
func (c *call) verifyWhole(items []stored) *refusal {
	input := []byte("[")
	for i, v := range items {
		if i > 0 {
			input = append(input, ',')
		}
		input = append(input, v.Raw...)
	}
	whole := c.root.Without("previous_response_id", "conversation").With("input", jsonline.Value{Raw: append(input, ']'), Kind: jsonline.Array})
	findings, err := check.Payload(whole.AppendTo(nil), c.target, check.Options{Rules: c.e.o.Rules})
	if err != nil {
		return nil // the body itself has been checked
	}
	for _, f := range findings {
		if wholeRules[f.Rule] {
			c.seen.Findings = append(c.seen.Findings, f)
			return found(f)
		}
	}
	return nil
}
