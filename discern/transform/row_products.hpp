// Rows for matrix products: in coordinates, always the same number at once, filled up with zeros. A product's
// last bits depend on the shape of the matrices; with one shape a row gives the same bits whatever rows are
// around it, so that a row predicted alone is the row predicted among others.
#pragma once

#include "discern/stats/coordinates.hpp"
#include "discern/transform/dense_step.hpp"

namespace discern {

constexpr Index product_rows = 192;  // a multiple of what the kernels of Eigen take at once

// Calls f(u, count, row) for every `product_rows` rows: u holds `count` of them in coordinates (and zeros),
// row(i) is where the `made` values of the i-th go. Columns passed on follow behind.
template <class F>
Rows each_product(const Rows& in, const Selection& selection, const Coordinates& coordinates, Index made,
                  Workspace& out, F&& f) {
  const Index cols = made + static_cast<Index>(selection.passed.size());
  const Index total = std::visit([](const auto& rows) { return rows.rows; }, in);
  const DenseRows<double> result = dense_output(out, total, cols);
  const CoordinateRows writer(coordinates, selection.width());
  RowMajor u(product_rows, coordinates.size());
  for (Index first = 0; first < total; first += product_rows) {
    const Index count = std::min(product_rows, total - first);
    writer.write(in, first, count, u);
    f(u, count, [&](Index i) { return out.values.data() + (first + i) * cols; });
  }
  if (selection.passed.empty()) return result;
  std::vector<Index> place(static_cast<std::size_t>(selection.width()), -1);
  for (std::size_t k = 0; k < selection.passed.size(); ++k)
    place[static_cast<std::size_t>(selection.passed[k])] = made + static_cast<Index>(k);
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < total; ++i) {
          double* y = out.values.data() + i * cols;
          std::fill(y + made, y + cols, 0.0);
          for_each(rows.row(i), [&](Index j, double v) {
            if (const Index to = place[static_cast<std::size_t>(j)]; to >= 0) y[to] = v;
          });
        }
      },
      in);
  return result;
}

}  // namespace discern
