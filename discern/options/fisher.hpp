// Fisher's linear discriminant and multiple discriminant analysis: the directions v along which the classes
// lie apart most compared with the spread within them,
//
//   J(v) = v' B v / v' S v  ->  max,   B v = lambda S v,   lambda_1 >= lambda_2 >= ..., at most K - 1 of them
//
//   S = sum_k A_k / (n - K),     A_k = sum_{i in k} s_i (x_i - m_k)(x_i - m_k)'
//   B = sum_k n_k (m_k - m)(m_k - m)' / (K - 1)
//
// scaled so that v_i' S v_j is 1 for i = j and 0 otherwise (the scaling of MASS's lda, whose svd is the root
// of lambda). Of two classes the positive one lies higher; with more the largest entry of a direction is
// positive. With two classes v is S^-1 (m_1 - m_0), and the plain difference of the means, the best direction
// when S is a multiple of the identity, is given beside it with its own J.
//
// Rows are classified where they are projected, with z = V (x - m) and z_k the projected class means:
//
//   g_k(x) = -1/2 |z - z_k|^2 + log P_k
//
// up to what all classes share, which makes it linear in x. Within the classes z has unit covariance, so this
// is the Gaussian rule; `priors` equal makes it the nearest mean. With all components it is linear
// discriminant analysis.
//
// A singular S is taken on the subspace where it is not. With fewer rows than features (n - K < d) the rows
// are first reduced to principal components of all rows, in the units of the file: to as many as hold 95 % of
// their variance, at least K - 1 and at most n - K, where S is regular. `principal` all takes n - K of them
// (Fisherfaces: Belhumeur, Hespanha and Kriegman, 1997); the last of these have next to no spread within the
// classes, which the directions then take for perfect separation. `principal` M reduces the rows to M
// components (at most n - K, at most d), with any number of rows. One fold over the data.
#pragma once

#include <string>
#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/base/index.hpp"
#include "discern/options/priors.hpp"

namespace discern {

struct Fisher {
  static constexpr bool continues = true;  // from the moments of the classes
  Index components = 0;
  std::string principal = "auto";
  std::string priors = "shares";
  double tol = 1e-8;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, Fisher>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.components,
        Field{"components", "directions to project on, at most one fewer than classes; 0: all", 0});
  visit(options.principal,
        Field{"principal",
              "reduce the rows to so many principal components first; auto: where rows are few, to 95 % of "
              "the variance; all: where rows are few, to rows less classes"});
  visit(options.priors, priors_field);
  visit(options.tol, Field{"tol", "largest relative residual of the directions that counts as solved", 0});
}

}  // namespace discern
