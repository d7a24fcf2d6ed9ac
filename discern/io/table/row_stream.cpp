#include "discern/io/table/row_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/file/byte_stream.hpp"
#include "discern/io/table/formats.hpp"
#include "discern/io/table/text_rows.hpp"

namespace discern {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18;    // of text that are parsed together
constexpr std::size_t opening_bytes = std::size_t{1} << 18;  // from which columns are decided, ...
constexpr Index opening_lines = 1000;                        // ... or so many lines
constexpr std::size_t longest_row = std::size_t{1} << 28;

using Parsed = std::optional<Result<ParsedRows>>;

}  // namespace

struct RowStream::State {
  State(const std::string& path, const ReadOptions& read_options)
      : file(path == "-" ? "standard input" : path), options(read_options), bytes(path, options.monitor) {
    const std::string_view format = format_of(path, options.format).name;
    if (format == "tsv" && !options.separator) options.separator = '\t';
    libsvm = format == "libsvm";
  }

  // Adds what is there, waiting for some when there is nothing; false at the end.
  bool fill(std::size_t wanted);
  void open();
  void check_length(Index line) const;
  std::optional<TextPiece> cut();
  std::vector<TextPiece> pieces(std::size_t most);

  std::string file;
  ReadOptions options;
  ByteStream bytes;
  bool libsvm = false;
  bool ended = false;
  std::unique_ptr<TextRows> rows;  // null until the text has been opened
  std::string pending;             // text that is not cut yet
  std::size_t scanned = 0;         // of it, known to hold no end of a row
  bool starved = false;            // it holds no whole row
};

bool RowStream::State::fill(std::size_t wanted) {
  const std::size_t before = pending.size();
  while (!ended && pending.size() < before + wanted) {
    if (pending.size() > before && !bytes.ready()) break;
    const std::size_t size = pending.size();
    pending.resize(before + wanted);
    const std::size_t count = bytes.read(pending.data() + size, before + wanted - size);
    pending.resize(size + count);
    ended = count == 0;
  }
  return pending.size() > before;
}

// Reads on until there is enough to know the columns by: so many lines that are not empty, or bytes, but a
// row at least.
void RowStream::State::open() {
  std::size_t end = 0, searched = 0;
  Index lines = 0;
  const bool no_header = options.header && !*options.header;
  const Index least = no_header ? 1 : 2;
  const Index enough = options.expected == nullptr ? opening_lines : least;
  while (!libsvm && lines < enough && (lines < least || end < opening_bytes)) {
    const auto next = pending.find('\n', searched);
    if (next == std::string::npos) {
      searched = pending.size();
      check_length(1);
      if (!fill(piece_bytes)) break;
      continue;
    }
    const std::string_view line(pending.data() + end, next - end);
    if (!line.empty() && line != "\r") ++lines;
    end = searched = next + 1;
  }
  if (ended && !bytes.stopped()) end = pending.size();
  if (bytes.stopped() && lines < 2) return pending.clear();
  rows = libsvm ? make_libsvm_rows(pending, file, options)
                : make_csv_rows(std::string_view(pending).substr(0, end), file, options);
  pending.erase(0, rows->begin());
}

// The whole rows that are there, up to a piece.
std::optional<TextPiece> RowStream::State::cut() {
  while (true) {
    const std::size_t most = std::min(pending.size(), std::max(piece_bytes, scanned + piece_bytes));
    const auto last = std::string_view(pending).substr(0, most).rfind('\n');
    std::size_t end = last == std::string::npos || last < scanned ? 0 : last + 1;
    if (end == 0 && bytes.stopped()) pending.clear();  // the beginning of a row
    if (end == 0 && ended) end = pending.size();
    if (end == 0 && most < pending.size()) {
      scanned = most;  // a row longer than a piece
      continue;
    }
    if (end == 0) return std::nullopt;
    auto piece = rows->place(std::string_view(pending).substr(0, end), ended && end == pending.size());
    if (!piece) {
      scanned = end;  // inside quotes
      if (most < pending.size()) continue;
      if (bytes.stopped()) pending.clear();
      if (!ended || pending.empty()) return std::nullopt;
      end = pending.size();  // a quote that is never closed
      piece = rows->place(pending, true);
    }
    pending.erase(0, end);
    scanned = 0;
    return piece;
  }
}

void RowStream::State::check_length(Index line) const {
  if (pending.size() > longest_row)
    throw Error(Code::data, "a row is longer than 256 MB; is a quote not closed?", {file, line, ""});
}

std::vector<TextPiece> RowStream::State::pieces(std::size_t most) {
  std::vector<TextPiece> result;
  const std::size_t enough = most * piece_bytes;
  // What holds no whole row is doubled, so that looking through it again takes no longer than reading it.
  if (starved)
    fill(std::max(enough, pending.size()));
  else if (!ended && pending.size() < enough)
    fill(enough - pending.size());
  if (!rows) open();
  starved = false;
  while (rows && result.size() < most && !pending.empty()) {
    auto piece = cut();
    starved = !piece && !ended;
    if (starved) check_length(rows->line());
    if (!piece) break;
    result.push_back(std::move(*piece));
  }
  return result;
}

RowStream::RowStream(const std::string& path, const ReadOptions& options) {
  if (!can_stream(path, options.format))
    throw Error(Code::usage, fmt::format("{} is not read row by row: streams are csv, tsv and libsvm",
                                         format_of(path, options.format).name));
  state_ = std::make_unique<State>(path, options);
}

RowStream::~RowStream() = default;

bool RowStream::stopped() const { return state_->bytes.stopped(); }

// In rounds: what was parsed in the last one is taken, what was read is parsed, and more is read unless that
// would mean to wait while there is something to do.
void RowStream::for_each(const std::function<bool(const Table&)>& take) {
  State& s = *state_;
  std::vector<TextPiece> texts, incoming;
  std::vector<Parsed> parsed, fresh;
  bool wanted = true;
  const auto take_parsed = [&] {
    for (const Parsed& one : parsed) {
      if (!wanted) return;
      const auto& [table, error] = one->value();
      if (!error || table.rows() > 0) wanted = take(table);
      if (wanted && error) throw *error;
    }
  };
  while (wanted) {
    const bool idle = texts.empty() && parsed.empty();
    const bool read = idle || s.ended || s.bytes.ready();
    if (idle && s.ended && s.pending.empty()) break;
    fresh.clear();
    fresh.resize(texts.size());
    incoming.clear();
    std::optional<Error> failure;
    parallel_for(2 + static_cast<Index>(texts.size()), [&](Index k) {
      if (k == 0) return take_parsed();
      if (k > 1) {
        const auto at = static_cast<std::size_t>(k - 2);
        fresh[at] = attempt([&] { return s.rows->parse(texts[at]); });
        return;
      }
      if (!read) return;
      const auto got = attempt([&] { return s.pieces(static_cast<std::size_t>(thread_count())); });
      if (got)
        incoming = got.value();
      else
        failure = got.error();
    });
    if (failure) {
      // What came before it is taken first.
      parsed = std::move(fresh);
      take_parsed();
      if (wanted) throw *failure;
      return;
    }
    parsed.swap(fresh);
    texts.swap(incoming);
  }
}

bool can_stream(const std::string& path, const std::string& format) {
  const std::string_view name = format_of(path, format).name;
  return name == "csv" || name == "tsv" || name == "libsvm";
}

}  // namespace discern
