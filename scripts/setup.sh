#!/usr/bin/env bash
# Installs what is missing on Debian 12, and only that.
#
#   scripts/setup.sh [GROUP...]      groups: build (the default), test, lint, fuzz, python, bench, web
#   scripts/setup.sh --list GROUP... what the groups consist of, and why; installs nothing
#
# Every make target calls this for the groups that it needs. When all is there it says nothing and takes
# a few hundredths of a second. On another system it names what to install and goes on; CMake has the
# last word on what is missing.
set -euo pipefail

# group, package, what it is for
packages() {
  cat <<'TABLE'
build g++                  the compiler
build cmake                configures the build
build ninja-build          runs the build
build pkg-config           finds libraries that come without a CMake package
build ccache               keeps compiled objects, so that a second build is quick
build mold                 links quickly
build libeigen3-dev        Eigen: matrices and factorisations
build libtbb-dev           oneTBB: threads
build libfmt-dev           fmt: text formatting
build libfast-float-dev    fast_float: exact and quick number parsing
build nlohmann-json3-dev   JSON
build zlib1g-dev           reads and writes .gz
build libzstd-dev          reads and writes .zst
build libsqlite3-dev       reads SQLite databases
build libxxhash-dev        xxHash: checksums of model files and caches
build libcli11-dev         CLI11: parses the command line
test  libgtest-dev         GoogleTest: the tests
test  librapidcheck-dev    RapidCheck: property tests
lint  clang-format-14      the formatting
lint  clang-tidy-14        static analysis
lint  shellcheck           static analysis of the scripts
fuzz  clang-14             the compiler with libFuzzer
fuzz  libclang-rt-14-dev   libFuzzer and clang's sanitizers
python python3             runs the Python package
python python3-venv        keeps its libraries in build/venv and build/venv_oldest (python/requirements*.txt)
python python3-dev         builds its extension module
bench python3              runs the comparisons
bench python3-venv         keeps the other libraries of a comparison to themselves
bench python3-dev          builds the multi-core LIBLINEAR, which has no wheel
bench r-cran-glmnet        R and glmnet, which fitting is compared with
bench python3-torch        PyTorch, which networks are compared with
web   nodejs               runs what draws reports, in its tests
web   npm                  installs what those need
web   chromium             the browser that reports are looked at in
web   fonts-dejavu-core    letters for it
TABLE
}

fail() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

list=no
if [[ ${1-} == --list ]]; then
  list=yes
  shift
fi
groups=("${@:-build}")
for group in "${groups[@]}"; do
  case $group in
    build | test | lint | fuzz | python | bench | web) ;;
    *) fail "unknown group '$group'; the groups are build, test, lint, fuzz, python, bench, web" ;;
  esac
done

chosen=$(packages | awk -v groups=" ${groups[*]} " 'index(groups, " " $1 " ")')
if [[ $list == yes ]]; then
  echo "$chosen"
  exit
fi
mapfile -t names < <(awk '{print $2}' <<<"$chosen")

# The libraries in a list, in an environment of their own; made anew when the list changes.
environment() {
  local list=$1 venv=$2
  cmp --silent "$list" "$venv/requirements.txt" && return 0
  echo "setup: installing ${list#"$PWD/"} into ${venv#"$PWD/"}"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --requirement "$list" || fail "pip could not install $list"
  cp "$list" "$venv/requirements.txt"
}

# Those of the group python: the newest that the package supports, and the oldest scikit-learn.
python_environment() {
  local root
  [[ " ${groups[*]} " == *" python "* ]] || return 0
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  environment "$root/python/requirements.txt" "$root/build/venv"
  environment "$root/python/requirements_oldest.txt" "$root/build/venv_oldest"
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  printf 'setup: not a Debian system; these are needed, under your names for them: %s\n' "${names[*]}" >&2
  python_environment
  exit
fi

# One call for all packages: those that dpkg does not know are reported on stderr and just stay absent.
installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null |
  awk '$2 == "installed" {print $1}' || true)
# Node comes with npm where it does not come from Debian.
if command -v npm >/dev/null; then installed+=$'\nnpm'; fi
missing=$(awk 'FNR == NR {have[$1]; next} !($2 in have)' <(echo "$installed") <(echo "$chosen"))
if [[ -z $missing ]]; then
  python_environment
  exit
fi
mapfile -t names < <(awk '{print $2}' <<<"$missing")

echo "setup: installing what is missing for: ${groups[*]}"
awk '{name = $2; $1 = $2 = ""; sub(/^ +/, ""); printf "  %-20s %s\n", name, $0}' <<<"$missing"

as_root=()
if [[ $(id -u) != 0 ]]; then
  command -v sudo >/dev/null ||
    fail "this needs root and there is no sudo; as root: apt-get install ${names[*]}"
  echo "setup: using sudo for apt-get"
  as_root=(sudo)
fi
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
    -o Dpkg::Use-Pty=0 "$@"
}
install() { apt install --yes --no-install-recommends "${names[@]}" >"$log" 2>&1; }

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The package lists are refreshed only when they do not do: never fetched, or too old to be served.
if ! install; then
  echo "setup: the package lists are missing or old: apt-get update"
  if ! apt update >"$log" 2>&1 || ! install; then
    cat "$log" >&2
    fail "apt-get could not install: ${names[*]}"
  fi
fi
python_environment
echo "setup: done"
