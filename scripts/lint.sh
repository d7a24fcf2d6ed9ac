#!/usr/bin/env bash
# Formatting, static analysis, the scripts and the order of layers. Changes nothing.
#
#   scripts/lint.sh [FILE...]     clang-tidy on these sources only (default: all of the library and the tool)
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/stage.sh
source scripts/stage.sh

formatting() {
  find discern cli tests fuzz bench python \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
    xargs -0 clang-format-14 --dry-run -Werror
}
scripts() {
  find scripts tests .ci web/test -type f \( -name '*.sh' -o -path .ci/run \) -print0 | xargs -0 shellcheck -x
}
python_style() {
  build/venv/bin/ruff check python bench/python.py && build/venv/bin/ruff format --check python bench/python.py
}
# clang cannot read g++'s precompiled headers, so the analysis has a configuration of its own.
database() {
  cmake --preset dev -B build/lint -D CMAKE_CXX_COMPILER=clang++-14 -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    >build/lint.log 2>&1 || { cat build/lint.log && return 1; }
}
tidy() {
  printf '%s\0' "$@" |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy-14 -p build/lint --quiet --warnings-as-errors='*' 2>build/tidy.log ||
    { grep -v 'warnings generated' build/tidy.log && return 1; }
}

if (($# == 0)); then
  mapfile -t sources < <(find discern cli -name '*.cpp' | sort)
else
  sources=("$@")
fi
mkdir -p build
stage "set-up" scripts/setup.sh build test lint fuzz python
stage "formatting" formatting
stage "scripts" scripts
stage "Python" python_style
stage "layers" scripts/check_layers.sh
stage "compile database" database
stage "static analysis of ${#sources[@]} files" tidy "${sources[@]}"
all_passed
