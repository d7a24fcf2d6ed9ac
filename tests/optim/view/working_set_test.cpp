// A working set and its Hessian are the same whether made anew or from the set before.
#include "discern/optim/view/working_set.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "discern/optim/kernel/coordinate_hessian.hpp"
#include "discern/optim/l1/kept_hessian.hpp"
#include "discern/optim/problem/function.hpp"
#include "tests/support/problems.hpp"

namespace discern::working_set_test {
namespace {

using Eigen::MatrixXd;
using support::MadeProblem;

const std::vector<Index> first{0, 2, 4}, second{0, 1, 3, 4};

TEST(WorkingSet, TakesOverTheColumnsOfTheSetBefore) {
  for (const bool sparse : {false, true}) {
    const MadeProblem made(SquaredLoss{}, {.rows = 300, .cols = 5, .classes = 0, .sparse = sparse});
    const WorkingSet before(made.problem(), first, {});
    const WorkingSet fresh(made.problem(), second, {}), grown(made.problem(), second, {}, &before);
    std::visit(
        [&]<class M>(const M& expected) {
          const auto& found = std::get<M>(grown.columns());
          ASSERT_EQ(found.values.size(), expected.values.size());
          for (Index k = 0; k < expected.values.size(); ++k) EXPECT_EQ(found.values[k], expected.values[k]);
        },
        fresh.columns());
  }
}

// The Hessian of all coordinates of a set at zero.
MatrixXd hessian_of(const Problem& part) {
  LinearFunction function(part);
  function.evaluate(Eigen::VectorXd::Zero(part.size()), {});
  std::vector<Index> all;
  for (Index c = part.bias ? 0 : 1; c < part.size(); ++c) all.push_back(c);
  return coordinate_hessian(part, function.curvature(), all, {});
}

TEST(KeptHessian, IsCarriedOverToAnotherWorkingSet) {
  for (const bool bias : {false, true})
    for (const double l2 : {0.0, 0.7}) {
      const MadeProblem made(SquaredLoss{}, {.rows = 300,
                                             .cols = 5,
                                             .classes = 0,
                                             .bias = bias,
                                             .weights = true,
                                             .penalty = {.l1 = 1, .l2 = l2}});
      LinearFunction function(made.problem());
      function.evaluate(Eigen::VectorXd::Zero(function.size()), {});
      const WorkingSet before(made.problem(), first, {}), set(made.problem(), second, {}, &before);
      const KeptHessian kept{hessian_of(before.problem()), before.problem().l2, {}};
      const KeptHessian carried = carried_over(kept, first, set, function.curvature(), {});
      const MatrixXd expected = hessian_of(set.problem());
      ASSERT_EQ(carried.matrix.rows(), expected.rows());
      EXPECT_LT((carried.matrix - expected).norm(), 1e-12 * expected.norm());
      EXPECT_EQ(carried.l2, set.problem().l2);
    }
}

TEST(KeptHessian, IsNotCarriedOverWhenThePenaltyHasChanged) {
  const MadeProblem made(SquaredLoss{},
                         {.rows = 300, .cols = 5, .classes = 0, .penalty = {.l1 = 1, .l2 = 0.7}});
  LinearFunction function(made.problem());
  function.evaluate(Eigen::VectorXd::Zero(function.size()), {});
  const WorkingSet before(made.problem(), first, {}), set(made.problem(), second, {});
  const KeptHessian kept{hessian_of(before.problem()), 2 * before.problem().l2, {}};
  EXPECT_EQ(carried_over(kept, first, set, function.curvature(), {}).matrix.size(), 0);
}

}  // namespace
}  // namespace discern::working_set_test
