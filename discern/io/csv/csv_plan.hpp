// What becomes of each column of a delimited file: left out, read as numbers or as text, as a feature or
// set aside; from the options and, where they leave it open, from a sample of the rows.
//
// A column holds numbers when at least half of its present cells look like numbers, were they refused as
// such later (NaN, hex, a decimal comma); so one bad cell in a column of numbers is an error and does not
// turn the column into text. A column with no value at all is one of numbers.
#pragma once

#include <string>
#include <vector>

#include "discern/io/csv/csv_detect.hpp"
#include "discern/io/table/levels.hpp"

namespace discern::csv {

enum class Kind : unsigned char {
  skip,
  number,
  text,
  undecided  // no value in the sample: numbers, until its first value in the file turns out to be text
};

struct PlannedColumn {
  std::string name;
  Kind kind = Kind::skip;
  bool side = false;
  std::size_t slot = 0;              // which feature, or which side column
  std::size_t levels = 0;            // text: which dictionary
  bool may_be_text = true;           // false where --categorical is no advice
  const Levels* declared = nullptr;  // text: when given, no other value is allowed
};

struct Plan {
  std::vector<PlannedColumn> columns;  // all of the file, in its order
  std::vector<std::size_t> features;   // the column of each feature
  std::vector<std::size_t> sides;      // the column of each side column, in the order of the request
  std::vector<std::size_t> texts;      // the column of each dictionary
  std::vector<Levels> known;           // the levels of each dictionary in the sample, in final order
  bool fits_float = true;              // as far as the sample shows

  void number_texts();  // sets texts and the columns' dictionaries, after a change of kinds
};

// Roles by the options, all kinds open (`undecided`) but for those that the options set.
// Throws Code::usage for a column that the file does not have, listing those that it has.
Plan plan_roles(const std::vector<std::string>& names, const std::string& file, const ReadOptions& options);

// Decides the kinds that are open and gathers the levels.
void plan_kinds(Plan& plan, const Sample& sample, const Dialect& dialect);

}  // namespace discern::csv
