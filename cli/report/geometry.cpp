#include "cli/report/geometry.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cli/text/text.hpp"

namespace discern::cli {

std::optional<Geometry> geometry_of(const Model& model) {
  const auto* linear = std::get_if<Linear>(&model.predictor);
  if (linear == nullptr) return std::nullopt;
  Geometry geometry{linear->weights, linear->bias_at_origin(), linear->weights.rowwise().norm(), {}, {}};
  geometry.origin_distance = Vector::Zero(geometry.bias.size());
  geometry.origin_foot = Matrix::Zero(linear->scores(), linear->features());
  for (Index k = 0; k < geometry.bias.size(); ++k) {
    if (!(geometry.norm[k] > 0)) continue;
    geometry.origin_distance[k] = geometry.bias[k] / geometry.norm[k];
    geometry.origin_foot.row(k) = -geometry.origin_distance[k] / geometry.norm[k] * geometry.weights.row(k);
  }
  return geometry;
}

std::vector<RowDistance> row_distances(const Model& model, const Geometry& geometry, const Matrix& scores,
                                       const std::vector<std::int32_t>& labels) {
  const Index classes = scores.cols();
  Matrix between = Matrix::Zero(classes, classes);  // |w_i - w_j|
  for (Index i = 0; i < classes; ++i)
    for (Index j = 0; j < classes; ++j)
      between(i, j) = (geometry.weights.row(i) - geometry.weights.row(j)).norm();
  std::vector<RowDistance> rows;
  for (Index r = 0; r < scores.rows(); ++r) {
    const std::int32_t label = labels[static_cast<std::size_t>(r)];
    if (classes == 1) {
      const double g = label == model.positive ? scores(r, 0) : -scores(r, 0);
      rows.push_back({r, label, geometry.norm[0] > 0 ? g / geometry.norm[0] : 0});
      continue;
    }
    double least = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < classes; ++j)
      if (j != label && between(label, j) > 0)
        least = std::min(least, (scores(r, label) - scores(r, j)) / between(label, j));
    rows.push_back({r, label, least});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const RowDistance& a, const RowDistance& b) { return a.distance < b.distance; });
  return rows;
}

std::string weights_table(const Model& model, const Geometry& geometry, Index limit, std::size_t indent) {
  const Index features = geometry.weights.cols(), scores = geometry.weights.rows();
  std::vector<double> size(static_cast<std::size_t>(features));
  for (Index j = 0; j < features; ++j)
    size[static_cast<std::size_t>(j)] = geometry.weights.col(j).cwiseAbs().maxCoeff();
  std::vector<Index> order(size.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return size[static_cast<std::size_t>(a)] > size[static_cast<std::size_t>(b)];
  });
  if (static_cast<Index>(order.size()) > limit) order.resize(static_cast<std::size_t>(limit));

  std::vector<Align> columns(static_cast<std::size_t>(scores) + 1, Align::right);
  columns[0] = Align::left;
  TextTable table(columns, indent);
  if (scores > 1) {
    std::vector<std::string> head{""};
    for (const std::string& name : plane_names(model)) head.push_back(shown(name, 16));
    table.row(std::move(head));
  }
  for (const Index j : order) {
    std::vector<std::string> cells{shown(model.pipeline.feature_name(j))};
    for (Index k = 0; k < scores; ++k) cells.push_back(rounded(geometry.weights(k, j), 5));
    table.row(std::move(cells));
  }
  return table.text();
}

}  // namespace discern::cli
