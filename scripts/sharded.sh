# Sourced by the other scripts: sharded PROGRAM [ARGUMENT...] runs the tests of a GoogleTest program in as many
# processes as there are cores. A process a test, as ctest has it, takes longer to start than most of the tests to run.
# shellcheck shell=bash

sharded() {
  local shards status=0 jobs=() logs
  shards=$(nproc)
  logs=$(mktemp -d)
  for ((k = 0; k < shards; ++k)); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$k "$@" >"$logs/$k" 2>&1 &
    jobs+=($!)
  done
  for ((k = 0; k < shards; ++k)); do
    if wait "${jobs[k]}"; then
      tail -n 1 "$logs/$k"
    else
      status=1
      # What went before an expectation that failed, or the test that the program ended in.
      grep -v '^\[ *\(RUN\|OK\|-*\) *\]' "$logs/$k" || true
      tail -n 2 "$logs/$k"
    fi
  done
  rm -r "$logs"
  return $status
}
