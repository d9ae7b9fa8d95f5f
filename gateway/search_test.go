package gateway

import (
	"fmt"
	"strings"
	"testing"
)

// H-B18, X-B01: texts are searched as they are shown, in a session and in all of them.
func TestSearch(t *testing.T) {
	b := newBench(t, nil, nil)
	lines := turns(300)
	lines[6] = strings.Replace(lines[6], `"content":"7"`, `"content":"`+wrapped+strings.Repeat("much before ", 20)+`the ROSES need İ water `+strings.Repeat("and more ", 50)+`"`, 1)
	lines[200] = strings.Replace(lines[200], `"content":"201"`, `"content":"roses\u202e again"`, 1)
	b.file("garden", lines...)
	b.file("other", turns(1)...)
	b.session("roses of the title")
	var found struct {
		Matches []match
		Total   int
	}
	b.want(200, "GET", "/sessions/garden/search?text=Roses", "", &found)
	if found.Total != 2 || len(found.Matches) != 2 || found.Matches[0].ID != "e201" || found.Matches[0].Excerpt != "roses again" || found.Matches[1].ID != "e7" || found.Matches[1].Seq != 7 {
		t.Fatalf("%+v", found)
	}
	if e := found.Matches[1].Excerpt; !strings.Contains(e, "the ROSES need") || len([]rune(e)) > longestExcerpt || !strings.HasSuffix(e, "…") {
		t.Errorf("%q", e)
	}
	b.want(200, "GET", "/sessions/garden/search?text=roses&limit=1", "", &found)
	if found.Total != 2 || len(found.Matches) != 1 {
		t.Errorf("%+v", found)
	}
	for _, text := range []string{"HIDDEN", "nothing"} {
		b.want(200, "GET", "/sessions/garden/search?text="+text, "", &found)
		if found.Total != 0 {
			t.Errorf("%s: %+v", text, found)
		}
	}
	for _, query := range []string{"", "text=", "text=a&limit=0"} {
		b.want(400, "GET", "/sessions/garden/search?"+query, "", nil)
	}
	for query, want := range map[string]string{"search=ROSES": "roses of the title", "search=ROSES&texts=true": "garden roses of the title", "search=hidden&texts=true": "", "texts=true": "garden other roses of the title"} {
		var l listAnswer
		b.want(200, "GET", "/sessions?"+query, "", &l)
		keys := map[string]bool{}
		for _, r := range l.Sessions {
			keys[r.Key] = true
		}
		var got []string
		for _, key := range []string{"garden", "other", "roses of the title"} {
			if keys[key] {
				got = append(got, key)
			}
		}
		if fmt.Sprint(strings.Join(got, " ")) != want || l.Total != len(got) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	b.want(400, "GET", "/sessions?texts=true", "", nil, "Accept", "text/event-stream")
}
