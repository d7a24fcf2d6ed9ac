// Radial units: how near a row is to each of some centres,
//
//   gaussian            exp(-r^2 / (2 s_k^2))         r = |u - c_k|
//   inverse quadratic   s_k^2 / (s_k^2 + r^2)
//
// with u the row in scaled coordinates, x_j / scale_j. They take the place of the columns that they use.
#pragma once

#include "discern/data/source.hpp"
#include "discern/options/radial_unit.hpp"
#include "discern/stats/coordinates.hpp"
#include "discern/transform/feature.hpp"

namespace discern {

struct Radial {
  RadialUnit unit = RadialUnit::gaussian;
  std::vector<Index> columns;         // asked for; empty: all
  RowMajor centers;                   // units x columns in use, in the units of the features
  std::vector<double> scale, widths;  // of the columns in use; s of each unit, in scaled coordinates

  // Follows from the rest and the features that come in; centres about their mean and in scaled coordinates.
  Selection selection;
  Coordinates coordinates;
  RowMajor scaled;
  Eigen::VectorXd squares;

  // Works out what follows.
  void prepare(const std::vector<Feature>& in);

  Index units() const { return centers.rows(); }
  std::vector<Feature> names(const std::vector<Feature>& in) const;
  // The value of each row does not depend on the rows around it, to the last bit. A row whose squares
  // overflow is far from every centre: all its values are 0.
  Rows apply(const Rows& in, Workspace& out) const;
  void extend(std::vector<long double>& row) const;
};

// The value of a unit of width s at squared distance r2.
double radial_value(RadialUnit unit, double r2, double s);

}  // namespace discern
