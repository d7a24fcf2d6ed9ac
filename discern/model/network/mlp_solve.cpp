#include "discern/model/network/mlp_solve.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/optim/solver/cg.hpp"
#include "discern/optim/solver/lbfgs.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

std::string_view name_of(NetworkSolver solver) {
  return value_names(NetworkSolver{})[static_cast<std::size_t>(solver)];
}

void check_flags(NetworkSolver solver, const Mlp& options, bool sparse) {
  const Mlp plain;
  const bool sgd = solver == NetworkSolver::sgd, gd = solver == NetworkSolver::gd;
  const auto check = [&](bool set, bool known, std::string_view flag, std::string_view owner) {
    if (!set || known) return;
    throw Error(Code::usage,
                fmt::format("{} is for {}, and the solver here is {}{}", flag, owner, name_of(solver),
                            options.solver == NetworkSolver::automatic ? ", which auto chose" : ""));
  };
  check(options.learning_rate != plain.learning_rate, sgd || gd, "`learning_rate`",
        "`solver` gd and `solver` sgd");
  check(options.update != plain.update, sgd, "`update`", "`solver` sgd");
  check(options.momentum != plain.momentum, sgd && options.update != Update::plain, "`momentum`",
        "`solver` sgd with `update` adam or momentum");
  check(options.schedule != plain.schedule, sgd, "`schedule`", "`solver` sgd");
  check(options.batch_size != plain.batch_size, sgd, "`batch_size`", "`solver` sgd");
  check(options.epochs != plain.epochs, sgd, "`epochs`", "`solver` sgd");
  check(options.order != plain.order, sgd, "`order`", "`solver` sgd");
  check(options.noise != plain.noise, sgd, "`noise`", "`solver` sgd");
  check(options.max_iter != plain.max_iter, !sgd, "`max_iter`",
        "solvers that stop by themselves (sgd has `epochs`)");
  check(options.held_out != plain.held_out, options.early_stopping, "`held_out`", "`early_stopping`");
  check(options.patience != plain.patience, options.early_stopping, "`patience`", "`early_stopping`");
  if (options.noise > 0 && sparse)
    throw Error(Code::usage, "`noise` is for dense features, and these are sparse");
}

// Gradient descent with a fixed rate on the mean loss, or each step by the length of the last and more.
Minimum gradient_descent(NetworkFunction& function, const Start& start, double rate,
                         const SolverOptions& how) {
  Descent descent(function, start, how);
  const double weight = function.weight(), at_start = start.at.value / weight;
  double first = 1 / weight;
  descent.run(
      [&](const Monitor& during) {
        const VectorXd direction = -descent.at().gradient;
        if (!(rate > 0)) {
          if (!descent.move_along(direction, first, 0.9, during)) return false;
          first = 2 * descent.step();
          return true;
        }
        descent.took(rate);
        descent.move(descent.point() + rate / weight * direction);
        check_loss(descent.at().value / weight, at_start, descent.iterations(), rate);
        return true;
      },
      rate > 0 ? how.max_iter : 30);
  return descent.result();
}

// Watches the loss of the rows held out while a solver runs, and asks it to stop.
class EarlyStop {
 public:
  EarlyStop(const Mlp& options, const NetworkFunction& function, const VectorXd& start)
      : options_(options), function_(function), point_(start) {}

  void look(const Minimum& so_far) {
    if (function_.held_loss() < best_) {
      best_ = function_.held_loss();
      point_ = so_far.point;
      found_after_ = so_far.iterations;
    }
    stop_ = so_far.iterations - found_after_ >= options_.patience;
  }
  bool stop() const { return stop_; }
  // Takes over what did best.
  void finish(NetworkFunction& function, double scale, NetworkMinimum& result) const {
    result.point = point_;
    const Evaluation at = function.evaluate(point_, {});
    result.value = at.value;
    result.certificate = at.gradient.norm() / scale;
    result.held_loss = best_;
    result.found_after = found_after_;
    result.stopped_early = stop_;
  }

 private:
  const Mlp& options_;
  const NetworkFunction& function_;
  double best_ = std::numeric_limits<double>::infinity();
  VectorXd point_;
  Index found_after_ = 0;
  bool stop_ = false;
};

Minimum solve_with_all_rows(NetworkSolver solver, const Mlp& options, NetworkFunction& function,
                            const Start& start, const SolverOptions& how) {
  if (solver == NetworkSolver::cg) return conjugate_gradients(function, start, how);
  if (solver == NetworkSolver::gd) return gradient_descent(function, start, options.learning_rate, how);
  return lbfgs(function, start, {}, how);
}

}  // namespace

NetworkChoice choose_network_solver(const Mlp& options, const NetworkTask& task, const Training& training) {
  NetworkChoice choice{options.solver, "as asked"};
  if (options.solver == NetworkSolver::automatic) {
    // A thousand passes of so many products take seconds.
    constexpr double most_products = 2e7;
    const double products =
        static_cast<double>(training.source.rows()) * static_cast<double>(task.layout.size());
    choice = products <= most_products
                 ? NetworkChoice{NetworkSolver::lbfgs, "a pass over all rows is cheap"}
                 : NetworkChoice{NetworkSolver::sgd, "many rows for the weights: steps after a few of them"};
  }
  check_flags(choice.solver, options, task.sparse);
  return choice;
}

NetworkMinimum solve_network(NetworkSolver solver, const Mlp& options, const NetworkTask& task,
                             const Source& source, NetworkFunction& function, const VectorXd& point,
                             std::uint64_t seed, const SolverOptions& how, const VectorXd* compared) {
  Start start{point, function.evaluate(point, {})};
  if (!std::isfinite(start.at.value) || !start.at.gradient.allFinite())
    throw Error(
        Code::data,
        "the loss of the network to start from is beyond double precision: its weights, or the features, "
        "are too large");
  const double norm =
      compared != nullptr ? function.evaluate(*compared, {}).gradient.norm() : start.at.gradient.norm();
  start.scale = CertificateScale(certificate_scale(norm, function.weight()));
  if (solver == NetworkSolver::sgd)
    return learn_in_batches(options, task, source, function, point, start.scale.at(0), seed, how);
  NetworkMinimum result;
  if (!options.early_stopping) {
    static_cast<Minimum&>(result) = solve_with_all_rows(solver, options, function, start, how);
    result.found_after = result.iterations;
    return result;
  }
  EarlyStop early(options, function, point);
  SolverOptions watched = how;
  watched.trace_every = 1;
  watched.trace = [&](const Minimum& so_far) {
    early.look(so_far);
    tell(how, so_far);
  };
  watched.monitor = [&](const Progress& progress) { return !early.stop() && go_on(how.monitor, progress); };
  static_cast<Minimum&>(result) = solve_with_all_rows(solver, options, function, start, watched);
  if (early.stop()) result.interrupted = false;
  early.finish(function, start.scale.at(0), result);
  result.converged = result.certificate <= how.tol;
  return result;
}

}  // namespace discern
