#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/model/perceptron/perceptron_passes.hpp"
#include "discern/model/perceptron/perceptron_survey.hpp"
#include "discern/optim/stochastic/compact_rows.hpp"
#include "discern/optim/stochastic/lazy_weights.hpp"
#include "discern/optim/stochastic/read_ahead.hpp"
#include "discern/optim/stochastic/samples.hpp"
#include "discern/optim/view/renumbered.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

template <class Row>
struct LabelledRow {
  Row row;
  std::int32_t label;
  double weight;
  double shift;  // sum_j metric_j center_j x_j of a sparse row that should be centred
};

// The weights of the scores. Of sparse rows that should be centred it has v = w + b (metric center), with
// which
//
//   g = w.(x - center) + b = v.x + b + b C - v.center - b shift(x),     C = sum_j metric_j center_j^2
//
// and a correction by h adds h to b and h shift(x) to v.center.
class Weights {
 public:
  Weights(const Problem& problem, bool averaged, double center_squares)
      : lazy_(problem, Eigen::VectorXd::Zero(problem.size())),
        bias_(Vector::Zero(problem.scores)),
        lift_(Vector::Zero(problem.scores)),
        center_squares_(center_squares) {
    if (averaged) lazy_.start_average();
  }

  template <class Row>
  void scores_of(Row seen, double shift, double* scores) {
    lazy_.scores_of(seen, scores);
    if (center_squares_ == 0) return;
    for (Index k = 0; k < bias_.size(); ++k) scores[k] += lift_[k] - bias_[k] * shift;
  }
  template <class Row>
  void add(const double* amounts, Row moved, double shift) {
    lazy_.add(amounts, moved);
    if (center_squares_ == 0) return;
    for (Index k = 0; k < bias_.size(); ++k) {
      bias_[k] += amounts[k];
      lift_[k] += amounts[k] * (center_squares_ - shift);
    }
  }
  void end_step() { lazy_.end_step(); }
  Eigen::VectorXd result() { return lazy_.result(); }

 private:
  LazyWeights lazy_;
  Vector bias_;            // b; only of rows that should be centred
  Vector lift_;            // b C - v.center
  double center_squares_;  // C
};

// The frame of rows whose features have been put in an order; empty: they stay in theirs.
PerceptronFrame in_order(PerceptronFrame frame, const std::vector<Index>& order) {
  const auto reorder = [&](Vector& of_features) {
    if (of_features.size() > 0 && !order.empty()) of_features = Vector(of_features(order));
  };
  reorder(frame.center);
  reorder(frame.metric);
  return frame;
}

template <class Row, class FrameRows>
class SequentialPasses {
 public:
  // `lengths` and `rows` of features in the order of the samples.
  SequentialPasses(const Perceptron& options, const Training& training, const PerceptronFrame& frame,
                   const SquaredLengths& lengths, const std::vector<Index>& feature_order,
                   std::vector<LabelledRow<Row>> samples, FrameRows rows)
      : options_(options),
        training_(training),
        frame_(frame),
        lengths_(lengths),
        feature_order_(feature_order),
        samples_(std::move(samples)),
        rows_(std::move(rows)),
        problem_(problem_of(training, frame)),
        weights_(problem_, options.averaged, training.source.sparse() ? lengths_.center_squares() : 0),
        longest_(weights_),
        random_(training.seed),
        order_(samples_.size()),
        ahead_(samples_, order_),
        scores_(problem_.scores),
        amounts_(Vector::Zero(problem_.scores)),
        least_(training.source.rows() + 1) {
    std::iota(order_.begin(), order_.end(), 0U);
    batch_ = std::min<Index>(options.batch_size, count());
  }

  PerceptronPasses operator()() {
    if (training_.trace.show) show();
    const bool shuffled = options_.shuffle || options_.variant == PerceptronVariant::sgd;
    while (passes_.epochs < options_.epochs && !passes_.separated && !passes_.interrupted) {
      if (shuffled) random_.shuffle(order_);
      ahead_.during([&] { pass(); });
      end_epoch();
    }
    passes_.plane = options_.pocket ? pocket_ : plane_of(weights_);
    return std::move(passes_);
  }

 private:
  struct Wrong {
    Index at;
    Margin margin;
  };

  static Problem problem_of(const Training& training, const PerceptronFrame& frame) {
    Problem problem;
    problem.source = &training.source;
    problem.loss = PerceptronLoss{};
    problem.scores = perceptron_scores(training);
    problem.bias = frame.bias;
    problem.l1 = problem.l2 = Eigen::VectorXd::Zero(problem.width());
    return problem;
  }
  Index count() const { return static_cast<Index>(samples_.size()); }
  const LabelledRow<Row>& sample(Index at) const { return ahead_.sample(at); }

  void pass();
  void end_epoch();
  void step(Index first, Index size);
  void correct(const LabelledRow<Row>& sample, const Margin& margin);
  double length_of_correction(const LabelledRow<Row>& sample, double margin) const;
  void end_of_run();
  void try_on_all_rows();
  bool every_correction() const { return count() <= 1000; }
  void show() const;
  Linear plane_of(Weights weights) const;

  const Perceptron& options_;
  const Training& training_;
  const PerceptronFrame& frame_;
  const SquaredLengths& lengths_;
  const std::vector<Index>& feature_order_;
  std::vector<LabelledRow<Row>> samples_;
  FrameRows rows_;
  Problem problem_;
  Weights weights_;
  Weights longest_;  // of the pass, the weights that got most samples right in a row
  Random random_;
  std::vector<std::uint32_t> order_;
  ReadAhead<LabelledRow<Row>> ahead_;
  Vector scores_, amounts_;
  std::vector<Wrong> wrong_;
  Index batch_ = 1, steps_ = 0;
  Index before_ = 0;              // mistakes before this pass
  Index corrections_ = 0;         // steps with a mistake
  std::optional<double> length_;  // of the last correction
  Index run_ = 0, longest_run_ = 0;
  Index least_;  // mistakes of the pocket
  Linear pocket_;
  PerceptronPasses passes_;
};

template <class Row, class FrameRows>
void SequentialPasses<Row, FrameRows>::pass() {
  constexpr Index entries_between_questions = 1 << 20;
  Index entries = entries_between_questions;
  before_ = passes_.mistakes;
  run_ = longest_run_ = 0;
  if (options_.pocket) longest_ = weights_;
  for (Index first = 0; first < count(); first += batch_) {
    entries += sample(first).row.size * batch_;
    if (entries >= entries_between_questions) {
      entries = 0;
      passes_.interrupted = !go_on(
          training_.monitor,
          {.stage = "fitting", .done = passes_.epochs * count() + first, .total = options_.epochs * count()});
      if (passes_.interrupted) break;
    }
    step(first, std::min(batch_, count() - first));
  }
}

template <class Row, class FrameRows>
void SequentialPasses<Row, FrameRows>::end_epoch() {
  end_of_run();
  if (options_.pocket) try_on_all_rows();
  if (passes_.interrupted) return;
  ++passes_.epochs;
  passes_.separated = passes_.mistakes == before_;
  if (!every_correction() && training_.trace.due(passes_.epochs)) show();
}

template <class Row, class FrameRows>
void SequentialPasses<Row, FrameRows>::step(Index first, Index size) {
  ++steps_;
  wrong_.clear();
  ahead_.reach(first);
  for (Index at = first; at < first + size; ++at) {
    ahead_.approach(at);
    const LabelledRow<Row>& one = sample(at);
    weights_.scores_of(rows_.seen(one.row), one.shift, scores_.data());
    const Margin margin = margin_of(scores_.data(), scores_.size(), one.label);
    if (!(margin.value > 0)) wrong_.push_back({at, margin});
  }
  if (wrong_.empty()) {
    run_ += size;
  } else {
    end_of_run();
    for (const Wrong& wrong : wrong_) correct(sample(wrong.at), wrong.margin);
    passes_.most_at_once = std::max(passes_.most_at_once, static_cast<Index>(wrong_.size()));
    ++corrections_;
  }
  weights_.end_step();
  if (every_correction() && !wrong_.empty() && training_.trace.due(corrections_)) show();
}

template <class Row, class FrameRows>
void SequentialPasses<Row, FrameRows>::correct(const LabelledRow<Row>& sample, const Margin& margin) {
  ++passes_.mistakes;
  length_ = length_of_correction(sample, margin.value);
  set_amounts(*length_, sample.label, margin.rival, amounts_.size(), amounts_.data());
  weights_.add(amounts_.data(), rows_.moved(rows_.seen(sample.row)), sample.shift);
  if (amounts_.size() > 1) amounts_[sample.label] = amounts_[margin.rival] = 0;
}

template <class Row, class FrameRows>
double SequentialPasses<Row, FrameRows>::length_of_correction(const LabelledRow<Row>& sample,
                                                              double margin) const {
  if (options_.variant == PerceptronVariant::sgd) return sample.weight * increment(options_, steps_);
  if (options_.variant == PerceptronVariant::sequential)
    return sample.weight * increment(options_, passes_.mistakes);
  if (margin == 0) return 1;
  FrameRows rows = rows_;
  const double squares = lengths_.of(sample.row, rows.squares(rows.seen(sample.row)));
  return options_.lambda * -margin / (amounts_.size() == 1 ? squares : 2 * squares);
}

// The weights are about to change, or the pass is over.
template <class Row, class FrameRows>
void SequentialPasses<Row, FrameRows>::end_of_run() {
  if (options_.pocket && run_ > longest_run_) {
    longest_run_ = run_;
    longest_ = weights_;
  }
  run_ = 0;
}

template <class Row, class FrameRows>
void SequentialPasses<Row, FrameRows>::try_on_all_rows() {
  const Predictor tried = plane_of(longest_);
  const Index mistakes = fold(training_.source, PerceptronSurvey(tried, frame_, false)).mistakes();
  if (mistakes >= least_) return;
  least_ = mistakes;
  pocket_ = std::get<Linear>(tried);
}

template <class Row, class FrameRows>
void SequentialPasses<Row, FrameRows>::show() const {
  const Predictor now = plane_of(weights_);
  const auto survey = fold(training_.source, PerceptronSurvey(now, frame_, false));
  training_.trace.show(
      {corrections_, survey.criterion(), static_cast<double>(survey.mistakes()), length_, now});
}

template <class Row, class FrameRows>
Linear SequentialPasses<Row, FrameRows>::plane_of(Weights weights) const {
  const Eigen::VectorXd point = weights.result();
  const Eigen::Map<const RowMajor> matrix(point.data(), problem_.width(), problem_.scores);
  Linear plane{matrix.bottomRows(problem_.features()).transpose(), matrix.row(0).transpose(), frame_.center,
               Link::none};
  if (training_.source.sparse() && frame_.center.size() > 0)
    plane.weights -= plane.bias * lengths_.pull().transpose();
  if (feature_order_.empty()) return plane;
  Linear original = plane;
  original.weights(Eigen::all, feature_order_) = plane.weights;
  return original;
}

// The passes over rows whose features are in an order; row_at(block, i, row) gives row i of a block so.
template <class RowsOf, class RowAt>
PerceptronPasses passes_over(const Perceptron& options, const Training& training,
                             const PerceptronFrame& frame, const AllRows& all,
                             const std::vector<Index>& feature_order, const RowAt& row_at) {
  const PerceptronFrame ordered = in_order(frame, feature_order);
  const SquaredLengths lengths(ordered);
  auto samples = samples_of<RowsOf>(all, [&](const Block& block, Index i, auto row) {
    const auto taken = row_at(block, i, row);
    return LabelledRow<std::remove_const_t<decltype(taken)>>{taken, block.labels[static_cast<std::size_t>(i)],
                                                             block.weight(i), lengths.shift(taken)};
  });
  return with_rows(ordered, [&]<class FrameRows>(FrameRows& rows) {
    using Row = decltype(samples.front().row);
    return SequentialPasses<Row, FrameRows>(options, training, frame, lengths, feature_order,
                                            std::move(samples), rows)();
  });
}

// Rows that several passes go over are worth a copy of their columns.
bool worth_compacting(const Perceptron& options, const Training& training) {
  constexpr Index least_epochs = 3;
  return options.epochs >= least_epochs && worth_renumbering(training.source);
}

}  // namespace

PerceptronPasses sequential_passes(const Perceptron& options, const Training& training,
                                   const PerceptronFrame& frame) {
  const AllRows all(training.source);
  const auto as_they_are = [](const Block&, Index, auto row) { return row; };
  return std::visit(
      [&]<class RowsOf>(const RowsOf&) {
        if constexpr (requires(RowsOf rows) { rows.columns; })
          if (worth_compacting(options, training)) {
            const std::vector<Index> order = features_by_frequency(training.source);
            const auto over = [&](const auto& columns) {
              return passes_over<RowsOf>(options, training, frame, all, order, columns);
            };
            if (CompactRows<std::uint16_t>::fits(training.source.cols()))
              return over(CompactRows<std::uint16_t>(all, order));
            return over(CompactRows<std::uint32_t>(all, order));
          }
        return passes_over<RowsOf>(options, training, frame, all, {}, as_they_are);
      },
      all.blocks().front().x);
}

}  // namespace discern
