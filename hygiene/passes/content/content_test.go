package content

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/policy"
	"hygeia/transcript"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestRandom(t *testing.T) { passtest.Attack(t, &policy.Policy{}, Pass) } // G-2, G-3, G-4

func TestCleanIsFree(t *testing.T) { passtest.Free(t, Pass, &policy.Policy{}, 4) } // G-6

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, &policy.Policy{}) }

// mayHoldMore never overlooks what the wrappers would remove.
func TestMayHoldMore(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"x", " ", "\n", "\n\n", "é", "a_b", "no_reply", texts.NoReply, "**", `"`, "<think>y</think>",
		`{"action":"NO_REPLY"}`, texts.InternalBegin, texts.InternalEnd, texts.LegacyContextHeader,
		texts.KnownCarrierHeader, texts.KnownEventHeader, texts.KnownCarrierNotice, texts.CarrierHeader,
		texts.CarrierNotice, texts.LegacyEvent, texts.ConversationHeader, texts.SenderHeader,
		texts.ChatHistoryHeader, texts.UntrustedContext, texts.ContextSourceMark + " x", texts.ActiveMemoryOpen,
		texts.ActiveMemoryClose, texts.ChannelMetadataMark, "```json\n{}\n```", "Room (untrusted, chronological):",
		// What is known only where it stands together.
		texts.KnownCarrierHeader + "\n" + texts.KnownCarrierNotice, texts.CarrierHeader + "\n" + texts.CarrierNotice,
		texts.LegacyContextHeader + "\n" + texts.KnownCarrierNotice + "\n\n" + texts.LegacyEvent,
		texts.UntrustedContext + "\n" + texts.ContextSourceMark + " x",
		texts.DeliveryOpenings[0] + " use the " + texts.DeliveryWord + " tool",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "parts"), rapid.SampledFrom([]string{"", "\n"}).Draw(t, "joint"))
		b := transcript.NewTextBlockValue(passtest.Spelled(t, text))
		if (wrappers.IsSilent(text) || wrappers.StripAssistant(text) != text) && !mayHoldMore(b) {
			t.Fatalf("overlooked: %q", text)
		}
	})
}
