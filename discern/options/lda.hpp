// Linear discriminant analysis: Gaussian classes with a shared covariance S = sum_k A_k / (n - K), A_k the
// scatter of class k; or A / n (`divisor`).
//
//   g_k(x) = m_k' S^-1 x - 1/2 m_k' S^-1 m_k + log P_k,     P(k | x) = exp(g_k) / sum_j exp(g_j)
//
// With two classes the difference g_1 - g_0 is the one score, and P(1 | x) its sigmoid. Priors P_k are the
// class shares or set by hand (model/shape/priors.hpp). Everything comes from one fold over the data: class means
// and the pooled centred scatter; with fewer rows than features from the products of the rows with one another, with
// the same result (model/gaussian/few_rows.hpp). A singular S is inverted on the subspace where it is not, and the rank is
// reported, or made regular by shrinkage (model/gaussian/shrinkage.hpp). A fit goes on from the moments of earlier
// rows, unless Ledoit and Wolf's shrinkage wants to see those rows again.
#pragma once

#include <string>
#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/options/divisor.hpp"
#include "discern/options/priors.hpp"

namespace discern {

struct Lda {
  static constexpr bool continues = true;  // from the moments of the classes
  std::string priors = "shares";
  std::string shrinkage = "none";
  Divisor divisor = Divisor::unbiased;
  double tol = 1e-8;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, Lda>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.priors, priors_field);
  visit(options.shrinkage, Field{"shrinkage",
                                 "blend the covariance with its mean diagonal: none, a number from 0 to 1, "
                                 "ledoit-wolf or oas"});
  visit(options.divisor, divisor_field);
  visit(options.tol, Field{"tol", "largest relative residual of the linear system that counts as solved", 0});
}

}  // namespace discern
