#include "discern/transform/fourier.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "discern/base/random.hpp"
#include "discern/transform/row_products.hpp"

namespace discern {

void Fourier::prepare(const std::vector<Feature>& in) {
  selection = Selection::make(in, columns, true);
  coordinates.columns = selection.used;
}

std::vector<Feature> Fourier::names(const std::vector<Feature>& in) const {
  std::vector<Feature> out;
  for (Index k = 0; k < waves(); ++k) out.push_back({fmt::format("wave{}", k + 1), false});
  selection.append(in, out);
  return out;
}

Rows Fourier::apply(const Rows& in, Workspace& out) const {
  RowMajor angles(product_rows, waves());
  const double height = std::sqrt(2.0 / static_cast<double>(waves()));
  return each_product(in, selection, coordinates, waves(), out,
                      [&](const RowMajor& u, Index count, auto&& row) {
                        angles.noalias() = u * frequencies.transpose();
                        for (Index i = 0; i < count; ++i) {
                          double* y = row(i);
                          for (Index k = 0; k < waves(); ++k)
                            y[k] = height * std::cos(angles(i, k) + phases[static_cast<std::size_t>(k)]);
                        }
                      });
}

void Fourier::extend(std::vector<long double>& row) const {
  std::vector<long double> out;
  const long double height = std::sqrt(2.0L / static_cast<long double>(waves()));
  for (Index k = 0; k < waves(); ++k) {
    auto angle = static_cast<long double>(phases[static_cast<std::size_t>(k)]);
    for (Index c = 0; c < coordinates.size(); ++c) {
      const long double x = row[static_cast<std::size_t>(selection.used[static_cast<std::size_t>(c)])];
      angle += static_cast<long double>(frequencies(k, c)) *
               ((x - static_cast<long double>(coordinates.center[c])) /
                static_cast<long double>(coordinates.scale[c]));
    }
    out.push_back(height * std::cos(angle));
  }
  selection.append(row, out);
  row = std::move(out);
}

Fourier draw_waves(Index waves, double width, const Coordinates& coordinates, std::uint64_t seed) {
  Random random(seed);
  Fourier basis;
  basis.coordinates = coordinates;
  basis.frequencies.resize(waves, coordinates.size());
  for (Index k = 0; k < waves; ++k) {
    for (Index c = 0; c < coordinates.size(); ++c) basis.frequencies(k, c) = random.normal() / width;
    basis.phases.push_back(random.uniform(0, 2 * std::numbers::pi));
  }
  return basis;
}

}  // namespace discern
