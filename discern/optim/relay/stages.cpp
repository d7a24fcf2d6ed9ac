#include "discern/optim/relay/stages.hpp"

#include <algorithm>
#include <memory>

#include "discern/optim/kernel/hessian_products.hpp"
#include "discern/optim/l1/cd.hpp"
#include "discern/optim/l1/proximal_newton_cg.hpp"
#include "discern/optim/problem/limits.hpp"
#include "discern/optim/solver/cg.hpp"
#include "discern/optim/solver/dual_cd.hpp"
#include "discern/optim/solver/interior_point.hpp"
#include "discern/optim/solver/lbfgs.hpp"
#include "discern/optim/solver/newton.hpp"
#include "discern/optim/solver/newton_cg.hpp"
#include "discern/optim/view/renumbered.hpp"
#include "discern/optim/view/row_space.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// The function of a problem, made when a stage first needs it and shared by the others.
class SharedFunction {
 public:
  explicit SharedFunction(const Problem& problem) : problem_(&problem), function_(new Slot) {}
  const Problem& problem() const { return *problem_; }
  LinearFunction& operator*() const {
    if (!*function_) *function_ = std::make_unique<LinearFunction>(*problem_);
    return **function_;
  }

 private:
  using Slot = std::unique_ptr<LinearFunction>;
  const Problem* problem_;
  std::shared_ptr<Slot> function_;
};

Stage newton_stage(const Problem& problem) {
  return {"newton", [&problem](const Minimum& so_far, const SolverOptions& options) {
            return newton(problem, so_far.point, options);
          }};
}

Stage newton_cg_stage(const SharedFunction& function, double most_products) {
  return {"newton-cg", [=](const Minimum& so_far, const SolverOptions& options) {
            return newton_cg(*function, so_far.point, options, most_products);
          }};
}

Stage interior_point_stage(const Problem& problem) {
  return {"interior-point", [&problem](const Minimum&, const SolverOptions& options) {
            return interior_point(problem, options);
          }};
}

Stage dual_cd_stage(const Problem& problem, std::uint64_t seed) {
  return {"dual-cd", [&problem, seed](const Minimum& so_far, const SolverOptions& options) {
            return dual_coordinate_descent(problem, seed, options, so_far.dual);
          }};
}

// The dual finds the samples strictly between the bounds and solves for them exactly.
std::vector<Stage> hinge_stages(const Problem& problem, std::uint64_t seed) {
  static constexpr Index enough = 50;  // sweeps where the interior points have converged already
  Stage dual = dual_cd_stage(problem, seed);
  dual.polishes = true;
  dual.run = [run = dual.run](const Minimum& so_far, SolverOptions options) {
    if (so_far.converged) options.max_iter = std::min(options.max_iter, enough);
    return run(so_far, options);
  };
  return {interior_point_stage(problem), dual};
}

std::vector<Stage> newton_stages(const Problem& problem, std::uint64_t seed, bool started, bool traced) {
  if (std::holds_alternative<HingeLoss>(problem.loss)) return hinge_stages(problem, seed);
  std::vector<Stage> stages;
  // A trace shows the method itself, not the ways to save passes.
  if (!started && !traced && has_many_rows(problem))
    stages.push_back({"newton", [&problem](const Minimum&, const SolverOptions& options) {
                        return newton_with_shared_hessian(problem, options);
                      }});
  const bool has_interior = std::holds_alternative<SquaredHingeLoss>(problem.loss) &&
                            problem.l2.tail(problem.features()).minCoeff() > 0;
  if (has_interior) {
    stages.push_back({"newton", [&problem](const Minimum& so_far, const SolverOptions& options) {
                        return newton_until_steps_are_short(problem, so_far.point, options);
                      }});
    stages.push_back(interior_point_stage(problem));
    stages.back().rough = true;
  }
  stages.push_back(newton_stage(problem));
  stages.push_back(newton_cg_stage(SharedFunction(problem), std::numeric_limits<double>::infinity()));
  return stages;
}

Stage row_space_stage(const std::shared_ptr<RowSpace>& rows) {
  return {.solver = "row-space newton-cg",
          .run =
              [rows](const Minimum&, SolverOptions options) {
                options.tol *= 0.1;
                LinearFunction part(rows->problem());
                return from_view(*rows, newton_cg(part, VectorXd::Zero(part.size()), options));
              },
          .rough = true};
}

std::vector<Stage> newton_cg_stages(const Problem& problem, bool started, bool traced) {
  const SharedFunction function(problem);
  std::vector<Stage> stages;
  // A trace shows points of the problem itself.
  if (!started && !traced && RowSpace::worth_making(problem)) {
    const auto rows = std::make_shared<RowSpace>(problem);
    if (rows->problem().features() > 0) stages.push_back(row_space_stage(rows));
  }
  const double most_products = limits::products_before_newton(problem);
  stages.push_back(newton_cg_stage(function, most_products));
  if (std::isfinite(most_products)) stages.push_back(newton_stage(problem));
  return stages;
}

Stage cd_stage(const Problem& problem) {
  return {"cd", [&problem](const Minimum& so_far, const SolverOptions& options) {
            return coordinate_descent(problem, so_far.point, options);
          }};
}

std::vector<Stage> proximal_stages(const Problem& problem) {
  const SharedFunction function(problem);
  return {{"newton-cg",
           [function](const Minimum&, const SolverOptions& options) {
             return proximal_newton_cg(*function, options);
           }},
          cd_stage(problem)};
}

std::vector<Stage> dual_stages(const Problem& problem, std::uint64_t seed) {
  const bool hinge = std::holds_alternative<HingeLoss>(problem.loss);
  std::vector<Stage> stages{dual_cd_stage(problem, seed)};
  if (hinge && problem.width() > limits::most_interior_coordinates) return stages;
  stages.front().max_iter = limits::most_sweeps;
  for (Stage& stage : hinge ? hinge_stages(problem, seed) : newton_cg_stages(problem, true, false)) {
    stage.polishes = false;
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace

Solver able_to_start(Solver solver, bool l1) {
  if (solver == Solver::dual_cd) return Solver::newton_cg;
  return l1 && solver == Solver::newton_cg ? Solver::cd : solver;
}

std::vector<Stage> stages_for(const Problem& problem, const Method& method, bool started, bool traced) {
  const SharedFunction function(problem);
  switch (method.solver) {
    case Solver::newton:
      return newton_stages(problem, method.seed, started, traced);
    case Solver::newton_cg:
      return problem.has_l1() ? proximal_stages(problem) : newton_cg_stages(problem, started, traced);
    case Solver::dual_cd:
      return dual_stages(problem, method.seed);
    case Solver::cd:
      return {cd_stage(problem)};
    case Solver::sgd:
      return {{"sgd", [&problem, how = method.sgd](const Minimum&, const SolverOptions& options) {
                 return sgd(problem, how, options);
               }}};
    case Solver::gd:
      return {{"gd", [=, how = method.gd](const Minimum& so_far, const SolverOptions& options) mutable {
                 if (started) how.start = so_far.point;
                 return gradient_descent(*function, how, options);
               }}};
    case Solver::cg:
      return {{"cg", [=](const Minimum& so_far, const SolverOptions& options) {
                 return conjugate_gradients(*function, so_far.point, options);
               }}};
    default:
      return {{"lbfgs", [=](const Minimum& so_far, const SolverOptions& options) {
                 return preconditioned_lbfgs(*function, so_far.point, options);
               }}};
  }
}

bool gains_from_renumbering(const Problem& problem, Solver solver) {
  const bool by_rows = solver == Solver::dual_cd || solver == Solver::newton_cg || solver == Solver::lbfgs ||
                       solver == Solver::cg;
  // Where products with the Hessian have a copy of the rows with numbers of its own, the few passes beside
  // them gain nothing.
  const bool copied = solver == Solver::newton_cg && HessianProducts::copies(problem);
  return by_rows && !copied && RenumberedProblem::worth_making(problem);
}

}  // namespace discern
