#include "discern/optim/stochastic/online.hpp"

#include <algorithm>
#include <cmath>

namespace discern {
namespace {

using Eigen::VectorXd;
using lanes::Double4;

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr double young = 1000;  // rows up to which weights follow a deviation that grows

// The largest second derivative of the loss of one score or of several; one for pieces of lines.
double largest_curvature(const Loss& loss, Index scores) {
  if (std::holds_alternative<LogisticLoss>(loss)) return scores > 1 ? 0.5 : 0.25;
  return std::holds_alternative<SquaredHingeLoss>(loss) ? 2 : 1;
}

template <class V>
V load(const double* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class V>
void store(double* p, V v) {
  std::memcpy(p, &v, sizeof v);
}
inline double sum_of(const Double4& v) { return (v[0] + v[1]) + (v[2] + v[3]); }

// Sums over the dense columns of a row: |z|^2, m . direction, w . x and w . m (one score).
template <class V>
struct Sums {
  V squares{}, mean{}, score{}, mean_score{};
};

}  // namespace

OnlineLearner::OnlineLearner(const OnlineOptions& options, Index numbers, Index entries, Index scores)
    : options_(options),
      numbers_(numbers),
      curvature_(largest_curvature(options.loss, scores)),
      counts_(VectorXd::Zero(count_kinds)),
      weights_(RowMajor::Zero(numbers + entries, scores)),
      bias_(VectorXd::Zero(scores)),
      origin_(VectorXd::Constant(numbers, frame() == Frame::centered ? unknown : 0.0)),
      mean_(VectorXd::Zero(numbers)),
      squares_(VectorXd::Zero(numbers + entries)),
      entries_(VectorXd::Zero(options.unit_entries ? 0 : entries)),
      correction_(RowMajor::Zero(options.average ? numbers + entries : 0, scores)),
      bias_sum_(VectorXd::Zero(scores)) {
  counts_[factor] = 1;
  counts_[followed] = young;
  restored();
}

void OnlineLearner::restored() {
  unseen_ = (origin_.array() == unknown).any();
  curvature_ = largest_curvature(options_.loss, scores());
  const auto columns = static_cast<std::size_t>(numbers_), classes = static_cast<std::size_t>(scores());
  const auto batch = static_cast<std::size_t>(options_.batch_size);
  x_.assign(columns, 0);
  scores_.assign(classes, 0);
  mean_scores_.assign(classes, 0);
  directions_.assign(columns * batch, 0);
  slopes_.assign(classes * batch, 0);
}

OnlineLearner::Frame OnlineLearner::frame() const {
  if (!options_.standardize) return Frame::plain;
  return options_.bias && !options_.penalize_bias ? Frame::centered : Frame::uncentered;
}

void OnlineLearner::add_entries(Index count) {
  if (count <= 0) return;
  const auto longer = [&](auto& array, Index rows) {
    const Index before = array.rows();
    array.conservativeResize(rows, array.cols());
    array.bottomRows(rows - before).setZero();
  };
  const Index rows = weights_.rows() + count;
  longer(weights_, rows);
  longer(squares_, rows);
  if (!options_.unit_entries) longer(entries_, rows - numbers_);
  if (options_.average) longer(correction_, rows);
}

void OnlineLearner::arrange_entries(const std::vector<Index>& order) {
  finish_batch();
  const auto arranged = [&](auto& array, Index first) {
    const auto before = array;
    for (std::size_t k = 0; k < order.size(); ++k)
      array.row(first + static_cast<Index>(k)) = before.row(first + order[k]);
  };
  arranged(weights_, numbers_);
  arranged(squares_, numbers_);
  if (!options_.unit_entries) arranged(entries_, 0);
  if (options_.average) arranged(correction_, numbers_);
}

// The score g of two classes becomes -g/2 and g/2, whose softmax and whose difference are the same; of
// machines against the rest -g and g, with the targets 0 and 1 of squared loss (1 - g)/2 and (1 + g)/2.
void OnlineLearner::set_scores(Index count) {
  finish_batch();
  const Index before = scores();
  const bool hinge = std::holds_alternative<HingeLoss>(options_.loss) ||
                     std::holds_alternative<SquaredHingeLoss>(options_.loss);
  const bool squared = std::holds_alternative<SquaredLoss>(options_.loss);
  const double half = hinge ? 1.0 : 0.5;
  const auto spread = [&](auto& array, double one) {  // `one`: what the number 1 is in these sums
    RowMajor wide = RowMajor::Zero(array.rows(), count);
    for (Index i = 0; i < array.rows(); ++i) {
      for (Index k = 0; before > 1 && k < before; ++k) wide(i, k) = array(i, k);
      if (before > 1) continue;
      wide(i, 0) = half * (one - array(i, 0));
      wide(i, 1) = half * (one + array(i, 0));
    }
    return wide;
  };
  const auto spread_bias = [&](VectorXd& bias, double one) {
    RowMajor row = bias.transpose();
    const RowMajor wide = spread(row, squared ? one : 0.0);
    bias = wide.row(0).transpose();
  };
  weights_ = spread(weights_, 0);
  correction_ = spread(correction_, 0);
  spread_bias(bias_, 1);
  spread_bias(bias_sum_, counts_[step_sum]);
  restored();
}

void OnlineLearner::see_first(const double* row) {
  unseen_ = false;
  for (Index j = 0; j < numbers_; ++j) {
    if (origin_[j] != unknown) continue;
    if (std::isnan(row[j]))
      unseen_ = true;
    else
      origin_[j] = row[j];
  }
}

// Shrinks weights by the growth of the deviation that this row will bring.
void OnlineLearner::follow_scales(const double* row, double weight) {
  const double total = counts_[weight_seen], before = total - weight;
  for (Index j = 0; j < numbers_; ++j) {
    const double x = row[j] - origin_[j];
    if (!(squares_[j] > 0) || std::isnan(x)) continue;
    const double m = mean_[j] + weight / total * (x - mean_[j]);
    const double q = squares_[j] + weight * (frame() == Frame::centered ? (x - mean_[j]) * (x - m) : x * x);
    const double ratio = std::sqrt(squares_[j] / before * (total / q));
    if (ratio < 1) scale_weights(j, ratio, frame() == Frame::centered ? mean_[j] : 0.0);
  }
}

// w_j <- ratio w_j, with the scores at x_j = `center` as they were.
void OnlineLearner::scale_weights(Index j, double ratio, double center) {
  for (Index k = 0; k < scores(); ++k) {
    const double change = (ratio - 1) * weights_(j, k);
    weights_(j, k) += change;
    bias_[k] -= counts_[factor] * change * center;
    if (options_.average) correction_(j, k) += counts_[factor_sum] * change;
  }
}

// One pass over the dense columns: the row about the origin, moments with this row, the direction of its
// step and the sums above. Four columns at a time, then the rest one by one.
template <OnlineLearner::Frame frame>
void OnlineLearner::look(const double* row, double weight, Pending& pending, double* direction) {
  const double total = counts_[weight_seen], share = weight / total;
  const bool single = scores() == 1;
  double* const mean = mean_.data();
  double* const squares = squares_.data();
  const auto cells = [&]<class V>(Index j, Sums<V>& sums) {
    const V before = load<V>(mean + j);
    V x = load<V>(row + j) - load<V>(origin_.data() + j);
    x = x == x ? x : before;
    const V m = before + share * (x - before);
    store(mean + j, m);
    V d = x;
    if constexpr (frame != Frame::plain) {
      const V z = frame == Frame::centered ? x - m : x;
      const V q = load<V>(squares + j) + weight * (frame == Frame::centered ? (x - before) * z : x * x);
      store(squares + j, q);
      d = q > 0 ? z * (total / q) : V{};
      sums.squares += z * d;
    } else {
      sums.squares += x * x;
    }
    if constexpr (frame == Frame::centered) sums.mean += m * d;
    if (single) {
      const V w = load<V>(weights_.data() + j);
      sums.score += w * x;
      if constexpr (frame == Frame::centered) sums.mean_score += w * m;
    }
    store(x_.data() + j, x);
    store(direction + j, d);
  };
  Sums<Double4> four;
  Sums<double> one;
  Index j = 0;
  for (; j + 4 <= numbers_; j += 4) cells(j, four);
  for (; j < numbers_; ++j) cells(j, one);
  pending.squares += sum_of(four.squares) + one.squares;
  pending.bias -= sum_of(four.mean) + one.mean;
  scores_[0] = sum_of(four.score) + one.score;
  mean_scores_[0] = sum_of(four.mean_score) + one.mean_score;
}

// The entries of a sparse row, and of a batch where they begin.
void OnlineLearner::look(SparseRow<double> sparse, double weight, Pending& pending) {
  const bool scaled = options_.standardize && !options_.unit_entries;
  for (Index k = 0; k < sparse.size; ++k) {
    const double x = sparse.values[k];
    if (x == 0) continue;  // the same as no entry
    double d = x;
    if (scaled) {
      const Index column = sparse.columns[k];
      double& squares = squares_[numbers_ + column];
      double& seen = entries_[column];
      const double before = squares / seen;
      squares += weight * x * x;
      seen += weight;
      const double ratio = std::sqrt(before * (seen / squares));
      if (before > 0 && seen <= counts_[followed] && ratio < 1) scale_weights(numbers_ + column, ratio, 0);
      d = x * (seen / squares);
    }
    pending.squares += x * d;
    entry_columns_.push_back(sparse.columns[k]);
    entry_directions_.push_back(d);
  }
}

// The scores without the bias, from x_ and the entries; look has those of the dense columns for one score.
void OnlineLearner::add_scores(SparseRow<double> sparse) {
  const Index classes = scores();
  const double* const entries = weights_.data() + numbers_ * classes;
  if (classes == 1) {
    for (Index k = 0; k < sparse.size; ++k) scores_[0] += sparse.values[k] * entries[sparse.columns[k]];
    return;
  }
  std::fill(scores_.begin(), scores_.end(), 0.0);
  std::fill(mean_scores_.begin(), mean_scores_.end(), 0.0);
  const auto add = [&](double x, const double* w, std::vector<double>& to) {
    for (Index c = 0; c < classes; ++c) to[static_cast<std::size_t>(c)] += x * w[c];
  };
  for (Index j = 0; j < numbers_; ++j) {
    add(x_[static_cast<std::size_t>(j)], weights_.data() + j * classes, scores_);
    if (options_.l2 > 0 && frame() == Frame::centered)
      add(mean_[j], weights_.data() + j * classes, mean_scores_);
  }
  for (Index k = 0; k < sparse.size; ++k)
    add(sparse.values[k], entries + Index{sparse.columns[k]} * classes, scores_);
}

OnlineLearner::Said OnlineLearner::learn(const double* row, SparseRow<double> sparse, double y, double weight,
                                         bool regression) {
  counts_[rows_seen] += 1;
  counts_[weight_seen] += weight;
  if (unseen_) see_first(row);
  if (counts_[rows_seen] <= counts_[followed] && frame() != Frame::plain) follow_scales(row, weight);
  Pending pending{weight, options_.bias ? 1.0 : 0.0, options_.bias ? 1.0 : 0.0, 0};
  double* const direction = directions_.data() + pending_.size() * static_cast<std::size_t>(numbers_);
  switch (frame()) {
    case Frame::centered:
      look<Frame::centered>(row, weight, pending, direction);
      break;
    case Frame::uncentered:
      look<Frame::uncentered>(row, weight, pending, direction);
      break;
    case Frame::plain:
      look<Frame::plain>(row, weight, pending, direction);
      break;
  }
  look(sparse, weight, pending);
  add_scores(sparse);
  for (Index k = 0; k < scores(); ++k) {
    double& score = scores_[static_cast<std::size_t>(k)];
    score = bias_[k] + counts_[factor] * score;
  }
  counts_[size_sum] += weight * pending.squares;
  pending.entries = static_cast<Index>(entry_columns_.size());
  const Said said = row_loss(options_.loss, scores_.data(), scores(), y, regression);
  std::copy(scores_.begin(), scores_.end(), slopes_.begin() + scores() * static_cast<Index>(pending_.size()));
  pending_.push_back(pending);
  if (static_cast<Index>(pending_.size()) == options_.batch_size) step();
  return said;
}

double OnlineLearner::rate() const {
  const double before = counts_[steps_done], batch = static_cast<double>(options_.batch_size);
  double h = options_.learning_rate, l = before + 1;
  if (!(h > 0)) {
    if (!(counts_[size_sum] > 0)) return 0;  // rows of zeros
    const double size = counts_[size_sum] / counts_[weight_seen];
    h = 1 / (batch * curvature_ * counts_[size_sum] / counts_[rows_seen]);
    l = 1 + before * batch / size;
  }
  if (options_.schedule == Schedule::inverse) return h / l;
  return options_.schedule == Schedule::inverse_sqrt ? h / std::sqrt(l) : h;
}

void OnlineLearner::finish_batch() {
  if (!pending_.empty()) step();
}

void OnlineLearner::step() {
  const Index classes = scores();
  const auto count = static_cast<double>(pending_.size());
  const bool moved =
      std::any_of(slopes_.begin(), slopes_.begin() + classes * static_cast<Index>(pending_.size()),
                  [](double slope) { return slope != 0; });
  const double h = rate();
  if (options_.l2 > 0) shrink(h * count * options_.l2 / counts_[weight_seen]);
  Index first_entry = 0;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Pending& row = pending_[i];
    double length = h * row.weight;
    if (!(options_.learning_rate > 0))
      length = std::min(length, 1 / (static_cast<double>(options_.batch_size) * curvature_ * row.squares));
    double* const slopes = slopes_.data() + static_cast<Index>(i) * classes;
    for (Index k = 0; k < classes; ++k) slopes[k] *= -length;
    move(slopes, row, directions_.data() + static_cast<Index>(i) * numbers_, first_entry);
    first_entry = row.entries;
  }
  if (moved || !options_.count_mistakes) counts_[steps_done] += 1;
  if (options_.average) {
    // Every batch counts here, also one without a mistake: a plane that stays has earned it.
    const double number = counts_[mean_steps] += 1;
    counts_[step_sum] += number;
    counts_[factor_sum] += number * counts_[factor];
    bias_sum_ += number * bias_;
  }
  pending_.clear();
  entry_columns_.clear();
  entry_directions_.clear();
}

// w <- w / (1 + share), the step of the penalty taken at its end so that no share is too large. The bias at
// the centre stays: what w . m loses the bias at the origin gets.
void OnlineLearner::shrink(double share) {
  const double ratio = 1 / (1 + share);
  if (frame() == Frame::centered)
    for (Index k = 0; k < scores(); ++k)
      bias_[k] += (1 - ratio) * counts_[factor] * mean_scores_[static_cast<std::size_t>(k)];
  if (options_.penalize_bias) bias_ *= ratio;
  counts_[factor] *= ratio;
  if (counts_[factor] < 1e-30) settle();
}

void OnlineLearner::move(const double* slopes, const Pending& pending, const double* direction,
                         Index first_entry) {
  const Index classes = scores();
  for (Index k = 0; k < classes; ++k) bias_[k] += slopes[k] * pending.bias;
  const double inverse = 1 / counts_[factor];
  const auto change = [&](RowMajor& to, double times) {
    double* const w = to.data();
    if (classes == 1) {
      const double a = slopes[0] * times;
      if (a == 0) return;
      axpy(a, DenseRow<double>{direction, numbers_}, w);
      for (Index e = first_entry; e < pending.entries; ++e) {
        const auto at = static_cast<std::size_t>(e);
        w[numbers_ + entry_columns_[at]] += a * entry_directions_[at];
      }
      return;
    }
    const auto add = [&](double d, double* row) {
      for (Index k = 0; k < classes; ++k) row[k] += slopes[k] * times * d;
    };
    for (Index j = 0; j < numbers_; ++j) add(direction[j], w + j * classes);
    for (Index e = first_entry; e < pending.entries; ++e) {
      const auto at = static_cast<std::size_t>(e);
      add(entry_directions_[at], w + (numbers_ + entry_columns_[at]) * classes);
    }
  };
  change(weights_, inverse);
  if (options_.average && counts_[factor_sum] != 0) change(correction_, counts_[factor_sum] * inverse);
}

void OnlineLearner::settle() {
  if (options_.average) correction_ -= counts_[factor_sum] * weights_;
  weights_ *= counts_[factor];
  counts_[factor_sum] = 0;
  counts_[factor] = 1;
}

RowMajor OnlineLearner::weights() const {
  if (!options_.average || counts_[step_sum] == 0) return counts_[factor] * weights_;
  return (counts_[factor_sum] * weights_ - correction_) / counts_[step_sum];
}

VectorXd OnlineLearner::bias() const {
  if (!options_.average || counts_[step_sum] == 0) return bias_;
  return bias_sum_ / counts_[step_sum];
}

VectorXd OnlineLearner::origin() const {
  return (origin_.array() == unknown).select(VectorXd::Zero(numbers_), origin_);
}

VectorXd OnlineLearner::fill() const { return origin() + mean_; }

void OnlineLearner::start_at(const RowMajor& weights, const VectorXd& bias, const VectorXd& origin,
                             double rows) {
  weights_ = weights;
  bias_ = bias;
  if (frame() == Frame::centered && origin.size() == numbers_) origin_ = origin;
  counts_[steps_done] = std::floor(rows / static_cast<double>(options_.batch_size));
  counts_[followed] = 0;  // these weights did not come from the deviations so far
  restored();
}

}  // namespace discern
