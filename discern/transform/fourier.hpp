// Random Fourier features (Rahimi and Recht 2007): waves whose products stand in for a Gaussian kernel,
//
//   z_k(x) = sqrt(2/D) cos(w_k . u + b_k),      E z(x) . z(y) = exp(-|u - v|^2 / (2 s^2))
//
// with u = (x - center) / scale, w_k drawn from N(0, I / s^2) and b_k uniformly from [0, 2 pi). They take the
// place of the columns that they use.
#pragma once

#include "discern/data/source.hpp"
#include "discern/stats/coordinates.hpp"
#include "discern/transform/feature.hpp"

namespace discern {

struct Fourier {
  std::vector<Index> columns;  // asked for; empty: all
  RowMajor frequencies;        // w: waves x columns in use
  std::vector<double> phases;  // b
  Coordinates coordinates;     // center and scale of the columns in use
  Selection selection;         // follows from the columns

  void prepare(const std::vector<Feature>& in);
  Index waves() const { return frequencies.rows(); }
  std::vector<Feature> names(const std::vector<Feature>& in) const;
  Rows apply(const Rows& in, Workspace& out) const;
  void extend(std::vector<long double>& row) const;
};

// Draws D waves for a kernel of width s.
Fourier draw_waves(Index waves, double width, const Coordinates& coordinates, std::uint64_t seed);

}  // namespace discern
