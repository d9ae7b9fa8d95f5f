package session

import (
	"maps"
	"slices"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// fileTools are the tools of agents that work on one file, and whether they
// change it (C-01).
var fileTools = map[string]bool{"read": false, "write": true, "edit": true}

// files returns what a compaction says in its details about the files that were
// read and changed in what it sums up, those of the compaction before included,
// so that a model that knows only the summary knows where to look (C-01). It does
// not exist where there is nothing to say.
func (p *CompactionPlan) files() jsonline.Object {
	changed := map[string]bool{} // by path
	if p.previous != nil {
		details := p.previous.Get("details").Object()
		for name, changes := range map[string]bool{"readFiles": false, "modifiedFiles": true} {
			for v := range details.Get(name).Elements() {
				noteFile(changed, v.String(), changes)
			}
		}
	}
	for _, list := range [][]*transcript.Message{p.Messages, p.Prefix} {
		for _, m := range list {
			for _, b := range m.Blocks() {
				if changes, ok := fileTools[strings.ToLower(b.Name())]; ok && b.IsToolCall() {
					noteFile(changed, pathOf(b), changes)
				}
			}
		}
	}
	if len(changed) == 0 {
		return jsonline.Object{}
	}
	lists := map[bool][][]byte{}
	for _, path := range slices.Sorted(maps.Keys(changed)) {
		lists[changed[path]] = append(lists[changed[path]], jsonline.Quote(path))
	}
	return jsonline.Object{}.With("readFiles", jsonline.Parse(array(lists[false]))).
		With("modifiedFiles", jsonline.Parse(array(lists[true])))
}

// noteFile notes a file, as changed if it ever was.
func noteFile(changed map[string]bool, path string, changes bool) {
	if path != "" {
		changed[path] = changed[path] || changes
	}
}

// pathOf returns the path that a call names.
func pathOf(b *transcript.Block) string {
	for _, arguments := range []string{"arguments", "input"} {
		for _, name := range []string{"path", "file_path", "filePath"} {
			if v := b.Get(arguments).Object().Get(name); v.IsString() {
				return v.String()
			}
		}
	}
	return ""
}
