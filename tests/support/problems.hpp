// Problems for the solvers, made in memory with the data that they point to.
#pragma once

#include "discern/optim/problem/problem.hpp"

namespace discern::support {

// A matrix as features, dense or with its zeros left out.
Features dense_features(const RowMajor& values);
Features sparse_features(const RowMajor& values);

struct ProblemShape {
  Index rows = 40;
  Index cols = 4;
  Index classes = 2;  // 0: regression
  bool sparse = false;
  bool bias = true;
  bool center = true;    // where there is a bias and the rows are dense
  bool weights = false;  // sample weights, some of them zero
  double offset = 0;     // of every feature, in standard deviations
  PenaltyStrength penalty = {};
  std::uint64_t seed = 1;
};

// Overlapping classes (or a noisy line) with features of different scales.
class MadeProblem {
 public:
  MadeProblem(const Loss& loss, const ProblemShape& shape);
  MadeProblem(const MadeProblem&) = delete;
  MadeProblem& operator=(const MadeProblem&) = delete;

  const Problem& problem() const { return problem_; }
  // Row i of [1 Z], the scaled features, from the definition; its first entry is 0 without a bias.
  Eigen::VectorXd scaled_row(Index i) const;
  double target(Index i) const;
  Index label(Index i) const { return targets_.labels[static_cast<std::size_t>(i)]; }
  double weight(Index i) const;

 private:
  RowMajor values_;
  Features x_;
  Targets targets_;
  MemorySource source_{x_, targets_};
  Problem problem_;
};

}  // namespace discern::support
