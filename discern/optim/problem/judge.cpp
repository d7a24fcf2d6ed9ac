#include "discern/optim/problem/judge.hpp"

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/gradient_scale.hpp"

namespace discern {

using Eigen::VectorXd;

void judge(const Problem& problem, Minimum& minimum) {
  const JudgedPoint found = evaluate_with_zero(problem, minimum.point);
  const VectorXd at_zero = least_subgradient(problem, VectorXd::Zero(problem.size()), found.gradient_at_zero);
  const GradientScale scale(problem, norm_in_deviations(problem, at_zero), found.slopes_at_zero);
  minimum.value = found.at.value + l1_value(problem, minimum.point);
  minimum.certificate =
      least_subgradient(problem, minimum.point, found.at.gradient).norm() / scale.at(found.at.slopes);
}

}  // namespace discern
