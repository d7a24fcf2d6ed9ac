#include "discern/io/csv/csv_scan.hpp"

#include <algorithm>

#include "discern/io/file/bytes.hpp"

namespace discern::csv {
namespace {

// Follows quotes through blocks of 64 bytes and finds those that are not where quotes belong.
class QuoteCheck {
 public:
  explicit QuoteCheck(const Dialect& dialect) : separator_(dialect.separator) {}

  // True when all is regular so far.
  bool add(const ByteBlock& block, std::uint64_t line_ends, std::uint64_t valid) {
    const std::uint64_t quotes = block.equal('"') & valid;
    const std::uint64_t inside = prefix_xor(quotes) ^ inside_;
    const std::uint64_t opening = quotes & inside, closing = quotes & ~inside;
    const std::uint64_t field_ends = (block.equal(separator_) & valid) | line_ends;
    const std::uint64_t may_open = ((field_ends | closing) << 1) | may_open_;
    const std::uint64_t after_closing = ((closing << 1) | after_closing_) & valid;
    may_open_ = (field_ends | closing) >> 63;
    after_closing_ = closing >> 63;
    inside_ = 0 - (inside >> 63);
    return ((opening & ~may_open) | (after_closing & ~(field_ends | opening | block.equal('\r'))) |
            (line_ends & inside)) == 0;
  }
  bool ends_outside() const { return inside_ == 0; }
  // The byte before the first block; all before it is free of quotes.
  void start_after(char c) { may_open_ = c == separator_ || c == '\n'; }

 private:
  char separator_;
  std::uint64_t inside_ = 0;
  std::uint64_t may_open_ = 1;
  std::uint64_t after_closing_ = 0;
};

}  // namespace

// Counts the lines and, of those, the records: a line that starts with a blank is looked at more closely.
class Piece::Counter {
 public:
  Counter(std::string_view text, const Dialect& dialect)
      : text_(text), dialect_(dialect), last_odd_start_(dialect.last_odd_start()), check_(dialect) {
    count_.regular = !dialect.arff && !dialect.collapses();
  }

  Count operator()(std::size_t begin, std::size_t end) {
    const char* p = begin_ = text_.data() + begin;
    const char* const last = text_.data() + end;
    for (; static_cast<std::size_t>(last - p) >= ByteBlock::size; p += ByteBlock::size) {
      __builtin_prefetch(p + 2048);  // the processor stops at the end of a page: worth 4 % of a read
      add(ByteBlock(p), p, ~std::uint64_t{0});
    }
    if (p < last) {
      char tail[ByteBlock::size] = {};
      const auto size = static_cast<std::size_t>(last - p);
      std::memcpy(tail, p, size);
      add(ByteBlock(tail), p, (std::uint64_t{1} << size) - 1);
    }
    // The last line of the text may lack its line end.
    if (end > begin && end == text_.size() && last[-1] != '\n') ++count_.lines;
    count_.records = count_.lines - blank_;
    count_.regular &= check_.ends_outside();
    return count_;
  }

 private:
  void add(const ByteBlock& block, const char* p, std::uint64_t valid) {
    const std::uint64_t ends = block.equal('\n') & valid;
    count_.lines += __builtin_popcountll(ends);
    std::uint64_t odd = ((ends << 1) | line_start_) & block.at_most(last_odd_start_) & valid;
    line_start_ = ends >> 63;
    for (; odd != 0; odd &= odd - 1) {
      const char* start = p + __builtin_ctzll(odd);
      blank_ += skip_blank_line(start, text_.data() + text_.size(), dialect_) != nullptr;
    }
    count_.nul |= (block.equal('\0') & valid) != 0;
    if (!count_.quotes && any_quote(block)) {
      count_.quotes = true;
      check_.start_after(p == begin_ ? '\n' : p[-1]);
    }
    if (count_.quotes && count_.regular) count_.regular = check_.add(block, ends, valid);
  }

  bool any_quote(const ByteBlock& block) const {
    return (block.equal('"') | (dialect_.arff ? block.equal('\'') : 0)) != 0;
  }

  std::string_view text_;
  const char* begin_ = nullptr;
  Dialect dialect_;
  char last_odd_start_;
  QuoteCheck check_;
  Count count_;
  Index blank_ = 0;
  std::uint64_t line_start_ = 1;  // bit 0: the byte before the block ended a line
};

std::vector<std::size_t> cut(std::string_view text, std::size_t begin, std::size_t step) {
  std::vector<std::size_t> cuts = {begin};
  while (cuts.back() < text.size()) {
    const std::size_t left = text.size() - cuts.back();
    const std::size_t line_end =
        left <= step ? std::string_view::npos : text.find('\n', cuts.back() + step - 1);
    cuts.push_back(line_end == std::string_view::npos ? text.size() : line_end + 1);
  }
  return cuts;
}

Piece::Piece(std::string_view text, std::size_t begin, std::size_t end, const Dialect& dialect)
    : text_(text), begin_(begin), end_(end), dialect_(dialect), count_(Counter(text, dialect)(begin, end)) {
  if (count_.quotes && !count_.regular && !dialect_.arff) follow_ = follow_quotes(false);
}

Piece::Follow Piece::follow_quotes(bool inside) const {
  Follow follow;
  follow.first_record = inside ? end_ : begin_;
  Index lines = 0;
  bool starts_field = true, starts_record = !inside;
  const char* const last = text_.data() + text_.size();
  for (std::size_t i = begin_; i < end_; ++i) {
    const char c = text_[i];
    if (inside) {
      lines += c == '\n';
      if (c != '"') continue;
      if (i + 1 < text_.size() && text_[i + 1] == '"')
        ++i;
      else
        inside = false;
      continue;
    }
    if (starts_record && c == dialect_.comment && c != '\0') {
      i = std::min(text_.find('\n', i), end_ - 1);
      lines += text_[i] == '\n';
      continue;
    }
    if (starts_record) {
      if (follow.first_record == end_) {
        follow.first_record = i;
        follow.lines_before_record = lines;
      }
      follow.last_record = i;
      follow.lines_before_last = lines;
      follow.records += skip_blank_line(text_.data() + i, last, dialect_) == nullptr;
      starts_record = false;
    }
    if (c == '\n') {
      ++lines;
      starts_record = starts_field = true;
    } else if (dialect_.separates(c)) {
      starts_field = true;
    } else if (c == '"' && starts_field) {
      inside = true;
      starts_field = false;
    } else if (!dialect_.blank(c)) {
      starts_field = false;
    }
  }
  follow.inside = inside;
  return follow;
}

Chunk Piece::place(Start& start) const {
  Chunk chunk{begin_, end_, start.line, start.row, count_.records, Quotes::none};
  if (count_.quotes) chunk.quotes = count_.regular ? Quotes::regular : Quotes::any;
  if (count_.nul) chunk.quotes = Quotes::any;
  const bool quotes_span_lines = !dialect_.arff;
  if (start.inside_quotes && !count_.quotes) {
    chunk.begin = chunk.end;
    chunk.rows = 0;
  } else if (count_.quotes && quotes_span_lines && (start.inside_quotes || !count_.regular)) {
    const Follow follow = start.inside_quotes ? follow_quotes(true) : follow_;
    chunk.quotes = Quotes::any;
    chunk.begin = follow.first_record;
    chunk.first_line += follow.lines_before_record;
    chunk.rows = follow.records;
    start.inside_quotes = follow.inside;
    if (follow.records > 0) {
      start.record = follow.last_record;
      start.record_line = start.line + follow.lines_before_last;
    }
  }
  start.line += count_.lines;
  start.row += chunk.rows;
  return chunk;
}

}  // namespace discern::csv
