// What the figures of the subject are made of: small tables, fits of them, and the layers that these give.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "discern/catalogue/class_separability.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/data/generate.hpp"
#include "discern/report/figure.hpp"
#include "discern/report/figures/history.hpp"
#include "discern/report/plot.hpp"

namespace discern::report {

using NamedOptions = std::vector<std::pair<std::string, std::string>>;

// A table of columns x1, x2, ... with a column "class".
Table points_table(const std::vector<std::vector<double>>& rows, const std::vector<std::string>& labels);
// The same of points in the plane: the first `zeros` are of class 0, the others of class 1.
Table two_classes(const std::vector<std::pair<double, double>>& zeros,
                  const std::vector<std::pair<double, double>>& ones);

// Two Gaussian classes about -m and m, in turn: x = (a z1, b z1 + c z2), z standard normal.
Table tilted_classes(Index rows, std::pair<double, double> m, double a, double b, double c,
                     std::uint64_t seed);

// The model with these options, on features as they are.
FitOutcome demo_fit(const Table& table, const std::string& model, const NamedOptions& options,
                    const std::string& basis = "");
// The same, watched.
struct WatchedFit {
  FitOutcome outcome;
  History history;
};
WatchedFit watched(const Table& table, const std::string& model, const NamedOptions& options,
                   std::uint64_t seed = 0);

// The verdict on the table's two classes.
PairSeparability demo_verdict(const Table& table, const std::string& basis = "");
Index mistakes_of(const FitOutcome& outcome);

const Linear& linear_of(const FitOutcome& outcome);
double fact_of(const FitOutcome& outcome, std::string_view name);  // 0 when there is none

Matrix cells_of(const Table& table);  // a row each
std::vector<std::int32_t> labels_of_table(const Table& table);
Grid around(const Table& table, double room = 0.12);
Json class_points(const Table& table, const Json& more = Json::object());
// What the model decides over two columns.
Json model_regions(const Model& model, const Grid& grid);
Json boundary(const Linear& linear, const Grid& grid, const Json& more = Json::object());

// The boundary at some of the moments of a fit of two features.
struct LineFrames {
  Json frames = Json::array(), names = Json::array();
};
std::vector<const History::Moment*> shown_moments(const History& history, std::size_t most);
LineFrames line_frames(const History& history, const Grid& grid, std::size_t most = 60);

// A density over x, as an area with its outline; the outline of class 1 is dashed. Each frame gives its heights.
std::vector<Json> density(const Numbers& x, const Numbers& y, int kind, const std::string& name,
                          const std::vector<Numbers>& frames = {});

Json plane(const Grid& grid, Json layers, const Json& more = Json::object());  // axes x1 and x2

}  // namespace discern::report
