package policy_test

import (
	"fmt"
	"log"

	"hygeia/policy"
)

// What a target needs, and on whose word.
func ExampleResolve() {
	target, err := policy.ParseTarget("openrouter/google/gemini-3-pro")
	if err != nil {
		log.Fatal(err)
	}
	res, err := policy.Resolve(target, policy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Target.API, res.Policy.SanitizeThoughtSignatures.AllowBase64Only)
	for _, e := range res.Trace {
		if e.Field == "sanitizeThoughtSignatures" {
			fmt.Println(e.From, e.Source)
		}
	}
	// Output:
	// openai-completions true
	// family pg P-14 PG
}
