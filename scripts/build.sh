#!/usr/bin/env bash
# Configures a preset of CMakePresets.json if that has not been done, and builds targets (default: all).
#
#   scripts/build.sh PRESET [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "building build/$preset"
cmake --preset "$preset" >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}
cmake --build "build/$preset" ${1+--target "$@"}
