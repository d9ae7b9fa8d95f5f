// Package tui is the chat in a terminal.
package tui

import (
	_ "charm.land/bubbles/v2/textarea"
	_ "charm.land/bubbletea/v2"
	_ "charm.land/lipgloss/v2"
)
