// LIBSVM / SVMlight text: a row a line,
//
//   label index:value index:value ...      # comment
//
// read into compressed sparse rows and the side column "label".
//
// - Labels keep their spelling ("+1" stays "+1") unless a side request asks for them as numbers. Several
//   labels ("1,2") and ranking groups ("qid:3") are refused.
// - Indices start at 1 and increase within a row; the largest is 2^31 - 1. Column j is named "xJ". The
//   matrix has as many columns as the largest index (or as the expected schema), and memory goes with the
//   entries, not with the columns.
// - An entry whose value is zero is kept as it stands: it says that the column exists.
// - Values are float when every one of them is one exactly, else double.
// - With an expected numbered schema, entries beyond its columns are dropped and counted.
#pragma once

#include <string>
#include <string_view>

#include "discern/data/table.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/table/read.hpp"

namespace discern {

Table read_libsvm(const std::string& path, const ReadOptions& options);
Table parse_libsvm(const FileContent& content, const std::string& file, const ReadOptions& options);

// Writes the side column "label" (or the only one there is) and the entries that are not zero. Throws
// Code::usage when the table holds what the format cannot: no label, text features, missing cells.
void write_libsvm(const Table& table, const std::string& path);

// True when these first lines of a file are LIBSVM: a number, then index:value pairs.
bool looks_like_libsvm(std::string_view first_lines);

}  // namespace discern
