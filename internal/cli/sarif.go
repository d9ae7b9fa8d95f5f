package cli

import (
	"hygeia"
	"hygeia/check"
)

// The part of SARIF 2.1.0 that findings need.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID   string    `json:"id"`
		Text sarifText `json:"shortDescription"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
)

// sarif prints findings for tools that read SARIF. The JSON pointer of a finding
// is its logical location.
func (a *app) sarif(out *output, path string, findings []hygeia.Finding) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "hygeia", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	named := map[string]bool{}
	for _, f := range findings {
		if rule := check.Lookup(f.Rule); rule != nil && !named[f.Rule] {
			named[f.Rule] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{f.Rule, sarifText{rule.Rule}})
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Rule, Level: "error", Message: sarifText{f.Message},
			Locations: []sarifLocation{{sarifPhysical{sarifArtifact{path}}, []sarifLogical{{f.Path}}}},
		})
	}
	line, err := jsonLine(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
	if err != nil {
		return err
	}
	return a.write(out, line)
}
