package session

import "path/filepath"

// log tells the log what became of a repair (F-61). That there is no file, or no
// record in it, is no news.
func (j *repair) log() {
	r := j.report
	switch {
	case r.Repaired:
		j.Log.Debug("session file repaired", "file", filepath.Base(r.File), "did", r.Counters())
	case r.Reason != "" && r.Reason != missingFile && r.Reason != emptyFile:
		j.Log.Warn("session file not repaired", "file", filepath.Base(r.File), "reason", r.Reason)
	}
	if r.BackupPath != "" && !j.KeepBackup {
		j.Log.Debug("backup not removed", "file", filepath.Base(r.BackupPath))
	}
}
