package texts

// What providers say when they refuse a request, in lower case: parts of their texts by what they mean.
var (
	// ShapeFaults say that the transcript has a bad shape, so that the same body fails again (W-904).
	ShapeFaults = []string{
		"string should match pattern", "tool_use.id", "tool_use_id", "tool_use` ids", "tool call id", "tool_call_id", "tool_call_ids",
		"roles must alternate", "must alternate", "incorrect role information", "unexpected role", "first message must use",
		"does not support assistant message prefill", "conversation must end with a user message", "must end with a user message",
		"function call turn comes immediately after", "function response turn comes immediately after", "function response parts",
		"no tool call found for", "no tool output found for", "toolresult blocks", "tooluse ids", "without its required",
		"messages with role 'tool' must be", "must be followed by tool messages", "expected last role", "not the same number of function calls",
		"must be non-empty", "must have non-empty content", "non-whitespace text", "cannot be modified", "thought signature", "thought_signature",
		"`signature` in `thinking`", "thinking.signature", "redacted_thinking", "expected `thinking`", "encrypted content", "encrypted_content",
		"invalid_request_message_order", "duplicate item found", "unexpected tool call",
	}
	// OverflowFaults say that the request is larger than the context window or the size limit (C-04).
	OverflowFaults = []string{
		"prompt is too long", "prompt too long", "input is too long", "context length", "context_length_exceeded", "context window", "context size",
		"input token count", "maximum prompt length", "reduce the length of", "too many tokens", "token limit exceeded", "request_too_large",
		"exceeds the maximum size", "request payload size exceeds", "request entity too large", "too large for model with",
		"model_context_window_exceeded",
	}
	// BillingFaults say that the account has no credit.
	BillingFaults = []string{
		"insufficient_quota", "credit balance is too low", "insufficient balance", "insufficient credits", "requires more credits",
		"exceeded your current quota", "billing",
	}
	// OverloadFaults say that the provider has too much to do.
	OverloadFaults = []string{"overloaded", "server is busy", "no capacity", "at capacity", "model is not ready", "temporarily unavailable"}
)
