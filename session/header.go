package session

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"strings"

	"hygeia/transcript"
)

// Header is the first record of a session file (F-11).
type Header struct {
	ID            string
	Version       int    // as stored, 1 when it says none; what is in memory is version 3
	Timestamp     string // as stored
	CWD           string
	ParentSession string // path of the file that this one was forked or rotated from
	// Entry is the stored header, nil when it was missing or torn and these
	// fields were derived (D-15).
	Entry *transcript.Entry
}

// isHeader reports whether e can be the header.
func isHeader(e *transcript.Entry) bool { return e.Type == transcript.EntrySession && e.ID != "" }

func readHeader(e *transcript.Entry) Header {
	h := Header{
		ID: e.ID, Version: 1, Entry: e,
		Timestamp:     e.Get("timestamp").String(),
		CWD:           e.Get("cwd").String(),
		ParentSession: e.Get("parentSession").String(),
	}
	if v := e.Get("version"); v.Exists() {
		n, _ := v.Number()
		h.Version = int(n)
	}
	return h
}

// version is the one whose rules hold for the links. One that this reader does
// not know is read as 3, or as 1 if the first record has no id.
func (h *Header) version(firstBare bool) int {
	switch v := h.Version; {
	case 1 <= v && v <= 3:
		return v
	case v < 1 && firstBare:
		return 1
	}
	return 3
}

// deriveHeader makes the header of a file that has none: its id from the file
// name, else from the first entry; its version by whether that carries an id
// (D-15, D-27).
func deriveHeader(file string, first *transcript.Entry) Header {
	h := Header{ID: idFromName(file), Version: 3, Timestamp: first.Get("timestamp").String()}
	if first.ID == "" {
		h.Version = 1
	}
	if h.ID == "" {
		sum := sha256.Sum256(first.AppendJSON(nil))
		h.ID = uuidForm(hex.EncodeToString(sum[:]))
	}
	return h
}

// uuidForm writes the first 32 of some hex digits like a UUID.
func uuidForm(d string) string {
	return strings.Join([]string{d[:8], d[8:12], d[12:16], d[16:20], d[20:32]}, "-")
}

var (
	sessionID = regexp.MustCompile(`(?i)^[a-z0-9][a-z0-9._-]{0,127}$`)
	nameStamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?Z_`)
	nameTopic = regexp.MustCompile(`-topic-.+$`)
	nameOther = regexp.MustCompile(`(?i)\.checkpoint\.[0-9a-f-]+$|\.trajectory$|\.jsonl\.corrupt-`)
)

// idFromName returns the session id in a file name of one of the spellings of
// F-02, "" if there is none.
func idFromName(file string) string {
	name, ok := strings.CutSuffix(filepath.Base(file), ".jsonl")
	if !ok || nameOther.MatchString(name) {
		return ""
	}
	name = nameTopic.ReplaceAllString(nameStamp.ReplaceAllString(name, ""), "")
	if !sessionID.MatchString(name) {
		return ""
	}
	return name
}
