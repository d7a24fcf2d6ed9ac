#!/usr/bin/env bash
# The library's tests under the address and undefined-behaviour sanitizers (the build that the fuzz targets
# share), and those that use threads under the thread sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/stage.sh
source scripts/stage.sh

# Of the tests that the thread sanitizer's build holds, those that say in their name that they are about threads.
# The kernel perceptron of several blocks takes minutes here (all pairs of rows); it goes through the same test
# with the other sanitizers.
threaded='*Thread*:Fold.*:-*kernel_perceptron'

# The tests in as many processes as there are cores.
sharded() {
  local shards status=0 jobs=()
  shards=$(nproc)
  for ((k = 0; k < shards; ++k)); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$k "$@" &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do wait "$job" || status=1; done
  return $status
}

stage "set-up" scripts/setup.sh build test fuzz
stage "build with address and undefined-behaviour sanitizers" scripts/build.sh fuzz discern_tests
stage "tests with address and undefined-behaviour sanitizers" sharded build/fuzz/tests/discern_tests --gtest_brief=1
stage "build with thread sanitizer" scripts/build.sh tsan discern_tests
stage "tests with thread sanitizer" build/tsan/tests/discern_tests --gtest_brief=1 --gtest_filter="$threaded"
all_passed
