package openairesponses

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/policy"
)

// effort returns the reasoning effort that the request asks for, "" for none
// (W-331, W-333), and whether the model will think (D-38).
func (b *builder) effort() (effort string, thinks bool) {
	level, m, w := b.in.Options.Thinking, &b.in.Policy.Model, &b.in.Policy.Wire
	note := b.in.Report.Note
	thinks = m.Reasoning && (m.ThinkingDefault == policy.ThinksOn || m.ThinkingDefault == policy.ThinksAlways)
	switch {
	case level == payload.ThinkDefault:
		return "", thinks
	case !m.Reasoning:
		if level != payload.ThinkOff {
			note("the thinking level is left out: the model does not reason")
		}
		return "", false
	case level == payload.ThinkOff && m.ThinkingDefault == policy.ThinksAlways:
		note("thinking stays on: it cannot be switched off for this model")
		return "", true
	case level == payload.ThinkOff && (!w.EffortNone || w.NoItemStatus):
		if thinks {
			note("the thinking level is left out: the endpoint knows no effort \"none\"")
		}
		return "", thinks
	case m.SupportsReasoningEffort != nil && !*m.SupportsReasoningEffort:
		note("the thinking level is left out: the model takes no reasoning effort")
		return "", thinks
	}
	effort = payload.Effort(w, level)
	if effort == "minimal" && b.searchesWeb() {
		effort = "low"
		note("the effort is raised from minimal to low: minimal does not go with web search")
	}
	return effort, level != payload.ThinkOff
}

// searchesWeb reports whether the service itself searches the web (W-331).
func (b *builder) searchesWeb() bool {
	for def := range b.in.Options.Tools.Elements() {
		if strings.HasPrefix(def.Object().Get("type").String(), "web_search") {
			return true
		}
	}
	return false
}

// head writes everything in front of the input (W-330…W-334, W-342, W-344).
func (b *builder) head(dst []byte) []byte {
	dst = append(dst, `{"model":`...)
	dst = jsonline.AppendQuoted(dst, b.in.Target.Model)
	dst = append(dst, `,"stream":true,"store":`...)
	dst = append(dst, jsonline.Bool(b.ids).Raw...)
	if b.codex {
		dst = b.instructions(dst)
	}
	effort, thinks := b.effort()
	if thinks || b.codex || !b.ids && b.reasons() {
		dst = append(dst, `,"include":["reasoning.encrypted_content"]`...)
	}
	if effort != "" {
		dst = jsonline.AppendQuoted(append(dst, `,"reasoning":{"effort":`...), effort)
		if effort != "none" {
			dst = append(dst, `,"summary":"auto"`...)
		}
		dst = append(dst, '}')
	}
	dst = b.limits(dst)
	if key := cacheKey(b.in.Options.SessionID); key != "" && !b.in.Policy.Wire.NoPromptCacheKey {
		dst = jsonline.AppendQuoted(append(dst, `,"prompt_cache_key":`...), key)
	}
	return b.tools(dst)
}

// reasons reports whether a reasoning item goes out.
func (b *builder) reasons() bool {
	return slices.ContainsFunc(b.items, func(it item) bool { return it.kind == reasoning })
}

// instructions writes the system prompt for the back end of ChatGPT, which
// demands one (W-342).
func (b *builder) instructions(dst []byte) []byte {
	system := payload.SystemText(b.in.Options.System)
	if system == "" {
		b.in.Report.Note("there is no system prompt: the instructions are a neutral text, which the endpoint demands")
	}
	return jsonline.AppendQuoted(append(dst, `,"instructions":`...), cmp.Or(system, texts.NeutralInstructions))
}

// limits writes the output limit, or on the back end of ChatGPT, which refuses
// one, how much the model talks (W-344, W-345).
func (b *builder) limits(dst []byte) []byte {
	if !b.codex {
		return jsonline.AppendInt(append(dst, `,"max_output_tokens":`...), int64(b.in.MaxTokens()))
	}
	if b.in.Options.MaxTokens > 0 {
		b.in.Report.Note("the output limit is left out: the endpoint takes none")
	}
	return append(dst, `,"text":{"verbosity":"low"}`...)
}

// cacheKey returns the key of the prompt cache for a session: at most 64
// characters of its id (W-332).
func cacheKey(session string) string {
	const longest = 64
	key := []rune(strings.ReplaceAll(strings.ToValidUTF8(session, ""), "\x00", ""))
	return string(key[:min(len(key), longest)])
}

// tools writes the tool definitions, sorted by name so that their order does not
// break the prompt cache (W-334).
func (b *builder) tools(dst []byte) []byte {
	type tool struct {
		name string
		raw  []byte
	}
	var list []tool
	for def := range b.in.Options.Tools.Elements() {
		named := payload.Legal(b.names.Definition(def, "name"))
		old, now := def.Object().Get("name").String(), named.Object().Get("name").String()
		if old != now {
			b.in.Report.Note(fmt.Sprintf("tool %q goes out as %q (W-176)", old, now))
		}
		list = append(list, tool{now, named.Raw})
	}
	if len(list) == 0 {
		return dst
	}
	slices.SortStableFunc(list, func(a, b tool) int { return strings.Compare(a.name, b.name) })
	for i, t := range list {
		sep := `,`
		if i == 0 {
			sep = `,"tools":[`
		}
		dst = append(append(dst, sep...), t.raw...)
	}
	dst = append(dst, ']')
	if b.codex {
		dst = append(dst, `,"tool_choice":"auto","parallel_tool_calls":true`...)
	}
	return dst
}
