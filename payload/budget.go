package payload

// MinThinkingBudget is the smallest thinking budget that Claude takes, in tokens
// (AN-21).
const MinThinkingBudget = 1024

// ThinkingBudget makes room for a thinking budget: it returns the output limit,
// grown by the budget up to the model's own limit (0: unknown), and the budget
// that fits below it, 0 if none does (W-216, AN-21). All in tokens.
func ThinkingBudget(maxTokens, budget, limit int) (int, int) {
	grown := maxTokens + budget
	if limit > 0 {
		grown = min(grown, limit)
	}
	switch {
	case grown <= MinThinkingBudget:
		return maxTokens, 0
	case budget >= grown:
		budget = max(grown-MinThinkingBudget, MinThinkingBudget)
	}
	return grown, budget
}
