#include "discern/model/additive.hpp"

#include <algorithm>
#include <cmath>

namespace discern {
namespace {

constexpr double half_log_two_pi = 0.91893853320467274178;

double kernel_sum(const Kernels& kernels, Index k, const Vector& x) {
  const auto count = static_cast<Index>(kernels.features.size());
  double sum = 0;
  for (Index f = 0; f < count; ++f)
    sum += log_density(kernels, k * count + f, x[kernels.features[static_cast<std::size_t>(f)]]);
  return sum;
}

}  // namespace

double log_density(const Kernels& kernels, Index density, double x) {
  const auto number = static_cast<std::size_t>(density);
  const double* first = kernels.points.data() + kernels.starts[number];
  const double* last = kernels.points.data() + kernels.starts[number + 1];
  const double h = kernels.widths.data()[density];
  const double* above = std::lower_bound(first, last, x);
  double nearest = above == last ? x - last[-1] : *above - x;
  if (above != first) nearest = std::min(nearest, x - above[-1]);
  const double u = nearest / h;
  // Slightly more than it takes, so that rounding never leaves out the nearest point itself.
  const double reach = h * std::sqrt(u * u + 100) * (1 + 1e-12);
  const double* from = std::lower_bound(first, last, x - reach);
  const double* to = std::upper_bound(from, last, x + reach);
  const Eigen::Map<const Eigen::ArrayXd> points(from, to - from);
  const Eigen::Map<const Eigen::ArrayXd> weights(kernels.weights.data() + (from - kernels.points.data()),
                                                 to - from);
  const double sum = (weights * (0.5 * (u * u - ((points - x) / h).square())).exp()).sum();
  return std::log(sum) - 0.5 * u * u - std::log(h) - half_log_two_pi;
}

Matrix scores_of(const Additive& additive, const Rows& x) {
  return std::visit(
      [&](const auto& rows) {
        Matrix out(rows.rows, additive.scores());
        Vector dense(rows.cols);
        for (Index i = 0; i < rows.rows; ++i) {
          dense.setZero();
          for_each(rows.row(i), [&](Index j, double v) { dense[j] = v; });
          for (Index k = 0; k < additive.scores(); ++k) {
            const auto means = additive.means.row(k).transpose().array();
            const auto precision = additive.precision.row(k).transpose().array();
            double score = additive.bias[k] - 0.5 * ((dense.array() - means) * precision).square().sum();
            score += dot(DenseRow<double>{dense.data(), dense.size()}, additive.weights.row(k).data());
            out(i, k) = score + kernel_sum(additive.kernels, k, dense);
          }
        }
        return out;
      },
      x);
}

}  // namespace discern
