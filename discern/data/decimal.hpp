// The number that was meant. A file spells decimals and a double holds the nearest binary fraction: 0.1
// becomes 0.1000000000000000055. The shortest decimal that reads back as the same double is what the file
// spelled whenever that had 15 digits or fewer, and extended precision can hold it 2000 times more closely.
// Exact fits of small tables start from it, since in an ill-conditioned problem the difference decides which
// digits are right.
#pragma once

namespace discern {

// The shortest decimal of a finite double, as a long double.
long double decimal_value(double value);

}  // namespace discern
