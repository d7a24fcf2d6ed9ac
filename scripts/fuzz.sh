#!/bin/sh
# Builds every fuzz target (address and undefined-behaviour sanitizers) and runs each for some seconds,
# two at a time, from its seeds in fuzz/corpus. Fails on any finding and says where the input is.
#
#   scripts/fuzz.sh SECONDS [TARGET...]      for example: scripts/fuzz.sh 300 libsvm npy
set -eu
cd "$(dirname "$0")/.."
seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
shift
build=build/fuzz
mkdir -p "$build"
cmake --preset fuzz >"$build/configure.log" 2>&1 || { cat "$build/configure.log" >&2; exit 1; }
if [ $# -gt 0 ]; then
  targets=$*
else
  targets=$(sed -n 's/^add_fuzzer(\(.*\))$/\1/p' fuzz/CMakeLists.txt)
fi
for name in $targets; do programs="${programs:-} ${name}_fuzz"; done
# shellcheck disable=SC2086
cmake --build "$build" --target $programs

fuzz_one() {
  name=$1
  found=$build/corpus/$name
  mkdir -p "$found" "$build/findings"
  log=$build/findings/$name.log
  if "$build/fuzz/${name}_fuzz" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=65536 \
    -print_final_stats=1 -artifact_prefix="$build/findings/$name-" "$found" "fuzz/corpus/$name" >"$log" 2>&1; then
    echo "$name: clean, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
  else
    echo "$name: FAILED, see $log"
    tail -n 40 "$log"
    return 1
  fi
}

status=0
first=
for name in $targets; do
  fuzz_one "$name" &
  if [ -z "$first" ]; then
    first=$!
    continue
  fi
  wait "$first" || status=1
  first=$!
done
[ -z "$first" ] || wait "$first" || status=1
exit $status
