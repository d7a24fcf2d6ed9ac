// The linear support vector machine.
//
//   E(w, b) = sum_i s_i max(0, 1 - t_i g_i)^q  +  l2/2 |w|^2  +  l1 |w|_1,     t_i = -1 or +1
//
// with q = 1 (hinge) or 2 (squared hinge), g = w.x + b, so l2 = 1/C. The bias is not penalised unless asked:
// LIBLINEAR's and scikit-learn's LinearSVC penalise it. More than two classes are fitted one against the
// rest. Scores are margins, not probabilities.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include "discern/options/linear.hpp"

namespace discern {

enum class SvmLoss { hinge, squared_hinge };
inline std::span<const std::string_view> value_names(SvmLoss) {
  static constexpr std::array<std::string_view, 2> names{"hinge", "squared-hinge"};
  return names;
}

struct Svm {
  static constexpr bool starts = true;  // from given weights

  SvmLoss loss = SvmLoss::hinge;
  double l1 = 0;
  double l2 = 1;
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
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, Svm>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.loss, Field{"loss", "what the score of a sample costs"});
  visit_linear_fields(options, visit);
}

}  // namespace discern
