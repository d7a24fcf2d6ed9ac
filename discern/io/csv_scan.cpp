#include "discern/io/csv_scan.hpp"

#include <algorithm>
#include <atomic>

#include "discern/base/threads.hpp"
#include "discern/io/bytes.hpp"

namespace discern::csv {
namespace {

// What a piece of text holds when it starts outside quotes; lines and records count as if none of its
// line ends were quoted.
struct Count {
  Index lines = 0;
  Index records = 0;
  bool quotes = false;
  bool regular = true;  // see Quotes
  bool nul = false;
};

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

// Counts the lines and, of those, the records: a line that starts with a blank is looked at more closely.
class Counter {
 public:
  Counter(std::string_view text, const Dialect& dialect) : text_(text), dialect_(dialect), check_(dialect) {
    count_.regular = !dialect.arff && !dialect.collapses();
  }

  Count operator()(std::size_t begin, std::size_t end) {
    const char* p = begin_ = text_.data() + begin;
    const char* const last = text_.data() + end;
    for (; static_cast<std::size_t>(last - p) >= ByteBlock::size; p += ByteBlock::size)
      add(ByteBlock(p), p, ~std::uint64_t{0});
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
    std::uint64_t odd = ((ends << 1) | line_start_) & block.at_most(dialect_.last_odd_start()) & valid;
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
  QuoteCheck check_;
  Count count_;
  Index blank_ = 0;
  std::uint64_t line_start_ = 1;  // bit 0: the byte before the block ended a line
};

// A piece that starts inside a quoted field, or holds quotes, followed byte by byte.
struct Follow {
  bool inside;                // at the start; afterwards, at the end
  std::size_t first_record;   // where the first record begins, or the end of the piece
  Index lines_before_record;  // line ends before it
  Index records;
};

Follow follow_quotes(std::string_view text, std::size_t begin, std::size_t end, const Dialect& dialect,
                     bool inside) {
  Follow follow{inside, inside ? end : begin, 0, 0};
  Index lines = 0;
  bool starts_field = true, starts_record = !inside;
  const char* const last = text.data() + text.size();
  for (std::size_t i = begin; i < end; ++i) {
    const char c = text[i];
    if (inside) {
      lines += c == '\n';
      if (c != '"') continue;
      if (i + 1 < text.size() && text[i + 1] == '"')
        ++i;
      else
        inside = false;
      continue;
    }
    if (starts_record) {
      if (follow.first_record == end) {
        follow.first_record = i;
        follow.lines_before_record = lines;
      }
      follow.records += skip_blank_line(text.data() + i, last, dialect) == nullptr;
      starts_record = false;
    }
    if (c == '\n') {
      ++lines;
      starts_record = starts_field = true;
    } else if (dialect.separates(c)) {
      starts_field = true;
    } else if (c == '"' && starts_field) {
      inside = true;
      starts_field = false;
    } else if (!dialect.blank(c)) {
      starts_field = false;
    }
  }
  follow.inside = inside;
  return follow;
}

// Cuts after line ends, `step` bytes or more apart, from `begin` to the end of the text.
std::vector<std::size_t> cut(std::string_view text, std::size_t begin, std::size_t step) {
  std::vector<std::size_t> cuts = {begin};
  while (cuts.back() < text.size()) {
    const std::size_t left = text.size() - cuts.back();
    const std::size_t line_end = left <= step ? text.npos : text.find('\n', cuts.back() + step - 1);
    cuts.push_back(line_end == text.npos ? text.size() : line_end + 1);
  }
  return cuts;
}

struct Piece {
  std::size_t begin = 0;
  std::size_t end = 0;
  Count count;
  Follow follow{};  // from a start outside quotes; only when there are quotes that are not regular
};

Quotes quotes_of(const Count& count) {
  if (count.nul) return Quotes::any;
  if (!count.quotes) return Quotes::none;
  return count.regular ? Quotes::regular : Quotes::any;
}

// Where quotes may span lines, whether a piece starts inside one depends on all pieces before it.
std::vector<Chunk> chunks_of(std::string_view text, const std::vector<Piece>& pieces, Index line,
                             const Dialect& dialect) {
  std::vector<Chunk> chunks;
  Index row = 0;
  bool inside = false;
  for (const Piece& piece : pieces) {
    Chunk chunk{piece.begin, piece.end, line, row, piece.count.records, quotes_of(piece.count)};
    const bool quotes_span_lines = !dialect.arff;
    if (inside && !piece.count.quotes) {
      chunk.begin = chunk.end;
      chunk.rows = 0;
    } else if (piece.count.quotes && quotes_span_lines && (inside || !piece.count.regular)) {
      chunk.quotes = Quotes::any;
      const Follow follow =
          inside ? follow_quotes(text, piece.begin, piece.end, dialect, true) : piece.follow;
      chunk.begin = follow.first_record;
      chunk.first_line += follow.lines_before_record;
      chunk.rows = follow.records;
      inside = follow.inside;
    }
    line += piece.count.lines;
    row += chunk.rows;
    if (chunk.begin < chunk.end) chunks.push_back(chunk);
  }
  return chunks;
}

}  // namespace

std::vector<Chunk> scan(std::string_view text, std::size_t begin, Index line, const Dialect& dialect,
                        std::size_t chunk_bytes, const std::function<bool(std::size_t, std::size_t)>& done) {
  const std::vector<std::size_t> cuts = cut(text, begin, chunk_bytes);
  std::vector<Piece> pieces(cuts.size() - 1);
  std::atomic<bool> stopped = false;
  parallel_for(static_cast<Index>(pieces.size()), [&](Index k) {
    if (stopped) return;
    const auto i = static_cast<std::size_t>(k);
    Piece& piece = pieces[i];
    piece.begin = cuts[i];
    piece.end = cuts[i + 1];
    piece.count = Counter(text, dialect)(piece.begin, piece.end);
    if (piece.count.quotes && !piece.count.regular && !dialect.arff)
      piece.follow = follow_quotes(text, piece.begin, piece.end, dialect, false);
    if (!done(piece.begin, piece.end - piece.begin)) stopped = true;
  });
  if (stopped) return {};
  return chunks_of(text, pieces, line, dialect);
}

}  // namespace discern::csv
