package policy

// Target names the model of the next request. Provider and Model are compared
// in lower form (P-02), API is exact (P-01). All three may be empty.
type Target struct {
	Provider string `json:"provider"`
	API      string `json:"api"`
	Model    string `json:"model"`
}

// IDMode says how tool-call ids are rewritten.
type IDMode string

// The id modes. The zero value leaves ids to [IDForm] alone.
const (
	IDStrict  IDMode = "strict"  // [A-Za-z0-9], at most 40 characters
	IDStrict9 IDMode = "strict9" // exactly nine of [A-Za-z0-9]
)

// SanitizeMode documents the intent of a policy (P-03); no pass reads it.
type SanitizeMode string

// The two sanitize modes.
const (
	SanitizeFull       SanitizeMode = "full"
	SanitizeImagesOnly SanitizeMode = "images-only"
)

// ForeignThinking says what becomes of thinking of another model (D-10).
type ForeignThinking string

// The two answers; ForeignDrop is the default.
const (
	ForeignDrop ForeignThinking = "drop"
	ForeignText ForeignThinking = "text"
)

// ThoughtSignatureFilter says which thought signatures go.
type ThoughtSignatureFilter struct {
	AllowBase64Only  bool `json:"allowBase64Only"`  // all that are not base64
	IncludeCamelCase bool `json:"includeCamelCase"` // thoughtSignature too, not only thought_signature
}

// IDForm is the form of tool-call ids that a wire format takes (W-206, W-408,
// W-606, W-706). Characters outside [A-Za-z0-9_-] become '_' and the id is cut
// to Max characters. Max 0 means that ids of any form go out.
type IDForm struct {
	// Alphanumeric says that '_' and '-' are none of the format's letters either
	// (W-609).
	Alphanumeric bool `json:"alphanumeric,omitzero"`
	Max          int  `json:"max"` // characters
}

// Policy is the record that every stage behind it reads: which passes run for
// the target and what the converter may send. It is plain data, and a value is
// not changed after [Resolve] returned it.
type Policy struct {
	// The fields of P-03.
	SanitizeMode                      SanitizeMode            `json:"sanitizeMode"`                        // for readers, no pass asks for it
	SanitizeToolCallIDs               bool                    `json:"sanitizeToolCallIds"`                 // ids of calls and results are rewritten
	ToolCallIDMode                    IDMode                  `json:"toolCallIdMode,omitempty"`            // into which form
	DuplicateToolCallIDStyle          string                  `json:"duplicateToolCallIdStyle,omitempty"`  // "" or "openai"
	PreserveNativeAnthropicToolUseIDs bool                    `json:"preserveNativeAnthropicToolUseIds"`   // the first toolu_… stays
	RepairToolUseResultPairing        bool                    `json:"repairToolUseResultPairing"`          // R-70…R-78; on unless a profile says no
	AllowSyntheticToolResults         bool                    `json:"allowSyntheticToolResults"`           // stand-ins may be stored (file 40); a replay makes them anyway (D-03)
	PreserveSignatures                bool                    `json:"preserveSignatures"`                  // signed thinking goes back
	SanitizeThoughtSignatures         *ThoughtSignatureFilter `json:"sanitizeThoughtSignatures,omitempty"` // R-32; nil: ids of messages go only
	SanitizeThinkingSignatures        bool                    `json:"sanitizeThinkingSignatures"`          // Claude on Antigravity
	DropThinkingBlocks                bool                    `json:"dropThinkingBlocks"`                  // thinking only of the latest turn
	DropReasoningFromHistory          bool                    `json:"dropReasoningFromHistory"`            // reasoning only of the round in progress
	ApplyGoogleTurnOrdering           bool                    `json:"applyGoogleTurnOrdering"`             // a user turn in front
	ValidateGeminiTurns               bool                    `json:"validateGeminiTurns"`                 // neighbouring assistant turns are joined
	ValidateAnthropicTurns            bool                    `json:"validateAnthropicTurns"`              // user turns too, no assistant turn at the end

	// Added by the product.
	DropAllThinkingBlocks bool            `json:"dropAllThinkingBlocks"` // P-27: also in the latest turn
	KeepKimiToolCallIDs   bool            `json:"keepKimiToolCallIds"`   // D-24: keep functions.NAME:N
	ForeignThinking       ForeignThinking `json:"foreignThinking"`       // D-10
	ToolCallIDForm        IDForm          `json:"toolCallIdForm"`        // where no mode is set, D-47
	BridgeToolResults     bool            `json:"bridgeToolResults"`     // D-33: no user turn directly behind tool results
	SystemTurns           bool            `json:"systemTurns"`           // AN-10, LO-10, MI-03: system messages may stand between turns

	// Derived from the fields above and the target (P-01, P-04).
	Responses             bool `json:"responses"`             // API of the Responses family
	AnthropicFamily       bool `json:"anthropicFamily"`       // API of the Anthropic family
	SignatureHygiene      bool `json:"signatureHygiene"`      // run
	ProviderOwnedThinking bool `json:"providerOwnedThinking"` // apply

	Model Model `json:"model"`
	Wire  Wire  `json:"wire"`
}

// ThinkingKind is the way in which a model is told to think (W-216).
type ThinkingKind string

// The ways to think. The zero value means that the request has no such
// parameter in this format.
const (
	ThinkingManual   ThinkingKind = "manual"   // thinking:{type:enabled,budget_tokens}
	ThinkingAdaptive ThinkingKind = "adaptive" // thinking:{type:adaptive} and an effort
)

// ThinkingDefault is what a model does when the request says nothing.
type ThinkingDefault string

// The defaults.
const (
	ThinksOff    ThinkingDefault = "off"
	ThinksOn     ThinkingDefault = "on"     // can be switched off
	ThinksAlways ThinkingDefault = "always" // cannot be switched off
)

// Model holds facts about the target's model (P-05, D-29).
type Model struct {
	Reasoning               bool            `json:"reasoning"`
	SupportsReasoningEffort *bool           `json:"supportsReasoningEffort,omitempty"`
	Images                  bool            `json:"images"` // takes image input
	BaseURL                 string          `json:"baseUrl,omitempty"`
	CanonicalModelID        string          `json:"canonicalModelId,omitempty"` // P-B07
	ContextWindow           int             `json:"contextWindow,omitempty"`    // tokens, 0 unknown
	MaxOutputTokens         int             `json:"maxOutputTokens,omitempty"`  // tokens, 0 unknown
	Thinking                ThinkingKind    `json:"thinking,omitempty"`
	ThinkingDefault         ThinkingDefault `json:"thinkingDefault,omitempty"`
	BoundThinking           bool            `json:"boundThinking"` // W-116: thinking is bound to the exact model
}

// Prefill says when a body must not end in an assistant turn (W-220…W-223,
// W-521, W-541, W-807).
type Prefill string

// The prefill rules.
const (
	PrefillAllowed  Prefill = "allowed"
	PrefillThinking Prefill = "not-when-thinking" // not while the request has thinking on
	PrefillNever    Prefill = "never"
)

// ReasoningReplay says which reasoning of earlier turns a Chat Completions body
// carries (W-421…W-426, W-501).
type ReasoningReplay string

// The ways to replay reasoning.
const (
	ReasoningNone       ReasoningReplay = "none"              // not even in the round in progress
	ReasoningRound      ReasoningReplay = "round"             // W-422: only in the round in progress, under its recorded field
	ReasoningRecorded   ReasoningReplay = "recorded"          // W-423: everywhere, under its recorded field
	ReasoningContent    ReasoningReplay = "reasoning_content" // W-424: everywhere, as reasoning_content
	ReasoningOpenRouter ReasoningReplay = "openrouter"        // W-501: same model only, bare strings and details
	ReasoningDetails    ReasoningReplay = "details"           // W-501 for anthropic/ and x-ai/: complete details only
)

// Sampling says which sampling parameters a model takes (W-207).
type Sampling string

// The sampling rules.
const (
	SamplingAny         Sampling = "any"
	SamplingOne         Sampling = "one"          // temperature or top_p, not both
	SamplingDefaultOnly Sampling = "default-only" // none of temperature, top_p, top_k
)

// Wire holds what a converter must know about the endpoint beyond its format:
// which members it takes and in which form. A field that a format has no use
// for is ignored there.
type Wire struct {
	// All formats.
	Prefill      Prefill  `json:"prefill"`
	MaxImages    int      `json:"maxImages,omitempty"`    // per request, 0 no limit (W-104)
	MaxImageText int      `json:"maxImageText,omitempty"` // characters of one image's base64, 0 no limit (AN-44, BR-16, MI-12)
	MaxImageSide int      `json:"maxImageSide,omitempty"` // pixels, 0 no limit; where it falls with the number of images, the lower one (AN-43, BR-16)
	MaxBodyBytes int      `json:"maxBodyBytes,omitempty"` // bytes of the whole request, 0 no limit
	ImageTypes   []string `json:"imageTypes,omitempty"`   // allowed media types, empty: all
	ToolNameMax  int      `json:"toolNameMax"`            // characters of a tool name (W-176)
	CacheMarkers bool     `json:"cacheMarkers"`           // explicit cache markers are understood (W-230, W-522)

	// Anthropic Messages.
	Sampling                Sampling `json:"sampling,omitempty"`
	NoServiceTier           bool     `json:"noServiceTier,omitempty"`           // W-207, Sonnet 5
	NoForcedToolChoice      bool     `json:"noForcedToolChoice,omitempty"`      // W-217: in every mode
	ThinkingDisabledDefault bool     `json:"thinkingDisabledDefault,omitempty"` // W-252: M2.x
	EnabledAsAdaptive       bool     `json:"enabledAsAdaptive,omitempty"`       // W-252: M3
	ThinkingBetweenTools    bool     `json:"thinkingBetweenTools,omitempty"`    // W-216: off is {type:between_tools}
	ReasoningContentSigned  bool     `json:"reasoningContentSigned,omitempty"`  // W-213: signature reasoning_content goes back
	ManualThinkingKnown     bool     `json:"manualThinkingKnown,omitempty"`     // AN-25: an adaptive model also takes {type:enabled}
	AnthropicVersion        string   `json:"anthropicVersion,omitempty"`        // W-233: the model stands in the path, this version in the body
	NoStreamMember          bool     `json:"noStreamMember,omitempty"`          // W-233: the path says whether the answer is streamed

	// Chat Completions.
	DeveloperRole        bool              `json:"developerRole,omitempty"`        // W-401
	StringContent        bool              `json:"stringContent,omitempty"`        // W-402: no content arrays at all
	NoNullContent        bool              `json:"noNullContent,omitempty"`        // W-403: "" instead of null
	StrictKeys           bool              `json:"strictKeys,omitempty"`           // W-409
	ReasoningReplay      ReasoningReplay   `json:"reasoningReplay,omitempty"`      // W-421…W-424
	ReasoningRequired    string            `json:"reasoningRequired,omitempty"`    // "", "calls" or "all": turns that carry at least "" (W-424, W-531)
	ThinkingAsText       bool              `json:"thinkingAsText,omitempty"`       // W-426
	ToolResultName       bool              `json:"toolResultName,omitempty"`       // W-406
	EmptyTools           bool              `json:"emptyTools,omitempty"`           // W-412
	MaxTokensField       string            `json:"maxTokensField,omitempty"`       // max_tokens or max_completion_tokens (W-411)
	StreamUsage          bool              `json:"streamUsage,omitempty"`          // stream_options is known
	Store                bool              `json:"store,omitempty"`                // store is known
	ReasoningEffort      string            `json:"reasoningEffort,omitempty"`      // how effort is asked for: "", "reasoning_effort", "reasoning", "thinking", "chat_template_kwargs"
	Efforts              map[string]string `json:"efforts,omitempty"`              // W-523: the endpoint's names of efforts by thinking level, where they differ
	ReasoningOffDrops    bool              `json:"reasoningOffDrops,omitempty"`    // W-523: no reasoning goes back while a request has thinking off
	NonemptyContent      bool              `json:"nonemptyContent,omitempty"`      // W-542: force_nonempty_content for the chat template while thinking is off
	NoStrictTools        bool              `json:"noStrictTools,omitempty"`        // W-243: tool definitions carry no strict
	ToolSchema           bool              `json:"toolSchema,omitempty"`           // W-254: a tool without a schema of its arguments is refused
	SingleSystem         bool              `json:"singleSystem,omitempty"`         // W-253, LO-10
	GoogleExtraContent   bool              `json:"googleExtraContent,omitempty"`   // W-431
	StrictAlternation    bool              `json:"strictAlternation,omitempty"`    // LO-03, CC-23
	SkipSignatureAllowed bool              `json:"skipSignatureAllowed,omitempty"` // W-431, W-612: missing signature → sentinel

	// Responses family.
	StoreItems       bool `json:"storeItems,omitempty"`       // W-310 a, D-40: store:true with item ids, only when a user's profile asks
	NoItemStatus     bool `json:"noItemStatus,omitempty"`     // W-333: items of the input carry no status
	NoPromptCacheKey bool `json:"noPromptCacheKey,omitempty"` // W-332
	EffortNone       bool `json:"effortNone,omitempty"`       // W-331, W-333: the model knows reasoning effort "none"

	// Google family.
	FunctionCallIDs        bool `json:"functionCallIds,omitempty"`        // W-606: calls and responses carry ids
	FunctionResponseImages bool `json:"functionResponseImages,omitempty"` // W-605: images go into functionResponse.parts
	ThinkingLevel          bool `json:"thinkingLevel,omitempty"`          // W-621: thinkingLevel instead of thinkingBudget
	ThinkingFloor          int  `json:"thinkingFloor,omitempty"`          // W-621: smallest thinkingBudget in tokens, what "off" means
	ThinkingLeast          int  `json:"thinkingLeast,omitempty"`          // W-621, GG-19: smallest thinkingBudget in tokens of a model that 0 switches off
	LegacyToolParameters   bool `json:"legacyToolParameters,omitempty"`   // W-622, CA-02: parameters instead of parametersJsonSchema

	// Bedrock Converse.
	SignedReasoning  bool `json:"signedReasoning,omitempty"`  // W-704: signed reasoning goes back; otherwise none does
	ToolResultStatus bool `json:"toolResultStatus,omitempty"` // W-705, BR-24: toolResult.status is known
}
