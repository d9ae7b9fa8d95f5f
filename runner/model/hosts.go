package model

// host is where a provider is by default and which variables of the environment
// say more.
type host struct {
	base string
	// bases are those of APIs that stand elsewhere.
	bases map[string]string
	// url names variables that hold the base URL, keys those that hold the key.
	url, keys []string
	// open says that it needs no key.
	open bool
}

// hosts are the providers by the name that policy.Fold gives them. Words in
// braces are filled in from the endpoint and the environment (W-241).
var hosts = map[string]host{
	"anthropic": {base: "https://api.anthropic.com", url: env("ANTHROPIC_BASE_URL"), keys: env("ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN")},
	"openai": {
		base: "https://api.openai.com/v1", bases: map[string]string{codexAPI: "https://chatgpt.com/backend-api"},
		url: env("OPENAI_BASE_URL"), keys: env("OPENAI_API_KEY"),
	},
	"azure-openai":           azure,
	"azure-openai-responses": azure,
	"google": {
		base:  "https://generativelanguage.googleapis.com/v1beta",
		bases: map[string]string{"openai-completions": "https://generativelanguage.googleapis.com/v1beta/openai"},
		keys:  env("GEMINI_API_KEY", "GOOGLE_API_KEY"),
	},
	"google-vertex":      {base: "https://{location}-aiplatform.googleapis.com", keys: cloudTokens},
	"anthropic-vertex":   {base: "https://{location}-aiplatform.googleapis.com", keys: cloudTokens},
	"google-gemini-cli":  {base: "https://cloudcode-pa.googleapis.com", keys: cloudTokens},
	"google-antigravity": {base: "https://daily-cloudcode-pa.sandbox.googleapis.com", keys: cloudTokens},
	bedrock: {
		base: "https://bedrock-runtime.{region}.amazonaws.com", url: env("AWS_ENDPOINT_URL_BEDROCK_RUNTIME"), keys: env("AWS_BEARER_TOKEN_BEDROCK"),
	},
	"mistral": {
		base: "https://api.mistral.ai", bases: map[string]string{"openai-completions": "https://api.mistral.ai/v1"}, keys: env("MISTRAL_API_KEY"),
	},
	"minimax": {
		base: "https://api.minimax.io/anthropic", bases: map[string]string{"openai-completions": "https://api.minimax.io/v1"}, keys: env("MINIMAX_API_KEY"),
	},
	"minimax-cn": {
		base: "https://api.minimaxi.com/anthropic", bases: map[string]string{"openai-completions": "https://api.minimaxi.com/v1"}, keys: env("MINIMAX_API_KEY"),
	},
	"kimi": {
		base: "https://api.kimi.com/coding", bases: map[string]string{"openai-completions": "https://api.kimi.com/coding/v1"},
		keys: env("KIMI_API_KEY", "MOONSHOT_API_KEY"),
	},
	cloudflare: {
		base:  "https://gateway.ai.cloudflare.com/v1/{account}/{gateway}/anthropic",
		bases: map[string]string{"openai-completions": "https://gateway.ai.cloudflare.com/v1/{account}/{gateway}/openai"},
		keys:  env("CLOUDFLARE_AI_GATEWAY_TOKEN", "CLOUDFLARE_API_KEY"),
	},
	"vercel-ai-gateway": {
		base: "https://ai-gateway.vercel.sh", bases: map[string]string{"openai-completions": "https://ai-gateway.vercel.sh/v1"},
		keys: env("AI_GATEWAY_API_KEY"),
	},
	"openrouter":     {base: "https://openrouter.ai/api/v1", keys: env("OPENROUTER_API_KEY")},
	"github-copilot": {base: "https://api.individual.githubcopilot.com", keys: env("COPILOT_GITHUB_TOKEN")},
	"opencode":       {base: "https://opencode.ai/zen/v1", keys: env("OPENCODE_API_KEY")},
	"kilocode":       {base: "https://api.kilo.ai/api/gateway", keys: env("KILOCODE_API_KEY")},
	"xai":            {base: "https://api.x.ai/v1", keys: env("XAI_API_KEY")},
	"deepseek":       {base: "https://api.deepseek.com", keys: env("DEEPSEEK_API_KEY")},
	"moonshot":       {base: "https://api.moonshot.ai/v1", keys: env("MOONSHOT_API_KEY")},
	"zai":            {base: "https://api.z.ai/api/paas/v4", keys: env("ZAI_API_KEY", "Z_AI_API_KEY")},
	"groq":           {base: "https://api.groq.com/openai/v1", keys: env("GROQ_API_KEY")},
	"cerebras":       {base: "https://api.cerebras.ai/v1", keys: env("CEREBRAS_API_KEY")},
	"together":       {base: "https://api.together.xyz/v1", keys: env("TOGETHER_API_KEY")},
	"fireworks":      {base: "https://api.fireworks.ai/inference/v1", keys: env("FIREWORKS_API_KEY")},
	"nvidia":         {base: "https://integrate.api.nvidia.com/v1", keys: env("NVIDIA_API_KEY")},
	"huggingface":    {base: "https://router.huggingface.co/v1", keys: env("HF_TOKEN")},
	"perplexity":     {base: "https://api.perplexity.ai", keys: env("PERPLEXITY_API_KEY")},
	"cohere":         {base: "https://api.cohere.ai/compatibility/v1", keys: env("COHERE_API_KEY")},
	"venice":         {base: "https://api.venice.ai/api/v1", keys: env("VENICE_API_KEY")},
	"ollama":         {base: "http://127.0.0.1:11434", bases: map[string]string{"openai-completions": "http://127.0.0.1:11434/v1"}, open: true},
	"ollama-cloud":   {base: "https://ollama.com", keys: env("OLLAMA_API_KEY")},
	"vllm":           {base: "http://127.0.0.1:8000/v1", keys: env("VLLM_API_KEY"), open: true},
	"sglang":         {base: "http://127.0.0.1:30000/v1", keys: env("SGLANG_API_KEY"), open: true},
	"lmstudio":       {base: "http://127.0.0.1:1234/v1", open: true},
	"llama.cpp":      {base: "http://127.0.0.1:8080/v1", open: true},
	"litellm":        {base: "http://127.0.0.1:4000", keys: env("LITELLM_API_KEY"), open: true},
}

// Providers and APIs with ways of their own.
const (
	bedrock       = "amazon-bedrock"
	cloudflare    = "cloudflare-ai-gateway"
	codexAPI      = "openai-chatgpt-responses"
	codeAssistAPI = "google-gemini-cli"
)

var (
	azure       = host{url: env("AZURE_OPENAI_BASE_URL", "AZURE_OPENAI_ENDPOINT"), keys: env("AZURE_OPENAI_API_KEY")}
	cloudTokens = env("GOOGLE_OAUTH_ACCESS_TOKEN", "GOOGLE_CLOUD_ACCESS_TOKEN")
)

func env(names ...string) []string { return names }

// words are what may stand in braces in a base URL or a path, and the variables
// that hold it.
var words = map[string][]string{
	"region":   env("AWS_REGION", "AWS_DEFAULT_REGION"),
	"location": env("GOOGLE_CLOUD_LOCATION", "CLOUD_ML_REGION"),
	"project":  env("GOOGLE_CLOUD_PROJECT", "ANTHROPIC_VERTEX_PROJECT_ID"),
	"account":  env("CLOUDFLARE_ACCOUNT_ID"),
	"gateway":  env("CLOUDFLARE_GATEWAY_ID"),
}
