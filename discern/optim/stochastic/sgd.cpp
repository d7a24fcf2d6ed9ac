#include "discern/optim/stochastic/sgd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/problem/certificate.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/optim/solver/gd.hpp"
#include "discern/optim/stochastic/compact_rows.hpp"
#include "discern/optim/stochastic/lazy_weights.hpp"
#include "discern/optim/stochastic/read_ahead.hpp"
#include "discern/optim/stochastic/samples.hpp"
#include "discern/optim/view/renumbered.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

template <class Row>
struct Sample {
  Row row;
  double target;  // the class for softmax
  double weight;
  double longest = std::numeric_limits<double>::infinity();  // the largest rate that it takes
};

// row_at(block, i, row) gives row i of a block as it is to be taken.
template <class RowsOf, class RowAt>
auto samples_of(const Problem& problem, const AllRows& all, const RowAt& row_at) {
  return samples_of<RowsOf>(all, [&](const Block& block, Index i, auto row) {
    const double target =
        problem.softmax() ? block.labels[static_cast<std::size_t>(i)] : problem.target(block, i);
    const auto taken = row_at(block, i, row);
    return Sample<std::remove_const_t<decltype(taken)>>{taken, target, block.weight(i)};
  });
}

// Rows in the coordinates of the problem: as they are,
struct Unscaled {
  template <class Row>
  Row operator()(Row row) const {
    return row;
  }
};

// or scaled (and dense ones centred), in a buffer that the next row overwrites.
class Scaled {
 public:
  explicit Scaled(const Scaling& scaling)
      : center_(scaling.center.size() > 0 ? scaling.center : VectorXd::Zero(scaling.scale.size())),
        inverse_(scaling.scale.cwiseInverse()),
        buffer_(scaling.scale.size()) {}

  template <class T>
  DenseRow<double> operator()(DenseRow<T> row) {
    const Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>> x(row.values, row.size);
    buffer_.array() = (x.template cast<double>() - center_.array()) * inverse_.array();
    return {buffer_.data(), row.size};
  }
  template <class Row>
  auto operator()(Row row) {
    for (Index k = 0; k < row.size; ++k)
      buffer_[k] = static_cast<double>(row.values[k]) * inverse_[row.columns[k]];
    return with_values(row, buffer_.data());
  }

 private:
  VectorXd center_, inverse_, buffer_;
};

bool unscaled(const Scaling& scaling) {
  return (scaling.scale.array() == 1).all() && (scaling.center.size() == 0 || scaling.center.isZero(0));
}

using Slope = double (*)(double score, double target);

// dL/dg of the losses of one score; null for softmax.
Slope slope_of(const Loss& loss) {
  return std::visit(
      []<class L>(L) -> Slope {
        if constexpr (std::is_same_v<L, SoftmaxLoss>)
          return nullptr;
        else if constexpr (std::is_same_v<L, LogisticLoss>)  // without the logarithm of its value
          return [](double g, double y) { return -y * sigmoid(-y * g); };
        else
          return [](double g, double y) { return L::at(g, y).slope; };
      },
      loss);
}

// The largest second derivative of the loss; one for those of pieces of lines, where a step of 1/|z|^2 moves
// the margin of its sample by one.
double largest_curvature(const Loss& loss) {
  if (std::holds_alternative<LogisticLoss>(loss)) return 0.25;
  if (std::holds_alternative<SoftmaxLoss>(loss)) return 0.5;
  if (std::holds_alternative<SquaredHingeLoss>(loss)) return 2;
  return std::holds_alternative<LogisticUnitLoss>(loss) ? 1.0 / 16 : 1;
}

bool stuck_at_zero(const Loss& loss) {
  return !is_convex(loss) || std::holds_alternative<PerceptronLoss>(loss);
}

VectorXd start_of(const Problem& problem, std::uint64_t seed) {
  return stuck_at_zero(problem.loss) ? small_random_start(problem, seed) : VectorXd::Zero(problem.size());
}

template <class Row, class Coordinates>
class Run {
 public:
  Run(const Problem& problem, const SgdOptions& how, const SolverOptions& options,
      std::vector<Sample<Row>> samples, Coordinates coordinates)
      : problem_(problem),
        how_(how),
        options_(options),
        samples_(std::move(samples)),
        coordinates_(std::move(coordinates)),
        slope_(slope_of(problem.loss)),
        weights_(problem, start_of(problem, how.seed)),
        random_(how.seed),
        order_(samples_.size()),
        ahead_(samples_, order_) {
    std::iota(order_.begin(), order_.end(), 0U);
    batch_ = std::clamp<Index>(how.batch_size, 1, std::max<Index>(rows(), 1));
    const Index steps_an_epoch = (rows() + batch_ - 1) / batch_;
    steps_ = steps_an_epoch * how.epochs;
    slopes_.resize(batch_, problem.scores);
    automatic_ = !(how.learning_rate > 0);
    rate_ = automatic_ ? automatic_rate() : how.learning_rate;
  }

  // Sets the point, the epochs and whether it was interrupted.
  Minimum operator()() {
    Minimum result;
    if (options_.trace) show();
    while (result.iterations < how_.epochs && !result.interrupted) {
      new_order();
      ahead_.during([&] { result.interrupted = !epoch(); });
      if (!result.interrupted) ++result.iterations;
      if (options_.trace && !every_step()) show();
    }
    result.point = weights_.result();
    return result;
  }

 private:
  Index rows() const { return static_cast<Index>(samples_.size()); }
  const Sample<Row>& sample(Index at) const { return ahead_.sample(at); }

  double automatic_rate();
  double rate() const;  // of the step to come
  void new_order();
  bool epoch();  // false when the monitor stopped it
  void step(Index first, Index count);
  // Of few rows those who watch are shown every step, of more every epoch.
  bool every_step() const { return rows() <= 1000; }
  void show();
  void set_slopes(const Sample<Row>& sample, double* slopes) const;

  const Problem& problem_;
  const SgdOptions& how_;
  const SolverOptions& options_;
  std::vector<Sample<Row>> samples_;
  Coordinates coordinates_;
  Slope slope_;
  LazyWeights weights_;
  Random random_;
  std::vector<std::uint32_t> order_;
  ReadAhead<Sample<Row>> ahead_;
  Index batch_ = 1, steps_ = 0, step_ = 0;
  bool automatic_ = true;
  double rate_ = 0, last_rate_ = 0;
  RowMajor slopes_;
};

// The mean over the samples of 1 / h_i = b c s_i |z_i|^2 gives 1 / h, and no sample takes a longer step than
// its h_i, with c the largest curvature of the loss and z with the 1 of the bias. A step of h_i goes to the
// minimum of the parabola that bounds the sample's loss; without the limit a few long rows throw the weights
// so far that squared loss diverges. With the default schedule and 10 epochs this comes within 1 % of the
// least E for logistic loss on nine of the ten data sets in data/ (digits, 16 %, needs more epochs); half the
// rate does on five of them and twice the rate on seven.
template <class Row, class Coordinates>
double Run<Row, Coordinates>::automatic_rate() {
  constexpr Index chunk = 4096;
  const double curvature = largest_curvature(problem_.loss) * static_cast<double>(batch_);
  parallel_for((rows() + chunk - 1) / chunk, [&](Index k) {
    Coordinates coordinates = coordinates_;
    for (Index i = k * chunk; i < std::min(rows(), (k + 1) * chunk); ++i) {
      Sample<Row>& sample = samples_[static_cast<std::size_t>(i)];
      const double squares = squared_norm(coordinates(sample.row)) + (problem_.bias ? 1 : 0);
      sample.longest = 1 / (curvature * sample.weight * squares);
    }
  });
  double sum = 0, count = 0;
  for (const auto& sample : samples_)
    if (std::isfinite(sample.longest)) sum += 1 / sample.longest, count += 1;
  return sum > 0 ? count / sum : 1;
}

template <class Row, class Coordinates>
double Run<Row, Coordinates>::rate() const {
  const auto before = static_cast<double>(step_);
  const double l =
      automatic_ ? 1 + before * static_cast<double>(how_.epochs) / static_cast<double>(steps_) : before + 1;
  switch (how_.schedule) {
    case Schedule::inverse:
      return rate_ / l;
    case Schedule::inverse_sqrt:
      return rate_ / std::sqrt(l);
    case Schedule::linear:
      return rate_ * (1 - before / static_cast<double>(steps_));
    default:
      return rate_;
  }
}

template <class Row, class Coordinates>
void Run<Row, Coordinates>::new_order() {
  if (how_.order == SampleOrder::shuffled) random_.shuffle(order_);
  if (how_.order == SampleOrder::drawn)
    for (std::uint32_t& i : order_) i = static_cast<std::uint32_t>(random_.below(samples_.size()));
}

template <class Row, class Coordinates>
bool Run<Row, Coordinates>::epoch() {
  constexpr Index entries_between_questions = 1 << 20;
  Index entries = entries_between_questions;
  for (Index first = 0; first < rows(); first += batch_) {
    entries += sample(first).row.size * batch_;
    if (entries >= entries_between_questions) {
      entries = 0;
      if (!go_on(options_.monitor, {.stage = "fitting", .done = step_, .total = steps_})) return false;
    }
    if (how_.average && step_ == steps_ / 2) weights_.start_average();
    step(first, std::min(batch_, rows() - first));
    ++step_;
    if (every_step() && options_.traces(step_)) show();
  }
  return true;
}

template <class Row, class Coordinates>
void Run<Row, Coordinates>::show() {
  Minimum so_far;
  so_far.point = LazyWeights(weights_).result();
  so_far.iterations = step_;
  if (step_ > 0) so_far.step = last_rate_;
  certify(problem_, so_far);
  options_.trace(so_far);
}

template <class Row, class Coordinates>
void Run<Row, Coordinates>::step(Index first, Index count) {
  const double h = last_rate_ = rate();
  const bool single = count == 1;
  ahead_.reach(first);
  auto row = coordinates_(sample(first).row);
  for (Index i = 0; i < count; ++i) {
    ahead_.approach(first + i);
    if (!single) row = coordinates_(sample(first + i).row);
    weights_.scores_of(row, slopes_.row(i).data());
    set_slopes(sample(first + i), slopes_.row(i).data());
  }
  weights_.shrink(h * static_cast<double>(count) / static_cast<double>(rows()));
  for (Index i = 0; i < count; ++i) {
    if (!single) row = coordinates_(sample(first + i).row);
    double* a = slopes_.row(i).data();
    const double length = std::min(h, sample(first + i).longest);
    for (Index k = 0; k < problem_.scores; ++k) a[k] *= -length;
    weights_.add(a, row);
  }
  if (how_.normalize_weights) weights_.normalize();
  weights_.end_step();
}

// Scores in, s dL/dg out.
template <class Row, class Coordinates>
void Run<Row, Coordinates>::set_slopes(const Sample<Row>& sample, double* slopes) const {
  if (slope_ != nullptr) {
    slopes[0] = sample.weight * slope_(slopes[0], sample.target);
    return;
  }
  const auto y = static_cast<Index>(sample.target);
  softmax_in_place(slopes, problem_.scores, y);
  slopes[y] -= 1;
  for (Index k = 0; k < problem_.scores; ++k) slopes[k] *= sample.weight;
}

template <class RowsOf, class RowAt>
Minimum run(const Problem& problem, const SgdOptions& how, const SolverOptions& options, const AllRows& all,
            const RowAt& row_at) {
  auto samples = samples_of<RowsOf>(problem, all, row_at);
  using Row = decltype(samples.front().row);
  if (unscaled(problem.scaling))
    return Run<Row, Unscaled>(problem, how, options, std::move(samples), Unscaled{})();
  return Run<Row, Scaled>(problem, how, options, std::move(samples), Scaled(problem.scaling))();
}

// From three epochs on numbers of the features by their frequency pay for the pass that they take. The
// weights are the same bits in any order, except where a start is drawn for them or their length is taken. A
// trace shows the features as they are numbered.
bool worth_other_numbers(const Problem& problem, const SgdOptions& how, const SolverOptions& options) {
  constexpr Index least_epochs = 3;
  return how.epochs >= least_epochs && !options.trace && !how.normalize_weights &&
         !stuck_at_zero(problem.loss) && worth_renumbering(*problem.source);
}

template <class RowsOf, class Column>
Minimum run_renumbered(const Problem& problem, const SgdOptions& how, const SolverOptions& options,
                       const AllRows& all) {
  const std::vector<Index> order = features_by_frequency(*problem.source);
  const CompactRows<Column> columns(all, order);
  Minimum minimum = run<RowsOf>(in_order(problem, order), how, options, all, columns);
  minimum.point = in_original_order(minimum.point, order, problem.scores);
  return minimum;
}

template <class RowsOf>
Minimum run(const Problem& problem, const SgdOptions& how, const SolverOptions& options, const AllRows& all) {
  if constexpr (requires(RowsOf rows) { rows.columns; })
    if (worth_other_numbers(problem, how, options))
      return CompactRows<std::uint16_t>::fits(problem.features())
                 ? run_renumbered<RowsOf, std::uint16_t>(problem, how, options, all)
                 : run_renumbered<RowsOf, std::uint32_t>(problem, how, options, all);
  return run<RowsOf>(problem, how, options, all, [](const Block&, Index, auto row) { return row; });
}

}  // namespace

Minimum sgd(const Problem& problem, const SgdOptions& how, const SolverOptions& options) {
  const AllRows all(*problem.source);
  Minimum minimum =
      std::visit([&]<class RowsOf>(const RowsOf&) { return run<RowsOf>(problem, how, options, all); },
                 all.blocks().front().x);
  if (!minimum.point.allFinite())
    throw Error(Code::usage,
                "the steps of sgd are so long that the weights overflow; take a smaller `learning_rate`");
  certify(problem, minimum);
  minimum.converged = minimum.certificate <= options.tol;
  return minimum;
}

}  // namespace discern
