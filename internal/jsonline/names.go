package jsonline

// knownNames are member names that transcripts and bodies use all the time.
// Their members are found by number, without a look at the text: that matters
// because every pass asks every message for a few of them. There are at most 63,
// the bits of Object.names.
var knownNames = [...]string{
	"type", "id", "parentId", "timestamp", "message", "role", "content", "text", "thinking", "thinkingSignature", "signature",
	"thought_signature", "thoughtSignature", "textSignature", "data", "mimeType", "mediaType", "media_type", "name", "arguments",
	"input", "partialJson", "provenance", "api", "provider", "model", "responseModel", "responseId", "usage", "stopReason",
	"errorMessage", "toolCallId", "toolUseId", "tool_call_id", "tool_use_id", "callId", "call_id", "toolName", "isError", "details",
	"appendMode", "customType", "command", "summary", "redacted", "runtimeContextCarrier", "MediaPath", "MediaPaths", "source",
	"image_url", "display", "cost", "totalTokens", "output", "cacheRead", "cacheWrite", "version", "targetId", "idempotencyKey", "wire",
}

// A name too many fails here.
const _ = uint(63 - len(knownNames))

// nameTable finds the number of a name: open addressing, never more than a
// quarter full.
var nameTable = func() (table [256]uint8) {
	for i, name := range knownNames {
		h := nameHash(name)
		for table[h] != 0 {
			h++
		}
		table[h] = uint8(i + 1)
	}
	return table
}()

func nameHash[T string | []byte](s T) uint8 {
	n := len(s)
	return uint8(n*37) ^ s[0]*11 ^ s[n-1]*29 ^ s[n/2]*5
}

// nameKey returns the number of a known name, 0 for any other.
func nameKey[T string | []byte](s T) uint8 {
	if len(s) == 0 {
		return 0
	}
	for h := nameHash(s); nameTable[h] != 0; h++ {
		if k := nameTable[h]; knownNames[k-1] == string(s) {
			return k
		}
	}
	return 0
}
