#!/usr/bin/env bash
# Holds the project against the official SDKs. The first run downloads 34 MB and
# compiles the SDKs, which takes minutes; later runs take seconds. Where go asks
# for updates to go.mod, the project got other dependencies: run go mod tidy here.
set -euo pipefail
cd "$(dirname "$0")"

go test -vet=all -shuffle=on ./... "$@"
