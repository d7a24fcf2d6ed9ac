#!/usr/bin/env bash
# Installs Discern under a scratch directory and uses it from outside, as a user's project would: by
# find_package and by pkg-config, with a plain compiler (no -march, no linker of choice), from a tree that
# was moved after it was installed.
#
#   run.sh BUILD_DIR SCRATCH_DIR CXX
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$1
scratch=$2
export CXX=$3
unset CXXFLAGS LDFLAGS CMAKE_PREFIX_PATH PKG_CONFIG_PATH
data=$here/../../data/iris.csv

fail() {
  echo "FAILED: $*"
  exit 1
}

rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/first" >"$scratch/install.log" || fail "$(cat "$scratch/install.log")"
mv "$scratch/first" "$scratch/prefix"
prefix=$scratch/prefix

# Nothing installed may mention where it was built or what this machine's build preferred.
config=$(find "$prefix" -name 'discern*.cmake' -o -name '*.pc')
# shellcheck disable=SC2086
grep -nE -e "$build|-march|mold|ccache" $config && fail "the installed package leaks the build"

echo "--- find_package"
cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/configure.log" 2>&1 ||
  fail "$(cat "$scratch/configure.log")"
cmake --build "$scratch/build" >"$scratch/build.log" || fail "$(cat "$scratch/build.log")"
"$scratch/build/consumer" "$data" | tee "$scratch/by_cmake.txt"
[[ -s $scratch/by_cmake.txt ]] || fail "the consumer printed nothing"

echo "--- the examples"
cmake -S "$here/../../examples" -B "$scratch/examples" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH="$prefix" \
  >"$scratch/configure.log" 2>&1 || fail "$(cat "$scratch/configure.log")"
cmake --build "$scratch/examples" >"$scratch/build.log" || fail "$(cat "$scratch/build.log")"
ctest --test-dir "$scratch/examples" >"$scratch/test.log" || fail "$(cat "$scratch/test.log")"

echo "--- pkg-config"
pc=$(find "$prefix" -name discern.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
read -ra flags <<<"$(pkg-config --static --cflags --libs discern)"
"$CXX" -std=c++20 "$here/main.cpp" -o "$scratch/consumer" "${flags[@]}"
"$scratch/consumer" "$data" | tee "$scratch/by_pkgconfig.txt"
cmp "$scratch/by_cmake.txt" "$scratch/by_pkgconfig.txt" || fail "the two programs disagree"

echo "--- the installed headers: the public ones alone, all in one file, highest layers first"
while read -r header; do
  [[ $header =~ ^discern/(discern\.hpp|api/|options/|base/) ]] || fail "$header is installed, and is not public"
  printf '#include "%s"\n' "$header"
done < <(cd "$prefix/include" && find discern -name '*.hpp' | LC_ALL=C sort -r) >"$scratch/headers.cpp"
read -ra flags <<<"$(pkg-config --cflags discern)"
"$CXX" -std=c++20 -fsyntax-only "$scratch/headers.cpp" "${flags[@]}"

rm -rf "$scratch"
echo "passed"
