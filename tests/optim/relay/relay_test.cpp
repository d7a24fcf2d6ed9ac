#include "discern/optim/relay/relay.hpp"

#include <gtest/gtest.h>

#include "discern/optim/relay/minimise.hpp"
#include "tests/support/known_optimum.hpp"

namespace discern::relay_test {
namespace {

using Eigen::VectorXd;
using support::KnownOptimum;

Minimum result(double value, double certificate, bool converged = false) {
  Minimum one;
  one.point = VectorXd::Constant(1, value);
  one.value = value;
  one.certificate = certificate;
  one.converged = converged;
  one.iterations = 3;
  return one;
}

Stage giving(const Minimum& one) {
  return {"made", [one](const Minimum&, const SolverOptions&) { return one; }};
}

TEST(Relay, KeepsTheConvergedThenTheLowerThenTheFlatter) {
  EXPECT_TRUE(better(result(2, 1e-10, true), result(1, 1e-3)));
  EXPECT_FALSE(better(result(1, 1e-3), result(2, 1e-10, true)));
  EXPECT_TRUE(better(result(1, 1e-3), result(2, 1e-5)));
  EXPECT_TRUE(better(result(1 + 1e-15, 1e-5), result(1, 1e-3)));
  EXPECT_FALSE(better(result(1, 1e-3), result(1 + 1e-15, 1e-5)));
  EXPECT_FALSE(better(result(std::numeric_limits<double>::infinity(), 0), result(1, 1e-3)));
}

TEST(Relay, AStageThatEndsHigherIsNotKeptButListed) {
  const Minimum found = relay({giving(result(5, 1e-2)), giving(result(7, 1e-4))}, result(9, 1), {});
  EXPECT_EQ(found.value, 5);
  EXPECT_EQ(found.iterations, 9);  // of the start, and of both stages
  ASSERT_EQ(found.stages.size(), 2U);
  EXPECT_EQ(found.stages[1].certificate, 1e-4);
  EXPECT_EQ(found.stages[1].iterations, 3);
}

TEST(Relay, EndsWithTheFirstStageThatConverged) {
  const Minimum found =
      relay({giving(result(5, 1e-9, true)), giving(result(1, 1e-9, true))}, result(9, 1), {});
  EXPECT_EQ(found.value, 5);
  EXPECT_EQ(found.stages.size(), 1U);
}

TEST(Relay, ARoughStageOnlyGivesAStart) {
  Stage rough = giving(result(5, 1e-9, true));
  rough.rough = true;
  const Minimum found = relay({rough, giving(result(4, 1e-9, true))}, result(9, 1), {});
  EXPECT_EQ(found.value, 4);
  EXPECT_FALSE(relay({rough}, result(9, 1), {}).converged);
}

TEST(Relay, APolishingStageRunsAfterAConvergedOne) {
  Stage polish = giving(result(4, 1e-12, true));
  polish.polishes = true;
  EXPECT_EQ(relay({giving(result(5, 1e-9, true)), polish}, result(9, 1), {}).value, 4);
}

TEST(Relay, StagesShareTheIterations) {
  std::vector<Index> allowed;
  const Stage counting{"counting", [&](const Minimum&, const SolverOptions& options) {
                         allowed.push_back(options.max_iter);
                         return result(5, 1e-2);
                       }};
  Minimum start = result(9, 1);
  start.iterations = 0;
  Stage limited = counting;
  limited.max_iter = 2;
  relay({counting, limited, counting, counting}, start, {.max_iter = 10});
  EXPECT_EQ(allowed, (std::vector<Index>{10, 2, 4, 1}));
}

TEST(Relay, AnInterruptedStageIsTheLast) {
  Minimum stopped = result(5, 1e-2);
  stopped.interrupted = true;
  const Minimum found = relay({giving(stopped), giving(result(1, 1e-9, true))}, result(9, 1), {});
  EXPECT_EQ(found.value, 5);
  EXPECT_TRUE(found.interrupted);
}

// A solver that leaves the start for a higher point gives the next one the start.
TEST(Relay, NoFitEndsAboveItsStart) {
  const KnownOptimum known(LogisticLoss{}, {});
  const VectorXd start = known.optimum();
  Minimum worse;
  worse.point = VectorXd::Constant(start.size(), 3);
  worse.value = known.value(worse.point);
  worse.certificate = 1;
  VectorXd given;
  const Stage second{"second", [&](const Minimum& so_far, const SolverOptions&) {
                       given = so_far.point;
                       return so_far;
                     }};
  const Minimum found = relay(known.problem(), {giving(worse), second}, start, {});
  EXPECT_EQ(given, start);
  EXPECT_EQ(found.point, start);
}

// Every solver by its name reaches the known minimum, and the stages that ran are listed.
TEST(Minimise, EverySolverEndsAtTheKnownMinimum) {
  const KnownOptimum smooth(LogisticLoss{}, {.seed = 8}), sparse(LogisticLoss{}, {.l1 = 1.5, .seed = 8});
  for (const Solver solver : {Solver::newton, Solver::newton_cg, Solver::lbfgs, Solver::cg, Solver::gd,
                              Solver::dual_cd, Solver::cd}) {
    const bool l1 = solver == Solver::cd;
    const KnownOptimum& known = l1 ? sparse : smooth;
    SCOPED_TRACE(value_names(solver)[static_cast<std::size_t>(solver)]);
    const Minimum found =
        minimise(known.problem(), {.solver = solver}, {}, {.tol = 1e-10, .max_iter = 20000}, {});
    EXPECT_TRUE(found.converged);
    EXPECT_LT((found.point - known.optimum()).norm(), 1e-5 * known.optimum().norm());
    ASSERT_FALSE(found.stages.empty());
    EXPECT_EQ(found.stages.front().solver, value_names(solver)[static_cast<std::size_t>(solver)]);
  }
}

}  // namespace
}  // namespace discern::relay_test
