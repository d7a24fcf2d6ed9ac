#include "discern/optim/confirm/confirm.hpp"

#include <gtest/gtest.h>

#include "discern/optim/problem/certificate.hpp"
#include "tests/support/known_optimum.hpp"
#include "tests/support/problems.hpp"

namespace discern::confirm_test {
namespace {

using Eigen::VectorXd;
using support::KnownOptimum;

Minimum claimed(const Problem& problem, const VectorXd& point) {
  Minimum found;
  found.point = point;
  certify(problem, found);
  found.converged = true;
  return found;
}

TEST(Confirm, TheMinimumIsHeld) {
  for (const double l1 : {0.0, 1.5}) {
    const KnownOptimum known(LogisticLoss{}, {.l1 = l1});
    Candidate candidate(known.problem(), claimed(known.problem(), known.optimum()), {});
    EXPECT_EQ(confirm(candidate, 1e-9).kind, Verdict::Kind::held);
  }
}

// Whatever a solver claims: a point beside the minimum has a lower one.
TEST(Confirm, APointBesideTheMinimumIsNot) {
  const KnownOptimum known(LogisticLoss{}, {});
  const VectorXd beside = known.optimum() + 1e-3 * VectorXd::Unit(known.optimum().size(), 2);
  Candidate candidate(known.problem(), claimed(known.problem(), beside), {});
  const Verdict verdict = confirm(candidate, 1e-9);
  ASSERT_EQ(verdict.kind, Verdict::Kind::lower);
  EXPECT_LT(known.value(verdict.lower), known.value(beside));
}

TEST(Confirm, SeparatedClassesHaveNoMinimum) {
  Eigen::MatrixXd rows(4, 1);
  rows << -2, -1, 1, 2;
  const Features x = support::dense_features(rows);
  const Targets targets{{0, 0, 1, 1}, {}, {}};
  const MemorySource source(x, targets);
  Problem problem;
  problem.source = &source;
  problem.scaling = fit_scaling(source, {}, {});
  set_penalty(problem, {});
  VectorXd point(2);
  point << 0, 20;
  Candidate candidate(problem, claimed(problem, point), {});
  const Verdict verdict = confirm(candidate, 1e-9);
  ASSERT_EQ(verdict.kind, Verdict::Kind::unbounded);
  EXPECT_TRUE(verdict.separation->complete);
  EXPECT_GT(verdict.separation->direction[1], 0);
}

TEST(Candidate, KnowsValueGradientAndDiagonalOfItsPoint) {
  const KnownOptimum known(LogisticLoss{}, {.seed = 9});
  const VectorXd point = known.optimum() + VectorXd::Constant(known.optimum().size(), 0.3);
  Candidate candidate(known.problem(), claimed(known.problem(), point), {});
  EXPECT_NEAR(candidate.value(), known.value(point), 1e-12 * known.value(point));
  constexpr double h = 1e-4;
  Index compared = 0;
  for (Index c = 0; c < point.size(); ++c) {
    const VectorXd unit = h * VectorXd::Unit(point.size(), c);
    const double up = known.value(point + unit), down = known.value(point - unit);
    EXPECT_NEAR(candidate.residual()[c], (up - down) / (2 * h), 1e-5);
    EXPECT_NEAR(candidate.diagonal()[c], (up - 2 * known.value(point) + down) / (h * h), 1e-3);
    ++compared;
  }
  EXPECT_EQ(compared, 6);
}

}  // namespace
}  // namespace discern::confirm_test
