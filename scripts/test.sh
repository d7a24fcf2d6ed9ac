#!/usr/bin/env bash
# Everything that must hold before a commit, from a fresh clone, in about 15 minutes on 2 cores.
#
# The release build runs every test: the library's, the tool's, the layer check and a program that uses the
# installed package. Then the library's tests run again under the address and undefined-behaviour sanitizers,
# and each fuzz target for a few seconds, from one build; then those that use threads under the thread
# sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/stage.sh
source scripts/stage.sh

fuzz_seconds=${FUZZ_SECONDS:-5}
# Of the tests that the thread sanitizer's build holds, those that say in their name that they are about threads.
threaded='*Thread*:Fold.*'

stage "set-up" scripts/setup.sh build test fuzz
stage "build" scripts/build.sh release
stage "tests" ctest --test-dir build/release --output-on-failure -j "$(nproc)"
stage "build with address and undefined-behaviour sanitizers" scripts/build.sh fuzz discern_tests fuzzers
stage "tests with address and undefined-behaviour sanitizers" build/fuzz/tests/discern_tests --gtest_brief=1
stage "fuzzing, $fuzz_seconds s a target" scripts/fuzz.sh "$fuzz_seconds"
stage "build with thread sanitizer" scripts/build.sh tsan discern_tests
stage "tests with thread sanitizer" build/tsan/tests/discern_tests --gtest_brief=1 --gtest_filter="$threaded"
all_passed
