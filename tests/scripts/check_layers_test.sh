#!/usr/bin/env bash
# The layer check passes on this tree and fails on a copy with a forbidden include planted in it.
#
#   check_layers_test.sh SOURCE_DIR SCRATCH_DIR
set -euo pipefail

source_dir=$1
scratch=$2
check=$source_dir/scripts/check_layers.sh

fail() {
  echo "FAILED: $*"
  exit 1
}

"$check" "$source_dir" || fail "the check should pass on the tree"

# plants the include into the file and expects the check to name both
expect_refused() {
  local file=$1 include=$2 reason=$3
  rm -rf "$scratch"
  mkdir -p "$scratch/cli"
  cp -r "$source_dir/discern" "$scratch/"
  mkdir -p "$(dirname "$scratch/$file")"
  printf '#include %s\n' "$include" >>"$scratch/$file"
  local said
  if said=$("$check" "$scratch"); then fail "$file may include $include"; fi
  grep -qF "$file:" <<<"$said" || fail "the file is not named in: $said"
  grep -qF "$reason" <<<"$said" || fail "'$reason' is not said in: $said"
  [[ $(wc -l <<<"$said") == 1 ]] || fail "more than the planted fault is reported: $said"
}

expect_refused discern/base/error.hpp '"discern/data/row.hpp"' "which is above it"
expect_refused discern/stats/planted.hpp '"discern/catalogue/models.hpp"' "which is above it"
expect_refused discern/io/planted.cpp '  <discern/model/linear.hpp>' "which is above it"
expect_refused discern/loss/planted.hpp '"discern/penalty/l2.hpp"' "which stands beside it"
expect_refused discern/report/planted.cpp '"cli/main.hpp"' "which is above it"
expect_refused discern/planted.hpp '"cli/main.hpp"' "which is above it"
expect_refused discern/data/planted.cpp '"../base/error.hpp"' "by a relative path"
expect_refused discern/novelty/planted.cpp '<vector>' "has no place in the order"

rm -rf "$scratch"
echo "passed"
