// Every solver is called directly on problems that carry their minimum (tests/support/known_optimum.hpp). No
// other solver and no confirmation can finish the work: a solver that stays at its start fails here.
#include "tests/support/known_optimum.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "discern/optim/confirm/improved_point.hpp"
#include "discern/optim/l1/cd.hpp"
#include "discern/optim/l1/path.hpp"
#include "discern/optim/l1/proximal_newton.hpp"
#include "discern/optim/l1/proximal_newton_cg.hpp"
#include "discern/optim/problem/certificate.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/optim/solver/cg.hpp"
#include "discern/optim/solver/dual_cd.hpp"
#include "discern/optim/solver/gd.hpp"
#include "discern/optim/solver/interior_point.hpp"
#include "discern/optim/solver/lbfgs.hpp"
#include "discern/optim/solver/newton.hpp"
#include "discern/optim/solver/newton_cg.hpp"
#include "discern/optim/stochastic/sgd.hpp"

namespace discern::known_optimum_test {
namespace {

using Eigen::VectorXd;
using support::KnownHinge;
using support::KnownOptimum;
using support::OptimumShape;

constexpr double tol = 1e-11;

struct NamedSolver {
  std::string name;
  std::function<Minimum(const Problem&, const SolverOptions&)> solve;
};

VectorXd zero(const Problem& problem) { return VectorXd::Zero(problem.size()); }

const NamedSolver by_newton{
    "newton", [](const auto& problem, const auto& how) { return newton(problem, zero(problem), how); }};
const NamedSolver by_short_steps{"newton_until_steps_are_short", [](const auto& problem, const auto& how) {
                                   return newton_until_steps_are_short(problem, zero(problem), how);
                                 }};
const NamedSolver by_newton_cg{"newton_cg", [](const auto& problem, const auto& how) {
                                 LinearFunction function(problem);
                                 return newton_cg(function, zero(problem), how);
                               }};
const NamedSolver by_lbfgs{"lbfgs", [](const auto& problem, const auto& how) {
                             LinearFunction function(problem);
                             return preconditioned_lbfgs(function, zero(problem), how);
                           }};
const NamedSolver by_cg{"cg", [](const auto& problem, const auto& how) {
                          LinearFunction function(problem);
                          return conjugate_gradients(function, zero(problem), how);
                        }};
const NamedSolver by_gd{"gd", [](const auto& problem, const auto& how) {
                          LinearFunction function(problem);
                          return gradient_descent(function, {}, how);
                        }};
const NamedSolver by_interior_point{
    "interior_point", [](const auto& problem, const auto& how) { return interior_point(problem, how); }};
const NamedSolver by_dual_cd{
    "dual_cd", [](const auto& problem, const auto& how) { return dual_coordinate_descent(problem, 1, how); }};
const NamedSolver by_cd{"cd", [](const auto& problem, const auto& how) {
                          return coordinate_descent(problem, zero(problem), how);
                        }};
const NamedSolver by_proximal_newton_cg{"proximal_newton_cg", [](const auto& problem, const auto& how) {
                                          LinearFunction function(problem);
                                          return proximal_newton_cg(function, how);
                                        }};
const NamedSolver by_path{"path", [](const auto& problem, const auto& how) {
                            PathSolver path(problem, how);
                            return path.next({problem.l1.maxCoeff(), problem.l2.maxCoeff(), false});
                          }};

// Moving the biases of all classes alike changes no loss: how far a point is from the minimum without that.
double distance(const Problem& problem, VectorXd point, const VectorXd& optimum) {
  auto biases = point.head(problem.scores);
  if (problem.softmax()) biases.array() -= biases.mean() - optimum.head(problem.scores).mean();
  return (point - optimum).norm() / optimum.norm();
}

// The solver ends at the minimum, says so, and knows its value.
template <class Known>
void expect_minimum(const NamedSolver& solver, const Known& known, double accuracy = 1e-7) {
  SCOPED_TRACE(solver.name);
  const Minimum found = solver.solve(known.problem(), {.tol = tol, .max_iter = 20000});
  ASSERT_EQ(found.point.size(), known.optimum().size());
  EXPECT_LT(distance(known.problem(), found.point, known.optimum()), accuracy);
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.certificate, tol);
  EXPECT_GT(found.iterations, 0);
}

const std::vector<std::pair<std::string, Loss>> smooth_losses{{"squared", SquaredLoss{}},
                                                              {"logistic", LogisticLoss{}},
                                                              {"squared hinge", SquaredHingeLoss{}},
                                                              {"softmax", SoftmaxLoss{}}};

OptimumShape shape_for(const Loss& loss, double l1, double l2, bool sparse) {
  const bool softmax = std::holds_alternative<SoftmaxLoss>(loss);
  return {.classes = softmax ? 3 : 2, .sparse = sparse, .l1 = l1, .l2 = l2, .seed = 5};
}

// The support itself: the point that it was made around is lower than all its neighbours.
TEST(KnownOptimum, IsBelowItsNeighbours) {
  Index compared = 0;
  for (const auto& [name, loss] : smooth_losses)
    for (const double l1 : {0.0, 1.5}) {
      const KnownOptimum known(loss, shape_for(loss, l1, 0.7, false));
      const double least = known.value(known.optimum());
      for (Index c = 0; c < known.optimum().size(); ++c)
        for (const double step : {-1e-3, 1e-3}) {
          EXPECT_GT(known.value(known.optimum() + step * VectorXd::Unit(known.optimum().size(), c)), least)
              << name << " " << c;
          ++compared;
        }
    }
  EXPECT_GT(compared, 100);
}

TEST(SolversOfSmoothProblems, EndAtTheKnownMinimum) {
  for (const auto& [name, loss] : smooth_losses)
    for (const double l2 : {0.7, 0.0})
      for (const bool sparse : {false, true}) {
        SCOPED_TRACE(name + (sparse ? ", sparse" : "") + (l2 > 0 ? ", l2" : ""));
        const KnownOptimum known(loss, shape_for(loss, 0, l2, sparse));
        for (const NamedSolver& solver : {by_newton, by_newton_cg, by_lbfgs, by_cg, by_gd})
          expect_minimum(solver, known);
      }
}

TEST(SolversOfSquaredHinge, EndAtTheKnownMinimum) {
  const KnownOptimum known(SquaredHingeLoss{}, {.seed = 3});
  expect_minimum(by_short_steps, known);
  expect_minimum(by_dual_cd, known, 1e-5);  // a gap of 1e-11 is a distance of its root
  // Its certificate is another one, so it never says that it has converged.
  const Minimum inside = interior_point(known.problem(), {.tol = tol});
  EXPECT_LT(distance(known.problem(), inside.point, known.optimum()), 1e-5);
}

// Its steps end where none gains more than a share of E.
TEST(AccurateNewton, EndsAtTheKnownMinimum) {
  for (const auto& [name, loss] : smooth_losses)
    for (const double l2 : {0.7, 0.0}) {
      SCOPED_TRACE(name);
      const KnownOptimum known(loss, shape_for(loss, 0, l2, false));
      Minimum start;
      start.point = zero(known.problem());
      certify(known.problem(), start);
      const Minimum found = accurate_newton(known.problem(), start, {.tol = tol});
      EXPECT_LT(distance(known.problem(), found.point, known.optimum()), 1e-4);
      const double least = known.value(known.optimum());
      EXPECT_LT(known.value(found.point) - least, 1e-9 * least);
      EXPECT_GT(found.iterations, 0);
    }
}

TEST(SolversOfHinge, EndAtTheKnownMinimum) {
  const KnownHinge known({5, 0.2, 1, 3, 0.1}, 1.0);
  expect_minimum(by_interior_point, known, 1e-5);
  expect_minimum(by_dual_cd, known, 1e-5);
}

TEST(DualCoordinateDescent, EndsAtTheKnownMinimumOfLogisticLoss) {
  expect_minimum(by_dual_cd, KnownOptimum(LogisticLoss{}, {.seed = 4}), 1e-5);
}

TEST(SolversOfL1, EndAtTheKnownMinimumWithItsZeros) {
  Index zeros = 0;
  for (const auto& [name, loss] : smooth_losses)
    for (const double l2 : {0.7, 0.0})
      for (const bool sparse : {false, true}) {
        SCOPED_TRACE(name + (sparse ? ", sparse" : "") + (l2 > 0 ? ", l2" : ""));
        const KnownOptimum known(loss, shape_for(loss, 1.5, l2, sparse));
        for (const NamedSolver& solver : {by_cd, by_path, by_proximal_newton_cg}) {
          if (known.problem().softmax() && solver.name == "proximal_newton_cg") continue;  // one score only
          expect_minimum(solver, known);
          const Minimum found = solver.solve(known.problem(), {.tol = tol, .max_iter = 20000});
          ASSERT_EQ(found.point.size(), known.optimum().size()) << solver.name;
          for (Index c = known.problem().scores; c < found.point.size(); ++c)
            if (known.optimum()[c] == 0) {
              EXPECT_EQ(found.point[c], 0) << solver.name;
              ++zeros;
            }
        }
      }
  EXPECT_GT(zeros, 50);
}

TEST(ProximalNewton, EndsAtTheKnownMinimum) {
  for (const auto& [name, loss] : smooth_losses) {
    SCOPED_TRACE(name);
    const KnownOptimum known(loss, shape_for(loss, 1.5, 0.7, false));
    ProximalNewton newton(known.problem(), nullptr, zero(known.problem()), {});
    newton.run(1e-10, 100);
    EXPECT_LT(distance(known.problem(), newton.point(), known.optimum()), 1e-7);
    EXPECT_GT(newton.steps(), 0);
  }
}

TEST(NewtonWithSharedHessian, EndsAtTheKnownMinimum) {
  const KnownOptimum known(LogisticLoss{}, {.rows = 140000, .cols = 3, .seed = 6});
  ASSERT_TRUE(has_many_rows(known.problem()));
  const Minimum found = newton_with_shared_hessian(known.problem(), {.tol = 1e-9, .max_iter = 100});
  EXPECT_TRUE(found.converged);
  EXPECT_LT(distance(known.problem(), found.point, known.optimum()), 1e-7);
}

// Steps of single samples come near the minimum: of what there is to gain all but a hundredth is gained.
TEST(StochasticGradientDescent, ComesNearTheKnownMinimum) {
  for (const auto& [name, loss] : smooth_losses) {
    SCOPED_TRACE(name);
    const KnownOptimum known(loss, shape_for(loss, 0, 0.7, false));
    const Minimum found = sgd(known.problem(), {.epochs = 500, .seed = 2}, {.tol = tol});
    const double least = known.value(known.optimum()), start = known.value(zero(known.problem()));
    EXPECT_LT(known.value(found.point) - least, 1e-2 * (start - least));
    EXPECT_NEAR(found.value, known.value(found.point), 1e-10 * least);
  }
}

}  // namespace
}  // namespace discern::known_optimum_test
