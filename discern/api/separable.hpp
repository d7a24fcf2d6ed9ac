// Can a plane separate the classes? A verdict with a proof either way, for each pair of classes or for each
// against the rest (model/separable/separability.hpp has the method).
//
//   if (separable(X, y).yes()) ...
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "discern/api/fit.hpp"

namespace discern {

enum class SeparableVerdict { yes, no, unproved };

struct SeparableOptions {
  bool one_vs_rest = false;  // otherwise each pair
  FitOptions fit = {};       // how the columns are prepared, `positive`, `threads` and the monitor
};

struct SeparablePair {
  std::string positive, negative;  // the second is empty for "all others"
  SeparableVerdict verdict = SeparableVerdict::unproved;
  // When separable: the plane with the largest margin, at least 1 on the rows of the positive class and at most
  // -1 on those of the other one.
  Eigen::VectorXd weights = {};
  double bias = 0;
  double margin = 0;        // the smallest distance of a row to the plane
  double margin_bound = 0;  // no plane has more
};

struct SeparableResult {
  std::vector<std::string> feature_names = {};
  std::vector<SeparablePair> pairs = {};

  bool yes() const;  // every pair is separable
};

SeparableResult separable(const MatrixView& x, const Labels& y, const SeparableOptions& options = {});
SeparableResult separable(const Frame& frame, const std::string& target,
                          const SeparableOptions& options = {});

}  // namespace discern
