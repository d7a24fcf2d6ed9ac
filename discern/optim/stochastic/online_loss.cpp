#include "discern/optim/stochastic/online_loss.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace discern {

OnlineLoss row_loss(const Loss& loss, double* g, Index classes, double y, bool regression) {
  const auto truth = static_cast<Index>(y);
  OnlineLoss said;
  if (regression) {
    const Derivatives at = SquaredLoss::at(g[0], y);
    g[0] = at.slope;
    return {at.value, 0};
  }
  said.label = classes == 1 ? (g[0] >= 0 ? 1 : 0) : std::max_element(g, g + classes) - g;
  const bool perceptron = std::holds_alternative<PerceptronLoss>(loss);
  if (classes > 1 && std::holds_alternative<LogisticLoss>(loss)) {
    said.loss = softmax_in_place(g, classes, truth);
    g[truth] -= 1;
  } else if (classes > 1 && perceptron) {
    const double own = g[truth];
    g[truth] = -std::numeric_limits<double>::infinity();
    const Index rival = std::max_element(g, g + classes) - g;
    const double gap = g[rival] - own;
    std::fill(g, g + classes, 0.0);
    if (gap >= 0) said.loss = gap, g[truth] = -1, g[rival] = 1;
  } else if (perceptron) {
    const double t = truth == 1 ? 1 : -1;
    said.loss = std::max(0.0, -t * g[0]);
    g[0] = t * g[0] <= 0 ? -t : 0;
  } else {
    const double negative = classes > 1 && std::holds_alternative<SquaredLoss>(loss) ? 0 : -1;
    std::visit(
        [&]<class L>(L) {
          if constexpr (!std::is_same_v<L, SoftmaxLoss>)
            for (Index k = 0; k < classes; ++k) {
              const bool mine = truth == (classes == 1 ? 1 : k);
              const Derivatives at = L::at(g[k], mine ? 1 : negative);
              said.loss += at.value;
              g[k] = at.slope;
            }
        },
        loss);
  }
  return said;
}

}  // namespace discern
