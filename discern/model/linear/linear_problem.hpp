// The problem that a linear model minimises, made from its training data in one place: the coordinates, the
// rows, the classes one against the rest where the loss has one score, and the way back to a predictor.
#pragma once

#include <optional>

#include "discern/model/linear/normalized_source.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/optim/problem/problem.hpp"
#include "discern/optim/problem/shifted_source.hpp"
#include "discern/options/linear.hpp"

namespace discern {

class LinearProblem {
 public:
  // `own_coordinates`: features as the user has them instead of the best conditioned ones, for solvers whose
  // steps the user sets. The penalties of the options are set. Passes over the data.
  LinearProblem(const Loss& loss, const LinearOptions& options, const Training& training,
                bool own_coordinates);
  LinearProblem(const LinearProblem&) = delete;
  LinearProblem& operator=(const LinearProblem&) = delete;

  // One problem, or one for each class against the rest.
  Index count() const { return count_; }
  Problem part(Index k) const;
  const Problem& first() const { return problem_; }
  Index scores() const { return count_ * problem_.scores; }  // of the predictor

  // A point of part k as weights and biases of the scaled features.
  struct Weights {
    Matrix weights;  // scores x features
    Vector bias;     // at the centre
  };
  Weights no_weights() const;
  void put(const Eigen::VectorXd& point, Index k, Weights& weights) const;
  // The point of part k of a predictor.
  Eigen::VectorXd point_of(const Linear& predictor, Index k) const;
  // The predictor in the units of the features. A shift common to the scores of softmax changes nothing: the
  // one that makes the biases sum to zero is given.
  Linear predictor(const Weights& weights) const;

 private:
  Problem problem_;
  Index count_ = 1;
  bool penalize_bias_ = false;
  std::optional<NormalizedSource> normalized_;
  std::optional<ShiftedSource> shifted_;
};

}  // namespace discern
