#include "discern/optim/view/rescaled.hpp"

#include <gtest/gtest.h>

#include "discern/optim/problem/certificate.hpp"
#include "discern/optim/solver/newton.hpp"

namespace discern::rescaled_test {
namespace {

using Eigen::VectorXd;

// Two features; the first has a cell of 1e8 in the last row, of the positive class.
class FarRow : public ::testing::Test {
 protected:
  FarRow() {
    problem_.source = &source_;
    problem_.scaling = fit_scaling(source_, {}, {});
    center_among_rows(problem_.scaling, source_);
    set_penalty(problem_, {0, 1, false});
  }

  static DenseMatrix<double> made_rows() {
    std::vector<double> cells;
    for (int i = 0; i < 40; ++i) {
      cells.push_back(0.1 * ((7 * i) % 23) + (i % 2 == 0 ? 0 : 1));
      cells.push_back(0.2 * ((5 * i) % 17));
    }
    cells.push_back(1e8), cells.push_back(1);
    return {Buffer<double>(std::move(cells)), 41, 2};
  }
  static Targets made_targets() {
    Targets targets;
    for (int i = 0; i < 40; ++i) targets.labels.push_back(i % 2);
    targets.labels.push_back(1);
    return targets;
  }

  VectorXd units_at(const Minimum& found) const {
    Candidate candidate(problem_, found, {});
    return fitting_units(candidate);
  }

  Features features_ = made_rows();
  Targets targets_ = made_targets();
  MemorySource source_{features_, targets_};
  Problem problem_;
};

TEST_F(FarRow, IsNotWhereTheCenterIs) {
  EXPECT_LT(problem_.scaling.center[0], 4);
  EXPECT_GT(problem_.scaling.center[0], 0);
  const Scaling mean = fit_scaling(source_, {}, {});
  EXPECT_GT(mean.center[0], 1e6);
  EXPECT_EQ(problem_.scaling.center[1], mean.center[1]);
}

TEST_F(FarRow, LeavesItsFeatureAUnitThatOtherRowsVaryBy) {
  Minimum at;
  at.point = VectorXd::Zero(3);
  EXPECT_EQ(units_at(at), VectorXd::Ones(2));  // all rows are curved
  at.point[1] = 10;                            // a margin of 63 for the last row
  const VectorXd units = units_at(at);
  const double deviation = units[0] * problem_.scaling.scale[0];
  EXPECT_GT(deviation, 0.3);
  EXPECT_LT(deviation, 3);
  EXPECT_EQ(units[1], 1);
}

TEST_F(FarRow, IsTrustedWhereTheSolverHasSeenEnoughCurvature) {
  Minimum at;
  at.point = VectorXd::Zero(3);
  at.point[1] = 10;
  at.diagonal = VectorXd::Constant(3, 5);
  at.curvature = 10;
  EXPECT_EQ(units_at(at), VectorXd::Ones(2));
}

TEST_F(FarRow, IsTheSameProblemInOtherUnits) {
  problem_.l1 = VectorXd::Constant(3, 0.5);
  VectorXd units(2), point(3);
  units << 1e-7, 1;
  point << 0.3, 1e7, -2;
  const RescaledProblem rescaled(problem_, units);
  LinearFunction whole(problem_), part(rescaled.problem());
  const VectorXd there = rescaled.to(point);
  const Evaluation a = whole.evaluate(point, {}), b = part.evaluate(there, {});
  EXPECT_NEAR(a.value, b.value, 1e-12 * a.value);
  EXPECT_NEAR(l1_value(problem_, point), l1_value(rescaled.problem(), there), 1e-9);
  EXPECT_NEAR(a.gradient[1], 1e-7 * b.gradient[1], 1e-10 * std::fabs(a.gradient[1]));
  EXPECT_NEAR(norm_in_deviations(rescaled.problem(), b.gradient), a.gradient.norm(), 1e-10);
  Minimum found;
  found.point = there;
  found.diagonal = VectorXd::Ones(3);
  found = from_view(rescaled, found);
  EXPECT_LT((found.point - point).norm(), 1e-9 * point.norm());
  EXPECT_NEAR(found.diagonal[1], 1e14, 1);
}

}  // namespace
}  // namespace discern::rescaled_test
