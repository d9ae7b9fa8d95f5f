#!/usr/bin/env bash
# Holds the project against the official SDKs: vet and tests of this module. The
# first run downloads and compiles the SDKs, which takes some minutes.
set -euo pipefail
cd "$(dirname "$0")"

go vet ./...
go test -shuffle=on ./... "$@"
