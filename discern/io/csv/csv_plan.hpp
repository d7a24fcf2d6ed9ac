// What becomes of each column of a delimited file: left out, read as numbers or as text, as a feature or
// set aside; from the options and, where they leave it open, from a sample of the rows.
//
// A column holds numbers when all of its present cells do, in one form (io/number/written_number.hpp); otherwise
// it is text. The sample decides first, and cells behind it that do not fit change the decision (csv_read.cpp).
// A column with no value at all is one of numbers.
#pragma once

#include <string>
#include <vector>

#include "discern/data/table.hpp"
#include "discern/io/csv/csv_detect.hpp"
#include "discern/io/number/written_number.hpp"
#include "discern/io/table/levels.hpp"

namespace discern::csv {

enum class Kind : unsigned char {
  skip,
  number,
  written,  // numbers in a form that is not plain, or whose form is still to be found out
  text
};

struct PlannedColumn {
  std::string name;
  Kind kind = Kind::skip;
  bool side = false;
  std::size_t slot = 0;              // which feature, or which side column
  std::size_t levels = 0;            // text: which dictionary
  NumberForm form = {};              // of `written`
  FormOptions forms = {};            // what may be made of its cells
  bool saw_numbers = false;          // in the sample
  bool may_be_text = true;           // cells that are no numbers make a text of it; otherwise they are errors
  bool may_change_form = true;       // cells in another form change it; otherwise they are errors
  const Levels* declared = nullptr;  // text: when given, no other value is allowed

  bool numeric() const { return kind == Kind::number || kind == Kind::written; }
};

struct Plan {
  std::vector<PlannedColumn> columns;  // all of the file, in its order
  std::vector<std::size_t> features;   // the column of each feature
  std::vector<std::size_t> sides;      // the column of each side column, in the order of the request
  std::vector<std::size_t> texts;      // the column of each dictionary
  std::vector<Levels> known;           // the levels of each dictionary in the sample, in final order
  bool fits_float = true;              // as far as the sample shows
  std::vector<std::size_t> kept;       // columns whose cells are kept as they stand
  char decimal = '\0';  // the decimal mark that the sample shows somewhere; '\0': none, or both
  bool skip_bad_rows = false;
  bool fixed = false;  // cells that do not fit are errors, whatever the columns may be
  std::vector<Note> notes;

  void number_texts();  // sets texts and the columns' dictionaries, after a change of kinds
};

// What is known of the cells of a column when its kind is revised.
enum class Known { sample, all };

// Sets the kind and the form of a numeric column by what its cells say; false when both stay as they are. `decimal` is
// the decimal mark of the file, '\0' when it is not known. Throws Code::data for the first cell that is no number, if
// the column must hold numbers, and, once all cells are known, for a cell that can be read in two ways.
bool revise(Plan& plan, std::size_t column, const FormEvidence& evidence, char decimal, Known known,
            const std::string& file);

// The notes of the plan, with those on how columns of numbers are written, in the order of the columns.
std::vector<Note> all_notes(const Plan& plan);

// Roles by the options, and the kinds that these set; others are numbers for now. `left_out`: columns that are no
// features whatever the options say.
// Throws Code::usage for a column that the file does not have, listing those that it has.
Plan plan_roles(const std::vector<std::string>& names, const std::string& file, const ReadOptions& options,
                const std::vector<std::size_t>& left_out = {});

// Decides the kinds that are open and gathers the levels. Throws as `revise` does. Known::all: nothing that comes
// later can change them.
void plan_kinds(Plan& plan, const Sample& sample, const Dialect& dialect, Known known,
                const std::string& file);

}  // namespace discern::csv
