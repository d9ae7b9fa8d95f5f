package boundary

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/policy"
	"hygeia/transcript"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestCleanIsFree(t *testing.T) { passtest.Free(t, Pass, &policy.Policy{}, 4) } // G-6

// TestMayHoldMetadata holds that the look at the spelling overlooks nothing
// that the wrappers would remove.
func TestMayHoldMetadata(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"x", " ", "\n", "é", "\u00a0", "[Sun 2026-03-08 22:03 GMT+9] ", "[note] ", texts.InternalBegin, texts.InternalEnd,
		texts.LegacyContextHeader, texts.KnownCarrierHeader, texts.KnownEventHeader, texts.KnownCarrierNotice, texts.CarrierHeader,
		texts.CarrierNotice, texts.LegacyEvent, texts.ConversationHeader, texts.SenderHeader, texts.ChatHistoryHeader,
		texts.UntrustedContext, texts.ContextSourceMark + " x", texts.ActiveMemoryOpen, texts.ActiveMemoryClose,
		texts.ChannelMetadataMark, "```json\n{}\n```", "Room (untrusted, chronological):",
		// What is known only where it stands together.
		texts.KnownCarrierHeader + "\n" + texts.KnownCarrierNotice, texts.CarrierHeader + "\n" + texts.CarrierNotice,
		texts.LegacyContextHeader + "\n" + texts.KnownCarrierNotice + "\n\n" + texts.LegacyEvent,
		texts.UntrustedContext + "\n" + texts.ContextSourceMark + " x",
		texts.DeliveryOpenings[0] + " use the " + texts.DeliveryWord + " tool",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "parts"), rapid.SampledFrom([]string{"", "\n"}).Draw(t, "joint"))
		if wrappers.StripUser(text) != text && !mayHoldMetadata(passtest.Spelled(t, text)) {
			t.Fatalf("overlooked: %q", text)
		}
	})
}

// G-6: 50 000 calls and as many results inside the user turn behind them, of which each is
// looked for among 2 500 million if that is done one by one.
func TestLinear(t *testing.T) {
	var calls, embedded []string
	for i := range 50_000 {
		calls = append(calls, fmt.Sprintf(`{"type":"toolCall","id":"c%d","name":"f","arguments":{}}`, i))
		embedded = append(embedded, fmt.Sprintf(`{"type":"toolResult","toolUseId":"c%d","content":"x"}`, 2*i))
	}
	list := casetest.Messages(t, []byte(`{"role":"assistant","content":[`+strings.Join(calls, ",")+"]}\n"+
		`{"role":"user","content":[`+strings.Join(embedded, ",")+"]}"))
	res := hygiene.Sanitize(transcript.NewContext(list), policy.Target{}, &policy.Policy{ValidateAnthropicTurns: true}, []*hygiene.Pass{Pass})
	if n := len(res.Messages[1].Blocks()); n != 25_000 {
		t.Errorf("%d results are left", n)
	}
}
