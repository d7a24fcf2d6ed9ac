// Quadratic discriminant analysis: Gaussian classes with a covariance S_k each (`divisor`: n_k - 1 or n_k).
//
//   g_k(x) = -1/2 (x - m_k)' S_k^-1 (x - m_k) - 1/2 log |S_k| + log P_k
//
// Priors P_k are the class shares or set by hand. Three parameters regularise the covariances, as in Friedman's
// regularised discriminant analysis (1989): with A_k the scatter of class k and A = sum_k A_k,
//
//   S_k = ((1 - p) A_k + p A) / ((1 - p) (n_k - 1) + p (n - K))    p: `pooling`, towards the shared one
//   S_k becomes (1 - g) S_k + g tr(S_k)/d I                        g: `shrinkage`, towards its mean diagonal
//   S_k becomes (1 - r) S_k + r I                                  r: `identity`, scikit-learn's reg_param
//
// so that p = 1, g = r = 0 is linear discriminant analysis. A class with too few rows for its covariance is
// refused by name unless it is regularised, one whose covariance is singular all the same is too.
#pragma once

#include <string>
#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/options/divisor.hpp"
#include "discern/options/priors.hpp"

namespace discern {

struct Qda {
  static constexpr bool continues = true;  // from the moments of the classes
  std::string priors = "shares";
  double pooling = 0;
  double shrinkage = 0;
  double identity = 0;
  Divisor divisor = Divisor::unbiased;
  double tol = 1e-8;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, Qda>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.priors, priors_field);
  visit(options.pooling,
        Field{"pooling", "blend the covariance of each class with the shared one, from 0 to 1", 0, 1});
  visit(options.shrinkage,
        Field{"shrinkage", "blend the covariance of each class with its mean diagonal, from 0 to 1", 0, 1});
  visit(options.identity,
        Field{"identity", "blend the covariance of each class with the identity matrix, from 0 to 1", 0, 1});
  visit(options.divisor, divisor_field);
  visit(options.tol, Field{"tol", "largest relative residual of the whitening that counts as solved", 0});
}

}  // namespace discern
