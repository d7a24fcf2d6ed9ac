#include "discern/model/bayes/naive_bayes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "discern/base/error.hpp"
#include "discern/model/bayes/count_densities.hpp"
#include "discern/model/bayes/densities.hpp"
#include "discern/model/bayes/kernel_density.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/shape/priors.hpp"
#include "discern/stats/distributions.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/statistics.hpp"

namespace discern {
namespace {

using Columns = std::vector<Index>;

// Adds the log densities of one kind after another to the parts of an Additive predictor.
class Estimates {
 public:
  Estimates(const NaiveBayes& options, const Training& training, const ClassColumnSummary& columns)
      : options_(options), training_(training), columns_(columns) {
    const Index classes = columns.mean.rows(), d = columns.mean.cols();
    sum_.means = sum_.precision = sum_.weights = Matrix::Zero(classes, d);
    sum_.bias = Vector::Zero(classes);
  }

  void add_priors() { sum_.bias += log_priors(options_.priors, columns_.weights, training_); }
  void add_gaussian(const Columns& features, double added, std::vector<std::string>& warnings);
  void add_bernoulli(const Columns& features);
  void add_categorical(const Columns& levels);
  void add_multinomial(const Columns& features);
  void add_complement(const Columns& features);
  void set_kernels(Kernels kernels) { sum_.kernels = std::move(kernels); }
  Additive& sum() { return sum_; }

 private:
  double count(Index k, Index j) const { return columns_.mean(k, j) * columns_.weights[k]; }
  // log of a share that counts and smoothing give; refuses log 0.
  double log_share(double part, double whole, Index k, Index j) const;

  const NaiveBayes& options_;
  const Training& training_;
  const ClassColumnSummary& columns_;
  Additive sum_;
};

double Estimates::log_share(double part, double whole, Index k, Index j) const {
  if (part > 0) return std::log(part / whole);
  throw Error(
      Code::data,
      fmt::format("in class '{}' one of its values never occurs, which has probability 0; `smoothing` "
                  "must be above 0",
                  training_.class_names[static_cast<std::size_t>(k)]),
      {"", 0, feature_name(training_, j)});
}

void Estimates::add_gaussian(const Columns& features, double added, std::vector<std::string>& warnings) {
  Index drowned = 0, first = -1;
  for (Index k = 0; k < columns_.mean.rows(); ++k) {
    const double divisor = columns_.weights[k] - (options_.unbiased ? 1 : 0);
    for (const Index j : features) {
      const double own = divisor > 0 ? columns_.squares(k, j) / divisor : 0, variance = own + added;
      if (!(variance > 0))
        throw Error(Code::data,
                    fmt::format("class '{}' has no variance here, which leaves no Gaussian density; "
                                "`variance_smoothing` must be above 0",
                                training_.class_names[static_cast<std::size_t>(k)]),
                    {"", 0, feature_name(training_, j)});
      if (own < added && ++drowned == 1) first = j;
      sum_.means(k, j) = columns_.mean(k, j);
      sum_.precision(k, j) = 1 / std::sqrt(variance);
      sum_.bias[k] -= 0.5 * std::log(variance) + half_log_two_pi;
    }
  }
  if (drowned > 0)
    warnings.push_back(fmt::format(
        "{} of {} variances within a class are smaller than what smoothing adds to them ({:.1e}), the first "
        "of feature '{}': its unit is small or it is constant there; see `variance_smoothing`",
        drowned, static_cast<Index>(features.size()) * columns_.mean.rows(), added,
        feature_name(training_, first)));
}

void Estimates::add_bernoulli(const Columns& features) {
  const double a = options_.smoothing;
  for (Index k = 0; k < columns_.mean.rows(); ++k)
    for (const Index j : features) {
      const double n = columns_.weights[k], ones = std::min(count(k, j), n);
      const double no = log_share(n - ones + a, n + 2 * a, k, j);
      sum_.weights(k, j) = log_share(ones + a, n + 2 * a, k, j) - no;
      sum_.bias[k] += no;
    }
}

void Estimates::add_categorical(const Columns& levels) {
  const double a = options_.smoothing, all = a * static_cast<double>(levels.size());
  for (Index k = 0; k < columns_.mean.rows(); ++k)
    for (const Index j : levels)
      sum_.weights(k, j) = log_share(count(k, j) + a, columns_.weights[k] + all, k, j);
}

void Estimates::add_multinomial(const Columns& features) {
  const double a = options_.smoothing, all = a * static_cast<double>(features.size());
  for (Index k = 0; k < columns_.mean.rows(); ++k) {
    double total = all;
    for (const Index j : features) total += count(k, j);
    for (const Index j : features) sum_.weights(k, j) = log_share(count(k, j) + a, total, k, j);
  }
}

void Estimates::add_complement(const Columns& features) {
  const double a = options_.smoothing;
  const Index classes = columns_.mean.rows();
  Vector every = Vector::Zero(columns_.mean.cols());
  for (Index k = 0; k < classes; ++k)
    for (const Index j : features) every[j] += count(k, j);
  for (Index k = 0; k < classes; ++k) {
    const auto others = [&](Index j) { return std::max(every[j] - count(k, j), 0.0) + a; };
    double total = 0;
    for (const Index j : features) total += others(j);
    for (const Index j : features) sum_.weights(k, j) = -log_share(others(j), total, k, j);
  }
}

std::map<Index, Columns> by_column(const Columns& levels, const Training& training) {
  std::map<Index, Columns> groups;
  for (const Index j : levels) groups[training.category[static_cast<std::size_t>(j)]].push_back(j);
  return groups;
}

// The smallest shape that holds the sum.
Predictor shape_of(Additive sum) {
  const bool linear = sum.kernels.features.empty() && sum.precision.cwiseAbs().maxCoeff() == 0;
  if (!linear) return sum;
  if (sum.scores() > 2) return Linear{sum.weights, sum.bias, {}, Link::softmax};
  return Linear{sum.weights.row(1) - sum.weights.row(0),
                Vector::Constant(1, sum.bias[1] - sum.bias[0]),
                {},
                Link::logistic};
}

// What --bandwidth asks for. A model that goes on has no kernels, and is not asked about its bandwidth again.
KernelOptions kernel_options(const std::string& bandwidth, const Columns& features, double least,
                             bool goes_on) {
  KernelOptions options{features, 0, bandwidth == "cv", least};
  if (bandwidth == "silverman" || goes_on) return options;
  if (bandwidth != "cv") options.bandwidth = number_of(bandwidth).value_or(0);
  if (features.empty())
    throw Error(
        Code::usage,
        fmt::format("`bandwidth` {} is for kernel densities, and no feature has one; see `density` kde",
                    bandwidth));
  if (bandwidth != "cv" && !(options.bandwidth > 0))
    throw Error(Code::usage,
                fmt::format("`bandwidth`: expected silverman, cv or a number above 0, got '{}'", bandwidth));
  return options;
}

ClassColumns class_columns(const Training& training) {
  const ClassColumns empty(training.classes, training.source.cols());
  ClassColumns seen = fold(training.source, empty, training.monitor);
  if (training.before == nullptr) return seen;
  ClassColumns all = empty;
  restore(*training.before, all);
  all.merge(seen);
  return all;
}

}  // namespace

Fitted fit(const NaiveBayes& options, const Training& training) {
  Fitted fitted;
  Summary& summary = fitted.summary;
  summary.solver = "closed-form";
  summary.iterations = 1;
  summary.certificate = {"exact", 0};
  summary.converged = true;
  if (auto counts = fit_counts(options, training)) {
    kernel_options(options.bandwidth, {}, 0, false);
    fitted.predictor = std::move(*counts);
    return fitted;
  }

  const ClassColumns seen = class_columns(training);
  const ClassColumnSummary columns = seen.result();
  const Vector deviation = columns.deviation();
  check_spread(training, deviation);
  const std::vector<Density> densities = choose_densities(options.density, training, columns);
  std::array<Columns, density_names.size()> of;
  for (Index j = 0; j < training.source.cols(); ++j)
    of[static_cast<std::size_t>(densities[static_cast<std::size_t>(j)])].push_back(j);
  const auto features = [&](Density kind) -> const Columns& { return of[static_cast<std::size_t>(kind)]; };

  if (training.wants_statistics() && !features(Density::kernel).empty())
    throw Error(Code::usage,
                "a kernel density keeps all its points: it leaves no statistics to continue from",
                {"", 0, feature_name(training, features(Density::kernel)[0])});

  const double added = options.variance_smoothing * deviation.cwiseAbs2().maxCoeff();
  const KernelOptions kernels = kernel_options(options.bandwidth, features(Density::kernel), std::sqrt(added),
                                               training.before != nullptr);

  if (training.wants_statistics()) fitted.statistics = keep(seen);
  Estimates estimates(options, training, columns);
  const bool complement_only =
      static_cast<Index>(features(Density::complement).size()) == training.source.cols();
  if (!complement_only || options.priors != "shares") estimates.add_priors();
  estimates.add_gaussian(features(Density::gaussian), added, fitted.summary.warnings);
  estimates.add_bernoulli(features(Density::bernoulli));
  for (const auto& group : by_column(features(Density::categorical), training))
    estimates.add_categorical(group.second);
  estimates.add_multinomial(features(Density::multinomial));
  estimates.add_complement(features(Density::complement));
  estimates.set_kernels(fit_kernels(kernels, training, columns));
  fitted.predictor = shape_of(std::move(estimates.sum()));
  return fitted;
}

}  // namespace discern
