#include "discern/io/arff/arff_sparse.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"
#include "discern/io/number/number.hpp"

namespace discern::csv {
namespace {

class SparseRow {
 public:
  SparseRow(const char* p, const char* end, Index line, const std::string& file, std::vector<Field>& fields)
      : p_(p), end_(end), line_(line), file_(file), fields_(fields) {}

  void read() {
    ++p_;  // the brace
    skip_blanks();
    Index previous = -1;
    bool first = true;
    while (!take('}')) {
      if (!first && !take(',')) refuse("expected ',' or '}' in a sparse row");
      first = false;
      const Index index = read_index();
      if (index <= previous)
        refuse(fmt::format("index {} follows {}; indices must increase", index, previous));
      previous = index;
      read_value(fields_[static_cast<std::size_t>(index)]);
    }
    if (p_ < end_ && *p_ != '\r') refuse("text follows the closing '}'");
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw Error(Code::data, message, {file_, line_, ""});
  }

  void skip_blanks() {
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\t')) ++p_;
  }
  bool take(char c) {
    skip_blanks();
    if (p_ >= end_ || *p_ != c) return false;
    ++p_;
    skip_blanks();
    return true;
  }

  Index read_index() {
    Index index = 0;
    const char* const begin = p_;
    for (; p_ < end_ && decimal::is_digit(*p_) && p_ - begin < 10; ++p_) index = 10 * index + (*p_ - '0');
    if (p_ == begin) refuse("expected an attribute's index in a sparse row");
    if (index >= static_cast<Index>(fields_.size()))
      refuse(fmt::format("index {} is beyond the last of {} attributes (they count from 0)", index,
                         fields_.size()));
    return index;
  }

  void read_value(Field& field) {
    skip_blanks();
    field = {};
    field.line = line_;
    const char* begin = p_;
    if (p_ < end_ && (*p_ == '"' || *p_ == '\'')) {
      const char quote = *p_;
      begin = ++p_;
      field.quoted = true;
      for (; p_ < end_ && *p_ != quote; ++p_)
        if (*p_ == '\\' && p_ + 1 < end_) field.escaped = true, ++p_;
      if (p_ >= end_) refuse("the quote that opens here is never closed");
      field.text = {begin, static_cast<std::size_t>(p_++ - begin)};
      return;
    }
    while (p_ < end_ && *p_ != ',' && *p_ != '}') ++p_;
    if (p_ >= end_) refuse("a sparse row ends without '}'");
    const char* end = p_;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) --end;
    field.text = {begin, static_cast<std::size_t>(end - begin)};
  }

  const char* p_;
  const char* end_;
  Index line_;
  const std::string& file_;
  std::vector<Field>& fields_;
};

Field left_out(const PlannedColumn& column, Index line) {
  if (column.kind != Kind::text) return {"0", false, false, line};
  if (column.declared == nullptr || column.declared->size() == 0) return {"?", false, false, line};
  return {column.declared->text(0), true, false, line};
}

}  // namespace

const char* expand_sparse_row(const char* p, const char* last, Index line, const std::string& file,
                              const Plan& plan, std::vector<Field>& fields) {
  fields.clear();
  for (const PlannedColumn& column : plan.columns) fields.push_back(left_out(column, line));
  const char* const next = skip_line(p, last);
  const char* const end = next > p && next[-1] == '\n' ? next - 1 : next;
  SparseRow(p, end, line, file, fields).read();
  return next;
}

}  // namespace discern::csv
