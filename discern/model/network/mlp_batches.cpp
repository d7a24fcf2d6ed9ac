#include "discern/model/network/mlp_batches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/stochastic/samples.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;
using Floats = Eigen::ArrayXf;

// Rows that go through the network at a time: with fewer, copying the weights into the form that products
// are made in takes a share of the time; more leave threads without work.
constexpr Index rows_a_part = 100;
constexpr Index rows_judged = 1024;        // at a time, of those held out
constexpr Index weights_a_part = 1 << 15;  // of a step

Index parts_of(Index length, Index most) { return (length + most - 1) / most; }

class Batches {
 public:
  Batches(const Mlp& options, const NetworkTask& task, const AllRows& rows, Index rows_per_block,
          double weight, std::uint64_t seed)
      : options_(options),
        task_(task),
        rows_{rows.blocks(), rows_per_block},
        random_(seed),
        pass_(task),
        gradient_(Floats::Zero(task.layout.size())),
        penalty_((task.penalty() / weight).cast<float>()) {
    for (const Block& block : rows.blocks())
      for (Index i = 0; i < block.rows(); ++i) {
        const auto n = static_cast<std::uint32_t>(block.first + i);
        const bool held = !task.held.empty() && task.held[n];
        (held ? held_ : kept_).push_back(n);
        if (held) held_weight_ += block.weight(i);
      }
    mean_weight_ = weight / static_cast<double>(kept_.size());
    batch_ = std::clamp<Index>(options.batch_size, 1, static_cast<Index>(kept_.size()));
    steps_ = parts_of(static_cast<Index>(kept_.size()), batch_) * options.epochs;
    rate_ = options.learning_rate > 0 ? options.learning_rate : automatic_rate();
    if (options.update != Update::plain) mean_ = Floats::Zero(gradient_.size());
    if (options.update == Update::adam) square_ = Floats::Zero(gradient_.size());
  }

  void set_point(const VectorXd& point) { point_ = point.cast<float>(); }
  VectorXd point() const { return point_.cast<double>(); }
  Index step() const { return step_; }
  double last_rate() const { return last_rate_; }
  double first_loss() const { return first_loss_; }
  // Of few rows those who watch are shown every step, of more every epoch.
  bool every_step() const { return kept_.size() + held_.size() <= 1000; }

  // False when the monitor stopped it. `shown` is called after every step.
  bool epoch(const SolverOptions& how, const std::function<void()>& shown);
  double held_loss();  // the mean, of the rows held out

 private:
  double automatic_rate() const;
  double rate() const;  // of the step to come
  void new_order();
  void make_step(std::span<const std::uint32_t> which);
  double pass_forward(std::span<const std::uint32_t> which, bool held);
  void update(Index first, Index count, float h, float factor);

  const Mlp& options_;
  const NetworkTask& task_;
  RowSet rows_;
  Random random_;
  NetworkPass<float> pass_;
  std::vector<std::uint32_t> kept_, held_, order_;
  double held_weight_ = 0, mean_weight_ = 1;
  Floats point_, gradient_, penalty_, mean_, square_;
  Index batch_ = 1, steps_ = 0, step_ = 0;
  double rate_ = 0, last_rate_ = 0, first_loss_ = 0;
};

double Batches::automatic_rate() const {
  if (options_.update == Update::adam) return 0.001;
  const Index inputs = *std::max_element(task_.layout.sizes.begin(), task_.layout.sizes.end() - 1);
  const double rate = 4 / static_cast<double>(1 + inputs);
  return options_.update == Update::momentum ? rate * (1 - options_.momentum) : rate;
}

double Batches::rate() const {
  const auto before = static_cast<double>(step_), steps = static_cast<double>(steps_);
  const double l =
      options_.learning_rate > 0 ? before + 1 : 1 + before * static_cast<double>(options_.epochs) / steps;
  switch (options_.schedule) {
    case Schedule::inverse:
      return rate_ / l;
    case Schedule::inverse_sqrt:
      return rate_ / std::sqrt(l);
    case Schedule::linear:
      return rate_ * (1 - before / steps);
    default:
      return rate_;
  }
}

void Batches::new_order() {
  if (order_.empty()) order_ = kept_;
  if (options_.order == SampleOrder::shuffled) random_.shuffle(order_);
  if (options_.order == SampleOrder::drawn)
    for (std::uint32_t& n : order_) n = kept_[random_.below(kept_.size())];
}

bool Batches::epoch(const SolverOptions& how, const std::function<void()>& shown) {
  new_order();
  const auto size = static_cast<Index>(order_.size());
  for (Index first = 0; first < size; first += batch_) {
    if (!go_on(how.monitor, {.stage = "fitting", .done = step_, .total = steps_})) return false;
    make_step(std::span(order_).subspan(static_cast<std::size_t>(first),
                                        static_cast<std::size_t>(std::min(batch_, size - first))));
    shown();
  }
  return true;
}

// The rows forward, and unless they are held out their slopes back; the sum of their losses.
double Batches::pass_forward(std::span<const std::uint32_t> which, bool held) {
  pass_.take(rows_, which);
  pass_.prepare(point_.data());
  const Index size = pass_.rows(), parts = parts_of(size, rows_a_part);
  std::vector<double> losses(static_cast<std::size_t>(parts));
  const std::uint64_t noise_seed = options_.noise > 0 && !held ? random_.bits() : 0;
  parallel_for(parts, [&](Index k) {
    const Index first = k * size / parts, count = (k + 1) * size / parts - first;
    pass_.load(first, count);
    if (options_.noise > 0 && !held) {
      Random random(noise_seed + static_cast<std::uint64_t>(k));
      pass_.add_noise(first, count, options_.noise, random);
    }
    pass_.forward(point_.data(), first, count);
    auto& loss = losses[static_cast<std::size_t>(k)];
    loss = held ? pass_.held_losses(first, count) : pass_.losses(first, count);
    if (!held) pass_.backward(point_.data(), first, count);
  });
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return sum;
}

void Batches::make_step(std::span<const std::uint32_t> which) {
  const double h = last_rate_ = rate(), weight = static_cast<double>(which.size()) * mean_weight_;
  const double loss = pass_forward(which, false) / weight;
  if (step_ == 0) first_loss_ = loss;
  check_loss(loss, first_loss_, step_, rate_);
  const auto parts = pass_.parts();
  parallel_for(static_cast<Index>(parts.size()),
               [&](Index k) { pass_.gradient(parts[static_cast<std::size_t>(k)], false, gradient_.data()); });
  ++step_;
  const Index size = gradient_.size(), ranges = parts_of(size, weights_a_part);
  parallel_for(ranges, [&](Index k) {
    const Index first = k * size / ranges;
    update(first, (k + 1) * size / ranges - first, static_cast<float>(h), static_cast<float>(1 / weight));
  });
}

void Batches::update(Index first, Index count, float h, float factor) {
  auto w = point_.segment(first, count);
  auto g = gradient_.segment(first, count);
  g = factor * g + penalty_.segment(first, count) * w;
  if (options_.update == Update::plain) {
    w -= h * g;
    return;
  }
  auto mean = mean_.segment(first, count);
  const double m = options_.momentum;
  if (options_.update == Update::momentum) {
    mean = static_cast<float>(m) * mean - h * g;
    w += mean;
    return;
  }
  constexpr double m2 = 0.999;
  const auto steps = static_cast<double>(step_);
  const double of_mean = 1 - std::pow(m, steps), of_square = 1 - std::pow(m2, steps);
  auto square = square_.segment(first, count);
  mean = static_cast<float>(m) * mean + static_cast<float>(1 - m) * g;
  square = static_cast<float>(m2) * square + static_cast<float>(1 - m2) * g.square();
  w -= static_cast<float>(h / of_mean) * mean /
       (square.sqrt() * static_cast<float>(1 / std::sqrt(of_square)) + 1e-8F);
}

double Batches::held_loss() {
  double sum = 0;
  const std::span<const std::uint32_t> rows(held_);
  for (std::size_t first = 0; first < rows.size(); first += rows_judged)
    sum += pass_forward(rows.subspan(first, std::min<std::size_t>(rows_judged, rows.size() - first)), true);
  return sum / held_weight_;
}

}  // namespace

void check_loss(double loss, double at_start, Index step, double rate) {
  constexpr double too_much = 1000;
  if (loss <= too_much * std::max(at_start, 1.0)) return;  // neither too much nor no number
  // Inputs have unit variance, so that no rate above 1 is of use.
  throw Error(
      Code::usage,
      fmt::format("the loss explodes: from {:.2g} a row at the start to {} at step {}; the steps are "
                  "too long, try `learning_rate` {:.1g} instead of {:.2g}",
                  at_start, std::isfinite(loss) ? fmt::format("{:.2g}", loss) : "more than a number can hold",
                  step + 1, std::min(rate / 10, 1.0), rate));
}

NetworkMinimum learn_in_batches(const Mlp& options, const NetworkTask& task, const Source& source,
                                NetworkFunction& function, const VectorXd& start, double gradient_scale,
                                std::uint64_t seed, const SolverOptions& how) {
  const AllRows rows(source);
  Batches batches(options, task, rows, source.rows_per_block(), function.weight(), seed);
  batches.set_point(start);
  NetworkMinimum result;
  const auto judge = [&](Minimum& at) {
    const Evaluation found = function.evaluate(at.point, {});
    at.value = found.value;
    at.certificate = found.gradient.norm() / gradient_scale;
  };
  const auto show = [&] {
    Minimum so_far;
    so_far.point = batches.point();
    so_far.iterations = batches.step();
    if (batches.step() > 0) so_far.step = batches.last_rate();
    judge(so_far);
    how.trace(so_far);
  };
  const auto after_step = [&] {
    if (batches.every_step() && how.traces(batches.step())) show();
  };
  if (how.trace) show();
  double best = std::numeric_limits<double>::infinity();
  result.point = start;
  while (result.iterations < options.epochs && !result.interrupted && !result.stopped_early) {
    result.interrupted = !batches.epoch(how, after_step);
    if (!result.interrupted) ++result.iterations;
    if (how.trace && !batches.every_step()) show();
    const double held = options.early_stopping ? batches.held_loss() : 0;
    if (!options.early_stopping || held < best) {
      best = held;
      result.point = batches.point();
      result.found_after = result.iterations;
    }
    result.stopped_early =
        options.early_stopping && result.iterations - result.found_after >= options.patience;
  }
  judge(result);
  if (options.early_stopping) result.held_loss = function.held_loss();
  if (!std::isfinite(result.value) || !std::isfinite(result.certificate))
    check_loss(result.value / function.weight(), batches.first_loss(), batches.step(), batches.last_rate());
  result.converged = result.certificate <= how.tol;
  return result;
}

}  // namespace discern
