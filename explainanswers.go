package hygeia

// answers names, per rule of hygiene and wire format, the rule of the provider
// that the stored transcript would break.
var answers = map[string]map[string]string{
	"R-20":  blankText,
	"R-22":  {"anthropic-messages": "AN-13", "openai-completions": "CC-06", "bedrock-converse-stream": "BR-12"},
	"R-26":  emptyTurn,
	"R-30":  blankText,
	"R-31":  blankText,
	"R-32":  {"google": "GG-09", "openai-completions": "OP-04"},
	"R-40":  {"anthropic-messages": "AN-38", "bedrock-converse-stream": "BR-20"},
	"R-41":  {"anthropic-messages": "AN-17", "bedrock-converse-stream": "BR-14"},
	"R-42":  {"openai-completions": "CC-10"},
	"R-43":  {"anthropic-messages": "AN-20", "bedrock-converse-stream": "BR-20"},
	"R-46":  {"google": "CA-01"},
	"R-50":  {"anthropic-messages": "AN-11", "openai-completions": "CC-18", "responses": "OR-16", "google": "GG-20", "bedrock-converse-stream": "BR-21"},
	"R-60":  badID,
	"R-61":  {"mistral": "MI-01"},
	"R-65":  {"openai-completions": "CC-04"},
	"R-71":  {"anthropic-messages": "AN-05", "openai-completions": "CC-02", "responses": "OR-04", "google": "GG-04", "bedrock-converse-stream": "BR-05", "mistral": "MI-09"},
	"R-72":  {"anthropic-messages": "AN-03", "openai-completions": "CC-01", "responses": "OR-03", "google": "GG-03", "bedrock-converse-stream": "BR-03", "mistral": "MI-05"},
	"R-73":  {"anthropic-messages": "AN-05", "openai-completions": "CC-02", "responses": "OR-04", "google": "GG-04", "bedrock-converse-stream": "BR-05", "mistral": "MI-03"},
	"R-76":  {"anthropic-messages": "AN-03", "openai-completions": "CC-01", "responses": "OR-03", "google": "GG-03", "bedrock-converse-stream": "BR-03", "mistral": "MI-05"},
	"R-80":  {"responses": "OR-06"},
	"R-81":  {"responses": "OR-01"},
	"R-82":  {"responses": "OR-02"},
	"R-90":  {"anthropic-messages": "AN-02", "google": "GG-01", "bedrock-converse-stream": "BR-09", "openai-completions": "LO-03"},
	"R-92":  {"anthropic-messages": "AN-01", "google": "GG-02", "bedrock-converse-stream": "BR-08", "openai-completions": "LO-03"},
	"R-93":  {"anthropic-messages": "AN-01", "bedrock-converse-stream": "BR-08", "openai-completions": "LO-03"},
	"R-95":  {"anthropic-messages": "AN-03", "openai-completions": "CC-01", "bedrock-converse-stream": "BR-03"},
	"R-104": {"anthropic-messages": "AN-14", "openai-completions": "LO-01", "bedrock-converse-stream": "BR-15"},
	"R-124": {"anthropic-messages": "AN-20", "responses": "OR-09", "google": "GG-10", "bedrock-converse-stream": "BR-20", "openai-completions": "CC-10"},
	"F-72":  {"anthropic-messages": "AN-10", "openai-completions": "CC-15", "responses": "OR-13", "google": "GG-11"},
	"W-101": {"openai-completions": "CC-20"},
	"W-102": {"anthropic-messages": "AN-41", "responses": "OR-20", "google": "GG-16"},
	"W-103": {"anthropic-messages": "AN-42", "responses": "OR-20", "google": "GG-16"},
	"W-104": {"anthropic-messages": "AN-45", "bedrock-converse-stream": "BR-16", "mistral": "MI-12"},
	"W-110": {"anthropic-messages": "AN-11", "google": "GG-20", "bedrock-converse-stream": "BR-21"},
	"W-120": {"anthropic-messages": "AN-27"},
	"W-176": {"anthropic-messages": "AN-09", "openai-completions": "CC-17", "responses": "OR-16", "google": "GG-15", "bedrock-converse-stream": "BR-10"},
	"W-203": {"anthropic-messages": "AN-03"},
	"W-211": {"anthropic-messages": "AN-17"},
	"W-214": {"anthropic-messages": "AN-50"},
	"W-219": {"anthropic-messages": "AN-51"},
	"W-220": {"anthropic-messages": "AN-14"},
	"W-222": {"anthropic-messages": "AN-14"},
	"W-223": {"anthropic-messages": "AN-16"},
	"W-407": {"openai-completions": "LO-04"},
	"W-421": {"openai-completions": "CC-10"},
	"W-521": {"openai-completions": "OP-03"},
	"W-702": {"bedrock-converse-stream": "BR-01"},
	"W-703": {"bedrock-converse-stream": "BR-02"},
	"W-704": {"bedrock-converse-stream": "BR-14"},
	"W-706": {"bedrock-converse-stream": "BR-10"},
	"W-707": {"bedrock-converse-stream": "BR-04"},
	"W-710": {"bedrock-converse-stream": "BR-15"},
	"W-712": {"bedrock-converse-stream": "BR-11"},
	"W-802": {"mistral": "MI-06"},
	"W-805": {"mistral": "MI-02"},
	"W-807": {"mistral": "MI-04"},
}

var (
	blankText = map[string]string{"anthropic-messages": "AN-12", "bedrock-converse-stream": "BR-01", "google": "GG-07"}
	// noContent is what content breaks that is neither a text nor a list.
	noContent = map[string]string{"anthropic-messages": "AN-13", "openai-completions": "CC-06"}
	// answeredTwice is what a stand-in breaks beside the real result.
	answeredTwice = map[string]string{
		"anthropic-messages": "AN-07", "openai-completions": "CC-02", "responses": "OR-04", "google": "GG-04", "bedrock-converse-stream": "BR-05", "mistral": "MI-05",
	}
	emptyTurn = map[string]string{
		"anthropic-messages": "AN-13", "openai-completions": "CC-06", "google": "GG-06", "bedrock-converse-stream": "BR-02", "mistral": "MI-06",
	}
	badID = map[string]string{
		"anthropic-messages": "AN-08", "openai-completions": "CC-05", "bedrock-converse-stream": "BR-10",
	}
)
