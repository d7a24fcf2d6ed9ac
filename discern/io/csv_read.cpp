#include "discern/io/csv_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/csv.hpp"
#include "discern/io/csv_parse.hpp"
#include "discern/io/csv_scan.hpp"
#include "discern/io/libsvm.hpp"

namespace discern::csv {
namespace {

// Tells the monitor how many bytes are done, counting both passes; the first is the quicker by far.
class Meter {
 public:
  Meter(const Monitor& monitor, std::size_t total)
      : monitor_(monitor), total_(static_cast<std::int64_t>(total)) {}

  bool add(std::size_t bytes) {
    const std::int64_t done = done_ += static_cast<std::int64_t>(bytes);
    if (!stopped_ && !go_on(monitor_, {"reading", std::min(done, total_), total_})) stopped_ = true;
    return !stopped_;
  }
  bool go() { return add(0); }
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

template <class T>
DenseMatrix<T> allocate(Index rows, Index cols, const std::string& file) {
  Index cells = 0;
  if (__builtin_mul_overflow(rows, cols, &cells) ||
      cells > std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(T)))
    throw Error(Code::memory, fmt::format("{} rows of {} columns do not fit in memory", rows, cols),
                {file, 0, ""});
  return {Buffer<T>(cells), rows, cols};
}

class Reader {
 public:
  Reader(const Body& body, Plan plan, const Monitor& monitor, std::size_t chunk_bytes)
      : body_(body), plan_(std::move(plan)), meter_(monitor, body.content.text().size()) {
    chunks_ = scan(text(), body_.begin, body_.line, body_.dialect, chunk_bytes,
                   [this](std::size_t first, std::size_t bytes) {
                     body_.content.release(first, bytes);
                     return meter_.go();
                   });
    meter_.check(body_.file);
    for (const Chunk& chunk : chunks_) rows_ += chunk.rows;
    if (rows_ == 0) throw Error(Code::data, "only a header, no rows", {body_.file, 0, ""});
  }

  Table run() {
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

  // Empty when what the file holds made a change of plan necessary.
  template <class T>
  std::optional<Table> attempt() {
    DenseMatrix<T> x = allocate<T>(rows_, static_cast<Index>(plan_.features.size()), body_.file);
    std::vector<std::vector<double>> sides(plan_.sides.size(),
                                           std::vector<double>(static_cast<std::size_t>(rows_)));
    parse(x, sides);
    meter_.check(body_.file);
    if (found_text_in_undecided()) return std::nullopt;
    for (const Parsed& parsed : parsed_)
      if (parsed.error) throw *parsed.error;
    if (std::any_of(parsed_.begin(), parsed_.end(), [](const Parsed& p) { return p.inexact; }))
      plan_.fits_float = false;
    if (sizeof(T) < sizeof(double) && !plan_.fits_float) return std::nullopt;
    renumber(x, sides);
    return table_of(std::move(x), std::move(sides));
  }

  // Chunks after one that failed need not be parsed: the first error in the file is reported.
  template <class T>
  void parse(DenseMatrix<T>& x, std::vector<std::vector<double>>& sides) {
    Destination<T> destination{x.values.data(), {}};
    for (auto& side : sides) destination.sides.push_back(side.data());
    parsed_.clear();
    parsed_.resize(chunks_.size());
    std::atomic<Index> first_failed = static_cast<Index>(chunks_.size());
    std::atomic<bool> inexact = false;
    parallel_for(static_cast<Index>(chunks_.size()), [&](Index k) {
      if (k > first_failed || inexact || meter_.stopped()) return;
      const Chunk& chunk = chunks_[static_cast<std::size_t>(k)];
      Parsed& parsed = parsed_[static_cast<std::size_t>(k)];
      parsed = parse_chunk<T>(text(), body_.file, body_.dialect, plan_, chunk, destination);
      if (parsed.inexact) inexact = true;
      if (parsed.error) {
        Index first = first_failed;
        while (k < first && !first_failed.compare_exchange_weak(first, k)) {
        }
      }
      body_.content.release(chunk.begin, chunk.end - chunk.begin);
      meter_.add(chunk.end - chunk.begin);
    });
  }

  bool found_text_in_undecided() {
    bool found = false;
    for (std::size_t j = 0; j < plan_.columns.size(); ++j) {
      if (plan_.columns[j].kind != Kind::undecided) continue;
      const auto first = std::find_if(parsed_.begin(), parsed_.end(), [j](const Parsed& parsed) {
        return !parsed.first_values.empty() && parsed.first_values[j] != FirstValue::none;
      });
      if (first == parsed_.end() || first->first_values[j] != FirstValue::text) continue;
      plan_.columns[j].kind = Kind::text;
      found = true;
    }
    if (!found) return false;
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
            if (cell == cell) cell = static_cast<double>(final_code(cell));
          } else {
            T& cell = x.values[row * x.cols + static_cast<Index>(column.slot)];
            if (cell == cell) cell = static_cast<T>(final_code(static_cast<double>(cell)));
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
      numbered &= plan_.features[k] == k && plan_.columns[k].kind != Kind::text;
    if (numbered) return Schema::numbered(static_cast<Index>(plan_.features.size()));
    std::vector<Column> columns;
    for (const std::size_t j : plan_.features) {
      const PlannedColumn& planned = plan_.columns[j];
      Column& column = columns.emplace_back();
      column.name = planned.name;
      column.categorical = planned.kind == Kind::text;
      if (column.categorical) column.levels = levels_[planned.levels].texts;
    }
    return Schema(std::move(columns));
  }

  template <class T>
  Table table_of(DenseMatrix<T> x, std::vector<std::vector<double>> sides) const {
    Table table;
    table.file = body_.file;
    table.schema = schema();
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
    return table;
  }

  const Body& body_;
  Plan plan_;
  Meter meter_;
  std::vector<Chunk> chunks_;
  std::vector<Parsed> parsed_;
  std::vector<SortedLevels> levels_;
  Index rows_ = 0;
};

}  // namespace

Table read_body(const Body& body, Plan plan, const Monitor& monitor, std::size_t chunk_bytes) {
  return Reader(body, std::move(plan), monitor, chunk_bytes).run();
}

}  // namespace discern::csv

namespace discern {
namespace {

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace

Table read_csv_text(const FileContent& content, const std::string& file, const ReadOptions& options,
                    std::size_t chunk_bytes) {
  constexpr std::size_t first_lines = 4096;
  if (looks_like_libsvm(content.text().substr(0, first_lines)))
    throw Error(Code::data, "this looks like LIBSVM, not CSV: a number, then index:value pairs",
                {file, 1, ""});
  csv::Opening opening = csv::read_opening(content.text(), file, options);
  csv::Plan plan = csv::plan_roles(opening.names, file, options);
  csv::plan_kinds(plan, opening.sample, opening.dialect);
  opening.sample = {};
  const csv::Body body{content, file, opening.dialect, opening.body, opening.body_line, !opening.header};
  return csv::read_body(body, std::move(plan), options.monitor, chunk_bytes);
}

Table read_csv(const std::string& path, const ReadOptions& options) {
  return read_csv_text(FileContent(path), name_of(path), options);
}

Table read_tsv(const std::string& path, const ReadOptions& options) {
  ReadOptions with_tab = options;
  if (!with_tab.separator) with_tab.separator = '\t';
  return read_csv(path, with_tab);
}

}  // namespace discern
