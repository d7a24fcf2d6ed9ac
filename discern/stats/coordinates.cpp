#include "discern/stats/coordinates.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/stats/column_moments.hpp"

namespace discern {

std::string spread_message(double deviation) {
  return fmt::format(
      "the values spread over {}, expected between 1e-150 and 1e150: their squares leave the range of double "
      "precision; use another unit",
      std::isfinite(deviation) ? fmt::format("{:.1g}", deviation) : "more than 1e150");
}

void check_spread(const Eigen::VectorXd& deviation, const std::function<std::string(Index)>& name) {
  for (Index j = 0; j < deviation.size(); ++j)
    if (!(deviation[j] < 1e150) || (deviation[j] > 0 && deviation[j] < 1e-150))
      throw Error(Code::data, spread_message(deviation[j]), {"", 0, name(j)});
}

Coordinates fit_coordinates(const Source& source, std::vector<Index> columns,
                            const CoordinateOptions& options) {
  const ColumnSummary moments = column_summary(source, options.monitor);
  Coordinates coordinates{std::move(columns), {}, {}};
  const Index d = coordinates.size();
  coordinates.center.resize(d);
  coordinates.scale.setOnes(d);
  Eigen::VectorXd deviation(d);
  for (Index c = 0; c < d; ++c) {
    const Index j = coordinates.columns[static_cast<std::size_t>(c)];
    coordinates.center[c] = moments.mean[j];
    deviation[c] = moments.deviation[j];
    const bool keep = moments.constant(j) || (options.unscaled && options.unscaled(j));
    if (options.standardize && !keep) coordinates.scale[c] = moments.deviation[j];
  }
  check_spread(deviation, [&](Index c) {
    return options.name ? options.name(coordinates.columns[static_cast<std::size_t>(c)]) : std::string();
  });
  return coordinates;
}

CoordinateRows::CoordinateRows(const Coordinates& coordinates, Index source_columns)
    : coordinates_(&coordinates),
      factor_(coordinates.scale.cwiseInverse()),
      zero_(-coordinates.center.cwiseProduct(factor_)),
      place_(static_cast<std::size_t>(source_columns), -1) {
  for (Index c = 0; c < coordinates.size(); ++c)
    place_[static_cast<std::size_t>(coordinates.columns[static_cast<std::size_t>(c)])] = c;
}

template <class T>
void CoordinateRows::write_row(DenseRow<T> x, double* u) const {
  const Index* column = coordinates_->columns.data();
  const double *center = coordinates_->center.data(), *factor = factor_.data();
  const Index d = coordinates_->size();
  if (d == x.size) {
    for (Index c = 0; c < d; ++c) u[c] = (static_cast<double>(x.values[c]) - center[c]) * factor[c];
    return;
  }
  for (Index c = 0; c < d; ++c) u[c] = (static_cast<double>(x.values[column[c]]) - center[c]) * factor[c];
}

template <class T>
void CoordinateRows::write_row(SparseRow<T> x, double* u) const {
  std::copy(zero_.data(), zero_.data() + zero_.size(), u);
  for_each(x, [&](Index j, double v) {
    const Index c = place_[static_cast<std::size_t>(j)];
    if (c >= 0) u[c] = (v - coordinates_->center[c]) * factor_[c];
  });
}

void CoordinateRows::write(const Rows& rows, Index first, Index count, Eigen::Ref<RowMajor> out) const {
  assert(out.cols() == coordinates_->size() && count <= out.rows());
  std::visit(
      [&](const auto& r) {
        for (Index i = 0; i < count; ++i) write_row(r.row(first + i), out.row(i).data());
      },
      rows);
  out.bottomRows(out.rows() - count).setZero();
}

}  // namespace discern
