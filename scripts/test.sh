#!/usr/bin/env bash
# Everything that must hold before a commit, from a fresh clone, in about 13 minutes on 2 cores: every test
# of the library and of the tool, the layer check, a program that uses the installed package, and a few seconds
# of each fuzz target under the address and undefined-behaviour sanitizers.
#
# scripts/sanitize.sh runs the library's tests under the sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/stage.sh
source scripts/stage.sh

fuzz_seconds=${FUZZ_SECONDS:-3}

stage "set-up" scripts/setup.sh build test fuzz
stage "build" scripts/build.sh release
stage "tests" ctest --test-dir build/release --output-on-failure -j "$(nproc)"
stage "build of the fuzz targets" scripts/build.sh fuzz fuzzers
stage "fuzzing, $fuzz_seconds s a target" scripts/fuzz.sh "$fuzz_seconds"
all_passed
