#include "discern/model/gaussian/shrinkage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/base/error.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// sum_i s_i |(x_i - m_k) / u_k|^4 of each class, means and 1 / u_k given.
class FourthMoments {
 public:
  FourthMoments(const RowMajor& means, const RowMajor& inverse)
      : means_(&means), inverse_(&inverse), sums_(VectorXd::Zero(means.rows())) {}

  // Dense rows are read where they are, sparse ones are spread out first.
  void add(const Block& block) {
    std::visit(
        [&]<class Rows>(const Rows& rows) {
          if constexpr (requires { rows.columns; }) {
            RowMajor x;
            dense_rows(block.x, {}, {}, x);
            add_rows(block, [&](Index i) { return x.row(i); });
          } else {
            using Value = std::remove_const_t<std::remove_pointer_t<decltype(rows.values)>>;
            using Map = Eigen::Map<const Eigen::Matrix<Value, 1, Eigen::Dynamic>>;
            add_rows(block,
                     [&](Index i) { return Map(rows.row(i).values, rows.cols).template cast<double>(); });
          }
        },
        block.x);
  }
  void merge(const FourthMoments& other) { sums_ += other.sums_; }
  double bytes() const { return 8.0 * static_cast<double>(sums_.size()); }
  const VectorXd& sums() const { return sums_; }

 private:
  template <class Row>
  void add_rows(const Block& block, const Row& row) {
    for (Index i = 0; i < block.rows(); ++i) {
      const Index k = block.labels[static_cast<std::size_t>(i)];
      const double square = ((row(i) - means_->row(k)).array() * inverse_->row(k).array()).square().sum();
      sums_[k] += block.weight(i) * square * square;
    }
  }

  const RowMajor *means_, *inverse_;
  VectorXd sums_;
};

MatrixXd class_covariance(const ClassMoments& moments, Index k) {
  MatrixXd s = moments.scatter(k) / moments.weights()[k];
  return s.selfadjointView<Eigen::Lower>();
}

VectorXd units_of(const MatrixXd& s) {
  VectorXd units = s.diagonal().cwiseMax(0.0).cwiseSqrt();
  return (units.array() > 0).select(units, 1.0);
}

MatrixXd ledoit_wolf(const MatrixXd& s, double n, double fourth) {
  const VectorXd units = units_of(s), inverse = units.cwiseInverse();
  const MatrixXd c = inverse.asDiagonal() * s * inverse.asDiagonal();
  const auto d = static_cast<double>(s.rows());
  const double g = ledoit_wolf_amount(c.trace(), c.squaredNorm(), d, n, fourth);
  return units.asDiagonal() * shrunk(c, g) * units.asDiagonal();
}

MatrixXd oas(const MatrixXd& s, double n) {
  const auto d = static_cast<double>(s.rows());
  return shrunk(s, oas_amount(s.trace(), s.squaredNorm(), d, n));
}

VectorXd fourth_moments(const ClassMoments& moments, const Training& training) {
  RowMajor means = moments.means(), inverse(means.rows(), means.cols());
  if (moments.shift().size() > 0) means.rowwise() += moments.shift().transpose();
  for (Index k = 0; k < means.rows(); ++k)
    inverse.row(k) = units_of(class_covariance(moments, k)).cwiseInverse().transpose();
  return fold(training.source, FourthMoments(means, inverse), training.monitor).sums();
}

}  // namespace

Shrinkage parse_shrinkage(const std::string& text) {
  if (text == "none") return {};
  if (text == "ledoit-wolf") return {Shrinkage::Rule::ledoit_wolf, 0};
  if (text == "oas") return {Shrinkage::Rule::oas, 0};
  const auto amount = number_of(text);
  if (!amount || !(*amount >= 0 && *amount <= 1))
    throw Error(
        Code::usage,
        fmt::format("`shrinkage`: expected none, a number from 0 to 1, ledoit-wolf or oas, got '{}'", text));
  return {Shrinkage::Rule::fixed, *amount};
}

double ledoit_wolf_amount(double trace, double square, double d, double n, double fourth) {
  const double mean = trace / d;
  const double distance = (square - d * mean * mean) / d;
  const double noise = std::min((fourth / n - square) / (d * n), distance);
  return noise > 0 ? noise / distance : 0;
}

double oas_amount(double trace, double square, double d, double n) {
  const double mean = trace / d, share = square / (d * d);
  const double below = (n + 1) * (share - mean * mean / d);
  return below > 0 ? std::min(1.0, (share + mean * mean) / below) : 1.0;
}

MatrixXd shrunk(const MatrixXd& s, double g) {
  MatrixXd blend = (1 - g) * s;
  blend.diagonal().array() += g * s.trace() / static_cast<double>(s.rows());
  return blend;
}

MatrixXd covariance_within(const Shrinkage& shrinkage, Divisor divisor, const ClassMoments& moments,
                           const Training& training) {
  const double n = moments.weights().sum();
  const double lost = divisor == Divisor::mle ? 0 : static_cast<double>(training.classes);
  if (shrinkage.rule == Shrinkage::Rule::none) return moments.scatter() / (n - lost);
  if (shrinkage.rule == Shrinkage::Rule::fixed) return shrunk(moments.scatter() / n, shrinkage.amount);
  const bool wolf = shrinkage.rule == Shrinkage::Rule::ledoit_wolf;
  const VectorXd fourth = wolf ? fourth_moments(moments, training) : VectorXd();
  MatrixXd sum = MatrixXd::Zero(training.source.cols(), training.source.cols());
  for (Index k = 0; k < training.classes; ++k) {
    const double own = moments.weights()[k];
    const MatrixXd s = class_covariance(moments, k);
    sum += own / n * (wolf ? ledoit_wolf(s, own, fourth[k]) : oas(s, own));
  }
  return sum;
}

}  // namespace discern
