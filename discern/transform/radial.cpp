#include "discern/transform/radial.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "discern/cluster/points.hpp"
#include "discern/transform/dense_step.hpp"
#include "discern/transform/row_products.hpp"

namespace discern {

double radial_value(RadialUnit unit, double r2, double s) {
  if (!(r2 < std::numeric_limits<double>::infinity())) return 0;
  return unit == RadialUnit::gaussian ? std::exp(-r2 / (2 * s * s)) : s * s / (s * s + r2);
}

void Radial::prepare(const std::vector<Feature>& in) {
  selection = Selection::make(in, columns, true);
  coordinates.columns = selection.used;
  coordinates.center = centers.colwise().mean().transpose();
  coordinates.scale = Eigen::Map<const Eigen::VectorXd>(scale.data(), static_cast<Index>(scale.size()));
  scaled =
      (centers.rowwise() - coordinates.center.transpose()) * coordinates.scale.cwiseInverse().asDiagonal();
  squares = scaled.rowwise().squaredNorm();
}

std::vector<Feature> Radial::names(const std::vector<Feature>& in) const {
  std::vector<Feature> out;
  for (Index k = 0; k < units(); ++k) out.push_back({fmt::format("rbf{}", k + 1), false});
  selection.append(in, out);
  return out;
}

Rows Radial::apply(const Rows& in, Workspace& out) const {
  RowMajor distances;
  return each_product(in, selection, coordinates, units(), out,
                      [&](const RowMajor& u, Index count, auto&& row) {
                        squared_distances(u, scaled, squares, distances);
                        for (Index i = 0; i < count; ++i) {
                          double* y = row(i);
                          for (Index k = 0; k < units(); ++k)
                            y[k] = radial_value(unit, distances(i, k), widths[static_cast<std::size_t>(k)]);
                        }
                      });
}

void Radial::extend(std::vector<long double>& row) const {
  std::vector<long double> out;
  for (Index k = 0; k < units(); ++k) {
    long double r2 = 0;
    for (std::size_t c = 0; c < selection.used.size(); ++c) {
      const auto center = static_cast<long double>(centers(k, static_cast<Index>(c)));
      const long double z =
          (row[static_cast<std::size_t>(selection.used[c])] - center) / static_cast<long double>(scale[c]);
      r2 += z * z;
    }
    const auto s = static_cast<long double>(widths[static_cast<std::size_t>(k)]);
    out.push_back(unit == RadialUnit::gaussian ? std::exp(-r2 / (2 * s * s)) : s * s / (s * s + r2));
  }
  selection.append(row, out);
  row = std::move(out);
}

}  // namespace discern
