#include "discern/model/shape/reduction.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/base/join.hpp"
#include "discern/loss/all.hpp"

namespace discern {
namespace {

// Probabilities of pairs are kept this far from 0 and 1, where the equations of the coupling lose their
// digits; what they give is exact to about the other.
constexpr double least_pair = 1e-10, least_coupled = 1e-16;
// Margins of one machine are any number, those of which squares are summed stay below this.
constexpr double most_margin = std::numeric_limits<double>::max(), most_summed = 1e150;

double log_sigmoid(double m) { return -LogisticLoss::at(m, 1).value; }

// log(p_k / (1 - p_k)) of softmax probabilities.
double softmax_log_odds(const double* scores, Index count, Index k) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (Index j = 0; j < count; ++j)
    if (j != k) largest = std::max(largest, scores[j]);
  for (Index j = 0; j < count; ++j)
    if (j != k) sum += std::exp(scores[j] - largest);
  return scores[k] - largest - std::log(sum);
}

// to[k] += gain(l, c) for every class k that is on side c of machine l.
template <class Gain>
void add_sides(const CodeMatrix& code, Eigen::Map<Vector> to, const Gain& gain) {
  for (std::size_t l = 0; l < code.size(); ++l) {
    const Sides& sides = code[l];
    const double plus = gain(l, 1.0), minus = gain(l, -1.0);
    for (const std::int32_t k : sides.positive) to[k] += plus;
    for (const std::int32_t k : sides.negative) to[k] += minus;
    if (!sides.negative.empty()) continue;
    for (Index k = 0; k < to.size(); ++k)
      if (k != sides.positive[0]) to[k] += minus;
  }
}

class Combiner {
 public:
  Combiner(const Reduction& reduction, Index classes)
      : reduction_(&reduction), classes_(classes), machines_of_(Vector::Zero(classes)) {
    if (reduction.combining == Combining::unanimous)
      add_sides(reduction.code, of(machines_of_.data()), [](std::size_t, double) { return 1.0; });
    const auto named = std::find_if(two_class_losses.begin(), two_class_losses.end(),
                                    [&](const NamedLoss& loss) { return loss.name == reduction.loss; });
    loss_ = named == two_class_losses.end() || reduction.calibration ? LogisticLoss::at : named->at;
    if (reduction.strategy == Strategy::output_codes) set_evidence();
  }

  // The scores of the classes from the margins of one row.
  void score(const double* margins, double* scores) const {
    if (by_machine()) {
      std::copy_n(margins, reduction_->machines(), scores);
      return;
    }
    std::fill_n(scores, classes_, 0.0);
    if (reduction_->combining == Combining::sum) {
      sum(margins, scores);
      return;
    }
    add_sides(reduction_->code, of(scores),
              [&](std::size_t l, double c) { return margins[l] >= 0 ? c : -c; });
    // A share of a win: the sum of the margins, brought between -1/3 and 1/3.
    Vector total = Vector::Zero(classes_);
    add_sides(reduction_->code, of(total.data()), [&](std::size_t l, double c) { return c * margins[l]; });
    for (Index k = 0; k < classes_; ++k) scores[k] += total[k] / (3 * (1 + std::fabs(total[k])));
  }

  std::int32_t decide(const double* margins, const double* scores) const {
    if (reduction_->combining != Combining::unanimous)
      return discern::decide(scores, classes_ == 2 ? 1 : classes_);
    Vector wins = Vector::Zero(classes_);
    add_sides(reduction_->code, of(wins.data()),
              [&](std::size_t l, double c) { return (margins[l] >= 0) == (c > 0) ? 1.0 : 0.0; });
    std::int32_t found = undecided;
    for (Index k = 0; k < classes_; ++k) {
      if (wins[k] < machines_of_[k]) continue;
      if (found != undecided) return undecided;
      found = static_cast<std::int32_t>(k);
    }
    return found;
  }

  void probabilities(const double* margins, double* p) const {
    if (classes_ == 2) {
      p[0] = sigmoid(-margins[0]);
      p[1] = sigmoid(margins[0]);
      return;
    }
    if (reduction_->strategy == Strategy::one_vs_one) {
      couple(margins, p);
      return;
    }
    std::fill_n(p, classes_, 0.0);
    if (reduction_->strategy == Strategy::output_codes)
      add_sides(reduction_->code, of(p),
                [&](std::size_t l, double c) { return 2 / evidence_ * log_sigmoid(c * margins[l]); });
    else
      for (Index k = 0; k < classes_; ++k) p[k] = log_sigmoid(margins[k]);
    softmax_in_place(p, classes_, -1);
  }

 private:
  Eigen::Map<Vector> of(double* classes) const { return {classes, classes_}; }

  // One score a machine is one a class.
  bool by_machine() const {
    return reduction_->strategy == Strategy::joint || reduction_->strategy == Strategy::one_vs_rest;
  }

  // A machine that a class has no side of counts with the loss at zero, which is left out here. What the
  // losses of a row have in common decides nothing and would drown what does when rows are ranked: their mean
  // is taken off.
  void sum(const double* margins, double* scores) const {
    if (reduction_->strategy == Strategy::one_vs_one) {
      add_sides(reduction_->code, of(scores), [&](std::size_t l, double c) { return c * margins[l]; });
      return;
    }
    add_sides(reduction_->code, of(scores),
              [&](std::size_t l, double c) { return loss_(0, 1).value - loss_(c * margins[l], 1).value; });
    Eigen::Map<Eigen::ArrayXd> all(scores, classes_);
    all -= all.mean();
  }

  void set_evidence() {
    double apart = 0;
    for (const Sides& sides : reduction_->code)
      apart += static_cast<double>(sides.positive.size()) * static_cast<double>(sides.negative.size());
    const auto pairs = static_cast<double>(classes_ * (classes_ - 1) / 2);
    evidence_ = std::max(apart / pairs, 2.0);
  }

  // With Q_ii = sum_j r_ji^2 and Q_ij = -r_ji r_ij the minimum of p'Qp, sum p = 1, is (Q + e e')^-1 e up to a
  // factor.
  void couple(const double* margins, double* p) const {
    Eigen::MatrixXd q = Eigen::MatrixXd::Ones(classes_, classes_);
    for (std::size_t l = 0; l < reduction_->code.size(); ++l) {
      const Index i = reduction_->code[l].positive[0], j = reduction_->code[l].negative[0];
      const double ij = std::clamp(sigmoid(margins[l]), least_pair, 1 - least_pair);
      const double ji = std::clamp(sigmoid(-margins[l]), least_pair, 1 - least_pair);
      q(i, i) += ji * ji;
      q(j, j) += ij * ij;
      q(i, j) -= ij * ji;
      q(j, i) -= ij * ji;
    }
    Eigen::Map<Vector> solution(p, classes_);
    solution = q.llt().solve(Vector::Ones(classes_)).cwiseMax(least_coupled);
    solution /= solution.sum();
  }

  const Reduction* reduction_;
  Index classes_;
  Vector machines_of_;
  Derivatives (*loss_)(double g, double y) = LogisticLoss::at;
  double evidence_ = 2;
};

// The nearest probabilities in which the label has the largest: it and those above it get their mean, and it
// is first among them by the last bit.
void agree(double* p, Index classes, std::int32_t label) {
  if (std::max_element(p, p + classes) - p == label) return;
  std::vector<Index> above;
  for (Index k = 0; k < classes; ++k)
    if (k != label && p[k] >= p[label]) above.push_back(k);
  std::stable_sort(above.begin(), above.end(), [&](Index a, Index b) { return p[a] > p[b]; });
  double mean = p[label];
  std::size_t pooled = 0;
  for (; pooled < above.size() && p[above[pooled]] >= mean; ++pooled)
    mean += (p[above[pooled]] - mean) / static_cast<double>(pooled + 2);
  for (std::size_t n = 0; n < pooled; ++n) p[above[n]] = mean;
  p[label] = std::nextafter(std::max(mean, *std::max_element(p, p + classes)), 2.0);
}

}  // namespace

CodeMatrix one_vs_rest_code(Index classes) {
  if (classes == 2) return {{{1}, {0}}};
  CodeMatrix code;
  for (std::int32_t k = 0; k < classes; ++k) code.push_back({{k}, {}});
  return code;
}

CodeMatrix one_vs_one_code(Index classes) {
  CodeMatrix code;
  for (std::int32_t i = 0; i < classes; ++i)
    for (std::int32_t j = i + 1; j < classes; ++j) code.push_back({{i}, {j}});
  return code;
}

double Calibration::log_odds(Index machine, double score) const {
  if (!isotonic()) return slope[machine] * score + offset[machine];
  const auto at = static_cast<std::size_t>(machine);
  const double* first = scores.data() + starts[at];
  const double* last = scores.data() + starts[at + 1];
  const double* above = std::lower_bound(first, last, score);
  const double* p = proba.data() + (above - scores.data());
  double value = 0;
  if (above == first)
    value = p[0];
  else if (above == last)
    value = p[-1];
  else
    value = p[-1] + (p[0] - p[-1]) * ((score - above[-1]) / (above[0] - above[-1]));
  return std::log(value) - std::log1p(-value);
}

Matrix margins_of(const Reduction& reduction, const Matrix& scores, Link link) {
  const Index machines = reduction.machines();
  Matrix margins = scores;
  if (scores.cols() == 2 * machines) {
    margins.resize(scores.rows(), machines);
    for (Index l = 0; l < machines; ++l) margins.col(l) = scores.col(2 * l + 1) - scores.col(2 * l);
  } else if (reduction.strategy == Strategy::joint && link == Link::softmax) {
    for (Index i = 0; i < scores.rows(); ++i)
      for (Index k = 0; k < machines; ++k)
        margins(i, k) = softmax_log_odds(scores.row(i).data(), machines, k);
  }
  if (reduction.calibration)
    for (Index i = 0; i < margins.rows(); ++i)
      for (Index l = 0; l < machines; ++l) margins(i, l) = reduction.calibration->log_odds(l, margins(i, l));
  const bool summed =
      reduction.strategy == Strategy::one_vs_one || reduction.strategy == Strategy::output_codes;
  const double most = summed ? most_summed : most_margin;
  return margins.cwiseMax(-most).cwiseMin(most);
}

Combined combine(const Reduction& reduction, const Matrix& scores, Link link, Index classes) {
  const Combiner combiner(reduction, classes);
  const Matrix margins = margins_of(reduction, scores, link);
  Combined said;
  said.scores.resize(scores.rows(), classes == 2 ? 1 : classes);
  if (link != Link::none || reduction.calibration) said.proba.resize(scores.rows(), classes);
  for (Index i = 0; i < scores.rows(); ++i) {
    const double* row = margins.row(i).data();
    combiner.score(row, said.scores.row(i).data());
    said.labels.push_back(combiner.decide(row, said.scores.row(i).data()));
    if (said.proba.rows() == 0) continue;
    combiner.probabilities(row, said.proba.row(i).data());
    if (said.labels.back() != undecided) agree(said.proba.row(i).data(), classes, said.labels.back());
  }
  return said;
}

std::string side_name(const std::vector<std::int32_t>& side, const std::vector<std::string>& classes) {
  constexpr std::size_t most = 4;
  if (side.empty()) return "rest";
  std::vector<std::string_view> names;
  for (std::size_t n = 0; n < std::min(most, side.size()); ++n)
    names.emplace_back(classes[static_cast<std::size_t>(side[n])]);
  if (side.size() > most) names.emplace_back("...");
  return join(names, " + ");
}

std::string machine_name(const Sides& sides, const std::vector<std::string>& classes) {
  return fmt::format("{} : {}", side_name(sides.positive, classes), side_name(sides.negative, classes));
}

std::string reduction_text(const Reduction& reduction) {
  constexpr std::array<std::string_view, 4> strategies{"joint", "one-vs-rest", "one-vs-one", "output codes"};
  std::string text(strategies[static_cast<std::size_t>(reduction.strategy)]);
  if (reduction.strategy != Strategy::joint)
    text += fmt::format(", {} machines, by {}", reduction.machines(),
                        value_names(reduction.combining)[static_cast<std::size_t>(reduction.combining)]);
  if (reduction.calibration)
    text += reduction.calibration->isotonic() ? ", calibrated (isotonic)" : ", calibrated (Platt)";
  return text;
}

}  // namespace discern
