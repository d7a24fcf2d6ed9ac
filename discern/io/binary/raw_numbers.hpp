// Matrices of raw binary numbers, as NPY and IDX hold them, turned into features.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "discern/data/features.hpp"

namespace discern {

enum class NumberKind { signed_integer, unsigned_integer, real };

struct RawMatrix {
  std::string_view bytes;       // exactly rows * cols * width
  std::shared_ptr<void> owner;  // keeps the bytes alive
  Index rows = 0;
  Index cols = 0;
  NumberKind kind = NumberKind::real;
  int width = 8;  // bytes a number: 1, 2, 4 or 8
  bool big_endian = false;
  bool by_columns = false;  // Fortran order
};

// Float when every number is one exactly, else double. Uses the bytes in place where their layout
// allows it. Throws Code::data with the row and the column ("x3") of a NaN or an infinity.
Features features_of(const RawMatrix& raw, const std::string& file);

// rows * cols * width when that does not overflow and is at most `limit`; otherwise -1.
Index checked_bytes(Index rows, Index cols, Index width, std::size_t limit);

}  // namespace discern
