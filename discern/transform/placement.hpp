// Where radial units go, and how wide they are: what --basis rbf and the RBF network have in common.
//
//   random   different rows of the data, by chance
//   kmeans   the centres of k-means (cluster/kmeans.hpp)
//   em       the means of a mixture of Gaussians (cluster/mixture.hpp)
//
// Widths, in the coordinates that distances are measured in:
//
//   neighbours   s_k: root mean square of the distances to the two nearest other centres
//   cluster      s_k: root mean square of the distances of the rows that belong to centre k; after EM
//                s_k^2 = sum_j v_kj
//   a number     s of all units
//   auto         neighbours; after EM cluster
//
// With logistic regression on 10 to 300 standardised units in five folds of ten data sets, neighbours is
// within 0.4 points of its best multiple on eight. Half of it costs 1 to 7 points, twice of it up to 7
// (vowel, letter); 1.5 times costs 3 there and gains 2 on pima and banknote. d_max / sqrt(2 K) costs up to
// 25, not standardising the units up to 15. Dividing columns with far values by more than their deviation, a
// sixth of the range, gains 0.8 on digits and costs 1.5 on spambase.
//
// All work is done on the rows in memory, of data beyond 2 GB on a sample of that size.
#pragma once

#include <optional>
#include <string_view>

#include "discern/transform/radial.hpp"

namespace discern {

// Sparse rows of more columns than these are not made dense.
constexpr Index most_dense_columns = 10000;

enum class Placement { random, kmeans, em };

enum class WidthRule { automatic, neighbours, cluster, fixed };
struct UnitWidth {
  WidthRule rule = WidthRule::automatic;
  double value = 0;  // of fixed ones
};
// "auto", "neighbours", "cluster" or a number above 0; nothing for another text.
std::optional<UnitWidth> parse_width(std::string_view text);
constexpr std::string_view width_expected = "auto, neighbours, cluster or a number above 0";

struct UnitOptions {
  Index count = 20;
  Placement placement = Placement::kmeans;
  UnitWidth width = {};
  std::uint64_t seed = 0;
  Monitor monitor = {};
};

struct PlacedUnits {
  Radial basis;          // not prepared; its columns are those of the coordinates
  Index iterations = 0;  // of k-means or EM
  bool converged = true;
  bool interrupted = false;  // the monitor stopped k-means or EM: these are the units so far
  double objective = 0;      // of k-means: J over the weight of all rows; of EM: the mean log-likelihood
};

// Fewer units than asked for when there are fewer different rows.
PlacedUnits place_units(const Source& source, const Coordinates& coordinates, const UnitOptions& options);

// Centres given in coordinates as a basis, with their widths.
Radial radial_basis(const RowMajor& centers, const Eigen::VectorXd& widths, const Coordinates& coordinates);

// 2 s^2 = sum of the variances of the columns: what suits units anywhere among the rows (scikit-learn's
// gamma = "scale").
double width_of_all(const Source& source, const Coordinates& coordinates, const Monitor& monitor);

}  // namespace discern
