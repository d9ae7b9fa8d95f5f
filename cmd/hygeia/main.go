// Command hygeia keeps the transcripts of LLM agents healthy.
package main

import (
	"os"

	"hygeia/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
