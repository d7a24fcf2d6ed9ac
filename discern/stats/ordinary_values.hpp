// Whether the values need any care: one look at each, where a fit in the units of the features would need the
// moments of the columns for nothing but their check (check_spread in stats/coordinates.hpp).
//
// A value is ordinary when it is zero or its size is between 1e-100 and 1e100. Then no column spreads over
// more than 2e100; and over less than 1e-116 only when it is constant or all but a share of 1e-68 of the
// sample weight is, because two ordinary numbers that differ do so by 1e-16 of the smaller one or more. On
// sparse rows this takes a tenth of the time that the moments take.
#pragma once

#include "discern/data/source.hpp"

namespace discern {

class OrdinaryValues {
 public:
  void add(const Block& block);
  void merge(const OrdinaryValues& other);
  double bytes() const { return 64; }

  bool all() const { return all_; }
  double weight() const { return weight_; }  // sum of the sample weights

 private:
  bool all_ = true;
  double weight_ = 0;
};

}  // namespace discern
