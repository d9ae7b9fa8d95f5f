// Package claude reads how a request asks Claude to think, which two formats spell
// alike: in goes the object with the members thinking and output_config, out come a
// level by its name in F-70 and the output limit in tokens.
package claude

import (
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// budgets are the levels by the largest budget that asks for them, in tokens
// (W-216).
var budgets = []struct {
	tokens float64
	level  string
}{{1024, "minimal"}, {2048, "low"}, {8192, "medium"}, {16384, "high"}}

// Level returns the level of thinking that the fields ask for, "" for none.
func Level(fields tree.Node) string {
	thinking := fields.Get("thinking")
	switch typ := thinking.Get("type"); {
	case typ.Is("disabled"), typ.Is("between_tools"):
		return "off"
	case typ.Is("enabled"):
		tokens, _ := thinking.Get("budget_tokens").Value().Number()
		for _, b := range budgets {
			if tokens <= b.tokens {
				return b.level
			}
		}
		return "max"
	case typ.Is("adaptive"):
		if effort := fields.Get("output_config").Get("effort"); effort.IsString() {
			return effort.Text()
		}
		return "high"
	}
	return ""
}

// Limit returns the output limit without the budget for thinking, which counts
// for both (W-216), 0 where there is none. In tokens.
func Limit(limit, fields tree.Node) int {
	n, thinking := canon.Limit(limit), fields.Get("thinking")
	if budget := canon.Limit(thinking.Get("budget_tokens")); thinking.Get("type").Is("enabled") && budget < n {
		return n - budget
	}
	return n
}
