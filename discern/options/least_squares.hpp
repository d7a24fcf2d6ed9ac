// Least squares, for classification and regression.
//
//   E(W, b) = sum_i s_i 1/2 |y_i - f(W x_i + b)|^2  +  l2/2 |W|^2  +  l1 |W|_1       (the bias is not
//   penalised)
//
// Targets y: the number in regression; -1 and +1 for two classes; 1-of-K for K classes. The activation f is
// the identity unless a unit is asked for (loss/unit.hpp), which makes it the generalised linear
// discriminant.
//
// Two classes may have other targets, y = t b with t = -1 or +1: "fisher" takes b = n / n_k, the rows (by
// weight) over those of the class, which makes w a multiple of Fisher's S_w^-1 (m_1 - m_0) and puts the plane
// through the mean of all rows (Duda, Hart and Stork, section 5.8.2); any other name asks for the targets
// that the source has beside the labels. These are for the closed form.
//
// Without l1 and with f the identity the solution is closed: a QR decomposition of [1 X Y], never the normal
// equations, so that the digits lost are those of the condition number and not of its square. The
// decomposition is a fold: each block of rows is reduced into a triangle and triangles merge (a "tall skinny
// QR"). Small problems are factorised in extended precision. Rank-deficient data give the solution of
// least norm (of the weights that a penalty would act on, standardised or not, to which the ridge tends as l2
// goes to zero) and report the rank.
//
// A fit goes on from the triangle and the column moments of earlier rows: the rows of the triangle stand for
// them, in the solution and in the certificate alike. The centre stays that of the first rows, which moves
// the bias only.
//
// `shrinkage` e in [0, 1) is the ridge in the form ((1 - e) S + e tr(S)/d I) w = Z'y with S = Z'Z of the
// centred features, in the coordinates that a penalty acts in.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "discern/options/linear.hpp"

namespace discern {

enum class Activation { none, logistic, tanh };
inline std::span<const std::string_view> value_names(Activation) {
  static constexpr std::array<std::string_view, 3> names{"none", "logistic", "tanh"};
  return names;
}

struct LeastSquares {
  static constexpr bool starts = true;     // from given weights
  static constexpr bool continues = true;  // the closed form, from its triangle

  double l1 = 0;
  double l2 = 0;
  Solver solver = Solver::automatic;
  double tol = 1e-9;
  Index max_iter = 1000;
  bool no_bias = false;
  bool penalize_bias = false;
  double learning_rate = 0;
  Schedule schedule = Schedule::linear;
  Index batch_size = 1;
  Index epochs = 10;
  bool average = false;
  SampleOrder order = SampleOrder::shuffled;
  bool normalize_weights = false;
  bool normalize_criterion = false;
  double shrinkage = 0;
  Activation activation = Activation::none;
  std::string targets = "pm1";
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, LeastSquares>
void visit_fields(Self& options, Visitor&& visit) {
  visit_linear_fields(options, visit);
  visit(options.shrinkage,
        Field{"shrinkage", "blend the scatter of the features with its mean diagonal, from 0 to below 1", 0,
              0.999999});
  visit(options.activation,
        Field{"activation",
              "what a unit makes of its sum: behind the score of least-squares, in the layers of mlp"});
  visit(options.targets,
        Field{"targets",
              "of two classes: pm1 (-1 and +1), fisher (n/n_k), or a file with a size b > 0 for every row"});
}

}  // namespace discern
