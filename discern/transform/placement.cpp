#include "discern/transform/placement.hpp"

#include <cmath>
#include <limits>

#include "discern/cluster/kmeans.hpp"
#include "discern/cluster/mixture.hpp"
#include "discern/data/schema.hpp"
#include "discern/stats/column_moments.hpp"

namespace discern {
namespace {

// Root mean square of the distances to the two nearest other centres; zero for a centre without others.
Eigen::VectorXd neighbour_widths(const RowMajor& centers) {
  Eigen::VectorXd widths = Eigen::VectorXd::Zero(centers.rows());
  for (Index k = 0; k < centers.rows(); ++k) {
    double first = std::numeric_limits<double>::infinity(), second = first;
    for (Index j = 0; j < centers.rows(); ++j) {
      if (j == k) continue;
      const double r2 = (centers.row(j) - centers.row(k)).squaredNorm();
      second = std::min(second, std::max(first, r2));
      first = std::min(first, r2);
    }
    if (centers.rows() > 1) widths[k] = std::sqrt(centers.rows() > 2 ? (first + second) / 2 : first);
  }
  return widths;
}

// Root mean square of the distances of a centre's own rows.
Eigen::VectorXd cluster_widths(const KMeans& clusters) {
  Eigen::VectorXd widths = Eigen::VectorXd::Zero(clusters.weight.size());
  for (Index k = 0; k < widths.size(); ++k)
    if (clusters.weight[k] > 0) widths[k] = std::sqrt(clusters.squares[k] / clusters.weight[k]);
  return widths;
}

// A unit without a width (a cluster of equal rows, a single centre) gets the mean of the others', or 1.
void fill_widths(Eigen::VectorXd& widths) {
  const auto some = (widths.array() > 0).count();
  const double mean = some > 0 ? widths.sum() / static_cast<double>(some) : 1.0;
  for (double& width : widths)
    if (!(width > 0)) width = mean;
}

}  // namespace

std::optional<UnitWidth> parse_width(std::string_view text) {
  if (text == "auto") return UnitWidth{};
  if (text == "neighbours") return UnitWidth{WidthRule::neighbours, 0};
  if (text == "cluster") return UnitWidth{WidthRule::cluster, 0};
  const auto number = number_of(text);
  if (!number || !(*number > 1e-150 && *number < 1e150)) return std::nullopt;
  return UnitWidth{WidthRule::fixed, *number};
}

Radial radial_basis(const RowMajor& centers, const Eigen::VectorXd& widths, const Coordinates& coordinates) {
  Radial basis;
  basis.columns = coordinates.columns;
  basis.centers = centers * coordinates.scale.asDiagonal();
  basis.centers.rowwise() += coordinates.center.transpose();
  basis.scale.assign(coordinates.scale.begin(), coordinates.scale.end());
  basis.widths.assign(widths.begin(), widths.end());
  return basis;
}

PlacedUnits place_units(const Source& source, const Coordinates& coordinates, const UnitOptions& options) {
  const Points points =
      gather_points(source, coordinates, affordable_rows(coordinates.size()), options.monitor);
  const WidthRule rule = options.width.rule;
  // Passes without a known number: how far each of them is says nothing.
  const Monitor placing = [&](const Progress&) {
    return go_on(options.monitor, {.stage = "placing centres"});
  };
  PlacedUnits placed;
  RowMajor centers;
  Eigen::VectorXd widths;
  if (options.placement == Placement::em) {
    const Mixture mixture =
        fit_mixture(points, {.components = options.count, .seed = options.seed, .monitor = placing});
    centers = mixture.means;
    widths = mixture.variances.rowwise().sum().cwiseSqrt();
    placed.iterations = mixture.iterations();
    placed.converged = mixture.converged;
    placed.interrupted = mixture.interrupted;
    placed.objective = mixture.log_likelihoods.back();
  } else if (options.placement == Placement::kmeans) {
    const KMeans clusters =
        kmeans(points, {.centers = options.count, .seed = options.seed, .monitor = placing});
    centers = clusters.centers;
    widths = cluster_widths(clusters);
    placed.iterations = clusters.iterations();
    placed.converged = clusters.converged;
    placed.interrupted = clusters.interrupted;
    placed.objective = clusters.objective() / clusters.weight.sum();
  } else {
    centers = pick_points(points, random_rows(points, options.count, options.seed)).x;
    if (rule == WidthRule::cluster || centers.rows() == 1)
      widths = cluster_widths(assign_points(points, centers));
  }
  const bool near =
      rule == WidthRule::neighbours || (rule == WidthRule::automatic && options.placement != Placement::em);
  if (near && centers.rows() > 1) widths = neighbour_widths(centers);
  if (rule == WidthRule::fixed) widths.setConstant(centers.rows(), options.width.value);
  fill_widths(widths);
  placed.basis = radial_basis(centers, widths, coordinates);
  return placed;
}

double width_of_all(const Source& source, const Coordinates& coordinates, const Monitor& monitor) {
  const ColumnSummary moments = column_summary(source, monitor);
  double variance = 0;
  for (Index c = 0; c < coordinates.size(); ++c) {
    const double u =
        moments.deviation[coordinates.columns[static_cast<std::size_t>(c)]] / coordinates.scale[c];
    variance += u * u;
  }
  return variance > 0 ? std::sqrt(variance / 2) : 1;
}

}  // namespace discern
