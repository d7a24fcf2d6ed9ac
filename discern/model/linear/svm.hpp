// The linear support vector machine.
//
//   E(w, b) = sum_i s_i max(0, 1 - t_i g_i)^q  +  l2/2 |w|^2  +  l1 |w|_1,     t_i = -1 or +1
//
// with q = 1 (hinge) or 2 (squared hinge), g = w.x + b, so l2 = 1/C. The bias is not penalised unless asked:
// LIBLINEAR's and scikit-learn's LinearSVC penalise it. More than two classes are fitted one against the
// rest. Scores are margins, not probabilities.
#pragma once

#include "discern/model/linear/linear_options.hpp"
#include "discern/model/shape/training.hpp"

namespace discern {

enum class SvmLoss { hinge, squared_hinge };
inline std::span<const std::string_view> value_names(SvmLoss) {
  static constexpr std::array<std::string_view, 2> names{"hinge", "squared-hinge"};
  return names;
}

struct Svm : LinearOptions {
  Svm() { l2 = 1; }
  SvmLoss loss = SvmLoss::hinge;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, Svm>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.loss, Field{"loss", "what the score of a sample costs"});
  visit_linear_fields(options, visit);
}

Fitted fit(const Svm& options, const Training& training);

}  // namespace discern
