#include "discern/io/libsvm/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/file/chain.hpp"
#include "discern/io/libsvm/libsvm_lines.hpp"
#include "discern/io/number/number.hpp"
#include "discern/io/table/select.hpp"

namespace discern {
namespace {

// Pieces depend on the file alone, never on the threads. A megabyte keeps a piece in the L2 cache.
constexpr std::size_t piece_size = std::size_t{1} << 20;

using libsvm::largest_index;
using libsvm::Piece;
using libsvm::PieceParser;
using libsvm::wants_text_labels;

// The number of bytes equal to each of two marks.
std::pair<Index, Index> count_two(const char* begin, const char* end, char a, char b) {
  Index count_a = 0, count_b = 0;
  for (const char* p = begin; p < end;) {
    // Counting in bytes, 32 lanes at a time, until they could overflow.
    constexpr std::ptrdiff_t stretch = 32 * 255;
    const char* stop = p + std::min<std::ptrdiff_t>(end - p, stretch);
    std::uint8_t lanes_a[32] = {}, lanes_b[32] = {};
    for (; p + 32 <= stop; p += 32)
      for (int i = 0; i < 32; ++i) {
        lanes_a[i] = static_cast<std::uint8_t>(lanes_a[i] + (p[i] == a));
        lanes_b[i] = static_cast<std::uint8_t>(lanes_b[i] + (p[i] == b));
      }
    for (int i = 0; i < 32; ++i) count_a += lanes_a[i], count_b += lanes_b[i];
    for (; p < stop; ++p) count_a += *p == a, count_b += *p == b;
  }
  return {count_a, count_b};
}

// Reads one file in one pass where it can: how many rows and entries there are is guessed from the first
// piece, each thread takes the next piece, counts what it may hold while that brings it into the cache,
// learns from the piece before where that goes and parses it there; then the pieces are joined. (Counting
// everything first costs a second trip of the text through memory.) When the guess was too low or float does
// not do, what the first pass counted is known and a second one parses.
class Reader {
 public:
  Reader(const FileContent& content, const std::string& file, const ReadOptions& options)
      : content_(content), file_(file), options_(options), text_(content.text()) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  Table read() {
    text_labels_ = wants_text_labels(options_, file_);
    if (options_.expected != nullptr && options_.expected->is_numbered())
      limit_ = static_cast<std::uint32_t>(std::min<Index>(options_.expected->size(), largest_index));
    cut();
    guess();
    Table table;
    table.file = file_;
    if (!(sample_fits_float() && parse<float>(table))) parse<double>(table);
    table.side.push_back(label_column());
    return table;
  }

 private:
  void cut() {
    const char* end = text_.data() + text_.size();
    for (const char* begin = text_.data(); begin < end;) {
      const char* stop = begin + std::min<std::ptrdiff_t>(end - begin, piece_size);
      stop = std::find(stop, end, '\n');
      if (stop < end) ++stop;
      Piece piece;
      piece.begin = begin;
      piece.end = stop;
      pieces_.push_back(std::move(piece));
      begin = stop;
    }
  }

  void release(const Piece& piece) const {
    content_.release(static_cast<std::size_t>(piece.begin - content_.text().data()),
                     static_cast<std::size_t>(piece.end - piece.begin));
  }

  // Where a piece begins.
  struct Start {
    Index line = 1;
    Index row = 0;
    Index entry = 0;
  };

  static void count(Piece& piece) {
    std::tie(piece.lines, piece.entries) = count_two(piece.begin, piece.end, '\n', ':');
    piece.rows = piece.lines + (piece.end[-1] != '\n');
  }

  // Room for the rows and entries of the whole, a twentieth and a little more than what the first piece makes
  // one expect.
  void guess() {
    if (pieces_.empty()) return;
    Piece first = pieces_.front();
    count(first);
    const double times =
        1.05 * static_cast<double>(text_.size()) / static_cast<double>(first.end - first.begin);
    rows_ = static_cast<Index>(times * static_cast<double>(first.rows)) + 100;
    entries_ = static_cast<Index>(times * static_cast<double>(first.entries)) + 1000;
  }

  // Counts a piece and finds its place; false when another thread gave up.
  static bool place(Piece& piece, std::size_t k, Chain<Start>& chain) {
    count(piece);
    return chain
        .place(k,
               [&](Start& start) {
                 piece.first_line = std::exchange(start.line, start.line + piece.lines);
                 piece.first_row = std::exchange(start.row, start.row + piece.rows);
                 piece.first_entry = std::exchange(start.entry, start.entry + piece.entries);
                 return true;
               })
        .has_value();
  }

  // Calls work(k) for every piece on all threads, after finding out where it goes unless that is known.
  void for_each_piece(const std::function<void(std::size_t)>& work) {
    Chain<Start> chain(pieces_.size(), {});
    done_ = 0;
    parallel_for(thread_count(), [&](Index) {
      for (std::size_t k = chain.take(); k < pieces_.size() && !stopped_; k = chain.take()) {
        try {
          if (!counted_) {
            if (!place(pieces_[k], k, chain)) return;
            placed_[k] = pieces_[k];
          }
          work(k);
        } catch (...) {
          chain.give_up();
          throw;
        }
        release(pieces_[k]);
        step(pieces_[k]);
        if (stopped_) chain.give_up();
      }
    });
    stop_if_asked();
    if (counted_) return;
    counted_ = true;
    rows_ = chain.end().row;
    entries_ = chain.end().entry;
  }

  // Whether all values of some stretches of the file are floats. A wrong guess costs a second parse.
  bool sample_fits_float() const {
    constexpr std::size_t stretch = 16384;
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      std::string_view sample = text_.substr(text_.size() / 4 * quarter);
      sample = sample.substr(0, stretch);
      for (auto colon = sample.find(':'); colon != std::string_view::npos;
           colon = sample.find(':', colon + 1)) {
        double value = 0;
        const char* stop = parse_number(sample.data() + colon + 1, sample.data() + sample.size(), value);
        // A number cut off by the end of the sample says nothing.
        if (stop != nullptr && stop < sample.data() + sample.size() && !fits_float(value)) return false;
      }
    }
    return true;
  }

  // False when T is float and some value is not one.
  template <class T>
  bool parse(Table& table) {
    while (true) {
      SparseMatrix<T> x;
      x.values = Buffer<T>(entries_);
      x.columns = Buffer<std::uint32_t>(entries_);
      x.starts = Buffer<std::int64_t>(rows_ + 1);
      const bool enough_room = parse_into(x);
      const bool needs_double =
          std::any_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return piece.needs_double; });
      if (needs_double || !enough_room) pieces_ = placed_;
      if (needs_double) return false;
      if (!enough_room) continue;
      for (const Piece& piece : pieces_)
        if (piece.error) throw *piece.error;
      join(x);
      finish(table, std::move(x));
      return true;
    }
  }

  // False when there was not enough room. Pieces after one that failed need not be parsed: the first error in
  // the file is reported.
  template <class T>
  bool parse_into(SparseMatrix<T>& x) {
    const Index room = entries_, row_room = rows_;
    std::atomic<bool> enough_room = true;
    labels_.resize(static_cast<std::size_t>(row_room));
    placed_.resize(pieces_.size());
    failed_ = static_cast<Index>(pieces_.size());
    for_each_piece([&](std::size_t k) {
      Piece& piece = pieces_[k];
      if (piece.first_entry + piece.entries > room || piece.first_row + piece.rows > row_room)
        enough_room = false;
      if (failed_ < static_cast<Index>(k) || !enough_room) return;
      const typename PieceParser<T>::Target target{
          x.values.data() + piece.first_entry, x.columns.data() + piece.first_entry,
          x.starts.data() + 1 + piece.first_row, labels_.data() + piece.first_row};
      PieceParser<T>(piece, target, text_, file_, text_labels_, limit_).run();
      if (piece.error || piece.needs_double) note_failure(static_cast<Index>(k));
    });
    return enough_room;
  }

  void note_failure(Index k) {
    Index lowest = failed_;
    while (k < lowest && !failed_.compare_exchange_weak(lowest, k)) {
    }
  }

  // Blank lines, comments and dropped entries leave gaps between the pieces; closes them, and turns the
  // row ends from counts within a piece to counts within the matrix.
  template <class T>
  void join(SparseMatrix<T>& x) {
    Index row = 0, entry = 0;
    std::vector<Index> shift(pieces_.size());
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const Piece& piece = pieces_[k];
      if (piece.first_entry != entry) {
        std::copy_n(x.values.data() + piece.first_entry, piece.entries, x.values.data() + entry);
        std::copy_n(x.columns.data() + piece.first_entry, piece.entries, x.columns.data() + entry);
      }
      if (piece.first_row != row) {
        std::copy_n(x.starts.data() + 1 + piece.first_row, piece.rows, x.starts.data() + 1 + row);
        std::copy_n(labels_.data() + piece.first_row, piece.rows, labels_.data() + row);
      }
      pieces_[k].first_row = row;
      pieces_[k].first_entry = entry;
      row += piece.rows;
      entry += piece.entries;
    }
    x.starts[0] = 0;
    parallel_for(static_cast<Index>(pieces_.size()), [&](Index k) {
      const Piece& piece = pieces_[static_cast<std::size_t>(k)];
      for (Index i = 0; i < piece.rows; ++i) x.starts[1 + piece.first_row + i] += piece.first_entry;
    });
    rows_ = row;
    entries_ = entry;
    labels_.resize(static_cast<std::size_t>(rows_));
  }

  template <class T>
  void finish(Table& table, SparseMatrix<T> x) {
    if (rows_ == 0) throw Error(Code::data, "the file holds no rows", {file_, 0, ""});
    Index widest = 0;
    for (const Piece& piece : pieces_) {
      widest = std::max<Index>(widest, piece.columns);
      table.skipped_entries += piece.skipped;
    }
    if (widest == 0 && options_.expected == nullptr)
      throw Error(Code::data, "no index:value entries found; this does not look like LIBSVM", {file_, 0, ""});
    x.rows = rows_;
    x.cols =
        options_.expected != nullptr && options_.expected->is_numbered() ? options_.expected->size() : widest;
    x.values = first_of(x.values, entries_);
    x.columns = first_of(x.columns, entries_);
    x.starts = first_of(x.starts, rows_ + 1);
    table.schema = Schema::numbered(x.cols);
    table.x = std::move(x);
  }

  template <class V>
  static Buffer<V> first_of(const Buffer<V>& all, Index count) {
    if (all.size() == count) return all;
    return Buffer<V>(std::make_shared<Buffer<V>>(all), all.data(), count);
  }

  SideColumn label_column() {
    SideColumn column;
    column.name = "label";
    column.text = text_labels_;
    if (text_labels_) number_labels(column);
    column.values = std::move(labels_);
    return column;
  }

  // Merges the labels of the pieces, sorts them and replaces the pieces' own indices.
  void number_labels(SideColumn& column) {
    std::unordered_map<std::string, Index> first_line;
    for (const Piece& piece : pieces_)
      for (std::size_t i = 0; i < piece.labels.size(); ++i)
        if (first_line.try_emplace(piece.labels[i], piece.label_lines[i]).second)
          column.levels.push_back(piece.labels[i]);
    sort_levels(column.levels);
    std::unordered_map<std::string, double> index;
    for (const auto& level : column.levels) {
      index.emplace(level, static_cast<double>(index.size()));
      column.noticed.level_line.push_back(first_line[level]);
    }
    parallel_for(static_cast<Index>(pieces_.size()), [&](Index k) {
      const Piece& piece = pieces_[static_cast<std::size_t>(k)];
      std::vector<double> renumbered;
      for (const auto& label : piece.labels) renumbered.push_back(index.at(label));
      for (Index i = piece.first_row; i < piece.first_row + piece.rows; ++i) {
        double& label = labels_[static_cast<std::size_t>(i)];
        label = renumbered[static_cast<std::size_t>(label)];
      }
    });
  }

  void step(const Piece& piece) {
    const Index done = done_ += piece.end - piece.begin;
    if (!go_on(options_.monitor, {"reading", done, static_cast<Index>(text_.size())})) stopped_ = true;
  }
  void stop_if_asked() const {
    if (stopped_) throw Error(Code::interrupted, "reading was stopped", {file_, 0, ""});
  }

  const FileContent& content_;
  const std::string& file_;
  const ReadOptions& options_;
  std::string_view text_;
  bool text_labels_ = true;
  std::uint32_t limit_ = largest_index;
  std::vector<Piece> pieces_;
  std::vector<Piece> placed_;  // as they were before they were parsed
  bool counted_ = false;       // where they go is known
  std::vector<double> labels_;
  Index rows_ = 0;  // guessed until they are counted, and again exact when the pieces are joined
  Index entries_ = 0;
  std::atomic<Index> failed_{0};
  std::atomic<Index> done_{0};
  std::atomic<bool> stopped_{false};
};

}  // namespace

bool libsvm::wants_text_labels(const ReadOptions& options, const std::string& file) {
  bool text = true;
  for (const SideRequest& request : options.side) {
    if (request.column == "label")
      text = request.text;
    else if (request.required)
      throw Error(Code::usage,
                  fmt::format("a LIBSVM file has one column beside its features, 'label'; '{}' cannot be "
                              "set aside",
                              request.column),
                  {file, 0, ""});
  }
  return text;
}

Table parse_libsvm(const FileContent& content, const std::string& file, const ReadOptions& options) {
  return select_columns(Reader(content, file, options).read(), options);
}

Table read_libsvm(const std::string& path, const ReadOptions& options) {
  return parse_file(path, [&](const FileContent& content, const std::string& name) {
    return parse_libsvm(content, name, options);
  });
}

}  // namespace discern
