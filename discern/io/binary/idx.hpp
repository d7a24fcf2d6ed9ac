// IDX, the format of MNIST: a big-endian header (type, dimensions) and raw numbers.
//
// The first dimension counts the rows; the others make the columns, which are named by their place in the
// image ("pixel_0_0", "pixel_0_1", ...) when there are two or more of them, else x1, x2, .... When the
// name of the file contains "images-idx3" (or "images.idx3"), the labels are read from the file whose name
// has "labels-idx1" there, compressed or not, into the side column "label".
#pragma once

#include <string>

#include "discern/data/table.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/table/read.hpp"

namespace discern {

Table read_idx(const std::string& path, const ReadOptions& options);
// Without looking for a label file.
Table parse_idx(const FileContent& content, const std::string& file);

}  // namespace discern
