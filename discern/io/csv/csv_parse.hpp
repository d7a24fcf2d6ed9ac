// The second pass: parses a chunk of delimited text straight into its rows of the final matrix. The text may
// be that of a mapped file, so it is not trusted to be what the first pass counted: a chunk with another
// number of rows is an Error, and no row is written outside of the chunk's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/data/table.hpp"
#include "discern/io/csv/csv_plan.hpp"
#include "discern/io/csv/csv_scan.hpp"

namespace discern::csv {

struct MissingCells {
  Index count = 0;
  Index first_line = 0;
};

// What a chunk reports beside its rows.
struct Parsed {
  std::optional<Error> error;         // the first of the chunk; its parsing ended there
  Index rows = 0;                     // that were parsed, all of the chunk or those before the error
  bool inexact = false;               // float was asked for and does not hold some value
  std::vector<MissingCells> missing;  // a column each, or empty when there are none
  std::vector<Levels> new_levels;     // of each dictionary: texts beyond plan.known, codes going on from it
  // What cells say about the form of their column: those that do not fit of a plain column, all of a written one.
  std::unordered_map<std::size_t, FormEvidence> forms;
  std::vector<Index> bad_rows;  // that are to be left out, ...
  std::string first_bad;        // ... and what is wrong with the first
  KeptCells kept;               // of plan.kept, without names
};

// Where the cells go: row-major features, and the side columns' vectors.
template <class T>
struct Destination {
  T* features = nullptr;
  std::vector<double*> sides;
};

// The kept cells of the chunks, in their order, as those of the table; null where none are kept.
std::shared_ptr<const KeptCells> kept_cells(const Plan& plan, const std::vector<Parsed>& parsed);

// Cells that make a revision of the plan necessary (Parsed::forms) are stored as missing ones.
// Text codes are stored as known.size() + code of new_levels, for the caller to renumber.
template <class T>
Parsed parse_chunk(std::string_view text, const std::string& file, const Dialect& dialect, const Plan& plan,
                   const Chunk& chunk, const Destination<T>& destination);

}  // namespace discern::csv
