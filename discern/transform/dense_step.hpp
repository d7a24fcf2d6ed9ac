// What the steps that make dense rows share.
#pragma once

#include <algorithm>
#include <vector>

#include "discern/data/source.hpp"
#include "discern/transform/feature.hpp"

namespace discern {

inline DenseRows<double> dense_output(Workspace& out, Index rows, Index cols) {
  out.values.resize(static_cast<std::size_t>(rows * cols));
  return {out.values.data(), rows, cols};
}

// Calls f(output row, input row) for every row, with the output row zeroed or not as `f` wants.
template <class F>
Rows each_row(const Rows& in, Index cols, Workspace& out, F&& f) {
  return std::visit(
      [&](const auto& rows) -> Rows {
        const auto result = dense_output(out, rows.rows, cols);
        for (Index i = 0; i < rows.rows; ++i) f(out.values.data() + i * cols, rows.row(i));
        return result;
      },
      in);
}

// The same with the input row as an array of all its values, and the columns passed on behind the `made`
// ones.
template <class F>
Rows each_dense_row(const Rows& in, const Selection& selection, Index made, Workspace& out, F&& f) {
  std::vector<double> dense(static_cast<std::size_t>(selection.width()));
  const Index cols = made + static_cast<Index>(selection.passed.size());
  return each_row(in, cols, out, [&](double* y, const auto& x) {
    std::fill(dense.begin(), dense.end(), 0.0);
    for_each(x, [&](Index j, double v) { dense[static_cast<std::size_t>(j)] = v; });
    f(y, dense.data());
    for (std::size_t k = 0; k < selection.passed.size(); ++k)
      y[made + static_cast<Index>(k)] = dense[static_cast<std::size_t>(selection.passed[k])];
  });
}

}  // namespace discern
