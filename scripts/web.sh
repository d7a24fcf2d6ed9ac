#!/usr/bin/env bash
# The page that draws reports (web/), and the reports themselves in a real browser.
#
#   scripts/web.sh build                  bundle web/src into web/dist, which is kept in the repository
#   scripts/web.sh check                  types, unit tests, and that web/dist is what web/src gives
#   scripts/web.sh pages PROGRAM [DIR]    write a page of every command with PROGRAM, and look at them in Chromium;
#                                         DIR keeps pictures of all figures
#   scripts/web.sh looks PROGRAM [DIR]    the same, light and dark at both widths
#   scripts/web.sh gallery PROGRAM        draw the pictures of docs/gallery.md anew
#
# What is needed from npm is installed into web/node_modules when it is missing or not what the lock file says.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/../web"

# A path as the caller means it.
path_of() { (cd "$caller" && realpath -m "$1"); }

install() {
  local stamp=node_modules/.installed
  if [[ -f $stamp ]] && cmp -s package-lock.json "$stamp"; then return; fi
  npm ci --silent
  cp package-lock.json "$stamp"
}

check() {
  npx tsc --noEmit
  node --test test/unit/*.test.mjs
  local fresh status=0
  fresh=$(mktemp -d)
  node build.mjs "$fresh"
  diff -rq "$fresh" dist || status=1
  rm -r "$fresh"
  ((status == 0)) || {
    echo "web: web/dist is not what web/src gives; run scripts/web.sh build and commit it" >&2
    return 1
  }
}

# pages [--all-looks] PROGRAM [DIR]
pages() {
  local program dir keep=() looks=()
  if [[ $1 == --all-looks ]]; then
    looks=("$1")
    shift
  fi
  program=$(path_of "$1")
  if [[ -n ${2-} ]]; then
    mkdir -p "$(path_of "$2")"
    keep=(--shots "$(path_of "$2")")
  fi
  dir=$(mktemp -d)
  local status=0
  { ./test/browser/pages.sh "$program" "$dir" && node test/browser/run.mjs "${looks[@]}" "${keep[@]}" "$dir"/*.html; } || status=1
  rm -r "$dir"
  return $status
}

gallery() {
  local program dir
  program=$(path_of "$1")
  dir=$(mktemp -d)
  ./test/browser/pages.sh "$program" "$dir"
  node test/browser/gallery.mjs "$dir/pictures" "$dir"/{demo-all,fit-iris,fit-iris-logistic,fit-pima,fit-digits,evaluate-pima,path-diabetes,compare-pima}.html
  grep -o 'gallery/[A-Za-z0-9-]*\.png' ../docs/gallery.md | sort -u | while read -r picture; do
    cp "$dir/pictures/$(basename "$picture")" "../docs/$picture"
  done
  rm -r "$dir"
}

task=${1-}
[[ $task ]] && shift
case $task in
  build) install && node build.mjs ;;
  check) install && check ;;
  pages) install && pages "$@" ;;
  looks) install && pages --all-looks "$@" ;;
  gallery) install && gallery "$@" ;;
  *)
    echo "web: expected build, check, pages, looks or gallery, got '$task'" >&2
    exit 2
    ;;
esac
