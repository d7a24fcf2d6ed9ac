#!/usr/bin/env bash
# The library's tests under the address and undefined-behaviour sanitizers (the build that the fuzz targets
# share), and those that use threads under the thread sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/stage.sh
source scripts/stage.sh
# shellcheck source=scripts/sharded.sh
source scripts/sharded.sh

# The thread sanitizer is given the tests that say in their name that they are about threads, and those of what hands
# rows from one thread to another. Of the models it is given one for each kind of pass over the rows: the variants
# left out differ from those in what they do between the passes, or make the same passes for several machines, and
# the kernel perceptron takes minutes here (all pairs of rows). All go through the same test with the other sanitizers.
threaded='*Thread*:Fold.*:ReadAhead.*:RowStream.*:CsvWrite.Large*:Judge.*:-'
for variant in 'kernel_perceptron*' perceptron_fractional perceptron_sgd perceptron_averaged perceptron_pocket elastic_net logistic_l1 squared_hinge squared_hinge_ovo lda_oas \
  qda_regularised logistic_ovr logistic_ecoc qda_ovo naive_bayes_ovr least_squares_isotonic rbf_network_random; do
  threaded+="Catalogue/EveryModel.OneThread*/$variant:"
done

stage "set-up" scripts/setup.sh build test fuzz
stage "build with address and undefined-behaviour sanitizers" scripts/build.sh fuzz discern_tests
stage "tests with address and undefined-behaviour sanitizers" sharded build/fuzz/tests/discern_tests
stage "build with thread sanitizer" scripts/build.sh tsan discern_tests
stage "tests with thread sanitizer" sharded build/tsan/tests/discern_tests --gtest_filter="$threaded"
all_passed
