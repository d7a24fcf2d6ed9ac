#include "discern/model/linear/least_squares.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/model/inference/least_squares_inference.hpp"
#include "discern/model/linear/linear_fit.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/linear/solver_choice.hpp"
#include "discern/model/linear/too_correct.hpp"
#include "discern/optim/problem/certificate.hpp"
#include "discern/stats/column_moments.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/triangle.hpp"

namespace discern {
namespace {

// The weight of the rows of each of two classes.
class ClassWeights {
 public:
  void add(const Block& block) {
    for (Index i = 0; i < block.rows(); ++i)
      weight_[block.labels[static_cast<std::size_t>(i)] == 1 ? 1 : 0] += block.weight(i);
  }
  void merge(const ClassWeights& other) {
    weight_[0] += other.weight_[0];
    weight_[1] += other.weight_[1];
  }
  double bytes() const { return sizeof weight_; }
  double operator[](std::size_t k) const { return weight_[k]; }

 private:
  std::array<double, 2> weight_{};
};

// What --targets asks for.
TargetRow chosen_targets(const std::string& choice, const Training& training) {
  if (choice != "fisher")
    return [](const Block& block, Index i, double* y) { y[0] = block.targets[static_cast<std::size_t>(i)]; };
  const ClassWeights weights = fold(training.source, ClassWeights(), training.monitor);
  const double all = weights[0] + weights[1];
  return [negative = -all / weights[0], positive = all / weights[1]](const Block& block, Index i, double* y) {
    y[0] = block.labels[static_cast<std::size_t>(i)] == 1 ? positive : negative;
  };
}

// The number in regression, -1 and +1 for two classes, 1-of-K for K.
TargetRow target_coding(const Training& training) {
  if (training.task == Task::regression)
    return [](const Block& block, Index i, double* y) { y[0] = block.targets[static_cast<std::size_t>(i)]; };
  if (training.classes == 2)
    return [](const Block& block, Index i, double* y) {
      y[0] = block.labels[static_cast<std::size_t>(i)] == 1 ? 1.0 : -1.0;
    };
  return [classes = training.classes](const Block& block, Index i, double* y) {
    std::fill(y, y + classes, 0.0);
    y[block.labels[static_cast<std::size_t>(i)]] = 1.0;
  };
}

template <class Scalar>
struct Solution {
  Dense<Scalar> weights;  // (1 + features) x targets: the bias at the centre, then the weights
  Index rank = 0;         // of the centred features
};

// The best bias for the weights, from the first row of the triangle.
template <class Scalar>
void set_bias(const Dense<Scalar>& r, const Design& design, Dense<Scalar>& weights) {
  const Index d = design.features, m = design.targets;
  if (design.bias)
    weights.row(0) = (r.block(0, 1 + d, 1, m) - r.block(0, 1, 1, d) * weights.bottomRows(d)) / r(0, 0);
}

// The ridge that the shrinkage form amounts to: its solution is that of l2 = e/(1-e) tr(S)/d, divided by 1 -
// e. S is the scatter of the features that the penalty acts on.
template <class Scalar>
double shrinkage_l2(const Dense<Scalar>& r, const Design& design, const Scaling& scaling, double e) {
  const Index first = design.bias ? 1 : 0, d = design.features;
  double trace = 0;
  for (Index j = 0; j < d; ++j) {
    const auto scatter = static_cast<double>(r.block(first, 1 + j, r.rows() - first, 1).squaredNorm());
    trace += scatter / (scaling.penalty[j] * scaling.scale[j] * scaling.scale[j]);
  }
  return e / (1 - e) * trace / static_cast<double>(d);
}

// Whether the rows diag(root) of a penalty hold every weight by more than rounding, beside the rows A.
template <class Rows>
bool holds_all(const Rows& a, const Eigen::VectorXd& root) {
  for (Index j = 0; j < root.size(); ++j) {
    const double length = std::hypot(static_cast<double>(a.col(j).norm()), root[j]);
    if (!(root[j] > rank_threshold(a.cols()) * length)) return false;
  }
  return true;
}

// The minimum of |Z [b; w] - y|^2 + l2 sum_j penalty_j (w_j scale_j)^2 from the triangle of [Z y]. The first
// column gives the bias; the others are brought to length one at most, and those that depend on the rest up
// to the rounding of the data get the share of least norm.
template <class Scalar>
Solution<Scalar> solve(const Dense<Scalar>& r, const Design& design, const Scaling& scaling, double l2) {
  const Index d = design.features, m = design.targets;
  const Eigen::VectorXd root = (scaling.penalty.array() * l2).sqrt() * scaling.scale.array();
  const Index penalties = l2 > 0 ? d : 0;
  const Index first =
      design.bias ? 1 : 0;  // without a bias the column of zeros leaves the first row to the rest
  Index rows = r.rows() - first;
  while (rows > 1 && r.row(first + rows - 1).isZero(0)) --rows;  // of fewer rows than features
  if (l2 > 0 && rows < d && holds_all(r.block(first, 1, rows, d), root)) {
    Solution<Scalar> solution{Dense<Scalar>::Zero(1 + d, m), d};
    solution.weights.bottomRows(d) = ridge_of_few_rows<Scalar>(
        r.block(first, 1, rows, d), r.block(first, 1 + d, rows, m), root.cast<Scalar>());
    set_bias<Scalar>(r, design, solution.weights);
    return solution;
  }
  Dense<Scalar> a = Dense<Scalar>::Zero(rows + penalties, d), y = Dense<Scalar>::Zero(rows + penalties, m);
  a.topRows(rows) = r.block(first, 1, rows, d);
  y.topRows(rows) = r.block(first, 1 + d, rows, m);
  if (l2 > 0) a.bottomRows(d) = root.cast<Scalar>().asDiagonal();

  const double threshold = rank_threshold(d);
  const Dense<Scalar> length = shorten_columns<Scalar>(r, design, design.center, scaling.weight, a);
  // |A x| is at least what the rows of the penalty make of x.
  double least = l2 > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  for (Index j = 0; j < d; ++j)
    least = std::min(least, a.col(j).isZero(0) ? 0.0 : root[j] / static_cast<double>(length(j, 0)));
  // The norm is that of the weights as a penalty sees them, so that the ridge tends to this.
  const Eigen::VectorXd penalised = scaling.penalty.cwiseSqrt().cwiseProduct(scaling.scale);
  const Dense<Scalar> units = penalised.cast<Scalar>().cwiseQuotient(length.col(0));
  const bool few_rows = l2 == 0 && rows < d && std::is_same_v<Scalar, double>;
  const LeastNorm<Scalar> found = few_rows ? least_norm_of_few_rows<Scalar>(a, y, threshold, units)
                                           : least_norm<Scalar>(a, y, threshold, least, units);
  Solution<Scalar> solution{Dense<Scalar>::Zero(1 + d, m), found.rank};
  solution.weights.bottomRows(d) = length.col(0).cwiseInverse().asDiagonal() * found.x;
  set_bias<Scalar>(r, design, solution.weights);
  return solution;
}

// The loss and its gradient at a point, in one fold.
template <class Scalar>
class Residuals {
 public:
  Residuals(const Design& design, const Dense<Scalar>& at)
      : design_(&design), at_(&at), gradient_(Dense<Scalar>::Zero(at.rows(), at.cols())) {}

  void add(const Block& block) {
    add(design_rows<Scalar>(*design_, block), [&](Index i) { return block.weight(i); });
  }
  // Rows of the design.
  template <class Weight>
  void add(const Dense<Scalar>& rows, const Weight& weight) {
    const auto z = rows.leftCols(1 + design_->features);
    Dense<Scalar> error = z * *at_ - rows.rightCols(design_->targets);
    Dense<Scalar> weighted = error;
    for (Index i = 0; i < error.rows(); ++i) weighted.row(i) *= static_cast<Scalar>(weight(i));
    value_ += weighted.cwiseProduct(error).sum() / 2;
    gradient_.noalias() += z.transpose() * weighted;
  }
  void merge(const Residuals& other) {
    value_ += other.value_;
    gradient_ += other.gradient_;
  }
  double bytes() const { return 16.0 * static_cast<double>(gradient_.size()); }
  Scalar value() const { return value_; }
  const Dense<Scalar>& gradient() const { return gradient_; }

 private:
  const Design* design_;
  const Dense<Scalar>* at_;
  Scalar value_ = 0;
  Dense<Scalar> gradient_;
};

// The length of a gradient in scaled coordinates, where the penalty on u_j is l2/2 penalty_j u_j^2.
template <class Scalar>
double scaled_norm(Dense<Scalar> gradient, const Dense<Scalar>& weights, const Scaling& scaling, double l2) {
  for (Index j = 0; j < scaling.scale.size(); ++j) {
    gradient.row(j + 1) /= static_cast<Scalar>(scaling.scale[j]);
    gradient.row(j + 1) +=
        static_cast<Scalar>(l2 * scaling.penalty[j] * scaling.scale[j]) * weights.row(j + 1);
  }
  return static_cast<double>(gradient.norm());
}

ColumnMoments column_moments(const Training& training) {
  const ColumnMoments empty(training.source.cols()), seen = fold(training.source, empty, training.monitor);
  if (training.before == nullptr) return seen;
  ColumnMoments all = empty;
  restore(*training.before, all);
  all.merge(seen);
  return all;
}

// The coordinates of the fit: centred where the first rows were, on their centre.
Scaling coordinates(const LeastSquares& options, const Training& training, const ColumnMoments& columns) {
  Scaling scaling = scaling_of(columns.result(), training.source.sparse(),
                               {!options.no_bias, training.standardize, training.indicator});
  check_spread(training, scaling.scale);
  if (training.before == nullptr) return scaling;
  scaling.center = Vector();
  if (find_statistic(*training.before, "center", {}).values.empty()) return scaling;
  const Statistic& center = find_statistic(*training.before, "center", {training.source.cols()});
  scaling.center = Eigen::Map<const Vector>(center.values.data(), scaling.scale.size());
  return scaling;
}

// R in two parts, so that extended precision is kept: what a double holds of it, and the rest.
template <class Scalar>
Statistic kept_triangle(const Dense<Scalar>& r) {
  Statistic kept{"triangle", {2, r.rows(), r.cols()}, {}};
  for (const bool rest : {false, true})
    for (Index i = 0; i < r.rows(); ++i)
      for (Index j = 0; j < r.cols(); ++j) {
        const auto whole = static_cast<double>(r(i, j));
        kept.values.push_back(rest ? static_cast<double>(r(i, j) - static_cast<Scalar>(whole)) : whole);
      }
  return kept;
}

// The rows that stand for those of earlier fits; none without any.
template <class Scalar>
Dense<Scalar> earlier_rows(const Training& training, Index width) {
  if (training.before == nullptr) return Dense<Scalar>(0, width);
  const Statistic& kept = find_statistic(*training.before, "triangle", {2, width, width});
  Dense<Scalar> r(width, width);
  for (Index i = 0; i < width; ++i)
    for (Index j = 0; j < width; ++j) {
      const auto place = static_cast<std::size_t>(i * width + j),
                 all = static_cast<std::size_t>(width * width);
      r(i, j) = static_cast<Scalar>(kept.values[place]) + static_cast<Scalar>(kept.values[all + place]);
    }
  return r;
}

// Why the weights come without standard errors; empty: they have some.
std::string no_inference(const Training& training, double l2, bool dependent) {
  if (training.task != Task::regression)
    return "the targets of classes are a coding, no numbers with errors; `model` logistic `l2` 0 gives some";
  if (l2 > 0)
    return "the weights are penalised, so they are biased towards zero by an amount that no standard error "
           "accounts for; without a penalty there are some";
  return dependent ? "the features are linearly dependent, so the weights are not unique" : "";
}

template <class Scalar>
Fitted fit_as(const LeastSquares& options, const Training& training) {
  const ColumnMoments columns = column_moments(training);
  const Scaling scaling = coordinates(options, training, columns);
  Design design{
      &training.source,
      !options.no_bias,
      scaling.center,
      training.source.cols(),
      1,
      options.targets == "pm1" ? target_coding(training) : chosen_targets(options.targets, training)};
  if (training.task == Task::classification && training.classes > 2) design.targets = training.classes;
  const Index d = design.features;
  const Dense<Scalar> earlier = earlier_rows<Scalar>(training, design.width());
  Triangle<Scalar> triangle = fold(training.source, Triangle<Scalar>(design), training.monitor);
  triangle.push(earlier);
  const Dense<Scalar> r = training.wants_statistics() ? triangle.result() : triangle.rows();
  const double shrink = options.shrinkage;
  const double l2 = shrink > 0 ? shrinkage_l2<Scalar>(r, design, scaling, shrink) : options.l2;
  Solution<Scalar> solution = solve<Scalar>(r, design, scaling, l2);
  Residuals<Scalar> at = fold(training.source, Residuals<Scalar>(design, solution.weights), training.monitor);
  at.add(earlier, [](Index) { return 1.0; });
  // The gradient at zero is -Z'y, and Z'y = R_z' R_y.
  const Dense<Scalar> start = -r.leftCols(1 + d).transpose() * r.rightCols(design.targets);
  const Dense<Scalar> zero = Dense<Scalar>::Zero(1 + d, design.targets);
  const Eigen::VectorXd size = solution.weights.bottomRows(d).rowwise().squaredNorm().template cast<double>();
  const Eigen::ArrayXd penalised = size.array() * (scaling.penalty.array() * scaling.scale.array().square());

  Fitted fitted;
  if (training.wants_statistics()) {
    fitted.statistics = keep(columns);
    fitted.statistics.push_back(kept_triangle<Scalar>(r));
    fitted.statistics.push_back(
        {"center", {scaling.center.size()}, {scaling.center.begin(), scaling.center.end()}});
  }
  Summary& summary = fitted.summary;
  summary.solver = "closed-form";
  summary.reason =
      std::is_same_v<Scalar, double> ? "QR decomposition" : "QR decomposition in extended precision";
  summary.objective = static_cast<double>(at.value()) + l2 / 2 * penalised.sum();
  summary.iterations = 1;
  summary.tolerance = options.tol;
  summary.certificate = {"relative-gradient-norm",
                         scaled_norm<Scalar>(at.gradient(), solution.weights, scaling, l2) /
                             certificate_scale(scaled_norm<Scalar>(start, zero, scaling, 0), scaling.weight)};
  summary.converged = summary.certificate.value <= options.tol;
  summary.rank = solution.rank;
  if (solution.rank < d)
    summary.warnings.push_back(rank_warning(solution.rank, d, "those of least norm are given"));
  if (training.inference.intervals != Intervals::none) {
    Inference inference{.absent = no_inference(training, l2, solution.rank < d)};
    if (inference.absent.empty())
      inference = infer<Scalar>(r, design, solution.weights, 2 * at.value(), scaling.weight, training);
    fitted.inference = std::move(inference);
  }
  if (shrink > 0) {
    solution.weights.bottomRows(d) /= static_cast<Scalar>(1 - shrink);
    set_bias<Scalar>(r, design, solution.weights);
  }
  fitted.predictor =
      Linear{solution.weights.bottomRows(d).transpose().template cast<double>(),
             solution.weights.row(0).transpose().template cast<double>(), scaling.center, Link::none};
  if (shrink == 0 && options.targets == "pm1") {
    const Eigen::MatrixXd rows = r.topLeftCorner(std::min(r.rows(), 1 + d), 1 + d).template cast<double>();
    const std::string bent = too_correct_warning(training, fitted.predictor, rows, scaling, l2, design.bias);
    if (!bent.empty()) summary.warnings.push_back(bent);
  }
  return fitted;
}

// Beyond this many flops a factorisation takes longer than iterations that only multiply.
constexpr double most_work = 2e12;

Loss loss_of(Activation activation) {
  if (activation == Activation::logistic) return LogisticUnitLoss{};
  if (activation == Activation::tanh) return TanhUnitLoss{};
  return SquaredLoss{};
}

// Extended precision costs about twenty times as much: it is taken where that is still a tenth of a second.
Fitted fit_closed(const LeastSquares& options, const Training& training, double work) {
  check_flags(Solver::closed_form, linear_options(options));
  const Index n = training.source.rows(), width = training.source.cols() + 1 + training.classes;
  if (n < training.source.cols() && !training.wants_statistics())
    check_rows_size(n, width, "the closed form of least squares");
  else
    check_matrix_size(width, "the closed form of least squares");
  return work < 2e7 ? fit_as<long double>(options, training) : fit_as<double>(options, training);
}

void check_targets(const LeastSquares& options, const Training& training, bool closed) {
  if (training.task == Task::regression || training.classes != 2)
    throw Error(
        Code::usage,
        fmt::format("`targets` {}: other targets than 1-of-K are for two classes{}", options.targets,
                    training.task == Task::regression ? ", and this is a regression"
                                                      : fmt::format(", and there are {}", training.classes)));
  const bool solver = options.solver == Solver::automatic || options.solver == Solver::closed_form;
  if (!closed || !solver)
    throw Error(Code::usage,
                fmt::format("`targets` {} needs the closed form: no `l1`, `activation`, `penalize_bias`, "
                            "`normalize_criterion` or other `solver`",
                            options.targets));
  Scratch scratch;
  if (options.targets != "fisher" && training.source.block(0, scratch).targets.empty())
    throw Error(Code::usage, fmt::format("`targets`: expected pm1, fisher or the rows' own targets, got '{}'",
                                         options.targets));
}

}  // namespace

Fitted fit(const LeastSquares& options, const Training& training) {
  const bool closed = options.l1 == 0 && options.activation == Activation::none && !options.penalize_bias &&
                      !options.normalize_criterion;
  if (options.shrinkage > 0 && (!closed || options.l2 > 0))
    throw Error(
        Code::usage,
        "`shrinkage` is a ridge of its own: it excludes `l1`, `l2`, `activation`, `penalize_bias` and "
        "`normalize_criterion`");
  if (options.targets != "pm1") check_targets(options, training, closed);
  if (training.wants_statistics() && options.targets != "pm1")
    throw Error(Code::usage, fmt::format("`targets` {} leaves no statistics to continue from: only pm1 does",
                                         options.targets));
  if (options.activation != Activation::none && training.task == Task::regression)
    throw Error(Code::usage, "`activation` is for classification: its targets are classes");
  const auto width = static_cast<double>(training.source.cols() + 1 + std::max<Index>(training.classes, 1));
  const double work = width * width * static_cast<double>(training.source.rows() + training.source.cols());
  const Index rows = training.source.rows();
  const bool wide = rows < training.source.cols() && !training.wants_statistics();
  // With far fewer rows than features a ridge of one score is solved among the rows (optim/view/row_space.hpp):
  // 20 rows of 1,500 features take 10 ms instead of 4 s.
  const bool one = training.task == Task::regression || training.classes == 2 || training.source.sparse();
  const bool iterates = options.l2 > 0 && work > 3e8 && wide && 3 * rows <= training.source.cols() && one;
  // Products of the rows, some six times.
  const double few = 6 * static_cast<double>(rows) * static_cast<double>(rows) * width;
  const double least_work = wide && !training.source.sparse() ? few : work;
  const bool automatic =
      options.solver == Solver::automatic &&
      ((least_work < most_work && !iterates) || options.shrinkage > 0 || options.targets != "pm1");
  if (closed && (automatic || options.solver == Solver::closed_form))
    return fit_closed(options, training, work);
  if (options.shrinkage > 0) throw Error(Code::usage, "`shrinkage` needs `solver` closed-form");
  if (training.wants_statistics())
    throw Error(
        Code::usage,
        "only the closed form of least-squares leaves statistics to continue from: no `l1`, `activation`, "
        "`penalize_bias`, `normalize_criterion` or other `solver`");
  return fit_linear(loss_of(options.activation), linear_options(options), training);
}

}  // namespace discern
