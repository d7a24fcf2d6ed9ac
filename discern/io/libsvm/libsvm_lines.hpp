// The lines of a LIBSVM file, parsed piece by piece straight into the arrays of a sparse matrix. Inside
// of libsvm.cpp and text_rows.cpp; see libsvm.hpp for what is accepted.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/data/features.hpp"
#include "discern/io/file/bytes.hpp"
#include "discern/io/file/mapped_file.hpp"
#include "discern/io/number/number.hpp"
#include "discern/io/number/short_decimal.hpp"
#include "discern/io/table/read.hpp"

namespace discern::libsvm {

inline constexpr std::uint32_t largest_index = 2147483647;

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool ends_line(char c) { return c == '\n' || c == '\r' || c == '#'; }
inline bool ends_token(char c) { return is_blank(c) || ends_line(c); }

// Some whole lines of the file, and where their rows and entries go.
struct Piece {
  const char* begin = nullptr;
  const char* end = nullptr;
  Index lines = 0;    // number of line ends
  Index entries = 0;  // number of colons: an upper bound until parsed, which the parser holds to; then exact
  Index rows = 0;     // likewise
  Index first_line = 1;       // 1-based
  Index first_row = 0;        // where its rows go
  Index first_entry = 0;      // where its entries go
  Index skipped = 0;          // entries beyond the expected columns
  std::uint32_t columns = 0;  // the largest index
  bool needs_double = false;
  std::optional<Error> error;       // the first; the rows are those before it
  std::vector<std::string> labels;  // the distinct labels, in order of appearance
  std::vector<Index> label_lines;   // where each first appears
};

// The labels of a piece as indices; nearly always the one before or one of a few.
class LabelIndex {
 public:
  explicit LabelIndex(Piece& piece) : piece_(piece) {}
  double find(std::string_view label, Index line) {
    if (last_ < piece_.labels.size() && piece_.labels[last_] == label) return static_cast<double>(last_);
    const auto [place, inserted] = index_.try_emplace(std::string(label), piece_.labels.size());
    if (inserted) {
      piece_.labels.push_back(place->first);
      piece_.label_lines.push_back(line);
    }
    last_ = place->second;
    return static_cast<double>(last_);
  }

 private:
  Piece& piece_;
  std::unordered_map<std::string, std::size_t> index_;
  std::size_t last_ = 0;
};

inline std::string_view token_at(const char* p, const char* end) {
  const char* stop = p;
  while (stop < end && !ends_token(*stop)) ++stop;
  return {p, static_cast<std::size_t>(stop - p)};
}

inline std::string_view line_at(const char* p, const char* begin, const char* end) {
  while (p > begin && p[-1] != '\n') --p;
  return {p, static_cast<std::size_t>(std::find(p, end, '\n') - p)};
}

// Finds the marks of a text one after the other: blanks and control characters, colons, '#'. The places
// come from masks of 64 bytes, so that finding the next does not wait for parsing the one before.
class Marks {
 public:
  Marks(const char* begin, const char* file_end) : base_(begin), end_(file_end), mask_(mask_at(begin)) {}

  // The next mark, or the end of the file.
  const char* next() {
    while (mask_ == 0) {
      base_ += ByteBlock::size;
      mask_ = mask_at(base_);
    }
    const char* mark = base_ + __builtin_ctzll(mask_);
    mask_ &= mask_ - 1;
    return mark;
  }

 private:
  std::uint64_t mask_at(const char* p) const {
    if (end_ - p >= static_cast<std::ptrdiff_t>(ByteBlock::size)) return marks_of(ByteBlock(p));
    char padded[ByteBlock::size];
    std::fill(std::copy(std::min(p, end_), end_, padded), padded + ByteBlock::size, '\n');
    return marks_of(ByteBlock(padded));
  }
  static std::uint64_t marks_of(const ByteBlock& block) {
    return block.at_most(' ') | block.equal(':') | block.equal('#');
  }

  const char* base_;
  const char* end_;
  std::uint64_t mask_;
};

// Whether the labels are wanted as text. Throws Code::usage for another side column.
bool wants_text_labels(const ReadOptions& options, const std::string& file);

// Parses a piece into its part of the final arrays.
template <class T>
class PieceParser {
 public:
  struct Target {
    T* values;
    std::uint32_t* columns;
    std::int64_t* row_ends;  // of row i, counted from the start of the piece's entries
    double* labels;
  };

  PieceParser(Piece& piece, Target target, std::string_view text, const std::string& file, bool text_labels,
              std::uint32_t limit)
      : piece_(piece),
        target_(target),
        file_(file),
        text_labels_(text_labels),
        limit_(limit),
        file_end_(text.data() + text.size()),
        safe_begin_(text.data() + std::min<std::size_t>(text.size(), bytes_before_cell_end)),
        safe_end_(file_end_ - std::min<std::size_t>(text.size(), bytes_after_cell_begin)),
        row_room_(piece.rows),
        entry_room_(piece.entries),
        labels_(piece),
        marks_(piece.begin, file_end_) {}

  // Up to the first bad cell, about which is piece.error.
  void run() {
    line_ = piece_.first_line;
    try {
      for (const char* p = piece_.begin; p < piece_.end && !piece_.needs_double; ++line_) p = parse_line(p);
    } catch (const Error& error) {
      piece_.error = error;
    }
    piece_.rows = rows_;
    piece_.entries = rows_ > 0 ? target_.row_ends[rows_ - 1] : 0;
    piece_.columns = widest_;
  }

 private:
  char at(const char* p) const { return p < piece_.end ? *p : '\n'; }

  // Parses the line at p and returns the start of the next one.
  const char* parse_line(const char* p) {
    const char* mark = marks_.next();
    for (; mark == p && is_blank(at(p)); ++p) mark = marks_.next();
    const bool row = mark != p || !ends_line(at(p));
    if (row) {
      if (rows_ == row_room_) throw_file_changed(file_);
      parse_label({p, static_cast<std::size_t>(mark - p)}, mark);
      mark = parse_entries(mark);
      if (piece_.needs_double) return p;
    }
    if (at(mark) == '#')
      while (at(mark) != '\n') mark = marks_.next();
    if (at(mark) == '\r' && at(mark + 1) == '\n') mark = marks_.next();
    if (at(mark) != '\n')
      fail("", fmt::format("expected the end of the line, found {}", quoted_for_message({mark, 1})));
    if (row) target_.row_ends[rows_++] = entries_;
    return mark + 1;
  }

  void parse_label(std::string_view label, const char* mark) {
    if (at(mark) == ':')
      fail("label",
           fmt::format("expected a label, found {}", quoted_for_message(token_at(label.data(), piece_.end))));
    if (label.find_first_of(",;\"") != std::string_view::npos) refuse_label(label);
    if (text_labels_) {
      target_.labels[rows_] = labels_.find(label, line_);
      return;
    }
    double number = 0;
    if (parse_number(label.data(), file_end_, number) != mark || !std::isfinite(number))
      fail("label", why_not_a_number(label));
    target_.labels[rows_] = number;
  }

  // Parses the entries that follow the mark and returns the mark after the last of them.
  const char* parse_entries(const char* mark) {
    std::uint32_t previous = 0;
    bool in_pairs = true;
    while (is_blank(at(mark))) {
      if (in_pairs) {
        const char* after = parse_pairs(mark, previous);
        in_pairs = after != mark;  // a row whose entries have another form is not tried again
        mark = after;
        if (!is_blank(at(mark))) break;
      }
      const char* p = mark + 1;
      mark = marks_.next();
      if (mark == p && at(mark) != ':') continue;
      const char* colon = mark;
      std::uint32_t index = 0;
      if (at(colon) != ':' || !parse_index(p, colon, index) || index <= previous) refuse_index(p, previous);
      mark = marks_.next();
      double value = 0;
      if (!parse_value(colon + 1, mark, value)) refuse_value(colon + 1, index);
      previous = index;
      if (index > limit_) {
        ++piece_.skipped;
        continue;
      }
      const T stored = static_cast<T>(value);
      if (static_cast<double>(stored) != value) {
        piece_.needs_double = true;
        return mark;
      }
      if (entries_ == entry_room_) throw_file_changed(file_);
      target_.values[entries_] = stored;
      target_.columns[entries_] = index - 1;
      ++entries_;
    }
    widest_ = std::max(widest_, previous);
    return mark;
  }

  // Takes entries of the usual form two at a time, whose values share the work, as long as there are such;
  // returns the mark after the last.
  const char* parse_pairs(const char* mark, std::uint32_t& previous) {
    const char* const stop = std::min(piece_.end, safe_end_);
    if (mark < safe_begin_) return mark;
    Marks marks = marks_;
    while (*mark == ' ' && entries_ + 2 <= entry_room_) {
      const char* const colon_a = marks.next();
      const char* const end_a = marks.next();
      const char* const colon_b = marks.next();
      const char* const end_b = marks.next();
      if (end_b >= stop || *colon_a != ':' || *end_a != ' ' || *colon_b != ':' || *end_b == ':') break;
      std::uint32_t index_a = 0, index_b = 0;
      double a = 0, b = 0;
      if (!parse_index(mark + 1, colon_a, index_a) || !parse_index(end_a + 1, colon_b, index_b) ||
          !(previous < index_a && index_a < index_b && index_b <= limit_) ||
          !parse_short_decimals(colon_a + 1, end_a, colon_b + 1, end_b, a, b))
        break;
      if constexpr (sizeof(T) < sizeof(double))
        if (!fits_float(a) || !fits_float(b)) break;
      target_.values[entries_] = static_cast<T>(a);
      target_.values[entries_ + 1] = static_cast<T>(b);
      target_.columns[entries_] = index_a - 1;
      target_.columns[entries_ + 1] = index_b - 1;
      entries_ += 2;
      previous = index_b;
      mark = end_b;
      marks_ = marks;
    }
    return mark;
  }

  bool parse_value(const char* p, const char* mark, double& value) const {
    if (at(mark) == ':') return false;
    if (p >= safe_begin_ && p <= safe_end_ && parse_short_decimal(p, mark, value)) return true;
    return parse_number(p, file_end_, value) == mark && std::isfinite(value);
  }

  // The digits before a colon. Indices too large come out as 2^32 - 1 and are refused by the caller.
  bool parse_index(const char* p, const char* colon, std::uint32_t& index) const {
    const auto length = static_cast<std::size_t>(colon - p);
    if (length - 1 < 8 && p >= safe_begin_) {
      std::uint64_t word = 0;
      std::memcpy(&word, colon - sizeof word, sizeof word);
      return digits_to_number((word ^ 0x3030303030303030ULL) >> (8 * (8 - length)) << (8 * (8 - length)),
                              index);
    }
    std::uint64_t number = 0;
    for (; p < colon && decimal::is_digit(*p); ++p)
      number = std::min<std::uint64_t>(10 * number + static_cast<std::uint64_t>(*p - '0'), 0xFFFFFFFF);
    index = static_cast<std::uint32_t>(number);
    return length > 0 && p == colon && number <= largest_index;
  }

  // Eight digits, the first in the lowest byte, as values 0..9; false when one is not.
  static bool digits_to_number(std::uint64_t d, std::uint32_t& number) {
    if ((((d + 0x7676767676767676ULL) | d) & 0x8080808080808080ULL) != 0) return false;
    d = d * 10 + (d >> 8);  // pairs of digits, in every second byte
    d = ((d & 0x000000FF000000FFULL) * (100 + (1000000ULL << 32)) +
         ((d >> 16) & 0x000000FF000000FFULL) * (1 + (10000ULL << 32))) >>
        32;
    number = static_cast<std::uint32_t>(d);
    return true;
  }

  [[noreturn]] void refuse_label(std::string_view label) {
    const auto line = line_at(label.data(), piece_.begin, piece_.end);
    if (line.find(':') == std::string_view::npos) refuse_csv(line);
    fail("label",
         fmt::format("several labels in a row are not supported, found {}", quoted_for_message(label)));
  }

  [[noreturn]] void refuse_csv(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    fail("", fmt::format("this looks like CSV, not LIBSVM: expected 'label index:value ...', found {}",
                         quoted_for_message(line)));
  }

  [[noreturn]] void refuse_index(const char* p, std::uint32_t previous) {
    const std::string_view token = token_at(p, piece_.end);
    const auto colon = token.find(':');
    if (colon == std::string_view::npos) {
      const auto line = line_at(p, piece_.begin, piece_.end);
      if (line.substr(0, line.find('#')).find(':') == std::string_view::npos) refuse_csv(line);
      fail("", fmt::format("expected index:value, found {}", quoted_for_message(token)));
    }
    const std::string_view index = token.substr(0, colon);
    if (index == "qid")
      fail("", fmt::format("ranking groups are not supported, found {}", quoted_for_message(token)));
    const std::string_view digits = index.substr(index.starts_with('-') ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
      fail("", fmt::format("expected an index before the colon, found {}", quoted_for_message(token)));
    if (index.starts_with('-') || digits.find_first_not_of('0') == std::string_view::npos)
      fail("", fmt::format("indices start at 1, found {}", quoted_for_message(token)));
    std::uint32_t number = 0;
    if (!parse_index(p, p + colon, number))
      fail("", fmt::format("the largest index is {}, found {}", largest_index, quoted_for_message(token)));
    if (number == previous)
      fail(column_name(number), fmt::format("the index {} appears twice in the row", number));
    fail(column_name(number), fmt::format("indices must increase, found {} after {}", number, previous));
  }

  [[noreturn]] void refuse_value(const char* p, std::uint32_t index) {
    fail(column_name(index),
         why_not_a_number(token_at(p, piece_.end), "an entry that is left out is zero, and none is missing"));
  }

  static std::string column_name(std::uint32_t index) { return fmt::format("x{}", index); }

  [[noreturn]] void fail(std::string column, std::string message) {
    throw Error(Code::data, std::move(message), {file_, line_, std::move(column)});
  }

  Piece& piece_;
  Target target_;
  const std::string& file_;
  bool text_labels_;
  std::uint32_t limit_;
  const char* file_end_;
  const char* safe_begin_;  // cells that begin between these two may be loaded with their surroundings
  const char* safe_end_;
  Index row_room_;  // what the first pass counted; the text of a mapped file may have changed since
  Index entry_room_;
  LabelIndex labels_;
  Marks marks_;
  Index line_ = 0;
  Index rows_ = 0;
  Index entries_ = 0;
  std::uint32_t widest_ = 0;
};

}  // namespace discern::libsvm
