#include "discern/api/matrix_view.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"

namespace discern {

void MatrixView::check_compressed(bool compressed) {
  if (!compressed)
    throw Error(Code::usage, "the sparse matrix is not compressed; call makeCompressed() on it first");
}

void MatrixView::check_shape() const {
  if (rows_ < 0 || cols_ < 0)
    throw Error(Code::usage,
                fmt::format("found a matrix of {} x {}, expected no negative size", rows_, cols_));
  if (dense_.values == nullptr && rows_ > 0 && cols_ > 0)
    throw Error(Code::usage, fmt::format("found no memory for a matrix of {} x {}", rows_, cols_));
}

void MatrixView::check_size(Index size) const {
  if (size != rows_ * cols_)
    throw Error(Code::usage, fmt::format("found {} values, expected {} for a matrix of {} x {}", size,
                                         rows_ * cols_, rows_, cols_));
}

void MatrixView::check_csr(Index values) const {
  if (rows_ < 0) throw Error(Code::usage, "found no starts, expected one more than there are rows");
  if (cols_ < 0) throw Error(Code::usage, fmt::format("found {} columns, expected 0 or more", cols_));
  if (values != sparse_.entries)
    throw Error(Code::usage,
                fmt::format("found {} columns and {} values of entries, expected as many of both",
                            sparse_.entries, values));
}

}  // namespace discern
