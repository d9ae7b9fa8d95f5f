package responses

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/hygiene/passes/pairing"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

var on = &policy.Policy{Responses: true, RepairToolUseResultPairing: true}

// G-2, G-3, G-4 on random histories, paired and not.
func TestAttack(t *testing.T) {
	passtest.Attack(t, on, Pass)
	passtest.Attack(t, on, pairing.Pass, Pass, pairing.Again)
}

// R-80, D-24: the table of file 20 §10, and parts that repeat.
func TestIDs(t *testing.T) {
	z := strings.Repeat("z", 70)
	for _, c := range []struct{ raw, want string }{
		{"call_ok|fc_ok", "call_ok|fc_ok"},
		{"toolu_1", "call_toolu_1_4838a0c252"},
		{"call_a|item_9", "call_a|fc_item_9_cfc5c391b5"},
		{"call_" + z + "|fc_1", "call_" + z[:48] + "_74da8bad1f|fc_1"},
		{"|fc_1", "call_fc_1_bec5e5a807"},
		{"call_" + z[:59], "call_" + z[:59]},
		{"call_a|fc_" + z[:61], "call_a|fc_" + z[:61]},
		{"call_1|", "call_1_" + digits("call_1|")},
		{"é😀é.b", "call_b_" + digits("é😀é.b")},
		{"a😀b", "call_a__b_" + digits("a😀b")},
		{"call_1 | fc_1 ", "call_1|fc_1"},
		{"call_", "call_id_" + digits("call_")},
		{"call_1,call_1,call_1", "call_1,call_1_" + digits("call_1:2") + ",call_1_" + digits("call_1:3")},
		{"toolu_1,toolu_1", "call_toolu_1_4838a0c252,call_toolu_1_" + digits("toolu_1:2")},
		{"call_1|fc_1,call_1|fc_2", "call_1|fc_1,call_1_" + digits("call_1:2") + "|fc_2"},
		{"call_1|fc_1,call_1|fc_1", "call_1|fc_1,call_1_" + digits("call_1:2") + "|fc_1_" + digits("fc_1:2")},
		// An id that looks like a rebuilt one and comes later gives way.
		{
			"call_1,call_1,call_1_" + digits("call_1:2"),
			"call_1,call_1_" + digits("call_1:2") + ",call_1_" + digits("call_1:2") + "_" + digits("call_1_"+digits("call_1:2")+":2"),
		},
		{
			"call_1_" + digits("call_1:2") + ",call_1,call_1",
			"call_1_" + digits("call_1:2") + ",call_1,call_1_" + digits("call_1:3"),
		},
	} {
		n := newNamer([]int{1}, 0)
		var got []string
		for _, id := range strings.Split(c.raw, ",") {
			s, _ := n.name(0, 1, id)
			got = append(got, s)
		}
		if s := strings.Join(got, ","); s != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.raw, s, c.want)
		}
	}
}

// which parts are left as they are, for every byte at each end.
func TestLegal(t *testing.T) {
	want := regexp.MustCompile(`^call_[A-Za-z0-9_-]{1,59}$`)
	for c := range 256 {
		for _, p := range []string{"call_" + string([]byte{byte(c)}), "call_a" + string([]byte{byte(c)}), string([]byte{byte(c)}) + "all_a"} {
			if got := legal(p, "call_"); got != want.MatchString(p) {
				t.Errorf("%q: got %t", p, got)
			}
		}
	}
}

func digits(seed string) string {
	id := rebuild("", "call_", seed)
	return id[len(id)-10:]
}

// clean returns a canonical history of about n messages, with or without
// reasoning items.
func clean(tb testing.TB, n int, items bool) *transcript.Context {
	var b strings.Builder
	for i := range n / 3 {
		item, id := "", fmt.Sprintf("call_%d", i)
		if items {
			item = `{"type":"thinking","thinking":"","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_1\",\"encrypted_content\":\"gAAA\"}"},`
			id += fmt.Sprintf("|fc_%d", i)
		}
		fmt.Fprintf(&b, `{"role":"user","content":"question %d"}`+"\n", i)
		fmt.Fprintf(&b, `{"role":"assistant","content":[%s{"type":"toolCall","id":%q,"name":"read","arguments":{}}]}`+"\n", item, id)
		fmt.Fprintf(&b, `{"role":"toolResult","toolCallId":%q,"toolName":"read","content":"x"}`+"\n", id)
	}
	return transcript.NewContext(casetest.Messages(tb, []byte(b.String())))
}

// G-6: only the ids are remembered.
func TestFree(t *testing.T) {
	c := clean(t, 2000, false)
	n := testing.AllocsPerRun(5, func() { sanitize(t, c) })
	if n > 15 {
		t.Errorf("%v allocations on a clean history", n)
	}
}

func BenchmarkClean(b *testing.B) { bench(b, clean(b, 2000, false)) }

func BenchmarkItems(b *testing.B) { bench(b, clean(b, 2000, true)) }

func BenchmarkLong(b *testing.B) { bench(b, clean(b, 200_000, false)) }

func bench(b *testing.B, c *transcript.Context) {
	b.ReportAllocs()
	for b.Loop() {
		sanitize(b, c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(c.Messages)), "ns/message")
}

func sanitize(tb testing.TB, c *transcript.Context) {
	if res := hygiene.Sanitize(c, policy.Target{}, on, []*hygiene.Pass{Pass}); !res.Report.Empty() {
		tb.Fatalf("a clean history was changed:\n%s", casetest.Changes(&res.Report))
	}
}
