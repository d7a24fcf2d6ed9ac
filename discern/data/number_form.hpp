// How the numbers of a column are written, where that is not plainly ("1234.5").
//
//   decimal mark   1234,5          a comma for the point
//   grouping       1,234.5         a mark between thousands
//   unit           1.3%  $490.31   a per cent sign or a currency; the number before or behind it counts
//   boolean        yes  TRUE       true and yes are 1, false and no are 0
//   date           2024-01-31      days since 1970-01-01, with the time of day as a fraction
//
// A model keeps the forms of its columns, so that later rows are read as the first ones were.
#pragma once

#include <string>

namespace discern {

struct NumberForm {
  enum class Kind : unsigned char { number, boolean, date };

  Kind kind = Kind::number;
  char decimal = '.';  // '.' or ','
  char group = '\0';   // between thousands: ',', '.', a blank or an apostrophe; '\0': none
  std::string unit;    // "%" or a currency; empty: none

  bool plain() const { return *this == NumberForm{}; }
  friend bool operator==(const NumberForm&, const NumberForm&) = default;
};

}  // namespace discern
