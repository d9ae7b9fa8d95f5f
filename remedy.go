package hygeia

import (
	"regexp"
	"strconv"
	"strings"

	"hygeia/check"
	"hygeia/policy"
)

// Remedy is what the answer of a provider that refused a request asks for: the
// rule of the rulebook that the answer names, and what the next request does
// otherwise. It is tried once per request, and only if the body changes by it
// (W-903, W-904).
type Remedy struct {
	// Rule is the rule of the rulebook, e.g. "AN-14"; W-901 or W-902 where the
	// answer says what is wrong without the words of a rule.
	Rule string
	// Title is what is done otherwise, one line, lower case.
	Title string
	// Revise is for [ReplayOptions].
	Revise func(*policy.Policy)
	// Thinking says that the thinking of the earlier turns was refused:
	// the next request goes without it, that is with a context whose
	// RejectedThinking is the position of its last turn. If that is accepted the
	// rejection is stored.
	Thinking bool
}

// FindRemedy returns what the text of an answer with a status of 400 or more
// asks for. It is nil for an answer that no rule of the rulebook knows or that
// nothing can be done about; known says which of the two.
func FindRemedy(text string) (remedy *Remedy, known bool) {
	rule := check.Recognise(text)
	switch {
	case rule != nil && rule.ID == "AN-24":
		return smallerOutput(text), true
	case rule != nil && treatments[rule.ID] != nil:
		r := *treatments[rule.ID]
		r.Rule = rule.ID
		return &r, true
	case refusesEncrypted(text):
		return &Remedy{Rule: "W-902", Title: withoutThinking.Title, Revise: withoutThinking.Revise, Thinking: true}, true
	case refusesThinking(text):
		return &Remedy{Rule: "W-901", Title: withoutThinking.Title, Revise: withoutThinking.Revise, Thinking: true}, true
	}
	return nil, rule != nil
}

// outputLimit is where an answer says how many tokens were asked for, and how many
// may be.
var outputLimit = regexp.MustCompile(`\d+ > (\d{1,9})\b`)

// smallerOutput asks for no more than the limit that the answer names, nil where it
// names none.
func smallerOutput(text string) *Remedy {
	m := outputLimit.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	limit, err := strconv.Atoi(m[1])
	if err != nil || limit == 0 {
		return nil // not reached: nine digits
	}
	return &Remedy{Rule: "AN-24", Title: "the output limit is the one that the answer names", Revise: func(p *policy.Policy) {
		p.Model.MaxOutputTokens = limit
	}}
}

// refusesThinking is the test of R-110 and W-901.
func refusesThinking(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "thinking") && containsAny(text, "cannot be modified", "signature", "invalid", "missing", "empty", "blank")
}

// refusesEncrypted is the test of W-902.
func refusesEncrypted(text string) bool {
	text = strings.ToLower(text)
	return containsAny(text, "invalid_encrypted_content", "thinking_signature_invalid") ||
		containsAny(text, "encrypted content", "encrypted_content") && containsAny(text, "decrypted", "verified", "decrypt", "verify")
}

func containsAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// The remedies, in the words of the report.
var (
	withoutThinking = &Remedy{Title: "the thinking of the earlier turns is left out", Thinking: true, Revise: func(*policy.Policy) {}}
	alternating     = &Remedy{Title: "turns are joined so that roles alternate", Revise: func(p *policy.Policy) {
		p.ValidateAnthropicTurns, p.ValidateGeminiTurns, p.Wire.StrictAlternation = true, true, true
	}}
	userFirst = &Remedy{Title: "the history begins with a user turn", Revise: func(p *policy.Policy) {
		p.ApplyGoogleTurnOrdering, p.ValidateAnthropicTurns = true, true
	}}
	userLast = &Remedy{Title: "no assistant turn stands at the end", Revise: func(p *policy.Policy) {
		p.Wire.Prefill, p.ValidateAnthropicTurns = policy.PrefillNever, true
	}}
	paired = &Remedy{Title: "calls and results are paired", Revise: func(p *policy.Policy) {
		p.RepairToolUseResultPairing, p.AllowSyntheticToolResults = true, true
	}}
	pairedByIDs = &Remedy{Title: "calls and results are paired, with their ids", Revise: func(p *policy.Policy) {
		paired.Revise(p)
		p.Wire.FunctionCallIDs = true // Claude behind an API of Google says no other words for it
	}}
	bridged = &Remedy{Title: "no user turn stands directly behind tool results", Revise: func(p *policy.Policy) {
		p.BridgeToolResults = true
	}}
	inRounds = &Remedy{Title: "turns are joined so that roles alternate, behind tool results too", Revise: func(p *policy.Policy) {
		alternating.Revise(p)
		bridged.Revise(p)
	}}
	strictIDs = &Remedy{Title: "ids of calls are rewritten to letters and digits", Revise: func(p *policy.Policy) {
		p.SanitizeToolCallIDs, p.ToolCallIDMode, p.KeepKimiToolCallIDs, p.PreserveNativeAnthropicToolUseIDs = true, policy.IDStrict, false, false
	}}
	shortIDs = &Remedy{Title: "ids of calls are rewritten to nine letters and digits", Revise: func(p *policy.Policy) {
		p.SanitizeToolCallIDs, p.ToolCallIDMode, p.KeepKimiToolCallIDs, p.PreserveNativeAnthropicToolUseIDs = true, policy.IDStrict9, false, false
	}}
	withoutReasoning = &Remedy{Title: "no reasoning of earlier turns goes out", Revise: func(p *policy.Policy) {
		p.DropReasoningFromHistory, p.DropAllThinkingBlocks = true, true
		p.Wire.ReasoningReplay, p.Wire.ReasoningRequired = policy.ReasoningNone, ""
	}}
	withReasoning = &Remedy{Title: "earlier turns carry their reasoning", Revise: func(p *policy.Policy) {
		p.DropReasoningFromHistory, p.DropThinkingBlocks = false, false
		p.Wire.ReasoningReplay, p.Wire.ReasoningRequired = policy.ReasoningContent, "all"
	}}
	noReasoner = &Remedy{Title: "the model is taken for one that does not reason", Revise: func(p *policy.Policy) {
		p.Model.Reasoning, p.Model.Thinking, p.Wire.ReasoningEffort = false, "", ""
	}}
	withoutPictures = &Remedy{Title: "pictures are left out", Revise: func(p *policy.Policy) { p.Model.Images = false }}
	smallPictures   = &Remedy{Title: "pictures are fewer and smaller", Revise: func(p *policy.Policy) {
		p.Wire.MaxImageSide, p.Wire.MaxImageText, p.Wire.MaxImages = 2000, 3_500_000, 8
	}}
	plainContent = &Remedy{Title: "content goes out as plain strings", Revise: func(p *policy.Policy) {
		p.Wire.StringContent, p.Wire.NoNullContent = true, true
	}}
	strictKeys = &Remedy{Title: "only members that every host knows go out", Revise: func(p *policy.Policy) {
		p.Wire.StrictKeys, p.Wire.Store, p.Wire.StreamUsage, p.Wire.NoPromptCacheKey, p.Wire.CacheMarkers = true, false, false, true, false
		p.Wire.ReasoningReplay = policy.ReasoningNone
	}}
	systemRole = &Remedy{Title: "the system prompt goes out under the role system", Revise: func(p *policy.Policy) {
		p.Wire.DeveloperRole = false
	}}
	singleSystem = &Remedy{Title: "one system message stands in front", Revise: func(p *policy.Policy) {
		p.Wire.SingleSystem, p.SystemTurns = true, false
	}}
	otherLimit = &Remedy{Title: "the output limit goes by its other name", Revise: func(p *policy.Policy) {
		p.Wire.MaxTokensField = "max_completion_tokens"
	}}
	withoutEffort = &Remedy{Title: "no effort of reasoning is asked for", Revise: func(p *policy.Policy) {
		p.Wire.ReasoningEffort = ""
	}}
	asAdaptive = &Remedy{Title: "thinking is called adaptive", Revise: func(p *policy.Policy) { p.Wire.EnabledAsAdaptive = true }}
	neverOff   = &Remedy{Title: "thinking is not switched off", Revise: func(p *policy.Policy) {
		p.Wire.ThinkingFloor = max(p.Wire.ThinkingFloor, 128) // the smallest budget of the models that always think
	}}
	adaptive = &Remedy{Title: "the model is asked to think adaptively", Revise: func(p *policy.Policy) {
		p.Model.Thinking = policy.ThinkingAdaptive
	}}
	withoutItemIDs = &Remedy{Title: "items go out without ids", Revise: func(p *policy.Policy) { p.Wire.StoreItems = false }, Thinking: true}
	withCallIDs    = &Remedy{Title: "calls and results carry ids", Revise: func(p *policy.Policy) { p.Wire.FunctionCallIDs = true }}
	sentinel       = &Remedy{Title: "unsigned calls carry the sentinel", Revise: func(p *policy.Policy) { p.Wire.SkipSignatureAllowed = true }}
	withoutSigns   = &Remedy{Title: "only genuine signatures of calls go out", Thinking: true, Revise: func(p *policy.Policy) {
		p.SanitizeThoughtSignatures = &policy.ThoughtSignatureFilter{AllowBase64Only: true, IncludeCamelCase: true}
		p.Wire.SkipSignatureAllowed = true
	}}
	withoutCacheKey = &Remedy{Title: "no prompt cache key goes out", Revise: func(p *policy.Policy) { p.Wire.NoPromptCacheKey = true }}
	withoutMarkers  = &Remedy{Title: "no cache markers go out", Revise: func(p *policy.Policy) { p.Wire.CacheMarkers = false }}
	withoutImages   = &Remedy{Title: "pictures in results go out in a user turn", Revise: func(p *policy.Policy) {
		p.Wire.FunctionResponseImages = false
	}}
	legacySchema = &Remedy{Title: "tools go out in their older form", Revise: func(p *policy.Policy) { p.Wire.LegacyToolParameters = true }}
)

// treatments names the remedy of each rule of the rulebook for which there is
// one.
var treatments = map[string]*Remedy{
	"AN-01": alternating, "AN-02": userFirst, "AN-03": pairedByIDs, "AN-04": paired, "AN-05": paired, "AN-06": strictIDs,
	"AN-07": paired, "AN-08": strictIDs, "AN-10": singleSystem, "AN-14": userLast, "AN-15": withoutThinking, "AN-16": userLast, "AN-17": withoutThinking,
	"AN-18": withoutThinking, "AN-19": withoutThinking, "AN-20": withoutThinking, "AN-25": adaptive, "AN-28": withoutMarkers,
	"AN-29": withoutMarkers, "AN-35": strictKeys, "AN-36": withoutMarkers, "AN-38": withoutThinking, "AN-41": withoutPictures, "AN-42": withoutPictures,
	"AN-43": smallPictures, "AN-44": smallPictures, "AN-49": withoutThinking, "AN-50": withoutThinking, "AN-51": withoutThinking,
	"MM-01": paired, "MM-02": singleSystem, "MM-03": singleSystem, "MM-06": asAdaptive, "MM-07": paired,
	"OR-01": withoutThinking, "OR-02": withoutItemIDs, "OR-03": paired, "OR-04": paired, "OR-05": withoutItemIDs, "OR-06": withoutItemIDs,
	"OR-07": withoutItemIDs, "OR-08": withoutItemIDs, "OR-09": withoutThinking, "OR-10": withoutCacheKey, "OR-11": strictIDs, "OR-15": withoutThinking,
	"OR-18": noReasoner, "OR-19": noReasoner, "OR-20": withoutPictures, "AZ-01": withoutItemIDs, "AZ-03": withoutEffort,
	"CC-01": paired, "CC-02": paired, "CC-03": paired, "CC-04": strictIDs, "CC-05": strictIDs, "CC-06": plainContent, "CC-09": plainContent,
	"CC-10": withoutReasoning, "CC-11": withReasoning, "CC-12": withReasoning, "CC-13": withoutEffort, "CC-15": systemRole, "CC-19": otherLimit,
	"CC-20": withoutPictures, "CC-21": withoutReasoning, "CC-23": alternating,
	"OP-06": withoutEffort, "LO-01": userLast, "LO-02": userLast, "LO-03": alternating, "LO-04": inRounds, "LO-05": plainContent, "LO-10": singleSystem,
	"GG-01": userFirst, "GG-02": alternating, "GG-03": paired, "GG-04": paired, "GG-05": withCallIDs, "GG-08": sentinel, "GG-09": withoutSigns,
	"GG-10": withoutSigns, "GG-12": userLast, "GG-16": withoutPictures, "GG-19": neverOff, "GG-22": withoutImages, "GG-23": withCallIDs,
	"CA-01": withoutThinking, "CA-02": legacySchema, "CA-03": pairedByIDs,
	"BR-03": paired, "BR-05": paired, "BR-07": strictIDs, "BR-08": alternating, "BR-09": userFirst, "BR-10": strictIDs, "BR-11": bridged,
	"BR-13": withoutThinking, "BR-14": withoutThinking, "BR-15": userLast, "BR-16": smallPictures, "BR-19": withoutMarkers,
	"MI-01": shortIDs, "MI-02": bridged, "MI-03": paired, "MI-04": userLast, "MI-05": paired, "MI-08": strictKeys, "MI-09": paired,
	"MI-10": shortIDs, "MI-11": userFirst,
}
