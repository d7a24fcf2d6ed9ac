#include "discern/model/shape/decision.hpp"

#include <cassert>

namespace discern {

double Decision::cost_of(Index truth, Index decided) const {
  if (decided == undecided) return reject.value_or(1);
  if (cost.size() > 0) return cost(truth, decided);
  return truth == decided ? 0 : 1;
}

void reweigh(const Decision& decision, double* probabilities, Index classes) {
  if (decision.prior_ratio.size() == 0) return;
  Eigen::Map<Vector> q(probabilities, classes);
  q.array() *= decision.prior_ratio.array();
  q /= q.sum();
}

std::int32_t decide(const Decision& decision, const double* probabilities, Index classes, Index positive) {
  const Eigen::Map<const Vector> q(probabilities, classes);
  if (decision.threshold) {
    assert(classes == 2);
    return static_cast<std::int32_t>(q[positive] >= *decision.threshold ? positive : 1 - positive);
  }
  // R_j; 1 - q_j keeps the order of the probabilities, so the smaller of the others' sums is not needed.
  const auto risk = [&](Index j) {
    return decision.cost.size() > 0 ? decision.cost.col(j).dot(q) : 1 - q[j];
  };
  Index best = classes == 2 ? positive : 0;
  double least = risk(best);
  for (Index j = 0; j < classes; ++j) {
    const double other = risk(j);
    // Where probabilities have rounded to the same risk, the larger of them decides.
    if (other < least || (other == least && decision.cost.size() == 0 && q[j] > q[best])) {
      best = j;
      least = other;
    }
  }
  if (decision.reject && least > *decision.reject) return undecided;
  return static_cast<std::int32_t>(best);
}

}  // namespace discern
