#include "discern/model/shape/additive.hpp"

#include <algorithm>
#include <cmath>

#include "discern/stats/distributions.hpp"

namespace discern {
namespace {

double kernel_sum(const Kernels& kernels, Index k, const Eigen::Ref<const Eigen::RowVectorXd>& x) {
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

namespace {

constexpr Index values_at_once = 1 << 15;  // of the rows that go past all classes: half of a core's L2 cache

// Class by class, so that the numbers of a class are fetched once for some rows and not for each.
void add_rows(const Additive& additive, const Matrix& x, Index first, Matrix& out) {
  for (Index k = 0; k < additive.scores(); ++k) {
    const auto means = additive.means.row(k).array(), precision = additive.precision.row(k).array();
    const bool slopes = additive.weights.row(k).any();
    for (Index i = 0; i < x.rows(); ++i) {
      double score = additive.bias[k] - 0.5 * ((x.row(i).array() - means) * precision).square().sum();
      if (slopes) score += dot(DenseRow<double>{x.row(i).data(), x.cols()}, additive.weights.row(k).data());
      out(first + i, k) = score + kernel_sum(additive.kernels, k, x.row(i));
    }
  }
}

}  // namespace

Matrix scores_of(const Additive& additive, const Rows& x) {
  return std::visit(
      [&](const auto& rows) {
        Matrix out(rows.rows, additive.scores());
        const Index step = std::max<Index>(1, values_at_once / std::max<Index>(1, rows.cols));
        for (Index first = 0; first < rows.rows; first += step) {
          Matrix dense = Matrix::Zero(std::min(step, rows.rows - first), rows.cols);
          for (Index i = 0; i < dense.rows(); ++i)
            for_each(rows.row(first + i), [&](Index j, double v) { dense(i, j) = v; });
          add_rows(additive, dense, first, out);
        }
        return out;
      },
      x);
}

}  // namespace discern
