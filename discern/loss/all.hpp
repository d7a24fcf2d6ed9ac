// The list of losses. Adding one is a header and a name here.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "discern/loss/hinge.hpp"
#include "discern/loss/logistic.hpp"
#include "discern/loss/perceptron.hpp"
#include "discern/loss/softmax.hpp"
#include "discern/loss/squared.hpp"
#include "discern/loss/unit.hpp"
#include "discern/loss/zero_one.hpp"

namespace discern {

// What solvers minimise.
using Loss = std::variant<SquaredLoss, LogisticLoss, SoftmaxLoss, HingeLoss, SquaredHingeLoss, PerceptronLoss,
                          TanhUnitLoss, LogisticUnitLoss>;

inline bool is_convex(const Loss& loss) {
  return std::visit([](auto l) { return l.convex; }, loss);
}
inline bool is_smooth(const Loss& loss) {
  return std::visit([](auto l) { return l.smooth; }, loss);
}

// The losses of one score and two classes, side by side.
struct NamedLoss {
  std::string_view name;
  std::string_view formula;  // in the margin m = y g
  Derivatives (*at)(double g, double y);
};
inline constexpr std::array<NamedLoss, 8> two_class_losses{{
    {"0-1", "1 if m < 0 (g = 0 counts as positive)", ZeroOneLoss::at},
    {"squared", "1/2 (1 - m)^2", SquaredLoss::at},
    {"perceptron", "max(0, -m)", PerceptronLoss::at},
    {"hinge", "max(0, 1 - m)", HingeLoss::at},
    {"squared-hinge", "max(0, 1 - m)^2", SquaredHingeLoss::at},
    {"logistic", "log(1 + exp(-m))", LogisticLoss::at},
    {"tanh-unit", "1/2 (1 - tanh m)^2", TanhUnitLoss::at},
    {"logistic-unit", "1/2 (1 - 1/(1 + exp(-m)))^2", LogisticUnitLoss::at},
}};

}  // namespace discern
