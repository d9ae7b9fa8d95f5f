package model

import (
	"cmp"
	"net/http"
	"strings"

	"hygeia/internal/texts"
)

// kindsByCode are the kinds of errors by what providers call them.
var kindsByCode = map[string]Kind{
	"overloaded_error": Overloaded, "server_is_overloaded": Overloaded, "slow_down": Overloaded, "UNAVAILABLE": Overloaded,
	"ServiceUnavailableException": Overloaded, "serviceUnavailableException": Overloaded, "ModelNotReadyException": Overloaded,
	"rate_limit_error": RateLimit, "rate_limit_exceeded": RateLimit, "RESOURCE_EXHAUSTED": RateLimit,
	"ThrottlingException": RateLimit, "throttlingException": RateLimit, "usage_limit_reached": RateLimit,
	"insufficient_quota": Billing, "billing_error": Billing, "usage_not_included": Billing,
	"context_length_exceeded": Overflow, "request_too_large": Overflow,
	"authentication_error": Auth, "permission_error": Auth, "invalid_api_key": Auth, "UNAUTHENTICATED": Auth, "PERMISSION_DENIED": Auth,
	"AccessDeniedException": Auth, "ExpiredTokenException": Auth, "UnrecognizedClientException": Auth, "InvalidSignatureException": Auth,
	"api_error": Server, "server_error": Server, "INTERNAL": Server, "InternalServerException": Server, "internalServerException": Server,
	"modelStreamErrorException": Server, "ModelErrorException": Server, "timeout_error": Server, "DEADLINE_EXCEEDED": Server,
	"modelTimeoutException": Server, "ModelTimeoutException": Server,
	"invalid_encrypted_content": Shape, "thinking_signature_invalid": Shape, "invalid_request_message_order": Shape, "3230": Shape,
}

// kindsByStatus are the kinds of errors by status; those of the hundreds stand for all of
// them.
var kindsByStatus = map[int]Kind{
	401: Auth, 403: Auth, 402: Billing, 413: Overflow, 429: RateLimit,
	502: Overloaded, 503: Overloaded, 504: Overloaded, 529: Overloaded, 300: Rejected, 400: Rejected, 500: Server,
}

// kind classifies the fault. Texts go first where the request may be to blame:
// codes and statuses of that are the same for all faults.
func (f *fault) kind() Kind {
	said := strings.ToLower(f.text + " " + f.code)
	says := func(list []string) bool {
		for _, s := range list {
			if strings.Contains(said, s) {
				return true
			}
		}
		return false
	}
	byCode, known := kindsByCode[f.code]
	switch {
	case f.status == http.StatusUnauthorized || f.status == http.StatusForbidden || byCode == Auth:
		return Auth
	case says(texts.BillingFaults):
		return Billing
	case says(texts.OverflowFaults) && f.status != http.StatusTooManyRequests:
		return Overflow
	case says(texts.ShapeFaults):
		return Shape
	case known && byCode != Server:
		return byCode
	case says(texts.OverloadFaults):
		return Overloaded
	}
	if k, ok := kindsByStatus[f.status]; ok {
		return k
	}
	return cmp.Or(byCode, kindsByStatus[f.status/100*100], Server)
}

// stopKinds are the kinds of ends that are no refusal.
var stopKinds = map[string]Kind{
	"error": Server, "insufficient_system_resource": Overloaded, "load": Malformed, "unload": Malformed,
	"MALFORMED_FUNCTION_CALL": Malformed, "MALFORMED_RESPONSE": Malformed, "malformed_model_output": Malformed, "malformed_tool_use": Malformed,
	"UNEXPECTED_TOOL_CALL": Malformed, "MISSING_THOUGHT_SIGNATURE": Shape,
}
