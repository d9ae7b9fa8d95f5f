#!/usr/bin/env bash
# Runs every check of the project: format, vet, staticcheck, build for all
# platforms, tests with the race detector in random order, properties on
# generated transcripts, and each fuzz target for a moment.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }
tool() { go tool -modfile=tools/go.mod "$@"; }

step format
unformatted=$(tool gofumpt -l .)
if [ -n "$unformatted" ]; then
	printf 'not formatted:\n%s\n' "$unformatted"
	exit 1
fi

step vet
go vet ./...

step staticcheck
tool staticcheck ./...

step build for every platform
for os in linux darwin windows; do
	for arch in amd64 arm64; do
		CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -o /dev/null ./cmd/hygeia
	done
done

step tests
# The race detector needs cgo and a C compiler; without one the tests run plain.
race=-race
command -v "$(go env CC)" >/dev/null || race=
go test $race -shuffle=on ./...

step properties on generated transcripts
go test -run Property -shuffle=on . ./session -rapid.checks="${HYGEIA_CHECKS:-20000}"

step fuzz targets
for pkg in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$pkg" | grep '^Fuzz' || true); do
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${HYGEIA_FUZZTIME:-5s}" "$pkg"
	done
done
