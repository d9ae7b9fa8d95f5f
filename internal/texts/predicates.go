package texts

import "strings"

// IsSyntheticResultText reports whether s is the text of a stand-in for a missing tool result, ours or another program's
// (D-03). "aborted" alone may also be a tool's own word: callers require isError as well.
func IsSyntheticResultText(s string) bool {
	switch s {
	case MissingResult, AbortedResult, KnownMissingResult, KnownNoResult:
		return true
	}
	return false
}

// IsFailedTurnText reports whether s is the fallback text of an empty failed turn (D-04, R-26).
func IsFailedTurnText(s string) bool { return s == FailedTurn }

// IsOmittedReasoning reports whether s stands for removed thinking (W-161).
func IsOmittedReasoning(s string) bool { return s == OmittedReasoning }

// IsOmittedCalls reports whether s stands for removed tool calls (W-164).
func IsOmittedCalls(s string) bool { return s == OmittedCalls }

// IsOmittedContent reports whether s stands for blank content of a user turn or tool result (W-162, D-07), the older
// "(continue)" of a repaired user turn included (F-54, D-46).
func IsOmittedContent(s string) bool { return s == OmittedContent || s == KnownBlankUserTurn }

// IsOmittedImage reports whether s stands for an image that the target does not take (W-101).
func IsOmittedImage(s string) bool {
	switch s {
	case OmittedImage, OmittedToolImage, KnownOmittedImage, KnownOmittedToolImage:
		return true
	}
	return false
}

// IsSessionBootstrap reports whether s, trimmed by the caller, is a bootstrap turn.
func IsSessionBootstrap(s string) bool { return s == SessionBootstrap || s == KnownBootstrap }

// IsRuntimeTurn reports whether s is a user turn that a program wrote for itself and no person said (X-B13).
func IsRuntimeTurn(s string) bool {
	switch s {
	case RuntimeEvent, ContinueTurn, OmittedContent, KnownBlankUserTurn, KnownRuntimeEvent:
		return true
	}
	return IsSessionBootstrap(s)
}

// IsRuntimeContext reports whether s is nothing but runtime context as it goes out to a model.
func IsRuntimeContext(s string) bool {
	s = strings.TrimSpace(s)
	if !strings.HasSuffix(s, "\n"+InternalEnd) {
		return false
	}
	for _, opening := range contextOpenings {
		if strings.HasPrefix(s, opening+"\n") {
			return true
		}
	}
	return false
}

var contextOpenings = []string{
	InternalBegin, CarrierHeader + "\n" + CarrierNotice,
	KnownCarrierHeader + "\n" + KnownCarrierNotice, KnownEventHeader + "\n" + KnownCarrierNotice,
}

// IsAttachedImages reports whether s stands in front of the pictures of tool results (W-406, W-605).
func IsAttachedImages(s string) bool { return s == AttachedImages || s == KnownAttachedImages }

// IsToldResult reports whether s tells a tool result in words (W-707).
func IsToldResult(s string) bool {
	return strings.HasPrefix(s, ResultAsText) || strings.HasPrefix(s, FailureAsText)
}
