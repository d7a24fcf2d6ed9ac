#!/usr/bin/env bash
# Everything that must hold before a commit, from a fresh clone, in about 25 minutes on 2 cores: every test of the
# library, of the tool and of the Python package, the layer check, a program that uses the installed package, the pages
# of reports in a browser, and a few seconds of each fuzz target under the address and undefined-behaviour sanitizers.
#
# scripts/sanitize.sh runs the library's tests under the sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/stage.sh
source scripts/stage.sh
# shellcheck source=scripts/sharded.sh
source scripts/sharded.sh

fuzz_seconds=${FUZZ_SECONDS:-3}

stage "set-up" scripts/setup.sh build test fuzz web python
stage "build" scripts/build.sh release
stage "tests of the library" sharded build/release/tests/discern_tests
stage "tests of the tool and of the package" ctest --test-dir build/release --label-exclude library \
  --output-on-failure -j "$(nproc)"
stage "tests of the Python package" scripts/python.sh test
stage "the page of reports" scripts/web.sh check
stage "reports in a browser" scripts/web.sh pages build/release/cli/discern
stage "build of the fuzz targets" scripts/build.sh fuzz fuzzers
stage "fuzzing, $fuzz_seconds s a target" scripts/fuzz.sh "$fuzz_seconds"
all_passed
