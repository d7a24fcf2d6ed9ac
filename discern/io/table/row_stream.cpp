#include "discern/io/table/row_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

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
  void check_length(std::size_t length, Index line) const;
  std::string_view unread() const { return std::string_view(pending).substr(taken); }
  std::optional<TextPiece> cut();
  std::vector<TextPiece> pieces(std::size_t most);

  std::string file;
  ReadOptions options;
  ByteStream bytes;
  bool libsvm = false;
  bool ended = false;
  std::unique_ptr<TextRows> rows;  // null until the text has been opened
  std::string pending;             // text of which the first part may have been taken
  std::size_t taken = 0;           // that part
  std::size_t scanned = 0;         // of the rest, known to hold no end of a row
  bool starved = false;            // it holds no whole row
  UnreadRows unreadable;
};

bool RowStream::State::fill(std::size_t wanted) {
  pending.erase(0, std::exchange(taken, 0));
  const std::size_t before = pending.size();
  while (!ended && pending.size() < before + wanted) {
    if (pending.size() > before && !bytes.ready()) break;
    const std::size_t size = pending.size();
    pending.resize(size + std::min(piece_bytes, before + wanted - size));
    const std::size_t count = bytes.read(pending.data() + size, pending.size() - size);
    pending.resize(size + count);
    ended = count == 0;
  }
  return pending.size() > before;
}

// Reads on until there is enough to know the columns by: so many lines that are not empty, or bytes, but a
// row at least.
void RowStream::State::open() {
  std::size_t end = 0, searched = 0;
  Index lines = 0, line_number = 1;
  const bool no_header = options.header && !*options.header;
  const Index least = no_header ? 1 : 2;
  const Index enough = options.expected == nullptr ? opening_lines : least;
  while (!libsvm && lines < enough && (lines < least || end < opening_bytes)) {
    const auto next = pending.find('\n', searched);
    if (next == std::string::npos) {
      searched = pending.size();
      check_length(searched - end, line_number);
      if (!fill(piece_bytes)) break;
      continue;
    }
    const std::string_view line(pending.data() + end, next - end);
    if (!line.empty() && line != "\r") ++lines;
    end = searched = next + 1;
    ++line_number;
  }
  if (ended && !bytes.stopped()) end = pending.size();
  if (bytes.stopped() && lines < 2) return pending.clear();
  rows = libsvm ? make_libsvm_rows(pending, file, options)
                : make_csv_rows(std::string_view(pending).substr(0, end), file, options);
  taken = rows->begin();
}

// Some whole rows, about a piece; nothing when there is none. No part of the text is looked at twice, so that
// a row of any length takes time in proportion to its length.
std::optional<TextPiece> RowStream::State::cut() {
  const std::string_view text = unread();
  while (true) {
    const std::size_t most = std::min(text.size(), scanned + piece_bytes);
    const bool last = ended && !bytes.stopped() && most == text.size();
    const auto line_end = text.substr(scanned, most - scanned).rfind('\n');
    const std::size_t end = last ? most : line_end == std::string::npos ? 0 : scanned + line_end + 1;
    if (end > 0) {
      if (auto piece = rows->place(text.substr(0, end), last)) {
        taken += piece->text.size();
        scanned = 0;
        return piece;
      }
    }
    scanned = most;
    check_length(scanned, rows->line());
    if (most < text.size()) continue;
    if (bytes.stopped()) taken = pending.size();  // the beginning of a row that is not wanted any more
    return std::nullopt;
  }
}

void RowStream::State::check_length(std::size_t length, Index line) const {
  if (length > options.max_record)
    throw Error(Code::data,
                fmt::format("the row that begins here is longer than {} bytes; if no quote is left open, "
                            "--max-record allows more",
                            options.max_record),
                {file, line, ""});
}

std::vector<TextPiece> RowStream::State::pieces(std::size_t most) {
  std::vector<TextPiece> result;
  const std::size_t enough = most * piece_bytes;
  if (starved)
    fill(enough);
  else if (!ended && unread().size() < enough)
    fill(enough - unread().size());
  if (!rows) open();
  starved = false;
  while (rows && result.size() < most && !unread().empty()) {
    auto piece = cut();
    starved = !piece && !ended;
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

const UnreadRows& RowStream::unread() const { return state_->unreadable; }

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
      if (s.unreadable.count == 0) s.unreadable.first = table.unread.first;
      s.unreadable.count += table.unread.count;
      if (!error || table.rows() > 0) wanted = take(table);
      if (wanted && error) throw *error;
    }
  };
  while (wanted) {
    const bool idle = texts.empty() && parsed.empty();
    const bool read = idle || s.ended || s.bytes.ready();
    if (idle && s.ended && s.unread().empty()) break;
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
