// Numbers as people write them: with a decimal comma, with marks between thousands, with a currency or a per
// cent sign, as yes and no, as dates (data/number_form.hpp says what each means).
//
// A single cell may be read in several ways: "1,234" is 1234 or 1.234. The cells of a column are read in one way,
// so what each cell allows is intersected over the column. Where two ways are left that give different numbers,
// the decimal mark of the file's other columns decides, and where these do not, the user has to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "discern/data/number_form.hpp"
#include "discern/data/row.hpp"

namespace discern {

// What the user says about the forms of all columns.
struct FormOptions {
  std::optional<char> decimal;    // the decimal mark: '.' or ','
  std::optional<char> thousands;  // the mark between thousands, '\0' for none
  bool dates = true;              // dates are numbers; otherwise they are texts
};

// The number that a cell spells in this form; nothing when it spells none. Blanks around it do not count.
std::optional<double> parse_written(std::string_view cell, const NumberForm& form);

// A cell that spells a number in this form (of Kind::number), for messages.
std::string example_of(const NumberForm& form);

// True when some form makes a number of the cell, booleans left aside, and dates unless they count.
bool is_written_number(std::string_view cell, bool dates = true);

// What no form changes: an infinity or a number beyond the range of double. It is a fault of the data, to be refused
// as such, and does not make a text of its column.
bool is_unusable_number(std::string_view cell);

// What the cells of a column say about their form.
class FormEvidence {
 public:
  enum class Verdict { number, ambiguous, text };

  // Cells that are missing are not for here. `line` is where the cell stands.
  void add(std::string_view cell, const FormOptions& options, Index line);
  // The evidence of cells that come later in the file.
  void merge(const FormEvidence& later);

  bool empty() const { return cells_ == 0; }
  // Some cell is a number in the form that the cells before it have.
  bool any_number() const { return numbers_; }
  // The first cell after which no form was left; meaningful when the verdict is `text`.
  const std::string& odd_cell() const { return odd_cell_; }
  Index odd_line() const { return odd_line_; }
  // The first cell that can be read in two ways.
  const std::string& unclear_cell() const { return unclear_cell_; }
  Index unclear_line() const { return unclear_line_; }

  // The decimal mark that these cells leave as the only one; '\0' when they use none or leave both.
  char decimal_mark() const;
  // `file_decimal`: the mark of other columns, '\0' when they do not say.
  Verdict verdict(char file_decimal) const;
  NumberForm form(char file_decimal) const;  // unless the verdict is `text`

 private:
  bool any_form() const;
  std::uint32_t candidates(char file_decimal) const;
  void note_odd(std::string_view cell, Index line);

  Index cells_ = 0;
  bool numbers_ = false;
  std::uint32_t marks_ = ~std::uint32_t{0};  // ways to read the marks, as bits, that all cells allow
  bool comma_ = false, point_ = false;       // some cell has one
  bool true_false_ = true, yes_no_ = true, date_ = true;  // all cells are
  Index with_unit_ = 0;
  std::string unit_;
  std::string first_cell_, odd_cell_, unclear_cell_;
  Index first_line_ = 0, odd_line_ = 0, unclear_line_ = 0;
};

}  // namespace discern
