#!/usr/bin/env bash
# Fails when a file of the library includes something above its own layer.
#
#   scripts/check_layers.sh [ROOT]     ROOT: the repository, by default the one this script is in
#
# Includes go only leftwards; a layer may include itself. Layers that share a level (separated by a
# comma) must not include each other. A folder of discern/ that is missing here is an error too, so that
# a new layer gets a place on purpose.
set -euo pipefail

order="base < options < data < io < stats < cluster < transform < loss, penalty, kernel < optim < model < multiclass"
order+=" < evaluate < persist < catalogue < report < api < cli"

root=${1:-$(dirname "$0")/..}
cd "$root"

# shellcheck disable=SC2016  # the program is awk's
find discern cli -type f \( -name '*.hpp' -o -name '*.cpp' \) | sort | xargs awk -v order="$order" '
# The layer of a path such as discern/io/csv/csv.hpp or cli/shell/main.cpp. Files directly in discern/ (an umbrella
# header, the precompiled one) belong to none.
function layer_of(path, parts, n) {
  n = split(path, parts, "/")
  if (parts[1] == "cli") return "cli"
  return parts[1] == "discern" && n > 2 ? parts[2] : ""
}
function complain(text) {
  printf "%s:%d: %s\n", FILENAME, FNR, text
  faults++
}
BEGIN {
  gsub(/ /, "", order)
  levels = split(order, level, "<")
  for (i = 1; i <= levels; i++) {
    count = split(level[i], names, ",")
    for (j = 1; j <= count; j++) height[names[j]] = i
  }
}
FNR == 1 {
  files++
  mine = layer_of(FILENAME)
  if (mine != "" && !(mine in height)) {
    complain("the folder discern/" mine " has no place in the order of layers")
    mine = ""
  }
}
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
  path = $0
  sub(/^[^"<]*["<]/, "", path)
  sub(/[">].*/, "", path)
  if (path ~ /^\.\.?\//) complain("includes \"" path "\" by a relative path; name it from the root")
  theirs = layer_of(path)
  if (theirs == "" || theirs == mine) next
  if (!(theirs in height))
    complain("includes " path ", whose layer has no place in the order")
  else if (mine == "" ? theirs == "cli" : height[theirs] > height[mine])
    complain((mine == "" ? "discern" : mine) " includes " path ", which is above it")
  else if (mine != "" && height[theirs] == height[mine])
    complain(mine " includes " path ", which stands beside it")
}
END {
  if (faults) exit 1
  printf "layers: %d files, no upward include\n", files
}'
