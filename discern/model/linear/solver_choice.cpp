#include "discern/model/linear/solver_choice.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"
#include "discern/optim/relay/stages.hpp"

namespace discern {
namespace {

bool softmax(const Loss& loss) { return std::holds_alternative<SoftmaxLoss>(loss); }

bool dual(const Loss& loss) {
  return std::holds_alternative<HingeLoss>(loss) || std::holds_alternative<SquaredHingeLoss>(loss) ||
         std::holds_alternative<LogisticLoss>(loss);
}

// What the solver lacks for this problem; empty when nothing.
std::string_view lacking(Solver solver, const Loss& loss, const LinearOptions& options) {
  switch (solver) {
    case Solver::newton:
    case Solver::newton_cg:
    case Solver::lbfgs:
    case Solver::cg:
      if (solver == Solver::newton && std::holds_alternative<HingeLoss>(loss))
        return options.l1 > 0 || !(options.l2 > 0) ? "`l2` above 0 and no `l1` for the hinge" : "";
      if (!is_smooth(loss)) return "a loss without a kink, and this one has one";
      if (options.l1 > 0 && solver == Solver::newton_cg)
        return softmax(loss) || !is_convex(loss) ? "a convex loss of one score for `l1`" : "";
      if (options.l1 > 0) return "an objective without `l1`, which has a kink";
      if (solver == Solver::newton && !is_convex(loss)) return "a convex loss";
      return "";
    case Solver::gd:
      if (options.l1 > 0) return "an objective without `l1`, which has a kink";
      if (!is_smooth(loss) && !(options.learning_rate > 0))
        return "a fixed `learning_rate` for a loss with a kink";
      return "";
    case Solver::cd:
      return is_smooth(loss) && is_convex(loss) ? "" : "a smooth convex loss";
    case Solver::dual_cd:
      if (!dual(loss)) return "the hinge, squared hinge or two-class logistic loss";
      if (options.l1 > 0 || !(options.l2 > 0))
        return "`l2` above 0 and no `l1`, which give the dual its form";
      return "";
    case Solver::closed_form:
      return "squared loss without `l1`, `activation`, `penalize_bias` or `normalize_criterion`";
    default:
      return "";
  }
}

// Stored entries a row, from the first block.
double entries_per_row(const Source& source) {
  if (!source.sparse() || source.rows() == 0) return static_cast<double>(source.cols());
  Scratch scratch;
  const Block block = source.block(0, scratch);
  double entries = 0;
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < rows.rows; ++i) entries += static_cast<double>(rows.row(i).size);
      },
      block.x);
  return entries / static_cast<double>(std::max<Index>(block.rows(), 1));
}

// Rough times from flops: eight Newton steps at 50 GFLOP/s against 150 products with the Hessian at 4. For
// softmax 15, since a class at a time is multiplied, against 40 at 8 (30,000 rows of 60 features and 5
// classes: 0.39 s and 0.08 s).
SolverChoice newton_or_cg(const Loss& loss, const Training& training) {
  const auto rows = static_cast<double>(training.source.rows());
  const double scores = softmax(loss) ? static_cast<double>(training.classes - 1) : 1.0;
  const double weights = static_cast<double>(training.source.cols() + 1) * scores;
  const double steps = 8 * (rows * weights * weights + weights * weights * weights / 3);
  const double product = 4 * rows * entries_per_row(training.source) * (scores + 1);
  const double newton = steps / (softmax(loss) ? 15e9 : 50e9);
  const double products = softmax(loss) ? 40 * product / 8e9 : 150 * product / 4e9;
  if (weights <= 5000 && (newton <= products || newton < 0.05))
    return {Solver::newton, fmt::format("{} weights: the Hessian is small enough to factorise", weights)};
  return {Solver::newton_cg,
          fmt::format("{} weights: multiplying with the Hessian takes less than factorising it", weights)};
}

}  // namespace

SolverChoice choose_solver(const Loss& loss, const LinearOptions& options, const Training& training) {
  if (options.solver != Solver::automatic) {
    const std::string_view missing = lacking(options.solver, loss, options);
    if (missing.empty()) return {options.solver, "as asked"};
    throw Error(Code::usage,
                fmt::format("`solver` {}: needs {}; take `solver` auto",
                            value_names(Solver{})[static_cast<std::size_t>(options.solver)], missing));
  }
  if (!is_convex(loss)) return {Solver::lbfgs, "the loss is not convex"};
  if (std::holds_alternative<PerceptronLoss>(loss)) return {Solver::sgd, "the criterion has a kink at zero"};
  if (std::holds_alternative<HingeLoss>(loss)) {
    if (options.l1 > 0 || !(options.l2 > 0))
      throw Error(Code::usage,
                  "the hinge loss needs `l2` above 0 and no `l1`; with `l1` take `loss` squared-hinge");
    const SolverChoice choice = newton_or_cg(loss, training);
    if (choice.solver == Solver::newton) return {Solver::newton, "interior points: " + choice.reason};
    return {Solver::dual_cd, "the hinge has a kink, its dual has none"};
  }
  if (options.l1 > 0) {
    // Column by column on one thread took 1.07 s where products over the rows took 0.46 (50,000 features).
    if (training.source.sparse() && training.source.cols() > 500 && !softmax(loss))
      return {Solver::newton_cg, "l1 on many sparse features"};
    return {Solver::cd, "l1 leaves most weights at zero"};
  }
  return newton_or_cg(loss, training);
}

SolverChoice choice_for_start(const SolverChoice& choice, bool l1) {
  const Solver able = able_to_start(choice.solver, l1);
  return able == choice.solver ? choice : SolverChoice{able, "it can start at given weights"};
}

void check_flags(Solver solver, const LinearOptions& options, std::string_view here) {
  const LinearOptions plain;
  const bool sgd = solver == Solver::sgd, gd = solver == Solver::gd;
  const auto check = [&](bool set, bool known, std::string_view flag, std::string_view owner) {
    if (!set || known) return;
    if (!here.empty()) throw Error(Code::usage, fmt::format("{} is for {}, and {}", flag, owner, here));
    throw Error(Code::usage, fmt::format("{} is for {}, and the solver here is {}{}", flag, owner,
                                         value_names(Solver{})[static_cast<std::size_t>(solver)],
                                         options.solver == Solver::automatic ? ", which auto chose" : ""));
  };
  check(options.learning_rate != plain.learning_rate, sgd || gd, "`learning_rate`",
        "`solver` gd and `solver` sgd");
  check(options.normalize_weights, sgd || gd, "`normalize_weights`", "`solver` gd and `solver` sgd");
  check(options.schedule != plain.schedule, sgd, "`schedule`", "`solver` sgd");
  check(options.batch_size != plain.batch_size, sgd, "`batch_size`", "`solver` sgd");
  check(options.epochs != plain.epochs, sgd, "`epochs`", "`solver` sgd");
  check(options.average, sgd, "`average`", "`solver` sgd");
  check(options.order != plain.order, sgd, "`order`", "`solver` sgd");
  check(options.max_iter != plain.max_iter, !sgd, "`max_iter`",
        "solvers that stop by themselves (sgd has `epochs`)");
}

}  // namespace discern
