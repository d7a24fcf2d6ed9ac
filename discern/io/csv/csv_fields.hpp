// Splitting delimited text into records and fields, one at a time: the plain road that every oddity
// takes. (csv_parse.cpp has the fast road for chunks without quotes.)
//
// CSV (RFC 4180): a field that begins with a quote ends with one, a quote inside is doubled, separators
// and line ends inside belong to the text. A quote elsewhere is an ordinary character. Blanks around a
// field and the CR of a CRLF do not count. A line with nothing but blanks is no record. With a blank as
// the separator a run of spaces and tabs separates once.
//
// A line that begins with the comment mark, where there is one, is no record either.
//
// ARFF: quotes are ' or ", escaped by a backslash, and end on their line; '%' opens a comment line.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "discern/data/row.hpp"
#include "discern/io/csv/missing_marks.hpp"

namespace discern::csv {

struct Dialect {
  char separator = ',';
  bool arff = false;
  char comment = '\0';                                     // opens a comment line; '\0': nothing does
  const std::vector<std::string>* also_missing = nullptr;  // further texts that stand for a missing cell

  bool collapses() const { return separator == ' '; }
  bool separates(char c) const { return c == separator || (collapses() && c == '\t'); }
  bool blank(char c) const { return (c == ' ' || c == '\t') && !separates(c); }
  bool opens_quote(char c) const { return c == '"' || (arff && c == '\''); }
  // A line that starts with a byte above this is certainly a record.
  char last_odd_start() const { return comment > ' ' ? comment : ' '; }
};

struct Field {
  std::string_view text;  // without the quotes and the blanks around it
  bool quoted = false;
  bool escaped = false;  // some quotes inside are doubled (or escaped)
  Index line = 0;        // where it begins
};

enum class Ending { separator, record, unclosed_quote, text_after_quote };

// What a backslash and this letter stand for in ARFF.
inline char named_by_escape(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return letter;
  }
}

// The text of a field as it was meant.
inline std::string unescaped(const Field& field, const Dialect& dialect) {
  if (!field.escaped) return std::string(field.text);
  std::string result;
  const char escape = dialect.arff ? '\\' : '"';
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    const bool escapes = field.text[i] == escape && i + 1 < field.text.size();
    const char c = field.text[escapes ? ++i : i];
    result += escapes && dialect.arff ? named_by_escape(c) : c;
  }
  return result;
}

// The text of a field that is to be a number: blanks inside quotes do not count either.
inline std::string_view number_text(const Field& field) {
  std::string_view text = field.text;
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The common marks (missing_marks.hpp) and those of the dialect, in quotes or not; in ARFF only ? without quotes.
inline bool is_missing(const Field& field, const Dialect& dialect) {
  if (dialect.arff) return field.text == "?" && !field.quoted;
  return is_missing_mark(field.text) ||
         (dialect.also_missing != nullptr && is_one_of(*dialect.also_missing, field.text));
}

inline const char* skip_line(const char* p, const char* last) {
  const auto* end = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(last - p)));
  return end == nullptr ? last : end + 1;
}

// The end of the line when it holds no record, otherwise nullptr; p is at its start and before last.
inline const char* skip_blank_line(const char* p, const char* last, const Dialect& dialect) {
  if (*p == dialect.comment && *p != '\0') return skip_line(p, last);
  while (p < last && (dialect.blank(*p) || (dialect.collapses() && dialect.separates(*p)))) ++p;
  if (p < last && *p == '\r') ++p;
  if (p == last) return p;
  return *p == '\n' ? p + 1 : nullptr;
}

// Reads fields from a position; counts the lines that quoted fields span.
class Fields {
 public:
  Fields(const char* p, const char* last, const Dialect& dialect, Index line)
      : p_(p), last_(last), dialect_(dialect), line_(line) {}

  const char* position() const { return p_; }
  Index line() const { return line_; }  // of position()

  // Moves over lines without a record; false at the end of the text.
  bool find_record() {
    while (p_ < last_) {
      const char* next = skip_blank_line(p_, last_, dialect_);
      if (next == nullptr) return true;
      p_ = next;
      ++line_;
    }
    return false;
  }

  Ending next(Field& field);

  // All fields of the record at position(); stops early at a broken quote, and with Ending::separator when
  // there are more than `most`.
  Ending record(std::vector<Field>& fields, std::size_t most = SIZE_MAX) {
    fields.clear();
    Ending ending = Ending::separator;
    while (ending == Ending::separator && fields.size() < most) ending = next(fields.emplace_back());
    return ending;
  }

 private:
  bool at_line_end(const char* p) const {
    return p == last_ || *p == '\n' || (*p == '\r' && (p + 1 == last_ || p[1] == '\n'));
  }
  Ending finish();
  Ending next_quoted(Field& field);

  const char* p_;
  const char* last_;
  Dialect dialect_;
  Index line_;
};

// At a separator or a line end: moves over it.
inline Ending Fields::finish() {
  if (!at_line_end(p_)) {
    ++p_;
    if (!dialect_.collapses()) return Ending::separator;
    while (p_ < last_ && dialect_.separates(*p_)) ++p_;
    if (!at_line_end(p_)) return Ending::separator;
  }
  if (p_ < last_ && *p_ == '\r') ++p_;
  if (p_ < last_) ++p_;
  ++line_;
  return Ending::record;
}

inline Ending Fields::next_quoted(Field& field) {
  const char quote = *p_++;
  const char* const begin = p_;
  field.quoted = true;
  for (;; ++p_) {
    if (p_ == last_ || (dialect_.arff && *p_ == '\n')) return Ending::unclosed_quote;
    if (*p_ == '\n') ++line_;
    const bool doubled = !dialect_.arff && *p_ == quote && p_ + 1 < last_ && p_[1] == quote;
    if (doubled || (dialect_.arff && *p_ == '\\' && p_ + 1 < last_ && p_[1] != '\n')) {
      field.escaped = true;
      ++p_;
    } else if (*p_ == quote) {
      break;
    }
  }
  field.text = {begin, static_cast<std::size_t>(p_ - begin)};
  ++p_;
  while (p_ < last_ && dialect_.blank(*p_)) ++p_;
  if (!at_line_end(p_) && !dialect_.separates(*p_)) return Ending::text_after_quote;
  return finish();
}

inline Ending Fields::next(Field& field) {
  if (dialect_.collapses())
    while (p_ < last_ && dialect_.separates(*p_)) ++p_;
  while (p_ < last_ && dialect_.blank(*p_)) ++p_;
  field.quoted = field.escaped = false;
  field.line = line_;
  if (p_ < last_ && dialect_.opens_quote(*p_)) return next_quoted(field);
  const char* const begin = p_;
  while (!at_line_end(p_) && !dialect_.separates(*p_)) ++p_;
  const char* end = p_;
  while (end > begin && dialect_.blank(end[-1])) --end;
  field.text = {begin, static_cast<std::size_t>(end - begin)};
  return finish();
}

}  // namespace discern::csv
