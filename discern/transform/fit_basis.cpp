#include "discern/transform/fit_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/stats/column_moments.hpp"
#include "discern/transform/placement.hpp"

namespace discern {
namespace {

constexpr double column_memory = 1e9;  // bytes of columns that are sorted at a time

// The indicators of the levels of a text column; empty when there is no such column.
std::vector<Index> indicators_of(const std::string& name, const std::vector<Feature>& features,
                                 const Schema& input) {
  std::vector<Index> found;
  for (std::size_t j = 0; j < features.size(); ++j)
    if (features[j].indicator && features[j].column >= 0 && input.name(features[j].column) == name)
      found.push_back(static_cast<Index>(j));
  return found;
}

std::vector<Index> columns_of(const BasisItem& item, const std::vector<Feature>& features,
                              const Schema& input, bool indicators) {
  std::vector<Index> columns;
  const auto feature = [&](const std::string& name) {
    return std::find_if(features.begin(), features.end(), [&](const Feature& f) { return f.name == name; });
  };
  for (const std::string& name : item.columns) {
    auto found = feature(name);
    if (found == features.end())
      found = feature(name.substr(std::min(name.find_first_not_of(' '), name.size())));
    if (found == features.end()) {
      // A text column has no feature of its own name, but indicators of its levels.
      auto text = indicators_of(name, features, input);
      if (text.empty())
        text =
            indicators_of(name.substr(std::min(name.find_first_not_of(' '), name.size())), features, input);
      if (text.empty() || !indicators)
        refuse_basis(
            item, fmt::format("the column '{}' {}", name,
                              text.empty() ? "is not among the features" : "holds text, expected numbers"));
      columns.insert(columns.end(), text.begin(), text.end());
      continue;
    }
    if (found->indicator && !indicators)
      refuse_basis(item, fmt::format("the column '{}' is the indicator of a text, expected numbers", name));
    columns.push_back(found - features.begin());
  }
  std::sort(columns.begin(), columns.end());
  if (std::adjacent_find(columns.begin(), columns.end()) != columns.end())
    refuse_basis(item, "a column is named twice");
  return columns;
}

Standardize fit_standardize(const Source& source, const std::vector<Feature>& features,
                            const std::vector<Index>& columns, const Monitor& monitor) {
  const ColumnSummary moments = column_summary(source, monitor);
  Standardize step;
  for (Index j = 0; j < source.cols(); ++j) {
    const bool keep = features[static_cast<std::size_t>(j)].indicator ||
                      (!columns.empty() && !std::binary_search(columns.begin(), columns.end(), j));
    step.center.push_back(keep || source.sparse() ? 0.0 : moments.mean[j]);
    step.scale.push_back(keep || moments.constant(j) ? 1.0 : moments.deviation[j]);
  }
  return step;
}

// The values of some columns, one list each, and the weights of the rows.
std::vector<std::vector<double>> column_values(const Source& source, std::span<const Index> columns,
                                               std::vector<double>& weights) {
  std::vector<std::vector<double>> values(columns.size(),
                                          std::vector<double>(static_cast<std::size_t>(source.rows())));
  Coordinates plain{{columns.begin(), columns.end()},
                    Eigen::VectorXd::Zero(static_cast<Index>(columns.size())),
                    Eigen::VectorXd::Ones(static_cast<Index>(columns.size()))};
  const CoordinateRows writer(plain, source.cols());
  Scratch first;
  if (!source.block(0, first).weights.empty()) weights.resize(static_cast<std::size_t>(source.rows()));
  parallel_for(source.block_count(), [&](Index k) {
    Scratch scratch;
    const Block block = source.block(k, scratch);
    RowMajor row(1, plain.size());
    for (Index i = 0; i < block.rows(); ++i) {
      const auto at = static_cast<std::size_t>(block.first + i);
      writer.write(block.x, i, 1, row);
      for (std::size_t c = 0; c < columns.size(); ++c) values[c][at] = row(0, static_cast<Index>(c));
      if (!weights.empty()) weights[at] = block.weight(i);
    }
  });
  return values;
}

// A function that does not take some value of some row names both.
Pointwise fit_elementwise(const BasisItem& item, PointFunction function, const Source& source,
                          const std::vector<Feature>& features, const std::vector<Index>& columns) {
  Pointwise step;
  step.function = function;
  step.columns = columns;
  step.selection = Selection::make(features, columns, false);
  for (const Index j : step.selection.used) {
    std::vector<double> weights;
    const std::vector<double> values = column_values(source, std::span(&j, 1), weights)[0];
    const auto odd =
        std::find_if(values.begin(), values.end(), [&](double v) { return !takes(function, v); });
    const std::string& name = features[static_cast<std::size_t>(j)].name;
    if (odd != values.end()) {
      const bool log = function == PointFunction::log;
      throw Error(Code::data,
                  fmt::format("row {}: found {}, of which there is no {} (`basis` {}); {}",
                              odd - values.begin() + 1, *odd,
                              log                               ? "logarithm"
                              : function == PointFunction::sqrt ? "square root"
                                                                : "log(1 + x)",
                              item.text,
                              log && *odd == 0 ? fmt::format("log1p({}) takes zeros", name)
                                               : fmt::format("name the columns that it suits, as {}(COLUMN)",
                                                             name_of(function))),
                  {"", 0, name});
    }
    step.counts.push_back(1);
    step.points.push_back(values.empty() ? 1.0 : *std::min_element(values.begin(), values.end()));
  }
  if (step.points.empty()) refuse_basis(item, "there are no numbers to take it of");
  return step;
}

Pointwise fit_pointwise(const BasisItem& item, const Source& source, const std::vector<Feature>& features,
                        const std::vector<Index>& columns) {
  Pointwise step;
  step.function = item.form->kind == BasisKind::gauss ? PointFunction::gaussian : PointFunction::step;
  step.columns = columns;
  step.selection = Selection::make(features, columns, false);
  const auto& used = step.selection.used;
  const auto at_once = static_cast<std::size_t>(
      std::max(1.0, column_memory / (8.0 * static_cast<double>(std::max<Index>(source.rows(), 1)))));
  for (std::size_t start = 0; start < used.size(); start += at_once) {
    const auto group = std::span(used).subspan(start, std::min(at_once, used.size() - start));
    std::vector<double> weights;
    const auto values = column_values(source, group, weights);
    std::vector<ColumnPoints> found(group.size());
    parallel_for(static_cast<Index>(group.size()), [&](Index c) {
      const auto k = static_cast<std::size_t>(c);
      found[k] = column_points(step.function, item.count, values[k], weights);
    });
    for (const ColumnPoints& one : found) {
      step.counts.push_back(static_cast<Index>(one.points.size()));
      step.points.insert(step.points.end(), one.points.begin(), one.points.end());
      step.widths.insert(step.widths.end(), one.widths.begin(), one.widths.end());
    }
  }
  if (step.points.empty() && step.selection.passed.empty())
    refuse_basis(item, "there is nothing left: every column is constant or text");
  return step;
}

UnitWidth width_argument(const BasisItem& item, std::size_t k) {
  if (item.arguments.size() <= k) return {};
  const auto width = parse_width(item.arguments[k]);
  if (!width)
    refuse_basis(item, fmt::format("expected the width as {}, got '{}'", width_expected, item.arguments[k]));
  return *width;
}

Radial fit_radial(const BasisItem& item, const Source& source, const Coordinates& coordinates,
                  const PipelineOptions& options, bool& interrupted) {
  UnitOptions units{.count = item.count, .seed = options.seed, .monitor = options.monitor};
  if (!item.arguments.empty()) {
    const std::string& name = item.arguments[0];
    if (name != "random" && name != "kmeans" && name != "em")
      refuse_basis(item, fmt::format("expected random, kmeans or em, got '{}'", name));
    units.placement = name == "random" ? Placement::random : name == "em" ? Placement::em : Placement::kmeans;
  }
  units.width = width_argument(item, 1);
  const PlacedUnits placed = place_units(source, coordinates, units);
  interrupted = placed.interrupted;
  return placed.basis;
}

Fourier fit_fourier(const BasisItem& item, const Source& source, const Coordinates& coordinates,
                    const PipelineOptions& options) {
  const UnitWidth width = width_argument(item, 0);
  if (width.rule == WidthRule::neighbours || width.rule == WidthRule::cluster)
    refuse_basis(item,
                 fmt::format("expected the width as auto or a number above 0, got '{}'", item.arguments[0]));
  const double s =
      width.rule == WidthRule::fixed ? width.value : width_of_all(source, coordinates, options.monitor);
  // Waves after waves must not be the same ones.
  return draw_waves(item.count, s, coordinates, options.seed + 0x9E37U * item.position);
}

}  // namespace

Step fit_basis(const BasisItem& item, const Source& source, const Pipeline& so_far,
               const PipelineOptions& options, bool& interrupted) {
  const std::vector<Feature> features = so_far.feature_list();
  const BasisKind kind = item.form->kind;
  const bool distances = kind == BasisKind::rbf || kind == BasisKind::fourier;
  const bool products = kind == BasisKind::poly || kind == BasisKind::products;
  const std::vector<Index> columns = columns_of(item, features, so_far.input(), distances || products);
  if (kind == BasisKind::standardize) return fit_standardize(source, features, columns, options.monitor);
  if (source.sparse() && source.cols() > most_dense_columns)
    refuse_basis(item,
                 fmt::format("{} sparse columns are too many to make dense rows of, expected at most {}",
                             source.cols(), most_dense_columns));
  if (kind == BasisKind::poly) return Monomials::make(item.count, Products::all, features, columns);
  if (kind == BasisKind::products) return Monomials::make(item.count, Products::distinct, features, columns);
  if (kind == BasisKind::powers) return Monomials::make(item.count, Products::powers, features, columns);
  if (kind == BasisKind::log) return fit_elementwise(item, PointFunction::log, source, features, columns);
  if (kind == BasisKind::log1p) return fit_elementwise(item, PointFunction::log1p, source, features, columns);
  if (kind == BasisKind::sqrt) return fit_elementwise(item, PointFunction::sqrt, source, features, columns);
  if (!distances) return fit_pointwise(item, source, features, columns);

  const Coordinates coordinates =
      fit_coordinates(source, Selection::make(features, columns, true).used,
                      {.standardize = options.standardize,
                       .unscaled = [&](Index j) { return features[static_cast<std::size_t>(j)].indicator; },
                       .name = [&](Index j) { return features[static_cast<std::size_t>(j)].name; },
                       .monitor = options.monitor});
  const auto finished = [&](auto step) -> Step {
    step.columns = columns;
    step.prepare(features);
    return step;
  };
  return kind == BasisKind::rbf ? finished(fit_radial(item, source, coordinates, options, interrupted))
                                : finished(fit_fourier(item, source, coordinates, options));
}

namespace {

// Whether dates have times of day: more than two different ones, as a filled cell may lie between two days.
bool have_times(const std::vector<double>& days) {
  std::set<double> times;
  for (const double day : days)
    if (times.insert(day - std::floor(day)).second && times.size() > 2) return true;
  return false;
}

}  // namespace

std::optional<Step> fit_date_parts(const Source& source, const Pipeline& so_far) {
  const std::vector<Feature> features = so_far.feature_list();
  const Schema& input = so_far.input();
  Pointwise step;
  step.function = PointFunction::parts;
  for (std::size_t j = 0; j < features.size(); ++j) {
    const auto column = input.find(features[j].name);
    const bool date = column && input.column(*column).form.kind == NumberForm::Kind::date;
    if (date && !features[j].indicator) step.columns.push_back(static_cast<Index>(j));
  }
  if (step.columns.empty()) return std::nullopt;
  step.selection = Selection::make(features, step.columns, false);
  for (const Index j : step.selection.used) {
    std::vector<double> weights;
    const std::vector<double> days = column_values(source, std::span(&j, 1), weights)[0];
    step.counts.push_back(have_times(days) ? date_parts : date_parts - 1);
    for (Index part = 0; part < step.counts.back(); ++part) step.points.push_back(static_cast<double>(part));
  }
  return step;
}

}  // namespace discern
