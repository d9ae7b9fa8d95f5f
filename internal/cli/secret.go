package cli

import (
	"cmp"
	"fmt"
	"os"
	"strings"
)

// maxSecret is how many bytes of a file with a secret are read.
const maxSecret = 64 << 10

// secret returns the token of --token or --token-file, else of the file that a
// configuration names, else of the environment.
func secret(token, file, configured string) (string, error) {
	switch name := cmp.Or(file, configured); {
	case token != "" && file != "":
		return "", usage("--token and --token-file: only one of them")
	case token != "":
		return token, nil
	case name != "":
		return readSecret(name)
	}
	return os.Getenv("HYGEIA_TOKEN"), nil
}

// readSecret returns what a file holds, without the white space around it.
func readSecret(name string) (string, error) {
	text, err := readUpTo(name, maxSecret)
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(string(text))
	if secret == "" {
		return "", fmt.Errorf("%s: holds no secret", name)
	}
	return secret, nil
}
