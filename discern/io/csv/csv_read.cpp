#include "discern/io/csv/csv_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/select_rows.hpp"
#include "discern/io/csv/csv.hpp"
#include "discern/io/csv/csv_parse.hpp"
#include "discern/io/csv/csv_scan.hpp"
#include "discern/io/file/chain.hpp"
#include "discern/io/libsvm/libsvm.hpp"

namespace discern::csv {
namespace {

// Tells the monitor how many bytes are done.
class Meter {
 public:
  Meter(const Monitor& monitor, std::size_t total)
      : monitor_(monitor), total_(static_cast<std::int64_t>(total)) {}

  bool add(std::size_t bytes) {
    const std::int64_t done = done_ += static_cast<std::int64_t>(bytes);
    if (!stopped_ && !go_on(monitor_, {"reading", std::min(done, total_), total_})) stopped_ = true;
    return !stopped_;
  }
  void check(const std::string& file) const {
    if (stopped_) throw Error(Code::interrupted, "reading was interrupted", {file, 0, ""});
  }
  bool stopped() const { return stopped_; }

 private:
  const Monitor& monitor_;
  std::int64_t total_;
  std::atomic<std::int64_t> done_ = 0;
  std::atomic<bool> stopped_ = false;
};

std::size_t size_of(Index rows, Index cols, std::size_t cell, const std::string& file) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(rows, cols, &bytes) || __builtin_mul_overflow(bytes, cell, &bytes))
    throw Error(Code::memory, fmt::format("{} rows of {} columns do not fit in memory", rows, cols),
                {file, 0, ""});
  return bytes;
}

// Where the cells go, with room for some number of rows.
template <class T>
struct Space {
  std::shared_ptr<void> memory;
  std::vector<std::vector<double>> sides;
  Index rows = 0;

  Space(const Plan& plan, Index room, const std::string& file)
      : memory(allocate_bytes(size_of(room, static_cast<Index>(plan.features.size()), sizeof(T), file))),
        sides(plan.sides.size(), std::vector<double>(static_cast<std::size_t>(room))),
        rows(room) {}

  T* features() const { return static_cast<T*>(memory.get()); }
  Destination<T> destination() {
    Destination<T> result{features(), {}};
    for (auto& side : sides) result.sides.push_back(side.data());
    return result;
  }
};

// Reads in one pass where it can: how many rows there are is guessed from the sample, each thread takes the
// next piece, counts its rows while that brings it into the cache, learns from the piece before where they
// go and parses them. (Counting all rows first costs a second trip of the file through memory.) When the
// guess was too low, float does not do, or a column turns out to be text, what the first pass
// counted is known and a second one parses.
class Reader {
 public:
  Reader(const Body& body, Plan plan, const Monitor& monitor, std::size_t chunk_bytes)
      : body_(body),
        plan_(std::move(plan)),
        meter_(monitor, body.content.text().size()),
        cuts_(cut(body.content.text(), body.begin, chunk_bytes)),
        chunks_(cuts_.size() - 1) {}

  Table run() {
    if (body_.bytes_per_row == 0) count_rows();
    while (true) {
      if (plan_.fits_float) {
        if (auto table = attempt<float>()) return std::move(*table);
      } else {
        if (auto table = attempt<double>()) return std::move(*table);
      }
    }
  }

 private:
  std::string_view text() const { return body_.content.text(); }

  Index room() const {
    if (counted_) return rows_;
    const double bytes = static_cast<double>(text().size() - body_.begin);
    return static_cast<Index>(bytes / body_.bytes_per_row * 1.05) + 1000;
  }

  // Empty when what the file holds made a change of plan necessary.
  template <class T>
  std::optional<Table> attempt() {
    Space<T> space(plan_, room(), body_.file);
    const bool all_parsed = parse(space);
    meter_.check(body_.file);
    for (const Parsed& parsed : parsed_)
      if (parsed.error) throw *parsed.error;
    if (revise_columns()) return std::nullopt;
    if (rows_ == 0) throw Error(Code::data, "only a header, no rows", {body_.file, 0, ""});
    if (std::any_of(parsed_.begin(), parsed_.end(), [](const Parsed& p) { return p.inexact; }))
      plan_.fits_float = false;
    if ((sizeof(T) < sizeof(double) && !plan_.fits_float) || !all_parsed) return std::nullopt;
    const auto features = static_cast<Index>(plan_.features.size());
    DenseMatrix<T> x{Buffer<T>(space.memory, space.features(), rows_ * features), rows_, features};
    for (auto& side : space.sides) side.resize(static_cast<std::size_t>(rows_));
    renumber(x, space.sides);
    return without_bad_rows(table_of(std::move(x), std::move(space.sides)));
  }

  // False when there was not enough room. Chunks after one that failed need not be parsed: the first error
  // in the file is reported.
  template <class T>
  bool parse(Space<T>& space) {
    const Destination<T> destination = space.destination();
    parsed_.clear();
    parsed_.resize(chunks_.size());
    std::atomic<std::size_t> first_failed = chunks_.size();
    std::atomic<bool> inexact = false, enough_room = true;
    for_each_chunk([&](std::size_t k) {
      const Chunk& chunk = chunks_[k];
      if (chunk.first_row + chunk.rows > space.rows) enough_room = false;
      if (k > first_failed || inexact || !enough_room) return;
      parsed_[k] = parse_chunk<T>(text(), body_.file, body_.dialect, plan_, chunk, destination);
      if (parsed_[k].inexact) inexact = true;
      if (parsed_[k].error) {
        std::size_t first = first_failed;
        while (k < first && !first_failed.compare_exchange_weak(first, k)) {
        }
      }
    });
    return enough_room;
  }

  void count_rows() {
    for_each_chunk([](std::size_t) {});
    meter_.check(body_.file);
  }

  // Calls work(k) for every chunk on all threads, after finding out where it starts unless that is known.
  void for_each_chunk(const std::function<void(std::size_t)>& work) {
    Chain<Start> chain(chunks_.size(), {body_.line, 0, false});
    parallel_for(thread_count(), [&](Index) {
      for (std::size_t k = chain.take(); k < chunks_.size() && !meter_.stopped(); k = chain.take()) {
        try {
          if (!counted_) {
            const Piece piece(text(), cuts_[k], cuts_[k + 1], body_.dialect);
            const auto chunk = chain.place(k, [&](Start& start) { return piece.place(start); });
            if (!chunk) return;
            chunks_[k] = *chunk;
          }
          work(k);
        } catch (...) {
          chain.give_up();
          throw;
        }
        release_behind(k);
        if (!meter_.add(cuts_[k + 1] - cuts_[k])) chain.give_up();
      }
    });
    if (meter_.stopped()) return;
    counted_ = true;
    rows_ = chunks_.empty() ? 0 : chunks_.back().first_row + chunks_.back().rows;
  }

  // Every now and then gives back the pages that all threads have most likely done with.
  void release_behind(std::size_t k) const {
    constexpr std::size_t together = 16;
    if (k % together != 0 || k < 2 * together) return;
    const std::size_t first = cuts_[k - 2 * together], last = cuts_[k - together];
    body_.content.release(first, last - first);
  }

  // Lets the cells that the chunks found change the kinds and forms of their columns; false when all stay.
  bool revise_columns() {
    std::map<std::size_t, FormEvidence> forms;
    for (const Parsed& parsed : parsed_)
      for (const auto& [column, evidence] : parsed.forms) forms[column].merge(evidence);
    char decimal = plan_.decimal;
    for (const auto& [column, evidence] : forms)
      if (decimal == '\0') decimal = evidence.decimal_mark();
    bool changed = false;
    for (const auto& [column, evidence] : forms) {
      const bool all_seen = plan_.columns[column].kind == Kind::written;
      changed |= revise(plan_, column, evidence, decimal, all_seen ? Known::all : Known::sample, body_.file);
    }
    if (!changed) return false;
    plan_.known.clear();
    plan_.number_texts();
    return true;
  }

  // Merges the levels that the chunks found, in the order of the file, sorts them and renumbers the cells.
  template <class T>
  void renumber(DenseMatrix<T>& x, std::vector<std::vector<double>>& sides) {
    levels_.resize(plan_.texts.size());
    for (std::size_t k = 0; k < plan_.texts.size(); ++k) {
      const Levels& known = plan_.known[k];
      Levels all;
      const auto add = [&](const Levels& from, std::int64_t code) {
        return all.add(from.text(code), Levels::hash(from.text(code)), from.first_line(code), false);
      };
      for (std::int64_t code = 0; code < known.size(); ++code) add(known, code);
      std::vector<std::vector<std::int32_t>> codes(chunks_.size());  // of the chunk's new levels, in `all`
      for (std::size_t c = 0; c < chunks_.size(); ++c)
        for (std::int64_t code = 0; code < parsed_[c].new_levels[k].size(); ++code)
          codes[c].push_back(static_cast<std::int32_t>(add(parsed_[c].new_levels[k], code)));
      levels_[k] = sorted(all);
      // What the sample showed is in its final order already.
      if (all.size() == known.size()) continue;
      const PlannedColumn& column = plan_.columns[plan_.texts[k]];
      parallel_for(static_cast<Index>(chunks_.size()), [&](Index i) {
        const auto c = static_cast<std::size_t>(i);
        const auto final_code = [&](double code) {
          const auto local = static_cast<std::int64_t>(code);
          const auto in_all =
              local < known.size() ? local : codes[c][static_cast<std::size_t>(local - known.size())];
          return levels_[k].position[static_cast<std::size_t>(in_all)];
        };
        for (Index row = chunks_[c].first_row; row < chunks_[c].first_row + chunks_[c].rows; ++row) {
          if (column.side) {
            double& cell = sides[column.slot][static_cast<std::size_t>(row)];
            if (!std::isnan(cell)) cell = static_cast<double>(final_code(cell));
          } else {
            T& cell = x.values[row * x.cols + static_cast<Index>(column.slot)];
            if (!std::isnan(cell)) cell = static_cast<T>(final_code(static_cast<double>(cell)));
          }
        }
      });
    }
  }

  Noticed noticed(std::size_t column) const {
    Noticed result;
    for (const Parsed& parsed : parsed_) {
      if (parsed.missing.empty() || parsed.missing[column].count == 0) continue;
      if (result.missing == 0) result.first_missing_line = parsed.missing[column].first_line;
      result.missing += parsed.missing[column].count;
    }
    if (plan_.columns[column].kind == Kind::text)
      result.level_line = levels_[plan_.columns[column].levels].lines;
    return result;
  }

  Schema schema() const {
    bool numbered = body_.names_by_position;
    for (std::size_t k = 0; k < plan_.features.size(); ++k)
      numbered &=
          plan_.features[k] == k && plan_.columns[k].kind != Kind::text && plan_.columns[k].form.plain();
    if (numbered) return Schema::numbered(static_cast<Index>(plan_.features.size()));
    std::vector<Column> columns;
    for (const std::size_t j : plan_.features) {
      const PlannedColumn& planned = plan_.columns[j];
      Column& column = columns.emplace_back();
      column.name = planned.name;
      column.categorical = planned.kind == Kind::text;
      if (column.categorical) column.levels = levels_[planned.levels].texts;
      column.form = planned.form;
    }
    return Schema(std::move(columns));
  }

  Table without_bad_rows(Table table) const {
    std::vector<Index> bad;
    for (const Parsed& parsed : parsed_) {
      if (bad.empty()) table.unread.first = parsed.first_bad;
      bad.insert(bad.end(), parsed.bad_rows.begin(), parsed.bad_rows.end());
    }
    if (bad.empty()) return table;
    if (static_cast<Index>(bad.size()) == rows_)
      throw Error(Code::data, fmt::format("no row can be read; the first: {}", table.unread.first),
                  {body_.file, 0, ""});
    table.unread.count = static_cast<Index>(bad.size());
    table.notes.push_back({"", unread_text(table.unread)});
    return without_rows(std::move(table), bad);
  }

  template <class T>
  Table table_of(DenseMatrix<T> x, std::vector<std::vector<double>> sides) const {
    Table table;
    table.file = body_.file;
    table.schema = schema();
    table.notes = all_notes(plan_);
    table.x = std::move(x);
    for (const std::size_t j : plan_.features) table.noticed.push_back(noticed(j));
    const auto nothing = [](const Noticed& n) { return n.missing == 0 && n.level_line.empty(); };
    if (std::all_of(table.noticed.begin(), table.noticed.end(), nothing)) table.noticed.clear();
    for (std::size_t k = 0; k < plan_.sides.size(); ++k) {
      const PlannedColumn& column = plan_.columns[plan_.sides[k]];
      SideColumn& side = table.side.emplace_back();
      side.name = column.name;
      side.text = column.kind == Kind::text;
      if (side.text) side.levels = levels_[column.levels].texts;
      side.values = std::move(sides[k]);
      side.noticed = noticed(plan_.sides[k]);
    }
    table.kept = kept_cells(plan_, parsed_);
    return table;
  }

  const Body& body_;
  Plan plan_;
  Meter meter_;
  std::vector<std::size_t> cuts_;
  std::vector<Chunk> chunks_;
  bool counted_ = false;  // chunks_ and rows_ are known
  std::vector<Parsed> parsed_;
  std::vector<SortedLevels> levels_;
  Index rows_ = 0;
};

}  // namespace

Table without_rows(Table table, const std::vector<Index>& rows) {
  if (rows.empty()) return table;
  std::vector<Index> kept;
  auto next = rows.begin();
  for (Index i = 0; i < table.rows(); ++i) {
    if (next != rows.end() && *next == i)
      ++next;
    else
      kept.push_back(i);
  }
  const auto cells = table.kept;  // of the rows that are left alone
  Table result = select_rows(table, kept);
  result.row_numbers = std::move(kept);
  result.kept = cells;
  return result;
}

Table read_body(const Body& body, Plan plan, const Monitor& monitor, std::size_t chunk_bytes) {
  return Reader(body, std::move(plan), monitor, chunk_bytes).run();
}

}  // namespace discern::csv

namespace discern {

Table read_csv_text(const FileContent& content, const std::string& file, const ReadOptions& options,
                    std::size_t chunk_bytes) {
  constexpr std::size_t first_lines = 4096;
  if (looks_like_libsvm(content.text().substr(0, first_lines)))
    throw Error(Code::data, "this looks like LIBSVM, not CSV: a number, then index:value pairs",
                {file, 1, ""});
  csv::Opening opening = csv::read_opening(content.text(), file, options);
  csv::Plan plan = csv::plan_roles(opening.names, file, options, opening.left_out);
  plan.notes = std::move(opening.notes);
  csv::plan_kinds(plan, opening.sample, opening.dialect, csv::Known::sample, file);
  opening.sample = {};
  const csv::Body body{content,
                       file,
                       opening.dialect,
                       opening.body,
                       opening.body_line,
                       !opening.header,
                       opening.bytes_per_row};
  return csv::read_body(body, std::move(plan), options.monitor, chunk_bytes);
}

Table read_csv(const std::string& path, const ReadOptions& options) {
  return parse_file(path, [&](const FileContent& content, const std::string& name) {
    return read_csv_text(content, name, options);
  });
}

Table read_tsv(const std::string& path, const ReadOptions& options) {
  ReadOptions with_tab = options;
  if (!with_tab.separator) with_tab.separator = '\t';
  return read_csv(path, with_tab);
}

}  // namespace discern
