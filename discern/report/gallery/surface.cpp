#include "discern/report/gallery/surface.hpp"

#include <cmath>

namespace discern::report {

ErrorSurface::ErrorSurface(const Table& table) {
  const Matrix x = cells_of(table);
  const auto labels = labels_of_table(table);
  for (Index i = 0; i < x.rows(); ++i) {
    const double t = labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1;
    a_ += x(i, 0) * x(i, 0);
    b_ += x(i, 0) * x(i, 1);
    c_ += x(i, 1) * x(i, 1);
    d_ += t * x(i, 0);
    e_ += t * x(i, 1);
    f_ += t * t;
  }
}

double ErrorSurface::at(double w1, double w2) const {
  return 0.5 * (a_ * w1 * w1 + 2 * b_ * w1 * w2 + c_ * w2 * w2) - d_ * w1 - e_ * w2 + 0.5 * f_;
}

std::pair<double, double> ErrorSurface::minimum() const {
  const double determinant = a_ * c_ - b_ * b_;
  return {(c_ * d_ - b_ * e_) / determinant, (a_ * e_ - b_ * d_) / determinant};
}

Json ErrorSurface::level_lines(const Grid& grid) const {
  const auto [m1, m2] = minimum();
  const double least = at(m1, m2);
  const Numbers values =
      over(grid, [&](double u, double v) { return std::sqrt(std::max(0.0, at(u, v) - least)); });
  double most = 0;
  for (const double v : values) most = std::max(most, v);
  Numbers where;
  for (int k = 1; k <= 12; ++k) where.push_back(most * k / 13);
  return levels(grid, values, where, {{"color", "soft"}, {"width", 1}});
}

Table valley_table() { return tilted_classes(60, {0.8, 0.3}, 1.0, 0.55, 0.7, 5); }

Steps steps_of(const History& history) {
  Steps steps;
  for (const auto& m : history.moments())
    if (m.weights.size() == 2) steps.w1.push_back(m.weights(0, 0)), steps.w2.push_back(m.weights(0, 1));
  return steps;
}

Json growing_frames(const Steps& steps, std::size_t most) {
  Json frames = Json::array();
  const std::size_t count = std::min(steps.w1.size(), most);
  for (std::size_t k = 1; k <= count; ++k) {
    const auto end = static_cast<std::ptrdiff_t>(k * steps.w1.size() / count);
    frames.push_back({{"x", numbers({steps.w1.begin(), steps.w1.begin() + end})},
                      {"y", numbers({steps.w2.begin(), steps.w2.begin() + end})}});
  }
  return frames;
}

}  // namespace discern::report
