#include "discern/model/network/rbf_network.hpp"

#include <fmt/format.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/base/threads.hpp"
#include "discern/cluster/points.hpp"
#include "discern/model/linear/least_squares.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/linear/logistic.hpp"
#include "discern/model/network/orthogonal_least_squares.hpp"
#include "discern/transform/expanded_source.hpp"
#include "discern/transform/placement.hpp"

namespace discern {
namespace {

constexpr Index most_candidates = 1000;
constexpr double most_values = 1.25e8;  // of candidates at all rows, 1 GB

std::vector<Feature> features_of(const Training& training) {
  std::vector<Feature> features;
  for (Index j = 0; j < training.source.cols(); ++j)
    features.push_back({feature_name(training, j),
                        !training.indicator.empty() && training.indicator[static_cast<std::size_t>(j)]});
  return features;
}

Coordinates coordinates_of(const Training& training) {
  if (training.source.sparse() && training.source.cols() > most_dense_columns)
    throw Error(
        Code::usage,
        fmt::format("rbf-network: {} sparse columns are too many to make dense rows of, expected at most {}",
                    training.source.cols(), most_dense_columns));
  std::vector<Index> columns;
  for (Index j = 0; j < training.source.cols(); ++j) columns.push_back(j);
  return fit_coordinates(training.source, std::move(columns),
                         {.standardize = training.standardize,
                          .unscaled =
                              [&](Index j) {
                                return !training.indicator.empty() &&
                                       training.indicator[static_cast<std::size_t>(j)];
                              },
                          .name = [&](Index j) { return feature_name(training, j); },
                          .monitor = training.monitor});
}

UnitWidth width_of(const RbfNetwork& options) {
  const auto width = parse_width(options.width);
  if (!width)
    throw Error(Code::usage, fmt::format("`width`: expected {}, got '{}'", width_expected, options.width));
  return *width;
}

// ---- orthogonal least squares

// The targets of the output layer: the number, -1 and +1, or 1-of-K.
Eigen::MatrixXd targets_of(const Training& training) {
  const bool classes = training.task == Task::classification;
  Eigen::MatrixXd y =
      Eigen::MatrixXd::Zero(training.source.rows(), classes && training.classes > 2 ? training.classes : 1);
  Scratch scratch;
  for (Index b = 0; b < training.source.block_count(); ++b) {
    const Block block = training.source.block(b, scratch);
    for (Index i = 0; i < block.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Index row = block.first + i;
      if (!classes)
        y(row, 0) = block.targets[at];
      else if (training.classes == 2)
        y(row, 0) = block.labels[at] == 1 ? 1 : -1;
      else
        y(row, block.labels[at]) = 1;
    }
  }
  return y;
}

// Columns minus their weighted means, times the roots of the weights.
void center(const Points& points, Eigen::MatrixXd& columns) {
  Eigen::VectorXd s = Eigen::VectorXd::Ones(points.rows());
  if (!points.weights.empty()) s = Eigen::Map<const Eigen::VectorXd>(points.weights.data(), points.rows());
  const double total = s.sum();
  const Eigen::VectorXd root = s.cwiseSqrt();
  parallel_for(columns.cols(), [&](Index j) {
    const double mean = s.dot(columns.col(j)) / total;
    columns.col(j) = (columns.col(j).array() - mean).matrix().cwiseProduct(root);
  });
}

// The units at `centers` for all points, a column each.
Eigen::MatrixXd unit_columns(const Points& points, const RowMajor& centers, RadialUnit unit, double width) {
  Eigen::MatrixXd columns(points.rows(), centers.rows());
  const Eigen::VectorXd squares = centers.rowwise().squaredNorm();
  const PointSource source(points);
  parallel_for(source.block_count(), [&](Index k) {
    Scratch scratch;
    const Block block = source.block(k, scratch);
    RowMajor distances;
    squared_distances(matrix_of(block), centers, squares, distances);
    for (Index i = 0; i < distances.rows(); ++i)
      for (Index m = 0; m < distances.cols(); ++m)
        columns(block.first + i, m) = radial_value(unit, distances(i, m), width);
  });
  return columns;
}

Radial select_units(const RbfNetwork& options, const Coordinates& coordinates, const Training& training,
                    std::vector<Fact>& facts, bool& interrupted) {
  const UnitWidth asked = width_of(options);
  if (asked.rule == WidthRule::neighbours || asked.rule == WidthRule::cluster)
    throw Error(
        Code::usage,
        fmt::format("`placement` ols needs the width first: expected `width` auto or a number, got '{}'",
                    options.width));
  const double width = asked.rule == WidthRule::fixed
                           ? asked.value
                           : width_of_all(training.source, coordinates, training.monitor);
  const Points points = gather_points(training.source, coordinates, training.source.rows(), training.monitor);
  const auto affordable = static_cast<Index>(most_values / static_cast<double>(points.rows()));
  if (affordable < options.centers)
    throw Error(Code::memory,
                fmt::format("`placement` ols: {} rows leave room for {} candidates, expected at least the {} "
                            "centres asked for; take `placement` kmeans",
                            points.rows(), affordable, options.centers));
  const Index tried = std::min(affordable, std::max(most_candidates, options.centers));
  const RowMajor candidates = pick_points(points, random_rows(points, tried, training.seed)).x;
  Eigen::MatrixXd columns = unit_columns(points, candidates, options.unit, width);
  Eigen::MatrixXd y = targets_of(training);
  center(points, columns);
  center(points, y);
  const ForwardSelection selected = select_forward(columns, std::move(y), options.centers, training.monitor);
  if (selected.columns.empty())
    throw Error(Code::data,
                "`placement` ols: no unit explains anything of the targets, which are constant or the same "
                "wherever the rows are");

  RowMajor centers(static_cast<Index>(selected.columns.size()), coordinates.size());
  double explained = 0;
  std::vector<std::string> ratios;
  for (std::size_t m = 0; m < selected.columns.size(); ++m) {
    centers.row(static_cast<Index>(m)) = candidates.row(selected.columns[m]);
    explained += selected.ratios[m];
    ratios.push_back(fmt::format("{:.6g}", selected.ratios[m]));
  }
  interrupted = selected.interrupted;
  facts.push_back({"candidates", static_cast<double>(candidates.rows())});
  facts.push_back({"explained", explained});
  facts.push_back({"error_reduction_ratios", join(ratios, " ")});
  return radial_basis(centers, Eigen::VectorXd::Constant(centers.rows(), width), coordinates);
}

Radial placed_units(const RbfNetwork& options, const Coordinates& coordinates, const Training& training,
                    std::vector<Fact>& facts, bool& interrupted) {
  constexpr Placement how[] = {Placement::random, Placement::kmeans, Placement::em};
  const PlacedUnits placed = place_units(training.source, coordinates,
                                         {.count = options.centers,
                                          .placement = how[static_cast<std::size_t>(options.placement)],
                                          .width = width_of(options),
                                          .seed = training.seed,
                                          .monitor = training.monitor});
  interrupted = placed.interrupted;
  if (options.placement != RbfPlacement::random) {
    facts.push_back({"placement_iterations", static_cast<double>(placed.iterations)});
    facts.push_back({"placement_converged", placed.converged});
    facts.push_back(
        {options.placement == RbfPlacement::em ? "log_likelihood" : "distortion", placed.objective});
  }
  return placed.basis;
}

// The training of the output layer.
Training output_training(const Training& training, const Source& units) {
  Training inner{.source = units,
                 .task = training.task,
                 .classes = training.classes,
                 .standardize = training.standardize,
                 .class_names = training.class_names,
                 .seed = training.seed,
                 .monitor = training.monitor};
  for (Index m = 0; m < units.cols(); ++m) inner.feature_names.push_back(fmt::format("rbf{}", m + 1));
  if (training.trace.show)
    inner.trace = {[&](const TraceStep& step) {
                     TraceStep outer = step;
                     outer.features = &units;
                     training.trace.show(outer);
                   },
                   training.trace.every};
  return inner;
}

}  // namespace

Fitted fit_outputs(const RbfNetwork& options, Radial units, const Training& training) {
  if (options.loss == RbfLoss::logistic && training.task == Task::regression)
    throw Error(Code::usage, "`loss` logistic is for classification; a regression needs `loss` squared");
  const Index count = units.units();
  units.unit = options.unit;
  units.columns.clear();
  units.prepare(features_of(training));
  const Step step = std::move(units);
  const ExpandedSource expanded(training.source, step, count);
  const Training inner = output_training(training, expanded);
  const auto with = [&](auto how) {
    how.l2 = options.l2;
    how.tol = options.tol;
    how.max_iter = options.max_iter;
    return fit(how, inner);
  };
  Fitted fitted = options.loss == RbfLoss::squared ? with(LeastSquares{}) : with(Logistic{});
  const auto* plane = std::get_if<Linear>(&fitted.predictor);
  if (width_of(options).rule == WidthRule::fixed && plane != nullptr && plane->weights.isZero(0) &&
      fitted.summary.objective.value_or(0) > 0)
    fitted.summary.warnings.push_back(
        fmt::format("no unit tells rows apart, so all are predicted alike: `width` {} does not suit their "
                    "distances",
                    options.width));
  fitted.basis = step;
  std::vector<Fact>& facts = fitted.summary.facts;
  facts.insert(facts.begin(), {"centers", static_cast<double>(count)});
  if (count < options.centers)
    fitted.summary.warnings.push_back(
        fmt::format("{} centre{} instead of {}: {}", count, count == 1 ? "" : "s", options.centers,
                    options.placement == RbfPlacement::ols ? "the other rows would explain nothing more"
                                                           : "the data have no more different rows"));
  return fitted;
}

namespace {

// The outputs of units that were placed until the monitor asked to stop: in one pass, or a few steps.
Fitted fit_outputs_soon(const RbfNetwork& options, Radial units, const Training& training) {
  RbfNetwork hurried = options;
  hurried.max_iter = std::min<Index>(options.max_iter, 5);
  Training undisturbed = training;
  undisturbed.monitor = {};
  Fitted fitted = fit_outputs(hurried, std::move(units), undisturbed);
  fitted.summary.interrupted = true;
  fitted.summary.converged = false;
  return fitted;
}

}  // namespace

Fitted fit(const RbfNetwork& options, const Training& training) {
  const Coordinates coordinates = coordinates_of(training);
  std::vector<Fact> facts;
  bool interrupted = false;
  Radial units = options.placement == RbfPlacement::ols
                     ? select_units(options, coordinates, training, facts, interrupted)
                     : placed_units(options, coordinates, training, facts, interrupted);
  Fitted fitted = (interrupted ? fit_outputs_soon : fit_outputs)(options, std::move(units), training);
  fitted.summary.facts.insert(fitted.summary.facts.end(), facts.begin(), facts.end());
  return fitted;
}

}  // namespace discern
