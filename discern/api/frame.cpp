#include "discern/api/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/table.hpp"
#include "discern/io/table/read.hpp"

namespace discern {
namespace {

struct FrameColumn {
  Column column;
  std::vector<double> values;
  Noticed noticed;
};

// Row 1 of a frame is what line 1 is to a file.
void note_missing(FrameColumn& column) {
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    if (!std::isnan(column.values[i])) continue;
    if (column.noticed.missing++ == 0) column.noticed.first_missing_line = static_cast<Index>(i) + 1;
  }
}

FrameColumn number_column(const std::string& name, const Numbers& numbers) {
  FrameColumn column{{name, false, {}}, numbers.values(), {}};
  for (std::size_t i = 0; i < column.values.size(); ++i)
    if (std::isinf(column.values[i]))
      throw Error(Code::data, fmt::format("row {}: found an infinite number", i + 1), {"", 0, name});
  note_missing(column);
  return column;
}

FrameColumn text_column(const std::string& name, const std::vector<std::string_view>& texts) {
  std::vector<std::string_view> present;
  std::copy_if(texts.begin(), texts.end(), std::back_inserter(present),
               [](auto text) { return !text.empty(); });
  const Labels labels(present);
  FrameColumn column{{name, true, labels.names()}, {}, {}};
  column.noticed.level_line.assign(labels.names().size(), 0);
  auto next = labels.indices().begin();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) {
      column.values.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    Index& line = column.noticed.level_line[static_cast<std::size_t>(*next)];
    if (line == 0) line = static_cast<Index>(i) + 1;
    column.values.push_back(*next++);
  }
  note_missing(column);
  return column;
}

// The columns side by side as the rows of one matrix.
Features gather(const std::vector<FrameColumn>& columns, Index rows) {
  const auto cols = static_cast<Index>(columns.size());
  DenseMatrix<double> x{Buffer<double>(rows * cols), rows, cols};
  double* out = x.values.data();
  constexpr Index at_once = 4096;
  parallel_for((rows + at_once - 1) / at_once, [&](Index block) {
    for (Index j = 0; j < cols; ++j)
      for (Index i = block * at_once; i < std::min(rows, (block + 1) * at_once); ++i)
        out[i * cols + j] = columns[static_cast<std::size_t>(j)].values[static_cast<std::size_t>(i)];
  });
  return x;
}

}  // namespace

struct Frame::Content {
  std::vector<FrameColumn> columns;
  std::optional<Table> table;  // in place of the columns where it was read
};

Frame::Frame(Table table) : content_(std::make_shared<Content>()) { content_->table = std::move(table); }

Frame::Content& Frame::writable() {
  if (content_ == nullptr) content_ = std::make_shared<Content>();
  if (content_->table)
    throw Error(Code::usage, "columns cannot be added to a frame that was read from a file");
  if (content_.use_count() > 1) content_ = std::make_shared<Content>(*content_);
  return *content_;
}

namespace {

void append(std::vector<FrameColumn>& columns, FrameColumn column) {
  const std::string& name = column.column.name;
  for (const FrameColumn& other : columns) {
    if (other.column.name == name)
      throw Error(Code::usage, "the frame has a column of this name", {"", 0, name});
    if (other.values.size() != column.values.size())
      throw Error(Code::usage,
                  fmt::format("found {} rows, expected {} as in the other columns", column.values.size(),
                              other.values.size()),
                  {"", 0, name});
  }
  columns.push_back(std::move(column));
}

}  // namespace

Frame& Frame::add_numbers(const std::string& name, const Numbers& numbers) {
  append(writable().columns, number_column(name, numbers));
  return *this;
}

Frame& Frame::add_texts(const std::string& name, const std::vector<std::string_view>& texts) {
  append(writable().columns, text_column(name, texts));
  return *this;
}

Index Frame::rows() const {
  if (content_ == nullptr) return 0;
  if (content_->table) return content_->table->rows();
  return content_->columns.empty() ? 0 : static_cast<Index>(content_->columns.front().values.size());
}

std::vector<std::string> Frame::columns() const {
  std::vector<std::string> names;
  if (content_ == nullptr) return names;
  for (const FrameColumn& column : content_->columns) names.push_back(column.column.name);
  if (!content_->table) return names;
  for (const SideColumn& column : content_->table->side) names.push_back(column.name);
  for (Index j = 0; j < content_->table->schema.size(); ++j) names.push_back(content_->table->schema.name(j));
  return names;
}

Table Frame::table() const {
  if (content_ != nullptr && content_->table) return *content_->table;
  Table table;
  if (content_ == nullptr) return table;
  std::vector<Column> columns;
  for (const FrameColumn& column : content_->columns) {
    columns.push_back(column.column);
    table.noticed.push_back(column.noticed);
  }
  table.schema = Schema(std::move(columns));
  table.x = gather(content_->columns, rows());
  return table;
}

Frame read_frame(const std::string& path, const FrameOptions& options) {
  ReadOptions reading;
  reading.format = options.format;
  reading.separator = options.separator;
  reading.header = options.header;
  reading.categorical = options.categorical;
  reading.numeric = options.numeric;
  reading.features = options.features;
  reading.ignore = options.ignore;
  reading.query = options.query;
  reading.monitor = options.monitor;
  return Frame(read_table(path, reading));
}

}  // namespace discern
