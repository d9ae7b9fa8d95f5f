package payload

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
)

// illegalFlags mark strings whose bytes no provider takes (W-120, W-955).
const illegalFlags = jsonline.FlagLoneSurrogate | jsonline.FlagInvalidUTF8 | jsonline.FlagNUL

// IsLegal reports whether a string value goes out as it was spelled.
func IsLegal(v jsonline.Value) bool { return v.Flags&illegalFlags == 0 }

// Blank reports whether a string is blank in the spelling in which it goes out.
func Blank(v jsonline.Value) bool {
	return v.Blank() || v.Flags&jsonline.FlagNUL != 0 && Legal(v).Blank()
}

// Legal returns v in a spelling that a provider takes. That is v itself, unless
// it holds a lone surrogate or U+0000, which are left out, or bytes that are not
// UTF-8, which become U+FFFD (W-120, W-955).
func Legal(v jsonline.Value) jsonline.Value {
	switch v.Kind {
	case jsonline.String:
		if !IsLegal(v) {
			return jsonline.Text(strings.ReplaceAll(v.String(), "\x00", ""))
		}
	case jsonline.ObjectKind, jsonline.Array:
		if bytes.Contains(v.Raw, []byte(`\u`)) || !utf8.Valid(v.Raw) {
			return legalContainer(v)
		}
	}
	return v
}

// legalContainer replaces the illegal names and strings in an object or array.
func legalContainer(v jsonline.Value) jsonline.Value {
	var s jsonline.Scanner
	if s.ScanAll(v.Raw, jsonline.Options{Depth: jsonline.DefaultMaxDepth, InvalidUTF8: true}) != nil {
		return v
	}
	var out []byte
	from := uint32(0)
	replace := func(start, end uint32, legal jsonline.Value) {
		out = append(append(out, v.Raw[from:start]...), legal.Raw...)
		from = end
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		// Nodes say of a name only that it holds an escape.
		if raw := v.Raw[n.NameStart:n.NameEnd]; n.Flags&jsonline.FlagNameEscaped != 0 || !utf8.Valid(raw) {
			if name := jsonline.Parse(v.Raw[n.NameStart-1 : n.NameEnd+1]); !IsLegal(name) {
				replace(n.NameStart-1, n.NameEnd+1, Legal(name))
			}
		}
		if n.Kind == jsonline.String && n.Flags&illegalFlags != 0 {
			replace(n.Start, n.End, Legal(s.Value(i, v.Raw)))
		}
	}
	if from == 0 {
		return v
	}
	return jsonline.Value{Raw: append(out, v.Raw[from:]...), Kind: v.Kind}
}

// AppendText appends a string value as it was spelled, made legal.
func AppendText(dst []byte, v jsonline.Value) []byte { return append(dst, Legal(v).Raw...) }

// Join returns the texts joined by newlines, each as it was spelled. One text
// alone is returned as it is; no text gives an absent value.
func Join(list []jsonline.Value) jsonline.Value {
	if len(list) < 2 {
		if len(list) == 0 {
			return jsonline.Value{}
		}
		return list[0]
	}
	size := 0
	for _, v := range list {
		size += len(v.Raw)
	}
	joined := jsonline.Value{Raw: make([]byte, 0, size+1), Kind: jsonline.String, Flags: jsonline.FlagEscaped}
	for i, v := range list {
		v = Legal(v)
		if i > 0 {
			joined.Raw = append(joined.Raw, `\n`...)
		} else {
			joined.Raw = append(joined.Raw, '"')
		}
		joined.Raw = append(joined.Raw, v.Raw[1:len(v.Raw)-1]...)
		joined.Flags |= v.Flags
	}
	joined.Raw = append(joined.Raw, '"')
	return joined
}

// SplitSystem divides a system prompt at its cache boundary into a part that
// stays and a part that changes from request to request (W-123). Without a
// boundary all of it stays. Further boundaries are taken out. A blank part is
// "".
func SplitSystem(system string) (stable, dynamic string) {
	system = strings.ReplaceAll(strings.ToValidUTF8(system, ""), "\x00", "")
	stable, dynamic, found := strings.Cut(system, texts.CacheBoundary)
	if found {
		stable, dynamic = strings.TrimSuffix(stable, "\n"), strings.TrimPrefix(dynamic, "\n")
	}
	return part(stable), part(dynamic)
}

// part takes further boundaries out, and those that come about by that.
func part(s string) string {
	for strings.Contains(s, texts.CacheBoundary) {
		s = strings.ReplaceAll(s, "\n"+texts.CacheBoundary+"\n", "\n")
		s = strings.ReplaceAll(s, texts.CacheBoundary, "")
	}
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// SystemText returns a system prompt for a format without cache markers: a
// boundary becomes one newline (W-123). Blank: "".
func SystemText(system string) string {
	stable, dynamic := SplitSystem(system)
	switch {
	case stable == "":
		return dynamic
	case dynamic == "":
		return stable
	}
	return stable + "\n" + dynamic
}

// Unbounded returns the text or the list of parts with texts that a system
// message of a request holds, without marks of a cache boundary (W-123). What
// holds none is returned as it is.
func Unbounded(content jsonline.Value) jsonline.Value {
	if !bytes.Contains(content.Raw, []byte(texts.CacheBoundary)) {
		return content
	}
	if content.IsString() {
		return jsonline.Text(SystemText(content.String()))
	}
	list, _ := content.MapElements(func(part jsonline.Value) jsonline.Value {
		if text := part.Object().Get("text"); strings.Contains(text.String(), texts.CacheBoundary) {
			return part.Object().With("text", jsonline.Text(SystemText(text.String()))).Value()
		}
		return part
	})
	return list
}
