#!/usr/bin/env bash
# The tests of the library and of the tool under the address and undefined-behaviour sanitizers (the build that
# the fuzz targets share), and those of the library that use threads under the thread sanitizer.
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
# Cross-validation, comparison and machines for many classes run fits side by side, and streams parse ahead.
threaded='*Thread*:Fold.*:ReadAhead.*:RowStream.*:CsvWrite.Large*:Judge.*'
threaded+=':CrossValidation.OfAFold*:CrossValidation.TriesEveryPoint*:Compare.RefitsTheBest*:Compare.ChoosesOptions*'
threaded+=':Reduce.TheSummary*:Reduce.AMachineOfAPair*:Reduce.Unanimity*:-'
for variant in 'kernel_perceptron*' perceptron_fractional perceptron_sgd perceptron_averaged perceptron_pocket elastic_net logistic_l1 squared_hinge squared_hinge_ovo lda_oas \
  qda_regularised logistic_ecoc naive_bayes_ovr least_squares_isotonic rbf_network_random; do
  threaded+="Catalogue/EveryModel.OneThread*/$variant:"
done

stage "set-up" scripts/setup.sh build test fuzz
stage "build with address and undefined-behaviour sanitizers" scripts/build.sh fuzz discern_tests discern_cli_tests
stage "tests of the library with address and undefined-behaviour sanitizers" sharded build/fuzz/tests/discern_tests
stage "tests of the tool with address and undefined-behaviour sanitizers" sharded build/fuzz/tests/cli/discern_cli_tests
stage "build with thread sanitizer" scripts/build.sh tsan discern_tests
stage "tests with thread sanitizer" sharded build/tsan/tests/discern_tests --gtest_filter="$threaded"
all_passed
