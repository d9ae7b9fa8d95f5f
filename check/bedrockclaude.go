package check

// bedrockReasoning checks where reasoning stands and what proves it.
func bedrockReasoning(r *request) {
	for _, m := range r.memo.messages {
		for _, b := range m.blocks {
			if !b.has(asReasoning) {
				continue
			}
			reasoning := b.member(asReasoning)
			text, data := reasoning.get("reasoningText"), reasoning.get("redactedContent")
			signature := text.get("signature")
			switch {
			case m.role == "user":
				r.report("BR-13", b.path())
			case !r.memo.bedrock.claude && signature.given():
				r.report("BR-14", b.path()+"/reasoningContent/reasoningText/signature")
			case !r.memo.bedrock.claude:
				r.reportText("BR-13", b.path(), "This model doesn't support reasoning content in messages. Please remove the reasoning content and try again.")
			case text.exists() && (signature.text() == "" || signature.blank()):
				r.claudeError("AN-17", b.path()+"/reasoningContent/reasoningText/signature", b.where()...)
			case text.exists() && !signs(signature):
				r.claudeError("AN-20", b.path()+"/reasoningContent/reasoningText/signature", b.where()...)
			case data.exists() && !isBase64(data.text()):
				r.claudeError("AN-19", b.path()+"/reasoningContent/redactedContent", b.where()...)
			}
		}
	}
}

// claudeError reports what Claude says through Bedrock (BR-20).
func (r *request) claudeError(id, path string, replace ...string) {
	r.reportText("BR-20", path, "The model returned the following errors: "+Lookup(id).Messages[0], replace...)
}

// converseMode returns the mode of thinking of a request, "" for none.
func (r *request) converseMode() string {
	return r.root.get("additionalModelRequestFields").get("thinking").get("type").text()
}

// bedrockThinking holds the parameters of Claude, and the thinking blocks
// against them (BR-20).
func bedrockThinking(r *request) {
	if !r.memo.bedrock.claude {
		return
	}
	extra, inference := r.root.get("additionalModelRequestFields"), r.root.get("inferenceConfig")
	mode := r.converseMode()
	budget, _ := extra.get("thinking").get("budget_tokens").number()
	limit, limited := inference.get("maxTokens").number()
	if mode == "enabled" && (budget < 1024 || limited && budget >= limit) {
		r.claudeError("AN-21", "/additionalModelRequestFields/thinking/budget_tokens")
	}
	if r.claude.refuses(mode, extra.get("output_config").get("effort").text()) {
		r.claudeError("AN-25", "/additionalModelRequestFields/thinking/type")
	}
	temperature, topP := inference.get("temperature"), inference.get("topP")
	t, _ := temperature.number()
	p, _ := topP.number()
	if thinks := mode == "enabled" || mode == "adaptive"; thinks && (temperature.given() && t != 1 || topP.given() && (p < 0.95 || p > 1) || extra.get("top_k").given()) {
		r.claudeError("AN-22", "/inferenceConfig/temperature")
	}
	messages := r.memo.messages
	round := converseRound(messages)
	if thinkingOff(r, mode) {
		converseOff(r, messages, round)
	}
	if mode != "enabled" {
		return
	}
	for _, m := range messages {
		if first := m.first(asReasoning); m.role == "assistant" && first > 0 {
			r.claudeError("AN-51", m.blocks[0].path(), m.where("content.0", "content.0")...)
		}
	}
	if round >= 0 && messages[round].first(asReasoning) != 0 {
		r.claudeError("AN-15", pointer("messages", round, "content", 0), messages[round].where()...)
	}
}

// converseRound is roundStart for Converse.
func converseRound(messages []message) int {
	start := -1
	for i := len(messages) - 1; i > 0; i-- {
		switch m := &messages[i]; {
		case m.role == "assistant" && start < 0 && i == len(messages)-1:
			return -1
		case m.role == "assistant":
			start = i
		case !m.holds(asToolResult):
			return start
		}
	}
	return start
}

// converseOff is anthropicOff for Converse.
func converseOff(r *request, messages []message, round int) {
	from := round
	if from < 0 {
		for from = len(messages) - 1; from >= 0 && messages[from].role != "assistant"; from-- {
		}
	}
	for i := max(from, 0); i < len(messages); i++ {
		for _, b := range messages[i].blocks {
			if messages[i].role == "assistant" && b.has(asReasoning) {
				r.claudeError("AN-50", b.path(), b.where()...)
			}
		}
	}
}

// bedrockPrefill checks a trailing assistant message.
func bedrockPrefill(r *request) {
	messages := r.memo.messages
	n := len(messages)
	if n == 0 || messages[n-1].role != "assistant" || messages[n-1].holds(asToolUse) {
		return // an open call is BR-03
	}
	mode := r.converseMode()
	path := pointer("messages", n-1)
	switch {
	case !r.memo.bedrock.claude:
		r.report("BR-15", path)
	case r.claude.noPrefill() || mode != "" && mode != "disabled":
		r.reportText("BR-15", path, Lookup("AN-14").Messages[0])
	}
}
