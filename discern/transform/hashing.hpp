// Hashing: any number of columns and texts share 2^bits features, so that a model of fixed size learns from
// texts without end (Weinberger and others 2009).
//
//   a number x in the column "age"   adds  s x  to feature h,   h and s from the hash of  age
//   a text in the column "city"      adds  s    to feature h,   h and s from the hash of  city=Bonn
//
// with the 64-bit XXH3 hash of these bytes: its lowest bits are h, its highest bit is s (set: -1). The signs
// make collisions cancel on average. Columns without names are called x1, x2, ... A missing cell adds
// nothing.
//
// The cell of a text column is its code here: 2 h + 1 where s is -1, otherwise 2 h (see arrange).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "discern/data/schema.hpp"
#include "discern/data/source.hpp"
#include "discern/transform/feature.hpp"

namespace discern {

struct Hashing {
  static constexpr Index most_bits = 22;  // so that codes are exact in float

  struct Slot {
    std::uint32_t feature = 0;
    bool negative = false;
  };

  Index bits = 18;
  // Derived from the columns; both empty when they are numbered.
  std::vector<Slot> slots;
  std::vector<bool> text;

  static Hashing make(Index bits, const Schema& input);

  Index width() const { return Index{1} << bits; }
  Slot slot(std::string_view name) const;
  double code(std::string_view column, std::string_view level) const;

  static std::string name(Index feature);
  std::vector<Feature> names(const std::vector<Feature>& in) const;
  Rows apply(const Rows& in, Workspace& out) const;
  void extend(std::vector<long double>& row) const;

 private:
  // Calls put(feature, value) for a cell that adds something.
  template <class Put>
  void cell(Index column, double value, Put&& put) const;
};

}  // namespace discern
