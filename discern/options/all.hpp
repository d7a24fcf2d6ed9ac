// The options of every model.
#pragma once

#include <variant>

#include "discern/options/fisher.hpp"
#include "discern/options/ho_kashyap.hpp"
#include "discern/options/kernel_perceptron.hpp"
#include "discern/options/lda.hpp"
#include "discern/options/least_squares.hpp"
#include "discern/options/logistic.hpp"
#include "discern/options/mlp.hpp"
#include "discern/options/naive_bayes.hpp"
#include "discern/options/perceptron.hpp"
#include "discern/options/qda.hpp"
#include "discern/options/rbf_network.hpp"
#include "discern/options/svm.hpp"

namespace discern {

using ModelOptions = std::variant<LeastSquares, HoKashyap, Logistic, Svm, Perceptron, KernelPerceptron, Lda,
                                  Qda, Fisher, NaiveBayes, Mlp, RbfNetwork>;

}  // namespace discern
