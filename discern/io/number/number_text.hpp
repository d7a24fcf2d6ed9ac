// double to decimal text: the fewest digits that read back as the same double.
#pragma once

#include <string>

namespace discern {

// Appends the finite value: "0.1", "-3", "1e+22".
void append_number(std::string& to, double value);

}  // namespace discern
