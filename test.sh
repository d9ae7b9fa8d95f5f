#!/usr/bin/env bash
# Runs every check of the project: format, vet, staticcheck, build for all
# platforms, tests with the race detector in random order, the official SDKs of
# the providers, properties on generated transcripts, and each fuzz target for a
# moment. HYGEIA_CHECKS sets the number of generated transcripts, HYGEIA_FUZZTIME
# how long a target runs: a number of inputs as 2000x, or a time. RAPID_SEED says
# where generation begins, 0 for anywhere: without it each state of the sources has a
# place of its own, so that what failed once fails again until it is mended.
set -euo pipefail
cd "$(dirname "$0")"

tree=$(git rev-parse 'HEAD^{tree}' 2>/dev/null || echo 1)
export RAPID_SEED=${RAPID_SEED:-$((16#${tree:0:15}))}
echo "RAPID_SEED=$RAPID_SEED"

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
# The command line and the cases from outside start processes and replay; what they
# use at the same time is raced in its own packages.
outside='/(internal/cli|acceptance)$'
# shellcheck disable=SC2046 # lists of packages
go test $race -shuffle="$RAPID_SEED" -skip '^TestLinear$' $(go list ./... | grep -Ev "$outside")
# shellcheck disable=SC2046
go test -shuffle="$RAPID_SEED" -skip '^TestLinear$' $(go list ./... | grep -E "$outside")

# go test lists names of all packages, the package behind its own.
names=$(go test -list '^Fuzz|^TestProperty|^TestLinear$' ./...)
having() { awk -v name="^$1" '$0 ~ name { found = 1 } /^ok/ { if (found) print $2; found = 0 }' <<<"$names"; }

step large pictures, bombs and their memory
# The race detector takes ten times as long for pixels, and memory of its own.
go test -shuffle="$RAPID_SEED" ./imaging ./hygiene/passes/images

step official SDKs
# A module of its own. Its first run downloads and compiles them.
conformance/test.sh

step time in proportion to the input
# One package after the other and without the race detector, which would be what
# is measured.
# shellcheck disable=SC2046 # a list of packages
go test -p 1 -run '^TestLinear$' $(having TestLinear)

step properties on generated transcripts
# The whole engine gets most of the checks, in internal/measure each at three
# targets with check and emulator as witnesses; each part of it gets a tenth.
checks=${HYGEIA_CHECKS:-20000}
go test -run Property -skip '^TestPropertyGrown$' -shuffle="$RAPID_SEED" . ./internal/measure -rapid.checks="$checks"
# shellcheck disable=SC2046 # a list of packages
go test -run Property -skip '^TestPropertyRepairDamage$' -shuffle="$RAPID_SEED" $(having TestProperty | grep / | grep -v /measure) -rapid.checks="$((checks / 10))"
# Damaged session files get half of them: what a repair takes away nobody gets back.
# So do sessions that grow between replays: a check of them is a dozen replays.
go test -run '^TestProperty(RepairDamage|Grown)$' . ./session -rapid.checks="$((checks / 2))"

step session files as often and as large as their guarantees are stated for
# 1 000 killed repairs, 10 000 entries of two processes under repair, 100 MB.
HYGEIA_FULL=1 go test -run '^(TestRepairKilled|TestThreeProcesses|TestRepairMemory)$' ./session

step ten thousand requests and no goroutine left
HYGEIA_REQUESTS=10000 go test -run '^TestNoGoroutineStays$' ./proxy

step what the Docker file builds
HYGEIA_FULL=1 go test -run '^TestDockerfileBuilds$' ./proxy/endtoend

step fuzz targets
awk '/^Fuzz/ { targets[++n] = $1 } /^ok/ { for (; n; n--) print targets[n], $2 }' <<<"$names" |
	while read -r target package; do
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${HYGEIA_FUZZTIME:-2000x}" -fuzzminimizetime 10x "$package" </dev/null
	done
