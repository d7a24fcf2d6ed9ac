#include "discern/model/inference/least_squares_inference.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "discern/stats/fold.hpp"

namespace discern {
namespace {

// The pseudo-inverse V of the triangle's columns that are parameters: (Z'Z)^-1 = V V'. Columns are brought to
// length one first. A bias that is not there has a row of zeros.
template <class Scalar>
Dense<Scalar> inverse_triangle(const Dense<Scalar>& r, const Design& design) {
  const Index first = design.bias ? 0 : 1, parameters = 1 + design.features - first;
  Dense<Scalar> a = r.block(0, first, 1 + design.features, parameters);
  const Eigen::Matrix<Scalar, Eigen::Dynamic, 1> length = a.colwise().norm();
  a = a * length.cwiseInverse().asDiagonal();
  const Dense<Scalar> identity = Dense<Scalar>::Identity(a.rows(), a.rows());
  Dense<Scalar> v = Dense<Scalar>::Zero(1 + design.features, a.rows());
  v.bottomRows(parameters) = length.cwiseInverse().asDiagonal() *
                             least_norm<Scalar>(a, identity, std::numeric_limits<double>::epsilon()).x;
  return v;
}

// sum_i s_i (e_i / (1 - h_i))^2 z_i z_i' with the residuals e and the leverages h_i = |V'z_i|^2 (HC3,
// MacKinnon and White 1985). A row that its own weight fits exactly (h = 1) says nothing about errors.
template <class Scalar>
class LeastSquaresMeat {
 public:
  LeastSquaresMeat(const Design& design, const Dense<Scalar>& weights, const Dense<Scalar>& v)
      : design_(&design),
        weights_(&weights),
        v_(&v),
        sum_(Eigen::MatrixXd::Zero(weights.rows(), weights.rows())) {}

  void add(const Block& block) {
    const Dense<Scalar> rows = design_rows<Scalar>(*design_, block);
    const auto z = rows.leftCols(1 + design_->features);
    const Dense<Scalar> error = rows.rightCols(1) - z * *weights_, projected = z * *v_;
    Eigen::MatrixXd weighted = z.template cast<double>();
    for (Index i = 0; i < z.rows(); ++i) {
      const auto rest = static_cast<double>(1 - projected.row(i).squaredNorm());
      const double factor = rest > 1e-12 ? static_cast<double>(error(i, 0)) / rest : 0.0;
      weighted.row(i) *= std::sqrt(block.weight(i)) * factor;
    }
    sum_.noalias() += weighted.transpose() * weighted;
  }
  void merge(const LeastSquaresMeat& other) { sum_ += other.sum_; }
  double bytes() const { return 8.0 * static_cast<double>(sum_.size()); }
  const Eigen::MatrixXd& result() const { return sum_; }

 private:
  const Design* design_;
  const Dense<Scalar>* weights_;
  const Dense<Scalar>* v_;
  Eigen::MatrixXd sum_;
};

}  // namespace

template <class Scalar>
Inference infer(const Dense<Scalar>& triangle, const Design& design, const Dense<Scalar>& weights,
                Scalar residual, double samples, const Training& training) {
  const Index d = design.features;
  Inference inference;
  inference.student = true;
  inference.bias = design.bias;
  inference.samples = samples;
  inference.parameters = static_cast<double>(d + (design.bias ? 1 : 0));
  if (!(inference.degrees() > 0)) {
    inference.absent = "no rows are left over to estimate the errors from";
    return inference;
  }
  inference.confidence = training.inference.confidence;
  const auto y = triangle.col(1 + d);
  const Scalar total = y.squaredNorm() - (design.bias ? y[0] * y[0] : Scalar(0));
  inference.deviance = static_cast<double>(residual);
  inference.null_deviance = static_cast<double>(total);
  // The sum of squares of rounding errors.
  const double rounding = 1e-28 * static_cast<double>(y.squaredNorm());
  if (!(inference.deviance > rounding))
    return Inference{.absent = "the residuals are zero, so there are no errors to estimate"};
  inference.dispersion = inference.deviance / inference.degrees();
  inference.log_likelihood =
      -samples / 2 * (std::log(2 * std::numbers::pi * inference.deviance / samples) + 1);

  const Dense<Scalar> v = inverse_triangle<Scalar>(triangle, design);
  // The coefficients of the user: the bias at the origin, then the weights.
  Dense<Scalar> user = Dense<Scalar>::Identity(1 + d, 1 + d);
  if (design.bias && design.center.size() > 0)
    user.row(0).tail(d) = -design.center.template cast<Scalar>().transpose();
  inference.estimates = (user * weights).transpose().template cast<double>();
  const Dense<Scalar> rows = user * v;
  inference.errors = rows.rowwise().norm().transpose().template cast<double>();
  inference.errors *= std::sqrt(inference.dispersion);
  if (!training.inference.robust) return inference;
  inference.robust = true;
  const Eigen::MatrixXd meat =
      fold(training.source, LeastSquaresMeat<Scalar>(design, weights, v), training.monitor).result();
  const Eigen::MatrixXd bread = (rows * v.transpose()).template cast<double>();
  inference.errors = (bread * meat).cwiseProduct(bread).rowwise().sum().cwiseSqrt().transpose();
  return inference;
}

template Inference infer<double>(const Dense<double>&, const Design&, const Dense<double>&, double, double,
                                 const Training&);
template Inference infer<long double>(const Dense<long double>&, const Design&, const Dense<long double>&,
                                      long double, double, const Training&);

}  // namespace discern
