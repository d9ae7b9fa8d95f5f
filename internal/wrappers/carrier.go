package wrappers

import (
	"strings"

	"hygeia/internal/texts"
)

var internalEscaper = strings.NewReplacer(
	texts.InternalBegin, texts.EscapedInternalBegin,
	texts.InternalEnd, texts.EscapedInternalEnd,
)

// EscapeInternal makes the delimiters of runtime blocks harmless in text that comes from outside (X-11, X-B07).
func EscapeInternal(text string) string {
	return internalEscaper.Replace(text)
}

// RuntimeContext is the text of the carrier that brings hidden context to the model. StripInternal removes it.
func RuntimeContext(context string) string {
	return texts.CarrierHeader + "\n" + texts.CarrierNotice + "\n\n" +
		texts.InternalBegin + "\n" + EscapeInternal(context) + "\n" + texts.InternalEnd
}
