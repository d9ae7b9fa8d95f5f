package check

import (
	"fmt"
	"regexp"
)

// maxCachePoints is the number of cache points that a request may hold.
const maxCachePoints = 4

func bedrockCache(r *request) {
	points, where := 0, ""
	count := func(n node, path func() string) {
		if n.get("cachePoint").exists() {
			points, where = points+1, path()
		}
	}
	for i, t := range r.root.get("toolConfig").get("tools").elements() {
		count(t, func() string { return pointer("toolConfig", "tools", i) })
	}
	for i, s := range r.root.get("system").elements() {
		count(s, func() string { return pointer("system", i) })
	}
	for i := range r.memo.messages {
		for j := range r.memo.messages[i].blocks {
			if b := &r.memo.messages[i].blocks[j]; b.has(asCachePoint) {
				points, where = points+1, b.path()
			}
		}
	}
	if points > maxCachePoints || points > 0 && !r.memo.bedrock.caches {
		r.report("BR-19", where)
	}
}

// Limits of images and documents (BR-16, BR-17).
const (
	converseImages     = 20
	converseImageBytes = 15 << 18 // 3.75 MB
	converseImageSide  = 8000
	converseDocuments  = 5
	converseDocBytes   = 4_500_000
)

var documentName = regexp.MustCompile(`^[\pL\pN\-()\[\]]+( [\pL\pN\-()\[\]]+)*$`)

func bedrockMedia(r *request) {
	images, documents := 0, 0
	for i := range r.memo.messages {
		m := &r.memo.messages[i]
		for j := range m.blocks {
			b := &m.blocks[j]
			if b.has(asImage) {
				images++
				converseImage(r, m, b, b.path())
			}
			for k := range b.inner {
				if b.inner[k].has(asImage) {
					images++
					converseImage(r, m, &b.inner[k], b.path()+pointer("toolResult", "content", k))
				}
			}
			if !b.has(asDocument) {
				continue
			}
			doc := b.member(asDocument)
			documents++
			switch {
			case m.role != "user", base64Bytes(doc.get("source").get("bytes").text()) > converseDocBytes,
				!documentName.MatchString(doc.get("name").text()):
				r.reportText("BR-17", b.path()+"/document", Lookup("BR-17").Rule)
			case !m.holds(asText):
				r.report("BR-17", b.path()+"/document")
			}
		}
	}
	if images > converseImages {
		r.reportText("BR-16", "/messages", fmt.Sprintf("the request holds %d images", images))
	}
	if documents > converseDocuments {
		r.reportText("BR-17", "/messages", fmt.Sprintf("the request holds %d documents", documents))
	}
}

// converseImage checks one image block.
func converseImage(r *request, m *message, b *block, path string) {
	image := b.member(asImage)
	data := image.get("source").get("bytes").text()
	kind := "image/" + image.get("format").text()
	width, height := dimensions(data)
	if m.role != "user" || !image.get("source").get("s3Location").given() && sniff(data) != kind ||
		base64Bytes(data) > converseImageBytes || max(width, height) > converseImageSide {
		r.report("BR-16", path+"/image")
	}
}
