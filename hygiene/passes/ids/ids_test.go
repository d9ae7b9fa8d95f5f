package ids

import (
	"fmt"
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

var (
	pStrict  = policy.Policy{SanitizeToolCallIDs: true, ToolCallIDMode: policy.IDStrict}
	pStrict9 = policy.Policy{SanitizeToolCallIDs: true, ToolCallIDMode: policy.IDStrict9}
	pNative  = policy.Policy{SanitizeToolCallIDs: true, ToolCallIDMode: policy.IDStrict, PreserveNativeAnthropicToolUseIDs: true}
	pKimi    = policy.Policy{SanitizeToolCallIDs: true, ToolCallIDMode: policy.IDStrict, DuplicateToolCallIDStyle: "openai", KeepKimiToolCallIDs: true}
	pWire    = policy.Policy{ToolCallIDForm: policy.IDForm{Max: 40}}
	pOwned   = policy.Policy{SanitizeToolCallIDs: true, ToolCallIDMode: policy.IDStrict, ProviderOwnedThinking: true}
)

// G-2, G-3, G-4 on random histories, paired and not.
func TestAttack(t *testing.T) {
	for _, p := range []policy.Policy{pStrict, pStrict9, pNative, pKimi, pWire, pOwned} {
		passtest.Attack(t, &p, Pass)
		p.RepairToolUseResultPairing = true
		passtest.Attack(t, &p, pairing.Pass, Pass)
	}
}

// The table of file 20 §8 byte for byte, and what D-24, D-47, R-B12 and R-B17
// add to it.
func TestTable(t *testing.T) {
	x := strings.Repeat("x", 80)
	for _, c := range []struct {
		rules  string
		policy policy.Policy
		raw    string
		want   string
	}{
		{"R-60", pStrict, "call_1|fc_2", "call1fc2"},
		{"R-60", pStrict, "a_b a-b ab", "ab abd44362d6 abfb8e20fc"},
		{"R-60 R-62", pStrict, "call_1 call_1 call_1", "call1 call12 call13"},
		{"R-60", pStrict, x[:60] + " " + x[:61], x[:40] + " " + x[:32] + "c508e75f"},
		{"R-60", pStrict, "___", "sanitizedtoolid"},
		{"R-64", pNative, "toolu_01AbC_9 toolu_01AbC_9", "toolu_01AbC_9 toolu01AbC92"},
		{"R-64", pNative, "toolu_" + x[:59], "toolu" + x[:35]},
		{"R-65", pKimi, "functions.read:0 functions.read:0", "functions.read:0 call_48530e21d1a951803b2f0bee"},
		{"R-65", pKimi, "call_a-1 call_a-1", "call_a-1 call_" + digest("call_a-1:2:0", 24)},
		{"D-24", pStrict, "functions.read:0 functions.read:0", "functionsread0 functionsread02"},
		{"R-B17", pKimi, "functions." + x[:50] + ":0", "functions." + x[:50] + ":0"},
		{"R-B17", pKimi, "functions." + x[:60] + ":0", "call_" + digest("functions."+x[:60]+":0:1:0", 24)},
		{"R-61", pStrict9, "call_abcdef123", "callabcde"},
		{"R-61 D-01", pStrict9, "ab-1 ___", "ca5ba87c9 44d8b78be"},
		{"R-61 R-62", pStrict9, "call_1 call_1", "78d66c1f7 2e7c1c219"},
		{"R-61", pStrict9, "abcdefghi1 abcdefghi2", "abcdefghi 7d6491f94"},
		{"W-172 D-47", pWire, "call_1 a.b a:b", "call_1 a_b a_b" + digest("a:b", 8)},
		{"W-175", pWire, "call_1|fc_1 call_1|fc_2 |fc_3", "call_1 call_1" + digest("call_1|fc_2", 8) + " _fc_3"},
		{"W-172", pWire, "call_0 call_0 call_0_2", "call_0 call_0_2 call_0_2" + digest("call_0_2", 8)},
		{"CC-05", pWire, x[:41] + " " + x[:42], x[:40] + " " + x[:32] + digest(x[:42], 8)},
	} {
		if got := strings.Join(rename(t, &c.policy, strings.Fields(c.raw)), " "); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.rules, c.raw, got, c.want)
		}
	}
}

// a suffix that is taken counts on (R-B12).
func TestSuffixes(t *testing.T) {
	hash := digest("a-b", 8)
	got := rename(t, &pStrict, []string{"ab", "ab" + hash, "ab" + hash + "x2", "a-b"})
	if want := "ab" + hash + "x3"; got[3] != want {
		t.Errorf("got %s, want %s", got[3], want)
	}
}

// rename returns the new ids of one call and result each.
func rename(tb testing.TB, p *policy.Policy, ids []string) []string {
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"toolCall","id":%q,"name":"f","arguments":{}}]}`+"\n", id)
		fmt.Fprintf(&b, `{"role":"toolResult","toolCallId":%q,"content":"x"}`+"\n", id)
	}
	res := sanitize(casetest.Messages(tb, []byte(b.String())), p)
	var got []string
	for i := 0; i < len(res.Messages); i += 2 {
		id := res.Messages[i].Blocks()[0].ID()
		if other := res.Messages[i+1].ToolCallID(); other != id {
			tb.Errorf("call %s and result %s differ (W-174)", id, other)
		}
		got = append(got, id)
	}
	return got
}

func sanitize(list []*transcript.Message, p *policy.Policy) *hygiene.Result {
	return hygiene.Sanitize(transcript.NewContext(list), policy.Target{}, p, []*hygiene.Pass{Pass})
}

// G-6: only the ids are remembered.
func TestFree(t *testing.T) {
	passtest.Free(t, Pass, &pNative, 15)
	passtest.Free(t, Pass, &pWire, 20)
}

// G-6: 20 000 calls, each kind of collision at its worst.
func TestLinear(t *testing.T) {
	for _, id := range map[string]func(i int) string{
		"one id":      func(int) string { return "call_1" },
		"one base":    func(i int) string { return strings.Repeat("x", 40) + fmt.Sprint(i) },
		"one long id": func(int) string { return strings.Repeat("x", 200) },
	} {
		for _, p := range []policy.Policy{pStrict, pStrict9, pKimi, pWire} {
			var ids []string
			for i := range 20_000 {
				ids = append(ids, id(i))
			}
			got := rename(t, &p, ids)
			unique(t, got)
		}
	}
}

func unique(t interface{ Errorf(string, ...any) }, ids []string) {
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			t.Errorf("id %s is there twice (R-63)", id)
			return
		}
		seen[id] = true
	}
}

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, &pNative) }
