#include "discern/report/gallery/parts.hpp"

#include <algorithm>

#include "discern/base/random.hpp"
#include "discern/report/plane.hpp"

namespace discern::report {

Table points_table(const std::vector<std::vector<double>>& rows, const std::vector<std::string>& labels) {
  Table table;
  const auto cols = static_cast<Index>(rows[0].size());
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  table.x = DenseMatrix<double>{Buffer<double>(std::move(values)), static_cast<Index>(rows.size()), cols};
  table.schema = Schema::numbered(cols);
  SideColumn target{"class", true, labels, {}, {}};
  std::sort(target.levels.begin(), target.levels.end());
  target.levels.erase(std::unique(target.levels.begin(), target.levels.end()), target.levels.end());
  for (const std::string& label : labels)
    target.values.push_back(static_cast<double>(std::find(target.levels.begin(), target.levels.end(), label) -
                                                target.levels.begin()));
  table.side.push_back(std::move(target));
  return table;
}

Table two_classes(const std::vector<std::pair<double, double>>& zeros,
                  const std::vector<std::pair<double, double>>& ones) {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (const auto& [x, y] : zeros) rows.push_back({x, y}), labels.emplace_back("0");
  for (const auto& [x, y] : ones) rows.push_back({x, y}), labels.emplace_back("1");
  return points_table(rows, labels);
}

Table tilted_classes(Index rows, std::pair<double, double> m, double a, double b, double c,
                     std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<double, double>> sides[2];
  for (Index i = 0; i < rows; ++i) {
    const double side = i % 2 == 0 ? -1 : 1, z1 = random.normal(), z2 = random.normal();
    sides[i % 2].emplace_back(side * m.first + a * z1, side * m.second + b * z1 + c * z2);
  }
  return two_classes(sides[0], sides[1]);
}

namespace {

FitSettings demo_settings(const std::string& model, const NamedOptions& options, const std::string& basis) {
  FitSettings settings;
  settings.options = find_model(model).make(model);
  for (const auto& [name, value] : options) set_option(settings.options, name, value);
  settings.target = "class";
  settings.basis = basis;
  return settings;
}

}  // namespace

FitOutcome demo_fit(const Table& table, const std::string& model, const NamedOptions& options,
                    const std::string& basis) {
  return fit_model(table, demo_settings(model, options, basis));
}

WatchedFit watched(const Table& table, const std::string& model, const NamedOptions& options,
                   std::uint64_t seed) {
  WatchedFit fit;
  FitSettings settings = demo_settings(model, options, "");
  settings.seed = seed;
  settings.watch = [&](const TraceStep& step) { fit.history.watch(step); };
  fit.outcome = fit_model(table, settings);
  return fit;
}

PairSeparability demo_verdict(const Table& table, const std::string& basis) {
  FitSettings settings;
  settings.target = "class";
  settings.basis = basis;
  return class_separability(table, settings, false).pairs.at(0);
}

Index mistakes_of(const FitOutcome& outcome) {
  Index wrong = 0;
  for (std::size_t i = 0; i < outcome.train_labels.size(); ++i)
    wrong += outcome.train.labels[i] == outcome.train_labels[i] ? 0 : 1;
  return wrong;
}

const Linear& linear_of(const FitOutcome& outcome) { return std::get<Linear>(outcome.model.predictor); }

double fact_of(const FitOutcome& outcome, std::string_view name) {
  for (const Fact& one : outcome.model.summary.facts)
    if (one.name == name && std::holds_alternative<double>(one.value)) return std::get<double>(one.value);
  return 0;
}

Matrix cells_of(const Table& table) {
  Matrix values = Matrix::Zero(table.rows(), column_count(table.x));
  std::visit(
      [&](const auto& x) {
        const auto rows = x.view(0, x.rows);
        for (Index i = 0; i < x.rows; ++i)
          for_each(rows.row(i), [&](Index j, double v) { values(i, j) = v; });
      },
      table.x);
  return values;
}

std::vector<std::int32_t> labels_of_table(const Table& table) {
  std::vector<std::int32_t> labels;
  for (const double value : table.side[0].values) labels.push_back(static_cast<std::int32_t>(value));
  return labels;
}

Grid around(const Table& table, double room) {
  const Matrix x = cells_of(table);
  const Vector a = x.col(0), b = x.col(1);
  const auto [left, right] = range_of({a.data(), a.data() + a.size()}, room);
  const auto [bottom, top] = range_of({b.data(), b.data() + b.size()}, room);
  // Neither much wider nor higher than a panel with equal units is, so that regions fill it.
  constexpr double flattest = 0.6, steepest = 1;
  const double wide = right - left, high = top - bottom;
  const double more_high = std::max(0.0, flattest * wide - high) / 2,
               more_wide = std::max(0.0, high / steepest - wide) / 2;
  return {left - more_wide, right + more_wide, bottom - more_high, top + more_high, 90, 80};
}

Json class_points(const Table& table, const Json& more) {
  const Matrix x = cells_of(table);
  Numbers a, b;
  for (Index i = 0; i < x.rows(); ++i) a.push_back(x(i, 0)), b.push_back(x(i, 1));
  Json layer = points(a, b, more);
  layer["class"] = labels_of_table(table);
  return layer;
}

Json model_regions(const Model& model, const Grid& grid) {
  std::vector<double> cells;
  for (Index r = 0; r < grid.rows; ++r)
    for (Index c = 0; c < grid.cols; ++c) cells.push_back(grid.x(c)), cells.push_back(grid.y(r));
  const Features raw = DenseMatrix<double>{Buffer<double>(std::move(cells)), grid.cells(), 2};
  const Targets none;
  const Prediction said = predict_rows(model, PipelineSource(raw, model.pipeline, none));
  return regions(grid, said.labels, margins_of(said));
}

Json boundary(const Linear& linear, const Grid& grid, const Json& more) {
  return straight(grid, linear.weights(0, 0), linear.weights(0, 1), linear.bias_at_origin()[0], more);
}

std::vector<const History::Moment*> shown_moments(const History& history, std::size_t most) {
  const auto& moments = history.moments();
  const std::size_t count = std::min(moments.size(), most);
  std::vector<const History::Moment*> shown;
  for (std::size_t i = 0; i < count; ++i)
    shown.push_back(&moments[count == 1 ? 0 : i * (moments.size() - 1) / (count - 1)]);
  return shown;
}

LineFrames line_frames(const History& history, const Grid& grid, std::size_t most) {
  LineFrames lines;
  for (const auto* m : shown_moments(history, most)) {
    const Json at = straight(grid, m->weights(0, 0), m->weights(0, 1), m->bias[0]);
    lines.frames.push_back({{"x", at["x"]}, {"y", at["y"]}});
    lines.names.push_back(std::to_string(m->iteration));
  }
  return lines;
}

std::vector<Json> density(const Numbers& x, const Numbers& y, int kind, const std::string& name,
                          const std::vector<Numbers>& frames) {
  Json ground = area(x, Numbers(x.size(), 0.0), y, {{"color", kind}, {"name", name}});
  Json outline = line(x, y, {{"color", kind}, {"name", name}});
  if (kind == 1) outline["dash"] = "dashed";
  for (const Numbers& one : frames) {
    ground["frames"].push_back({{"high", numbers(one)}});
    outline["frames"].push_back({{"y", numbers(one)}});
  }
  return {std::move(ground), std::move(outline)};
}

Json plane(const Grid& grid, Json layers, const Json& more) {
  Json panel =
      plot(axis("x1", grid.left, grid.right), axis("x2", grid.bottom, grid.top), std::move(layers), more);
  panel["equal"] = true;
  return panel;
}

}  // namespace discern::report
