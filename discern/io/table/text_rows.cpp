#include "discern/io/table/text_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/base/error.hpp"
#include "discern/io/csv/csv_parse.hpp"
#include "discern/io/csv/csv_plan.hpp"
#include "discern/io/csv/csv_read.hpp"
#include "discern/io/libsvm/libsvm.hpp"
#include "discern/io/libsvm/libsvm_lines.hpp"

namespace discern {
namespace {

std::vector<std::string> texts_of(const Levels& levels) {
  std::vector<std::string> texts;
  for (std::int64_t code = 0; code < levels.size(); ++code) texts.emplace_back(levels.text(code));
  return texts;
}

class CsvRows : public TextRows {
 public:
  CsvRows(std::string_view text, const std::string& file, const ReadOptions& options) : file_(file) {
    csv::Opening opening = csv::read_opening(text, file, options);
    plan_ = csv::plan_roles(opening.names, file, options, opening.left_out);
    plan_.notes = std::move(opening.notes);
    csv::plan_kinds(plan_, opening.sample, opening.dialect, csv::Known::all, file);
    plan_.fixed = true;
    notes_ = csv::all_notes(plan_);
    for (Levels& known : plan_.known) known = {};  // every piece has its own
    dialect_ = opening.dialect;
    begin_ = opening.body;
    start_.line = opening.body_line;
    numbered_ = !opening.header;
    for (std::size_t k = 0; k < plan_.features.size(); ++k)
      numbered_ &= plan_.features[k] == k && plan_.columns[k].kind == csv::Kind::number;
  }

  std::size_t begin() const override { return begin_; }
  Index line() const override { return followed_ > 0 ? after_.record_line : start_.line; }

  std::optional<TextPiece> place(std::string_view text, bool last) override {
    if (followed_ == 0) after_ = start_;
    csv::Chunk chunk = csv::Piece(text, followed_, text.size(), dialect_).place(after_);
    if (followed_ > 0) chunk = {0, text.size(), start_.line, 0, after_.row, csv::Quotes::any};
    if (after_.inside_quotes && !last && after_.row <= 1) {
      followed_ = text.size();
      return std::nullopt;
    }
    if (after_.inside_quotes && !last) {  // the rows before the one that is not whole
      chunk.end = after_.record;
      chunk.rows = after_.row - 1;
    }
    start_.line = after_.inside_quotes && !last ? after_.record_line : after_.line;
    followed_ = 0;
    return TextPiece{std::string(text.substr(0, chunk.end)), chunk};
  }

  ParsedRows parse(const TextPiece& piece) const override {
    const Index rows = piece.chunk.rows;
    const auto features = static_cast<Index>(plan_.features.size());
    DenseMatrix<double> x{Buffer<double>(rows * features), rows, features};
    std::vector<std::vector<double>> sides(plan_.sides.size(),
                                           std::vector<double>(static_cast<std::size_t>(rows)));
    csv::Destination<double> to{x.values.data(), {}};
    for (auto& side : sides) to.sides.push_back(side.data());
    std::vector<csv::Parsed> all;  // moved in, as levels must not be copied
    all.push_back(csv::parse_chunk<double>(piece.text, file_, dialect_, plan_, piece.chunk, to));
    const csv::Parsed& parsed = all[0];
    x.rows = parsed.rows;
    for (auto& side : sides) side.resize(static_cast<std::size_t>(parsed.rows));
    Table table = csv::without_rows(table_of(std::move(x), std::move(sides), parsed), parsed.bad_rows);
    table.unread = {static_cast<Index>(parsed.bad_rows.size()), parsed.first_bad};
    table.row_numbers.clear();  // those of the piece mean nothing
    table.kept = csv::kept_cells(plan_, all);
    return {std::move(table), parsed.error};
  }

 private:
  Noticed noticed(std::size_t column, const csv::Parsed& parsed) const {
    Noticed result;
    if (!parsed.missing.empty()) {
      result.missing = parsed.missing[column].count;
      result.first_missing_line = parsed.missing[column].first_line;
    }
    if (plan_.columns[column].kind != csv::Kind::text) return result;
    const Levels& levels = parsed.new_levels[plan_.columns[column].levels];
    for (std::int64_t code = 0; code < levels.size(); ++code)
      result.level_line.push_back(levels.first_line(code));
    return result;
  }

  Table table_of(DenseMatrix<double> x, std::vector<std::vector<double>> sides,
                 const csv::Parsed& parsed) const {
    Table table;
    table.file = file_;
    table.notes = notes_;
    std::vector<Column> columns;
    for (const std::size_t j : plan_.features) {
      const csv::PlannedColumn& planned = plan_.columns[j];
      Column& column = columns.emplace_back();
      column.name = planned.name;
      column.categorical = planned.kind == csv::Kind::text;
      if (column.categorical) column.levels = texts_of(parsed.new_levels[planned.levels]);
      column.form = planned.form;
      table.noticed.push_back(noticed(j, parsed));
    }
    table.schema = numbered_ ? Schema::numbered(x.cols) : Schema(std::move(columns));
    table.x = std::move(x);
    for (std::size_t k = 0; k < plan_.sides.size(); ++k) {
      const csv::PlannedColumn& column = plan_.columns[plan_.sides[k]];
      SideColumn& side = table.side.emplace_back();
      side.name = column.name;
      side.text = column.kind == csv::Kind::text;
      if (side.text) side.levels = texts_of(parsed.new_levels[column.levels]);
      side.values = std::move(sides[k]);
      side.noticed = noticed(plan_.sides[k], parsed);
    }
    return table;
  }

  std::string file_;
  csv::Plan plan_;
  std::vector<Note> notes_;
  csv::Dialect dialect_;
  std::size_t begin_ = 0;
  csv::Start start_;          // of the next piece
  std::size_t followed_ = 0;  // how much of it was looked at and holds no whole row, ...
  csv::Start after_;          // ... and what comes after that
  bool numbered_ = false;
};

class LibsvmRows : public TextRows {
 public:
  LibsvmRows(std::string_view text, const std::string& file, const ReadOptions& options)
      : file_(file),
        begin_(text.starts_with("\xEF\xBB\xBF") ? 3 : 0),
        text_labels_(libsvm::wants_text_labels(options, file)) {
    if (!options.keep.empty() || options.keep_all)
      throw Error(Code::usage, "`keep` is for tables with columns; rows of LIBSVM have none", {file, 0, ""});
    if (!options.features.empty() || !options.ignore.empty())
      throw Error(Code::usage, "`features` and `ignore` are not for streams of LIBSVM rows", {file, 0, ""});
    if (options.expected != nullptr && options.expected->is_numbered())
      expected_ = std::min<Index>(options.expected->size(), libsvm::largest_index);
  }

  std::size_t begin() const override { return begin_; }
  Index line() const override { return line_; }

  std::optional<TextPiece> place(std::string_view text, bool) override {
    TextPiece piece{std::string(text), {}};
    piece.chunk.first_line = line_;
    line_ += std::count(text.begin(), text.end(), '\n');
    return piece;
  }

  ParsedRows parse(const TextPiece& piece) const override {
    const std::string& text = piece.text;
    const auto lines = static_cast<Index>(std::count(text.begin(), text.end(), '\n')) + 1;
    const auto room = static_cast<Index>(std::count(text.begin(), text.end(), ':'));
    SparseMatrix<double> x{Buffer<double>(room), Buffer<std::uint32_t>(room), Buffer<std::int64_t>(lines + 1),
                           0, 0};
    SideColumn label{"label", text_labels_, {}, std::vector<double>(static_cast<std::size_t>(lines)), {}};
    libsvm::Piece found;
    found.begin = text.data();
    found.end = text.data() + text.size();
    found.rows = lines;
    found.entries = room;
    found.first_line = piece.chunk.first_line;
    const auto limit = static_cast<std::uint32_t>(expected_.value_or(libsvm::largest_index));
    libsvm::PieceParser<double>(found,
                                {x.values.data(), x.columns.data(), x.starts.data() + 1, label.values.data()},
                                text, file_, text_labels_, limit)
        .run();
    x.starts[0] = 0;
    x.rows = found.rows;
    x.cols = expected_.value_or(found.columns);
    label.values.resize(static_cast<std::size_t>(found.rows));
    label.levels = std::move(found.labels);
    label.noticed.level_line = std::move(found.label_lines);
    Table table;
    table.file = file_;
    table.schema = Schema::numbered(x.cols);
    table.x = std::move(x);
    table.side.push_back(std::move(label));
    table.skipped_entries = found.skipped;
    return {std::move(table), found.error};
  }

 private:
  std::string file_;
  std::size_t begin_;
  bool text_labels_;
  std::optional<Index> expected_;
  Index line_ = 1;
};

}  // namespace

std::unique_ptr<TextRows> make_csv_rows(std::string_view opening, const std::string& file,
                                        const ReadOptions& options) {
  constexpr std::size_t first_lines = 4096;
  if (looks_like_libsvm(opening.substr(0, first_lines)))
    throw Error(Code::data, "this looks like LIBSVM, not CSV: a number, then index:value pairs",
                {file, 1, ""});
  return std::make_unique<CsvRows>(opening, file, options);
}

std::unique_ptr<TextRows> make_libsvm_rows(std::string_view opening, const std::string& file,
                                           const ReadOptions& options) {
  return std::make_unique<LibsvmRows>(opening, file, options);
}

}  // namespace discern
