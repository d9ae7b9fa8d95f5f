package tools

import "os/exec"

// ownGroup leaves a command as it is: the process alone ends.
func ownGroup(*exec.Cmd) {}
