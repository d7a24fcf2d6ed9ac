#include "discern/model/separable/ho_kashyap.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/stats/block.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/symmetric.hpp"
#include "discern/stats/triangle.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

enum class Outcome { separable, not_separable, unproved };

// One class against the rest, in scaled coordinates.
struct SignedSamples {
  const Training* training;
  const Scaling* scaling;
  std::int32_t positive;
  bool bias;
  Index width() const { return training->source.cols() + (bias ? 1 : 0); }
  // The rows [1, z] of a block, and the t of each.
  void rows(const Block& block, RowMajor& y) const {
    dense_rows(block.x, scaling->center, scaling->scale, y, bias ? 1 : 0);
    for (Index i = 0; i < y.rows(); ++i)
      if (block.labels[static_cast<std::size_t>(i)] != positive) y.row(i) *= -1;
  }
};

// One step: moves b towards Y a where that is larger, and collects what the next a needs.
class ErrorStep {
 public:
  ErrorStep(const SignedSamples& samples, const VectorXd& a, double rate, VectorXd& b)
      : samples_(&samples), a_(&a), rate_(rate), b_(&b), lack_(VectorXd::Zero(a.size())) {}

  void add(const Block& block) {
    RowMajor y;
    samples_->rows(block, y);
    const VectorXd g = y * *a_;
    VectorXd change(g.size());
    for (Index i = 0; i < g.size(); ++i) {
      double& target = (*b_)[block.first + i];
      const double e = g[i] - target, weight = block.weight(i);
      least_ = std::min(least_, g[i]);
      squares_ += weight * e * e;
      positive_squares_ += e > 0 ? weight * e * e : 0;
      largest_ = std::max(largest_, y.row(i).squaredNorm());
      target += rate_ * std::max(e, 0.0);
      change[i] = weight * (target - g[i]);
    }
    lack_.noalias() += y.transpose() * change;
  }
  void merge(const ErrorStep& other) {
    least_ = std::min(least_, other.least_);
    largest_ = std::max(largest_, other.largest_);
    squares_ += other.squares_;
    positive_squares_ += other.positive_squares_;
    lack_ += other.lack_;
  }
  double bytes() const { return 8.0 * static_cast<double>(lack_.size() + 8); }

  double least() const { return least_; }                // min_i y_i . a
  double radius() const { return std::sqrt(largest_); }  // max_i |y_i|
  double squares() const { return squares_; }            // |e|^2
  double positive_share() const { return squares_ > 0 ? std::sqrt(positive_squares_ / squares_) : 0; }
  const VectorXd& lack() const { return lack_; }  // Y'(b - Y a) with the new b

 private:
  const SignedSamples* samples_;
  const VectorXd* a_;
  double rate_;
  VectorXd* b_;
  double least_ = std::numeric_limits<double>::infinity();
  double largest_ = 0, squares_ = 0, positive_squares_ = 0;
  VectorXd lack_;
};

// The multipliers q: with `c`, first q_i *= 1 - c.y_i; then Y'q and, if asked, Y' diag(q) Y. Without c and
// with a and b they are set to the weighted negative parts of e.
class Multipliers {
 public:
  Multipliers(const SignedSamples& samples, VectorXd& q) : samples_(&samples), q_(&q) {
    sum_.setZero(samples.width());
    matrix_.setZero(samples.width(), samples.width());
  }
  void start_from(const VectorXd& a, const VectorXd& b) {
    a_ = &a;
    b_ = &b;
  }
  void change_by(const VectorXd& c) { c_ = &c; }

  void add(const Block& block) {
    RowMajor y;
    samples_->rows(block, y);
    auto q = q_->segment(block.first, y.rows());
    if (a_ != nullptr) {
      q = (b_->segment(block.first, y.rows()) - y * *a_).cwiseMax(0.0);
      for (Index i = 0; i < q.size(); ++i) q[i] *= block.weight(i);
    }
    if (c_ != nullptr) q = q.cwiseProduct(VectorXd::Ones(y.rows()) - y * *c_);
    for (Index i = 0; i < q.size(); ++i) {
      negative_ = negative_ || q[i] < 0;
      total_ += q[i];
    }
    sum_.noalias() += y.transpose() * q;
    matrix_.noalias() += y.transpose() * q.asDiagonal() * y;
  }
  void merge(const Multipliers& other) {
    sum_ += other.sum_;
    matrix_ += other.matrix_;
    total_ += other.total_;
    negative_ = negative_ || other.negative_;
  }
  double bytes() const { return 8.0 * static_cast<double>(matrix_.size() + sum_.size()); }

  const VectorXd& sum() const { return sum_; }
  const MatrixXd& matrix() const { return matrix_; }
  double total() const { return total_; }
  bool negative() const { return negative_; }

 private:
  const SignedSamples* samples_;
  VectorXd* q_;
  const VectorXd *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
  VectorXd sum_;
  MatrixXd matrix_;
  double total_ = 0;
  bool negative_ = false;
};

// |Y'q| / (radius sum q) of the multipliers that e makes, completed; infinite when that fails.
double gordan_residual(const SignedSamples& samples, const VectorXd& a, const VectorXd& b, double radius,
                       double tol) {
  const Source& source = samples.training->source;
  VectorXd q(source.rows()), c;
  double residual = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3; ++round) {
    Multipliers empty(samples, q);
    if (round == 0)
      empty.start_from(a, b);
    else
      empty.change_by(c);
    const Multipliers now = fold(source, empty, samples.training->monitor);
    if (now.negative() || !(now.total() > 0)) return std::numeric_limits<double>::infinity();
    residual = now.sum().norm() / (radius * now.total());
    if (residual <= tol / 16) break;
    c = solve_semidefinite(now.matrix(), now.sum()).x;
  }
  return residual;
}

struct Ending {
  Outcome outcome = Outcome::unproved;
  VectorXd a;
  double least = 0;           // min_i y_i . a
  double squares = 0;         // |e|^2
  double positive_share = 0;  // |max(e, 0)| / |e|
  double residual = 0;        // of the proof that the classes are not separable
  Index iterations = 0;
  bool interrupted = false;
};

class Procedure {
 public:
  // Called with the step and what was found with its a, from the start on; empty: nobody watches.
  using Watch = std::function<void(const Ending& so_far)>;

  Procedure(const SignedSamples& samples, const MatrixXd& inverse, const HoKashyap& options,
            const Watch& watch)
      : samples_(&samples), inverse_(&inverse), options_(&options), watch_(watch) {}

  Ending run(const VectorXd& start) {
    const Training& training = *samples_->training;
    Ending result;
    result.a = start;
    VectorXd b = VectorXd::Constant(training.source.rows(), options_->margin);
    try {
      // A whole step of b from a gives max(Y a, b), which is b from a = 0, and a then moves to Y^+ b.
      ErrorStep now = fold(training.source, ErrorStep(*samples_, result.a, 1, b), training.monitor);
      note(now, result);
      result.a += solve(now.lack());
      Index next_proof = 8;
      for (Index k = 1; k <= options_->max_iter; ++k) {
        const VectorXd a = result.a;
        result.iterations = k;
        now = fold(training.source, ErrorStep(*samples_, a, options_->learning_rate, b), training.monitor);
        note(now, result);
        if (now.least() > 8 * machine_epsilon * a.norm() * now.radius()) {
          result.outcome = Outcome::separable;
          return result;
        }
        const Progress progress{.stage = "fitting",
                                .done = k,
                                .total = options_->max_iter,
                                .objective = result.squares / 2,
                                .certificate = result.positive_share,
                                .iterative = true};
        if (!go_on(training.monitor, progress)) {
          result.interrupted = true;
          return result;
        }
        result.a += solve(now.lack());
        if (k < next_proof && k < options_->max_iter) continue;
        next_proof += next_proof / 2;
        result.residual = gordan_residual(*samples_, result.a, b, now.radius(), options_->tol);
        if (result.residual <= options_->tol) {
          result.outcome = Outcome::not_separable;
          return result;
        }
      }
    } catch (const Error& error) {
      if (error.code() != Code::interrupted) throw;
      result.interrupted = true;
    }
    return result;
  }

 private:
  // What a step found of its a.
  void note(const ErrorStep& now, Ending& result) const {
    result.least = now.least();
    result.squares = now.squares();
    result.positive_share = now.positive_share();
    if (watch_) watch_(result);
  }

  // (Y'Y)^+ v from the pseudo-inverse of the triangle.
  VectorXd solve(const VectorXd& v) const { return *inverse_ * (inverse_->transpose() * v); }

  const SignedSamples* samples_;
  const MatrixXd* inverse_;
  const HoKashyap* options_;
  Watch watch_;
};

// The pseudo-inverse of R, Y = Q R, in scaled coordinates: the same for every class, since signs leave Y'Y
// alone.
MatrixXd triangle_inverse(const SignedSamples& samples) {
  const Source& source = samples.training->source;
  Design design{&source, samples.bias, samples.scaling->center, source.cols(), 0, {}};
  design.target = [](const Block&, Index, double*) {};
  MatrixXd r = fold(source, Triangle<double>(design), samples.training->monitor).result();
  if (!samples.bias) r = r.rightCols(source.cols()).eval();
  const VectorXd& scale = samples.scaling->scale;
  for (Index j = 0; j < source.cols(); ++j) r.col(j + (samples.bias ? 1 : 0)) /= scale[j];
  const double threshold = 8.0 * static_cast<double>(r.cols()) * machine_epsilon;
  return least_norm<double>(r, MatrixXd::Identity(r.rows(), r.rows()), threshold).x;
}

std::string verdict_of(const Ending& result) {
  if (result.outcome == Outcome::separable) return "separable";
  return result.outcome == Outcome::not_separable ? "not separable" : "undecided";
}

// What the warnings say of one problem; nothing when it is separable.
std::string warning_of(const Ending& result, const std::string& classes, const HoKashyap& options) {
  if (result.outcome == Outcome::not_separable)
    return fmt::format(
        "{} not linearly separable: after {} steps the residual e = Ya - b is negative where it matters, "
        "multipliers that no separating plane allows (|Y'q| = {:.1e} of their size)",
        classes, result.iterations, result.residual);
  return fmt::format(
      "no verdict whether {} linearly separable: stopped at the limit of {} steps with {:.2g} of the "
      "residual "
      "still positive; raise `max_iter`, or ask `discern separable`",
      classes, options.max_iter, result.positive_share);
}

// Takes the result of one problem into the report. The certificate is that of the worst: undecided before not
// separable before separable.
void report(const Ending& result, const std::string& classes, const HoKashyap& options, Summary& summary,
            int& worst) {
  const int rank = result.outcome == Outcome::separable       ? 0
                   : result.outcome == Outcome::not_separable ? 1
                                                              : 2;
  summary.objective = summary.objective.value_or(0) + result.squares / 2;
  summary.iterations += result.iterations;
  summary.interrupted = summary.interrupted || result.interrupted;
  summary.converged = summary.converged && rank < 2;
  if (rank > 0 && !result.interrupted) summary.warnings.push_back(warning_of(result, classes, options));
  const Certificate certificate = rank == 0   ? Certificate{"training-mistakes", 0}
                                  : rank == 1 ? Certificate{"common-point", result.residual}
                                              : Certificate{"positive-residual", result.positive_share};
  if (rank > worst || (rank == worst && certificate.value >= summary.certificate.value))
    summary.certificate = certificate;
  worst = std::max(worst, rank);
}

}  // namespace

Fitted fit(const HoKashyap& options, const Training& training) {
  const Scaling scaling = fit_scaling(training, !options.no_bias);
  check_matrix_size(training.source.cols() + 1, "the Ho-Kashyap procedure");
  SignedSamples samples{&training, &scaling, 1, !options.no_bias};
  const MatrixXd inverse = triangle_inverse(samples);

  Fitted fitted;
  Summary& summary = fitted.summary;
  summary.solver = "ho-kashyap";
  summary.tolerance = options.tol;
  summary.converged = true;
  const Index scores = training.classes == 2 ? 1 : training.classes;
  const Index d = training.source.cols();
  Matrix weights = Matrix::Zero(scores, d);
  Vector bias = Vector::Zero(scores);
  Matrix given = Matrix::Zero(1 + d, scores);
  if (training.start != nullptr) given = rescale(scaling, std::get<Linear>(*training.start));
  int worst = -1;
  std::string verdicts;
  Ending result;
  for (Index k = 0; k < scores; ++k) {
    samples.positive = static_cast<std::int32_t>(scores == 1 ? 1 : k);
    const VectorXd start = given.col(k).tail(samples.width());
    const auto take = [&](const VectorXd& a) {
      weights.row(k) = a.tail(d).transpose();
      if (samples.bias) bias[k] = a[0];
    };
    const auto show = [&](const Ending& so_far) {
      const Index step = summary.iterations + so_far.iterations;
      if (!training.trace.due(step) || (k > 0 && so_far.iterations == 0)) return;
      take(so_far.a);
      const Predictor now = unscale(scaling, weights, bias, Link::none);
      training.trace.show(
          {step, summary.objective.value_or(0) + so_far.squares / 2, so_far.positive_share, {}, now});
    };
    result = Procedure(samples, inverse, options, training.trace.show ? Procedure::Watch(show) : nullptr)
                 .run(start);
    take(result.a);
    const std::string name = scores == 1 ? "" : training.class_names[static_cast<std::size_t>(k)];
    verdicts += scores == 1 ? verdict_of(result)
                            : fmt::format("{}{} {}", k > 0 ? ", " : "", name, verdict_of(result));
    report(result, scores == 1 ? "the classes are" : fmt::format("class '{}' and the rest are", name),
           options, summary, worst);
  }
  Linear linear = unscale(scaling, weights, bias, Link::none);
  summary.facts.push_back({"verdict", verdicts});
  if (scores == 1 && result.outcome == Outcome::separable)
    summary.facts.push_back({"margin", result.least / linear.weights.norm()});
  fitted.predictor = std::move(linear);
  return fitted;
}

}  // namespace discern
