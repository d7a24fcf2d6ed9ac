// Quadratic discriminant analysis: Gaussian classes with a covariance S_k each (divisor n_k - 1).
//
//   g_k(x) = -1/2 (x - m_k)' S_k^-1 (x - m_k) - 1/2 log |S_k| + log P_k
//
// Priors P_k are the class shares. A class with too few rows for its covariance, or with a singular one,
// is refused by name.
#pragma once

#include "discern/base/fields.hpp"
#include "discern/model/training.hpp"

namespace discern {

struct QdaOptions {
  double tol = 1e-8;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, QdaOptions>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.tol, Field{"tol", "largest relative residual of the whitening that counts as solved", 0});
}

Fitted fit(const QdaOptions& options, const Training& training);

}  // namespace discern
