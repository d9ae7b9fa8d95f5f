package check

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// Limits of file 90 §1.5.
const (
	anthropicImages100 = 100
	anthropicImageText = 10 << 20
	anthropicBody      = 32 << 20

	anthropicSide       = 8000
	anthropicMany       = 20 // more images than that make the next limit hold
	anthropicSideOfMany = 2000
)

func anthropicImages(r *request) {
	var list []located
	for i := range r.memo.messages {
		for j := range r.memo.messages[i].blocks {
			b := &r.memo.messages[i].blocks[j]
			if b.typ == "image" {
				list = append(list, located{b.node, b.path()})
			}
			for k := range b.inner {
				if b.inner[k].typ == "image" {
					list = append(list, located{b.inner[k].node, b.path() + pointer("content", k)})
				}
			}
		}
	}
	side := anthropicSide
	if len(list) > anthropicMany {
		side = anthropicSideOfMany
	}
	for _, b := range list {
		anthropicImage(r, b, side)
	}
	if len(list) > anthropicImages100 {
		r.report("AN-45", "/messages")
	}
	if len(r.root.b.src) > anthropicBody {
		r.report("AN-46", "")
	}
}

// located is a value and where it stands.
type located struct {
	node
	path string
}

// anthropicImage checks one image block. side is the most pixels that it may
// have in a row or column.
func anthropicImage(r *request, b located, side int) {
	source, path := b.get("source"), b.path
	if !source.get("type").is("base64") {
		return
	}
	declared, data := source.get("media_type").text(), source.get("data").text()
	switch declared {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
	default:
		r.report("AN-40", path+"/source/media_type")
		return // the schema decides
	}
	if len(data) > anthropicImageText {
		r.report("AN-44", path+"/source/data", "X bytes", fmt.Sprintf("%d bytes", len(data)))
	}
	switch kind := sniff(data); {
	case kind == "":
		r.report("AN-42", path+"/source/data")
	case kind != declared:
		r.report("AN-41", path+"/source/media_type", "image/png", declared)
	}
	if width, height := dimensions(data); max(width, height) > side {
		r.report("AN-43", path+"/source/data", "8000 pixels", fmt.Sprintf("%d pixels", side))
	}
}

// sniff returns the media type of a picture in base64 by its first bytes, "" if
// it is none or no base64.
func sniff(data string) string {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return ""
	}
	s := string(raw[:min(len(raw), 16)])
	switch {
	case strings.HasPrefix(s, "\xff\xd8\xff"):
		return "image/jpeg"
	case strings.HasPrefix(s, "\x89PNG\r\n\x1a\n"):
		return "image/png"
	case strings.HasPrefix(s, "GIF8"):
		return "image/gif"
	case len(s) >= 12 && s[:4] == "RIFF" && s[8:12] == "WEBP":
		return "image/webp"
	}
	return ""
}
