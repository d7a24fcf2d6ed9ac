// Reading a table from a file in any of the formats that io/table/formats.cpp lists.
//
// Whatever the format: numbers are parsed with correct rounding; a cell that is not what its column must
// hold is an Error with file, line, column and the text found; infinities and numbers beyond the range of
// double are refused, and so is NaN, except in CSV, where it marks a missing cell; the result does not
// depend on the number of threads. What was assumed on the way is in the notes of the table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/data/table.hpp"
#include "discern/io/number/written_number.hpp"

namespace discern {

// A column to set aside instead of reading it as a feature.
struct SideRequest {
  std::string column;    // its name, or its 1-based number when no column has that name
  bool text = true;      // read cells as text (labels, groups), or as numbers (targets, weights)
  bool required = true;  // otherwise its absence is fine
};

// What to do about a row that cannot be read: too many or too few fields, a text among numbers.
enum class BadRows { error, skip };

struct ReadOptions {
  std::string format;                    // a name in formats(); empty: by the extension
  std::optional<char> separator;         // CSV: detected when not given
  std::optional<bool> header;            // CSV: detected when not given
  std::optional<char> comment;           // CSV: begins a comment line, '\0' for none; detected when not given
  std::vector<std::string> na_values;    // CSV: texts that stand for a missing cell, besides the usual ones
  FormOptions forms;                     // CSV: how numbers and dates are written; detected when not given
  BadRows bad_rows = BadRows::error;     // CSV
  std::vector<std::string> categorical;  // columns to read as text whatever they look like
  std::vector<std::string> numeric;      // columns to read as numbers; a text in them is an error
  std::vector<std::string> features;     // read only these as features; empty: all
  std::vector<std::string> ignore;       // columns to leave out
  std::vector<SideRequest> side;
  std::vector<std::string>
      keep;               // columns, features or not, whose cells are kept as they stand (Table::kept)
  bool keep_all = false;  // all columns of the file
  // The columns of a fitted model: only these are read (extra ones are skipped unparsed), with the
  // types they had in training.
  const Schema* expected = nullptr;
  std::string query;                    // SQLite: the SELECT that gives the table
  std::size_t max_record = 64'000'000;  // streams: the longest row, in bytes
  Monitor monitor;
};

// Reads the file at `path`, or standard input when it is "-" (which needs a format unless it is CSV).
Table read_table(const std::string& path, const ReadOptions& options = {});

}  // namespace discern
