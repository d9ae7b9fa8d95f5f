package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// table prints rows in columns under a head. Cells are made safe; the last
// column is not padded.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) {
	for i := range cells {
		cells[i] = safe(cells[i])
	}
	t.rows = append(t.rows, cells)
}

// gap is what stands between two columns.
const gap = 2

// print writes the table for a terminal of that width, 0 for no terminal: then
// nothing is cut.
func (t *table) print(w io.Writer, width int) {
	lines := append([][]string{t.head}, t.rows...)
	columns := make([]int, len(t.head))
	for _, cells := range lines {
		for i, cell := range cells {
			columns[i] = max(columns[i], utf8.RuneCountInString(cell))
		}
	}
	if width > 0 {
		narrow(columns, width)
	}
	for _, cells := range lines {
		var b strings.Builder
		for i, cell := range cells {
			cell = cut(cell, columns[i])
			b.WriteString(cell)
			if i < len(cells)-1 {
				b.WriteString(strings.Repeat(" ", columns[i]-utf8.RuneCountInString(cell)+gap))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// narrow takes from the widest column until all fit into width, as far as that
// leaves something to read.
func narrow(columns []int, width int) {
	total := gap * (len(columns) - 1)
	for _, c := range columns {
		total += c
	}
	for ; total > width; total-- {
		widest := slices.Index(columns, slices.Max(columns))
		if columns[widest] <= 12 {
			return
		}
		columns[widest]--
	}
}

// cut shortens a text to n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// plural returns "1 change", "2 changes".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
