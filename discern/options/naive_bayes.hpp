// Naive Bayes: within a class the features are taken as independent, each with a density of its own kind.
//
//   g_k(x) = log P_k + sum_j log p_kj(x_j),     P(k | x) = exp(g_k) / sum_j exp(g_j)
//
//   gaussian     p = N(x; m_kj, v_kj + e)       m, v: mean and variance within the class (divisor n_k,
//                                               or n_k - 1 with `unbiased`), e: `variance_smoothing` times
//                                               the largest variance of a column over all rows
//   bernoulli    p = q^x (1 - q)^(1 - x)        q = (N_kj + a) / (n_k + 2 a)
//   categorical  p = q_t of the level t         q_t = (N_kt + a) / (n_k + a L), L levels
//   multinomial  p = q^x                        q = (N_kj + a) / (sum_j N_kj + a d), over the d features
//                                               of the kind
//   complement   p = q^-x                       q as for multinomial, from the rows of all other classes
//                                               (Rennie et al., 2003); the prior is left out where every
//                                               feature is of this kind and priors are not set
//   kde          kernel estimate                model/bayes/kernel_density.hpp
//
// n_k: weight of class k, N: sums of the feature over its rows, a: `smoothing` (Laplace: 1). The conventions
// are those of scikit-learn's GaussianNB, BernoulliNB, CategoricalNB, MultinomialNB and ComplementNB;
// `unbiased` and `variance_smoothing` 0 are those of e1071's naiveBayes. All in logarithms. A category that
// training did not have leaves its column out. Bernoulli, categorical, multinomial and complement densities
// make a Linear predictor, a single score for two classes; with a Gaussian or kernel density it is Additive.
#pragma once

#include <string>
#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/options/priors.hpp"

namespace discern {

struct NaiveBayes {
  static constexpr bool continues = true;    // from the moments of the columns, without kernel densities
  static constexpr bool every_level = true;  // a text column has an indicator for each of its levels
  std::string density = "auto";
  std::string priors = "shares";
  double smoothing = 1;
  double variance_smoothing = 1e-9;
  bool unbiased = false;
  std::string bandwidth = "silverman";
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, NaiveBayes>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.density,
        Field{"density",
              "auto, gaussian, bernoulli, multinomial, complement, categorical or kde for all "
              "features, or FEATURE=KIND,FEATURE=KIND"});
  visit(options.priors, priors_field);
  visit(options.smoothing, Field{"smoothing", "added to every count (Laplace)", 0});
  visit(options.variance_smoothing,
        Field{"variance-smoothing", "share of the largest variance that is added to every variance", 0});
  visit(options.unbiased, Field{"unbiased", "divide the squares of a Gaussian by n - 1 instead of n"});
  visit(options.bandwidth,
        Field{"bandwidth",
              "width of the kernels of kde: silverman, cv (leave-one-out likelihood) or a number above 0"});
}

}  // namespace discern
