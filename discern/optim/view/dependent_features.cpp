#include "discern/optim/view/dependent_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "discern/optim/kernel/coordinate_hessian.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/limits.hpp"
#include "discern/optim/problem/sample.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/symmetric.hpp"
#include "discern/stats/triangle.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Whether a part of the rows has all features independent, with digits to spare.
bool independent_among(const Problem& problem, double share, const Monitor& monitor) {
  const SampledSource rows(*problem.source, share);
  const Problem part = one_score(sampled_problem(problem, rows));
  RowMajor counted = RowMajor::Ones(rows.rows(), 1);
  if (const std::vector<double> weights = answers_of(rows).weights; !weights.empty())
    for (Index i = 0; i < counted.rows(); ++i)
      counted(i, 0) = weights[static_cast<std::size_t>(i)] > 0 ? 1 : 0;
  std::vector<Index> all(static_cast<std::size_t>(problem.features()));
  std::iota(all.begin(), all.end(), Index{1});
  if (problem.bias) all.insert(all.begin(), 0);
  return whitening(coordinate_hessian(part, counted, all, monitor)).has_value();
}

bool all_independent(const Problem& problem, const Monitor& monitor) {
  if (problem.source->rows() <= problem.features()) return false;
  constexpr double rows_a_feature = 20;
  const double some =
      rows_a_feature * static_cast<double>(problem.width()) / static_cast<double>(problem.source->rows());
  return (some < 0.5 && independent_among(problem, some, monitor)) || independent_among(problem, 1, monitor);
}

// What most rows have of every feature, apart from its centre: the median of |z|.
VectorXd usual_sizes(const Problem& problem) {
  constexpr Index enough = 1000;
  const Source& source = *problem.source;
  const SampledSource some(source,
                           std::min(1.0, static_cast<double>(enough) / static_cast<double>(source.rows())));
  std::vector<std::vector<double>> sizes(static_cast<std::size_t>(problem.features()));
  Scratch scratch;
  RowMajor z;
  for (Index k = 0; k < some.block_count(); ++k) {
    const Block block = some.block(k, scratch);
    dense_rows(block.x, problem.scaling.center, problem.scaling.scale, z, 0);
    for (Index i = 0; i < z.rows(); ++i)
      for (Index j = 0; j < z.cols() && block.weight(i) > 0; ++j)
        sizes[static_cast<std::size_t>(j)].push_back(std::fabs(z(i, j)));
  }
  VectorXd usual = VectorXd::Zero(problem.features());
  for (Index j = 0; j < usual.size(); ++j) {
    std::vector<double>& of = sizes[static_cast<std::size_t>(j)];
    if (of.empty()) continue;
    const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
    std::nth_element(of.begin(), middle, of.end());
    usual[j] = *middle;
  }
  return usual;
}

// The changes of scores along directions, beside the numbers that they are sums of.
class ScoreChanges {
 public:
  ScoreChanges(const Problem& problem, const MatrixXd& directions)
      : problem_(&problem), directions_(&directions) {}

 protected:
  void load(const Block& block) {
    const Scaling& scaling = problem_->scaling;
    dense_rows(block.x, scaling.center, scaling.scale, z_, 1);
    change_.noalias() = z_ * *directions_;
    z_ = z_.cwiseAbs();
    if (scaling.at_zero().size() > 0)
      z_.rightCols(problem_->features()).rowwise() +=
          2 * scaling.at_zero().cwiseQuotient(scaling.scale).cwiseAbs().transpose();
  }
  const Problem* problem_;
  const MatrixXd* directions_;
  RowMajor z_, change_;
};

// What scores change by, alike in every row where features depend on each other: that of the row with the
// least numbers has the most digits.
class CommonChange : public ScoreChanges {
 public:
  CommonChange(const Problem& problem, const MatrixXd& directions)
      : ScoreChanges(problem, directions),
        size_(VectorXd::Constant(directions.cols(), std::numeric_limits<double>::infinity())),
        common_(VectorXd::Zero(directions.cols())) {}

  void add(const Block& block) {
    load(block);
    const RowMajor sizes = z_ * directions_->cwiseAbs();
    for (Index i = 0; i < sizes.rows(); ++i)
      if (block.weight(i) > 0) take(sizes.row(i), change_.row(i));
  }
  void merge(const CommonChange& other) { take(other.size_, other.common_); }
  double bytes() const { return 16.0 * static_cast<double>(size_.size()); }
  const VectorXd& result() const { return common_; }

 private:
  template <class Sizes, class Changes>
  void take(const Sizes& sizes, const Changes& changes) {
    for (Index j = 0; j < size_.size(); ++j)
      if (sizes[j] < size_[j]) {
        size_[j] = sizes[j];
        common_[j] = changes[j];
      }
  }
  VectorXd size_, common_;
};

// Whether the scores of every row stay as they are along directions, up to the rounding of its own numbers or
// of usual ones. A row with a cell of 1e15 makes that of a whole column, and hides what the others say.
class Unchanged : public ScoreChanges {
 public:
  Unchanged(const Problem& problem, const MatrixXd& directions, const VectorXd& usual)
      : ScoreChanges(problem, directions),
        usual_(&usual),
        unchanged_(Eigen::ArrayXi::Ones(directions.cols())) {}

  void add(const Block& block) {
    load(block);
    for (Index i = 0; i < z_.rows(); ++i)
      z_.row(i).tail(usual_->size()) = z_.row(i).tail(usual_->size()).cwiseMax(usual_->transpose());
    const RowMajor rounding = 16 * rank_threshold(problem_->features()) * z_ * directions_->cwiseAbs();
    for (Index i = 0; i < change_.rows(); ++i)
      if (block.weight(i) > 0)
        unchanged_ *= (change_.row(i).array().abs() <= rounding.row(i).array()).transpose().cast<int>();
  }
  void merge(const Unchanged& other) { unchanged_ *= other.unchanged_; }
  double bytes() const { return 4.0 * static_cast<double>(unchanged_.size()); }
  bool along(Index direction) const { return unchanged_[direction] != 0; }

 private:
  const VectorXd* usual_;
  Eigen::ArrayXi unchanged_;
};

// Whether they matter for a problem and can be found in little enough time.
bool worth_finding(const Problem& problem) {
  if (!is_convex(problem.loss) || !is_smooth(problem.loss) || problem.has_l1()) return false;
  if (problem.features() == 0 || problem.l2.tail(problem.features()).maxCoeff() > 0) return false;
  return limits::dependence_is_affordable(problem);
}

}  // namespace

std::optional<DependentFeatures> find_dependent_features(const Problem& problem, const Monitor& monitor) {
  if (!worth_finding(problem)) return std::nullopt;
  if (all_independent(problem, monitor)) return DependentFeatures{};
  const Scaling& scaling = problem.scaling;
  const Design design{problem.source,
                      problem.bias,
                      scaling.center,
                      problem.features(),
                      0,
                      [](const Block&, Index, double*) {}};
  const Dense<double> r = fold(*problem.source, Triangle<double>(design), monitor).result();
  const Index d = design.features, first = design.bias ? 1 : 0;
  Dense<double> a = r.block(first, 1, r.rows() - first, d);
  const VectorXd length = shorten_columns<double>(r, design, scaling.at_zero(), scaling.weight, a).col(0);
  const Dependence found = dependence(a, rank_threshold(d));
  if (found.dependent.empty()) return DependentFeatures{};
  // x_j = b + sum_k t_k x_k, so that a weight of 1 on z_j is one of t_k scale_k / scale_j on each z_k.
  MatrixXd directions = MatrixXd::Zero(problem.width(), found.coefficients.cols());
  for (Index j = 0; j < directions.cols(); ++j) {
    const Index feature = found.dependent[static_cast<std::size_t>(j)];
    for (Index k = 0; k < found.coefficients.rows(); ++k) {
      const double share = found.coefficients(k, j);
      if (std::fabs(share) < rank_threshold(d)) continue;
      const Index other = found.independent[static_cast<std::size_t>(k)];
      const double t = share * length[feature] / length[other];
      directions(1 + other, j) = -t * scaling.scale[other] / scaling.scale[feature];
    }
    directions(1 + feature, j) = 1;
  }
  if (problem.bias)
    directions.row(0) -=
        fold(*problem.source, CommonChange(problem, directions), monitor).result().transpose();
  const Unchanged scores =
      fold(*problem.source, Unchanged(problem, directions, usual_sizes(problem)), monitor);
  DependentFeatures result;
  std::vector<Index> kept;
  for (Index j = 0; j < directions.cols(); ++j) {
    if (!scores.along(j)) continue;
    kept.push_back(j);
    result.features.push_back(found.dependent[static_cast<std::size_t>(j)]);
  }
  result.same_scores = directions(Eigen::all, kept);
  return result;
}

IndependentProblem::IndependentProblem(const Problem& whole, const DependentFeatures& dependent)
    : whole_(&whole), dependent_(&dependent), part_(without_features(whole, dependent.features)) {}

VectorXd IndependentProblem::to(const VectorXd& whole_point) const {
  RowMajor weights = Eigen::Map<const RowMajor>(whole_point.data(), whole_->width(), whole_->scores);
  for (Index j = 0; j < dependent_->same_scores.cols(); ++j) {
    const Index row = 1 + dependent_->features[static_cast<std::size_t>(j)];
    weights -= dependent_->same_scores.col(j) * weights.row(row).eval();
    weights.row(row).setZero();
  }
  return weights.reshaped<Eigen::RowMajor>();
}

VectorXd IndependentProblem::from(const VectorXd& view_point) const {
  VectorXd point = view_point;
  for (const Index j : dependent_->features)
    point.segment((1 + j) * whole_->scores, whole_->scores).setZero();
  return point;
}

VectorXd IndependentProblem::of_least_norm(const VectorXd& whole_point) const {
  const Index d = whole_->features();
  RowMajor weights = Eigen::Map<const RowMajor>(whole_point.data(), whole_->width(), whole_->scores);
  const auto units = whole_->scaling.penalty.cwiseSqrt().asDiagonal();
  const Dense<double> directions = units * dependent_->same_scores.bottomRows(d),
                      now = units * weights.bottomRows(d);
  weights -= dependent_->same_scores * least_norm<double>(directions, now, rank_threshold(d)).x;
  return weights.reshaped<Eigen::RowMajor>();
}

}  // namespace discern
