# Sourced by the other scripts: stage TITLE COMMAND... says what starts and how long it took, and ends the
# script with a clear last line when it fails.
# shellcheck shell=bash

started=$SECONDS
program=$(basename "$0" .sh)

if [[ -t 1 ]]; then
  bold=$'\e[1m' plain=$'\e[0m'
else
  bold='' plain=''
fi

stage() {
  local title=$1 begun=$SECONDS
  shift
  printf '\n%s== %s%s\n' "$bold" "$title" "$plain"
  if ! "$@"; then
    printf '\n%s%s: FAILED: %s%s\n' "$bold" "$program" "$title" "$plain"
    exit 1
  fi
  printf -- '-- %s: %d s\n' "$title" $((SECONDS - begun))
}

all_passed() {
  printf '\n%s%s: all passed in %d s%s\n' "$bold" "$program" $((SECONDS - started)) "$plain"
}
