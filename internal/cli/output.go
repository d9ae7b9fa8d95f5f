package cli

import (
	"bytes"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

// output holds the flags that say where and in which form a command prints its
// answer.
type output struct {
	json bool
	path string
}

func (o *output) flags(c *cobra.Command) {
	c.Flags().BoolVar(&o.json, "json", false, "print JSON")
	o.pathFlag(c)
}

func (o *output) pathFlag(c *cobra.Command) {
	c.Flags().StringVarP(&o.path, "output", "o", "", "write to `FILE` what would go to standard output")
}

// named says whether -o names a file: - is standard output here as it is standard
// input elsewhere.
func (o *output) named() bool { return o.path != "" && o.path != "-" }

// terminal returns the width of the terminal that the output goes to, 0 when it
// goes elsewhere.
func (a *app) terminal(o *output) int {
	if o.named() {
		return 0
	}
	return terminalWidth(a.stdout)
}

// show prints an answer: v as JSON for programs, or what text writes for a
// terminal of that width (0: no terminal).
func (a *app) show(o *output, v any, text func(w io.Writer, width int)) error {
	var b bytes.Buffer
	if !o.json {
		text(&b, a.terminal(o))
		return a.write(o, b.Bytes())
	}
	line, err := jsonLine(v)
	if err != nil {
		return err
	}
	return a.write(o, line)
}

// write prints to the file named by -o, or to standard output.
func (a *app) write(o *output, data []byte) error {
	if o.named() {
		return os.WriteFile(o.path, data, 0o600)
	}
	_, err := a.stdout.Write(data)
	return err
}

// jsonLine returns v as one line of JSON that is safe to show.
func jsonLine(v any) ([]byte, error) {
	text, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, err
	}
	return append(safeJSON(text), '\n'), nil
}

// terminalWidth returns the width of a terminal in columns, 0 for what is none.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	columns, ok := columns(f)
	if !ok {
		return 0
	}
	if columns == 0 {
		return 80 // one that does not say
	}
	return columns
}
