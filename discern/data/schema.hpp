// What the columns of a table are: their names, and whether each holds numbers or text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "discern/data/number_form.hpp"
#include "discern/data/row.hpp"

namespace discern {

struct Column {
  std::string name;
  bool categorical = false;
  // The distinct texts of a categorical column, in the order of sort_levels; a cell holds the index.
  std::vector<std::string> levels;
  NumberForm form = {};  // of a column of numbers: how they are written
  Index other = -1;      // the level that stands for all texts that have none of their own; -1: there is none
};

class Schema {
 public:
  Schema() = default;
  // Throws Code::data when a name appears twice.
  explicit Schema(std::vector<Column> columns);
  // Numeric columns named x1, x2, ..., xCOUNT, as files without names have them; no memory per column.
  static Schema numbered(Index count);

  Index size() const { return size_; }
  bool is_numbered() const { return columns_.empty(); }
  std::string name(Index j) const;
  const Column& column(Index j) const;  // the name of a numbered schema's column is empty; use name(j)
  bool categorical(Index j) const {
    return !columns_.empty() && columns_[static_cast<std::size_t>(j)].categorical;
  }
  bool any_categorical() const;
  std::optional<Index> find(std::string_view name) const;

 private:
  std::vector<Column> columns_;  // empty when numbered
  std::unordered_map<std::string, Index> index_;
  Index size_ = 0;
};

// Sorts texts the way Discern orders classes and categories everywhere: as numbers when every one of
// them is a number, otherwise by their bytes.
void sort_levels(std::vector<std::string>& levels);

// The number that the whole text spells (decimal, finite; no hex, no surrounding blanks).
std::optional<double> number_of(std::string_view text);

}  // namespace discern
