// What inspect --data tells of single rows: how far they are from the planes, or how much they bend the fit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/report/geometry.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "discern/catalogue/row_influence.hpp"

namespace discern::cli {

// --data, --influence and what belongs to them.
std::vector<Flag> row_flags();

// Both empty without --data.
struct RowReport {
  std::vector<RowDistance> distances;
  std::optional<RowInfluence> influence;
  std::vector<Index> order;  // of the rows of `influence`, the largest Cook's distance first
};
// With --influence-csv all rows are written to that file.
RowReport rows_of(const Model& model, const Arguments& arguments, Console& console);

// The marks of R's influence.measures, a letter each: leverage above 3 p / n (h), |DFFITS| above
// 3 sqrt(p / (n - p)) (f), Cook's distance above the median of F with p and n - p degrees of freedom (c).
std::string influence_marks(const Influence& of, Index row);
// The class or target of a row.
std::string truth_text(const Model& model, const RowInfluence& influence, Index row);

// The first `limit` of them, in the order above.
std::string rows_text(const Model& model, const RowReport& report, Index limit, const Paint& paint);

}  // namespace discern::cli
