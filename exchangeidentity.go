package hygeia

import (
	"net/http"
	"slices"
	"strings"

	"hygeia/payload"
)

// identified reports whether requests to an API go out under an identity (W-231).
func (o *ReplayOptions) identified(api string) bool {
	return o.Payload.Identity != nil && api == "anthropic-messages"
}

// identify gives a request the headers of access by token (W-231).
func identify(h http.Header) {
	betas := strings.Split(payload.AccessBetas, ",")
	for _, list := range h.Values("Anthropic-Beta") {
		for beta := range strings.SplitSeq(list, ",") {
			if beta = strings.TrimSpace(beta); beta != "" && !slices.Contains(betas, beta) {
				betas = append(betas, beta)
			}
		}
	}
	h.Set("Anthropic-Beta", strings.Join(betas, ","))
	h.Set("X-App", "cli")
}
