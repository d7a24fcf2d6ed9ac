// Bandwidths of kernel estimates of the density of single numbers,
//
//   p(x) = sum_i s_i N(x; x_i, h^2) / n,        n = sum_i s_i
//
// Silverman's rule is h = 0.9 min(sd, IQR / 1.34) n^(-1/5) (Silverman, Density Estimation, 1986, eq. 3.31),
// with sd of divisor n - 1 and quartiles between the neighbouring values, as R's bw.nrd0 takes them; sd alone
// where the quartiles agree. A row of weight s counts as s rows, so that weights that sum to n <= 1 are no
// more than one row, which has no spread: they have no bandwidth, whatever their number.
//
// Cross-validation takes the h of the largest leave-one-out log-likelihood
//
//   L(h) = sum_i s_i log p_-i(x_i),   p_-i(x_i) = (sum_j s_j N(x_i; x_j, h^2) - c_i N(0; 0, h^2)) / (n - c_i)
//
// (Habbema, Hermans and van den Broek 1974; Duin 1976) where c_i = min(s_i, 1) is the row that is left out:
// a row of weight s counts as s rows, equal values as one point of their weight together.
#pragma once

#include <vector>

namespace discern {

struct WeightedValue {
  double value, weight;
};
using WeightedValues = std::vector<WeightedValue>;  // ascending, no value twice

// `squares`: sum_i s_i (x_i - mean)^2. 0 where there is no spread, and for n <= 1.
double silverman_bandwidth(const WeightedValues& points, double n, double squares);

// L(h).
double leave_one_out(const WeightedValues& points, double h);

// The largest L(h) for h from a tenth of Silverman's bandwidth to ten times it, and not below half the
// smallest distance of two values (rounded values repeat, and kernels on nothing but themselves would win):
// eight values of h to a power of ten, then a golden section between the neighbours of the best, to a
// thousandth. Beyond 2,000 different values these are rounded to a fortieth of Silverman's bandwidth.
double cross_validated_bandwidth(const WeightedValues& points, double silverman);

}  // namespace discern
