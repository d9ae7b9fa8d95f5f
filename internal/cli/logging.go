package cli

import (
	"fmt"
	"log/slog"
	"strings"
)

// levels are the values of logging.level. Without one, and with the ones above
// error, nothing is logged: commands tell people what became of a file anyway.
var levels = map[string]slog.Level{
	"error": slog.LevelError, "warn": slog.LevelWarn, "info": slog.LevelInfo, "debug": slog.LevelDebug, "trace": slog.LevelDebug,
}

// log returns what takes the lines about repairs of session files (F-61) and writes
// them to standard error, nil where the configuration asks for none.
func (a *app) log() (*slog.Logger, error) {
	c, path, err := readConfig()
	if err != nil {
		return nil, err
	}
	level, ok := levels[strings.ToLower(c.Logging.Level)]
	switch {
	case ok:
		return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level})), nil
	case c.Logging.Level == "", c.Logging.Level == "silent", c.Logging.Level == "fatal":
		return nil, nil
	}
	return nil, fmt.Errorf("%s: logging.level is %q: expected silent, error, warn, info or debug", path, c.Logging.Level)
}
