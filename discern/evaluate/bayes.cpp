#include "discern/evaluate/bayes.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/place.hpp"
#include "discern/evaluate/metrics.hpp"
#include "discern/loss/softmax.hpp"

namespace discern {
namespace {

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// S = D (I + 3 v v') D
Matrix covariance_of(const GaussianTruth& truth) {
  const Vector scale = vector_of(truth.scale), along = scale.cwiseProduct(vector_of(truth.direction));
  Matrix s = along * along.transpose();
  s *= 3;  // not before: rounding would make it asymmetric
  s.diagonal() += scale.cwiseAbs2();
  return s;
}

// A round cloud in the plane of x1 and x2; the further features are N(0, 1).
GaussianPart planar(double share, double x1, double x2, double variance, Index features) {
  GaussianPart part{share, Vector::Zero(features), Matrix::Identity(features, features)};
  part.mean.head(2) << x1, x2;
  part.covariance.diagonal().head(2).setConstant(variance);
  return part;
}

void add_xor(const GenerateOptions& full, Truth& truth) {
  const double variance = *full.noise * *full.noise;
  if (!(variance > 0))
    throw Error(Code::usage, "`truth`: the shape xor with `noise` 0 is four points, which have no density");
  for (const double side : {1.0, -1.0})
    truth.mixture.push_back(
        {planar(0.5, -1, -side, variance, *full.features), planar(0.5, 1, side, variance, *full.features)});
}

void add_outliers(const GenerateOptions& full, Truth& truth) {
  const double half = *full.separation / 2, share = *full.noise, far = *full.margin;
  truth.mixture.push_back({planar(1, -half, 0, 1, *full.features)});
  truth.mixture.push_back({planar(1 - share, half, 0, 1, *full.features)});
  if (share > 0) truth.mixture[1].push_back(planar(share, half + far, -far, 0.25, *full.features));
}

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// Two Gaussians of one covariance.
bool has_formula(const Truth& truth) {
  return truth.mixture.size() == 2 && truth.mixture[0].size() == 1 && truth.mixture[1].size() == 1 &&
         truth.mixture[0][0].covariance == truth.mixture[1][0].covariance;
}

double two_gaussians_error(const Truth& truth) {
  const GaussianPart &a = truth.mixture[0][0], &b = truth.mixture[1][0];
  const Vector apart = b.mean - a.mean;
  const Eigen::LLT<Eigen::MatrixXd> root(a.covariance);
  const double distance = root.matrixL().solve(apart).norm();
  const double p0 = truth.priors[0], p1 = truth.priors[1];
  if (distance == 0) return std::min(p0, p1);
  const double shift = std::log(p0 / p1) / distance;
  return p0 * normal_below(-distance / 2 - shift) + p1 * normal_below(-distance / 2 + shift);
}

// The mean and its standard error of values with weights, about the first of them so that nothing cancels.
class Mean {
 public:
  void add(double value, double weight) {
    if (rows_++ == 0) shift_ = value;
    weight_.add(weight);
    sum_.add(weight * (value - shift_));
    squares_.add(weight * weight * (value - shift_) * (value - shift_));
    cross_.add(weight * weight * (value - shift_));
    weights_.add(weight * weight);
  }
  double value() const { return shift_ + sum_.value() / weight_.value(); }
  // sqrt(sum_i s_i^2 (v_i - mean)^2) / sum_i s_i
  double standard_error() const {
    const double m = sum_.value() / weight_.value();
    const double spread = squares_.value() - 2 * m * cross_.value() + m * m * weights_.value();
    return std::sqrt(std::max(spread, 0.0)) / weight_.value();
  }

 private:
  Index rows_ = 0;
  double shift_ = 0;
  CompensatedSum weight_, sum_, squares_, cross_, weights_;
};

constexpr Index draws_at_once = 1024;

// 1 - max_k P(k | x) of rows that are drawn with the priors.
std::vector<double> drawn_errors(const BayesClassifier& bayes, const Vector& priors, std::uint64_t seed,
                                 Index count) {
  std::vector<double> errors(at(count));
  parallel_for((count + draws_at_once - 1) / draws_at_once, [&](Index block) {
    // Seeds a fixed odd step apart, as those of the rows of generated data; not the same stream as any of
    // them.
    Random random(~seed + static_cast<std::uint64_t>(block) * 0x9e3779b97f4a7c15ULL);
    Vector x(bayes.features()), proba(bayes.classes());
    for (Index i = block * draws_at_once; i < std::min(count, (block + 1) * draws_at_once); ++i) {
      double rest = random.uniform();
      Index k = 0;
      while (k + 1 < priors.size() && rest >= priors[k]) rest -= priors[k++];
      bayes.draw(random, k, x.data());
      bayes.posterior(x.data(), proba.data());
      errors[at(i)] = 1 - proba.maxCoeff();
    }
  });
  return errors;
}

}  // namespace

Truth truth_of(const GenerateOptions& options) {
  const GenerateOptions full = with_defaults(options);
  const Index classes = *full.classes;
  Truth truth;
  truth.shape = full.shape;
  truth.priors = Vector::Constant(classes, 1 / static_cast<double>(classes));
  for (Index j = 0; j < *full.features; ++j) truth.features.push_back(fmt::format("x{}", j + 1));
  for (Index k = 0; k < classes; ++k) truth.classes.push_back(fmt::format("{}", k));
  if (full.shape == "gaussians") {
    truth.label_noise = *full.noise;
    for (const GaussianTruth& one : gaussians_truth(options))
      truth.mixture.push_back({{1, vector_of(one.mean), covariance_of(one)}});
  } else if (full.shape == "xor") {
    add_xor(full, truth);
  } else if (full.shape == "outliers") {
    add_outliers(full, truth);
  } else if (full.shape == "linear") {
    truth.label_noise = *full.noise;
    const PlaneTruth plane = linear_truth(options);
    truth.plane = Plane{vector_of(plane.w), plane.b};
  } else {
    throw Error(
        Code::usage,
        fmt::format("`truth`: the density of the shape {} has no simple form; expected one of gaussians, "
                    "xor, outliers, linear",
                    full.shape));
  }
  return truth;
}

Truth with_classes(const Truth& truth, const std::vector<std::string>& classes) {
  Truth result = truth;
  result.classes = classes;
  result.mixture.clear();
  if (classes.size() != truth.classes.size())
    throw Error(Code::data,
                fmt::format("the truth has {} classes ({}), the model has {} ({})", truth.classes.size(),
                            join(truth.classes, ", "), classes.size(), join(classes, ", ")));
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const auto found = std::find(truth.classes.begin(), truth.classes.end(), classes[k]);
    if (found == truth.classes.end())
      throw Error(Code::data, fmt::format("the truth has no class '{}', it has {}", classes[k],
                                          join(truth.classes, ", ")));
    result.priors[static_cast<Index>(k)] = truth.priors[found - truth.classes.begin()];
    if (!truth.mixture.empty()) result.mixture.push_back(truth.mixture[at(found - truth.classes.begin())]);
  }
  // Swapped, the other side of the plane is class 1.
  if (truth.plane && classes[0] != truth.classes[0])
    result.plane = Plane{-truth.plane->weights, -truth.plane->bias};
  return result;
}

BayesClassifier::BayesClassifier(const Truth& truth)
    : features_(static_cast<Index>(truth.features.size())),
      priors_(truth.priors),
      label_noise_(truth.label_noise),
      plane_(truth.plane) {
  for (std::size_t k = 0; k < truth.mixture.size(); ++k) {
    auto& parts = parts_.emplace_back();
    for (const GaussianPart& part : truth.mixture[k]) {
      const Eigen::LLT<Eigen::MatrixXd> root(part.covariance);
      if (root.info() != Eigen::Success)
        throw Error(Code::data,
                    fmt::format("the covariance of class '{}' is not positive definite", truth.classes[k]));
      const Eigen::MatrixXd l = root.matrixL();
      const double log_scale = -l.diagonal().array().log().sum() -
                               0.5 * static_cast<double>(features_) * std::log(2 * std::numbers::pi);
      parts.push_back({std::log(part.share), log_scale, part.mean, l});
    }
  }
}

// log sum_m exp(l_m), about the largest.
double BayesClassifier::log_density(const std::vector<Part>& parts, const Vector& x) const {
  std::vector<double> logs;
  for (const Part& part : parts) {
    const Vector z = part.root.triangularView<Eigen::Lower>().solve(x - part.mean);
    logs.push_back(part.log_share + part.log_scale - 0.5 * z.squaredNorm());
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double one : logs) sum += std::exp(one - largest);
  return largest + std::log(sum);
}

void BayesClassifier::posterior(const double* x, double* proba) const {
  const Eigen::Map<const Vector> row(x, features_);
  Eigen::Map<Vector> q(proba, classes());
  if (plane_) {
    q[1] = plane_->weights.dot(row) + plane_->bias >= 0 ? 1 : 0;
    q[0] = 1 - q[1];
  } else {
    for (Index k = 0; k < classes(); ++k) q[k] = std::log(priors_[k]) + log_density(parts_[at(k)], row);
    softmax_in_place(proba, classes(), -1);
  }
  const double other = label_noise_ / static_cast<double>(classes() - 1);
  if (label_noise_ > 0) q = (1 - label_noise_ - other) * q.array() + other;
}

void BayesClassifier::draw(Random& random, Index k, double* x) const {
  const auto& parts = parts_[at(k)];
  double rest = random.uniform();
  std::size_t m = 0;
  while (m + 1 < parts.size() && rest >= std::exp(parts[m].log_share)) rest -= std::exp(parts[m++].log_share);
  Vector z(features_);
  for (double& one : z) one = random.normal();
  Eigen::Map<Vector>(x, features_) = parts[m].mean + parts[m].root.triangularView<Eigen::Lower>() * z;
}

BayesError bayes_error(const Truth& truth, std::uint64_t seed) {
  const double noise = truth.label_noise;
  if (truth.plane || has_formula(truth)) {
    const double e = truth.plane ? 0 : two_gaussians_error(truth);
    // Beyond one half the exchanged labels are the better guess.
    return {noise <= 0.5 ? noise + (1 - 2 * noise) * e : (1 - noise) + (2 * noise - 1) * e, {}, 0};
  }
  const BayesClassifier bayes(truth);
  // About a second of work, and no more than four digits need.
  double work = 0;
  for (const auto& parts : truth.mixture) work += static_cast<double>(parts.size());
  work *= static_cast<double>(bayes.features() * (bayes.features() + 20));
  const auto draws = static_cast<Index>(std::clamp(1e9 / work, 1e4, 2e5));
  Mean mean;
  for (const double error : drawn_errors(bayes, truth.priors, seed, draws)) mean.add(error, 1);
  return {mean.value(), mean.standard_error(), draws};
}

BesideBayes beside_bayes(const BayesClassifier& bayes, const std::optional<Decision>& rule, Index positive,
                         const Matrix& x, const std::vector<std::int32_t>& labels,
                         const std::vector<std::int32_t>& decided, const std::vector<double>& weights) {
  const Index classes = bayes.classes();
  // The true posteriors have the true priors, and what a threshold costs is not known.
  Decision own = rule.value_or(Decision{});
  own.prior_ratio = {};
  own.threshold.reset();
  Matrix proba(x.rows(), classes);
  parallel_for((x.rows() + draws_at_once - 1) / draws_at_once, [&](Index block) {
    for (Index i = block * draws_at_once; i < std::min(x.rows(), (block + 1) * draws_at_once); ++i)
      bayes.posterior(x.row(i).data(), proba.row(i).data());
  });
  Mean error, best_error, risk, best_risk, excess;
  for (Index i = 0; i < x.rows(); ++i) {
    const double weight = weights.empty() ? 1 : weights[at(i)];
    const double* p = proba.row(i).data();
    const std::int32_t best = decide(own, p, classes, positive), said = decided[at(i)];
    const auto risk_of = [&](std::int32_t label) {
      double cost = 0;
      for (Index k = 0; k < classes; ++k) cost += p[k] * own.cost_of(k, label);
      return cost;
    };
    const double mine = risk_of(said), least = risk_of(best);
    error.add(said == labels[at(i)] ? 0 : 1, weight);
    best_error.add(best == labels[at(i)] ? 0 : 1, weight);
    risk.add(mine, weight);
    best_risk.add(least, weight);
    excess.add(mine - least, weight);
  }
  return {error.value(),     best_error.value(), risk.value(),
          best_risk.value(), excess.value(),     excess.standard_error()};
}

}  // namespace discern
