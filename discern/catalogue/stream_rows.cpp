#include "discern/catalogue/stream_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "discern/base/error.hpp"

namespace discern {
namespace {

constexpr Index most_levels = 1000000;
constexpr Index most_columns = 50000000;

}  // namespace

StreamRows::StreamRows(const Table& first, const Policy& policy)
    : policy_(policy), numbered_(first.schema.is_numbered()), sparse_(is_sparse(first.x)) {
  set_columns(first.schema);
  if (policy.hash_bits == 0) return;
  // A row of LIBSVM may have any column.
  const Index any = std::numeric_limits<std::int32_t>::max();
  const Schema schema = sparse_     ? Schema::numbered(any)
                        : numbered_ ? Schema::numbered(first.schema.size())
                                    : Schema(input_);
  hash_.emplace(schema, std::vector<Step>{Hashing::make(policy.hash_bits, schema)});
  entries_ = hash_->features();
  number_columns_.clear();
  texts_.clear();
}

StreamRows::StreamRows(const Pipeline& before, const Table& first, const Policy& policy)
    : policy_(policy), numbered_(before.input().is_numbered()), sparse_(is_sparse(first.x)) {
  if (sparse_ && !numbered_)
    throw Error(Code::data, "the data are sparse with numbered columns, the model was trained on named ones",
                {first.file, 0, ""});
  for (const Step& step : before.steps()) {
    if (std::holds_alternative<Hashing>(step)) {
      hash_ = before;
      entries_ = before.features();
      return;
    }
    if (!std::holds_alternative<Impute>(step) && !std::holds_alternative<OneHot>(step))
      throw Error(Code::usage, "`continue`: the features of the model come from a basis, and cannot go on");
  }
  if (const auto* impute = before.steps().empty() ? nullptr : std::get_if<Impute>(&before.steps()[0]);
      impute != nullptr && !impute->indicators.empty())
    throw Error(
        Code::usage,
        "`continue`: the model has indicators of missing cells, and a stream cannot go on with those");
  set_columns(before.input());
  if (sparse_) entries_ = before.features();
  for (TextColumn& text : texts_) {
    text.other = before.input().column(text.column).other;
    for (const std::string& level : before.input().column(text.column).levels) {
      text.find.emplace(level, static_cast<Index>(text.levels.size()));
      text.levels.push_back(level);
      text.entry.push_back(entries_++);
      text.count.push_back(0);
    }
    if (const auto* impute = before.steps().empty() ? nullptr : std::get_if<Impute>(&before.steps()[0]))
      text.most_frequent = static_cast<Index>(impute->fill[static_cast<std::size_t>(text.column)]);
  }
}

void StreamRows::set_columns(const Schema& schema) {
  if (sparse_) return;
  for (Index j = 0; j < schema.size(); ++j) {
    input_.push_back({schema.name(j), schema.categorical(j), {}, schema.column(j).form});
    if (schema.categorical(j))
      texts_.emplace_back().column = j;
    else
      number_columns_.push_back(j);
  }
}

void StreamRows::match(const Table& table) {
  from_.clear();
  direct_ = texts_.empty();
  for (std::size_t j = 0; j < input_.size(); ++j) {
    const auto found = table.schema.find(input_[j].name);
    if (!found)
      throw Error(Code::data, "the model needs this column, and the data do not have it",
                  {table.file, 0, input_[j].name});
    from_.push_back(*found);
    direct_ &= *found == static_cast<Index>(j);
  }
  direct_ &= table.schema.size() == static_cast<Index>(input_.size());
}

void StreamRows::begin(const Table& table) {
  table_ = &table;
  for (std::size_t j = 0; j < table.noticed.size(); ++j) {
    missing_ += table.noticed[j].missing;
    if (table.schema.categorical(static_cast<Index>(j)) && !policy_.encode)
      throw Error(Code::data, "the column holds text, and encoding it was not asked for",
                  {table.file, 0, table.schema.name(static_cast<Index>(j))});
  }
  if (const auto column = table.first_missing(); column && !policy_.impute)
    throw Error(Code::data, "found a missing value, expected none",
                {table.file, table.noticed[static_cast<std::size_t>(*column)].first_missing_line,
                 table.schema.name(*column)});
  if (hash_) {
    hashed_input_ = discern::arrange(table, *hash_, {}).x;
    sparse_rows_ = std::get<SparseRows<double>>(
        hash_->apply(rows_of(hashed_input_, 0, row_count(hashed_input_)), scratch_));
    return;
  }
  if (sparse_) {
    entries_ = std::max(entries_, table.schema.size());
    if (entries_ > most_columns)
      throw Error(Code::memory,
                  fmt::format("the index {}, and the limit is {}; `hash` BITS learns any in constant memory",
                              entries_, most_columns),
                  {table.file, 0, ""});
    sparse_rows_ = std::get<SparseRows<double>>(rows_of(table.x, 0, table.rows()));
    return;
  }
  match(table);
  for (TextColumn& text : texts_)
    text.codes.assign(table.schema.column(from_[static_cast<std::size_t>(text.column)]).levels.size(), -1);
}

Index StreamRows::level_of(TextColumn& text, std::size_t code) {
  Index& known = text.codes[code];
  if (known >= 0) return known;
  const Index column = from_[static_cast<std::size_t>(text.column)];
  const std::string& level = table_->schema.column(column).levels[code];
  if (text.other >= 0) {
    const auto found = text.find.find(level);
    return known = found == text.find.end() ? text.other : found->second;
  }
  const auto [found, added] = text.find.emplace(level, static_cast<Index>(text.levels.size()));
  if (added) {
    if (entries_ >= most_levels)
      throw Error(Code::memory,
                  fmt::format("more than {} different texts; `hash` BITS learns any number of them in "
                              "constant memory",
                              most_levels),
                  {table_->file, table_->noticed[static_cast<std::size_t>(column)].level_line[code],
                   input_[static_cast<std::size_t>(text.column)].name});
    text.levels.push_back(level);
    text.entry.push_back(entries_++);
    text.count.push_back(0);
  }
  return known = found->second;
}

StreamRows::Row StreamRows::row(Index i) {
  if (hash_ || sparse_) return {nullptr, sparse_rows_.row(i)};
  const auto& x = std::get<DenseMatrix<double>>(table_->x);
  const double* const cells = x.values.data() + i * x.cols;
  if (direct_) return {cells, {nullptr, nullptr, 0}};
  numbers_.clear();
  for (const Index j : number_columns_) numbers_.push_back(cells[from_[static_cast<std::size_t>(j)]]);
  columns_.clear();
  for (TextColumn& text : texts_) {
    const double cell = cells[from_[static_cast<std::size_t>(text.column)]];
    if (std::isnan(cell) && text.levels.empty()) continue;
    const Index level =
        std::isnan(cell) ? text.most_frequent : level_of(text, static_cast<std::size_t>(cell));
    const auto at = static_cast<std::size_t>(level);
    if (!std::isnan(cell) && (text.count[at] += 1) > text.count[static_cast<std::size_t>(text.most_frequent)])
      text.most_frequent = level;
    columns_.push_back(static_cast<std::uint32_t>(text.entry[at]));
  }
  values_.assign(columns_.size(), 1.0);
  return {numbers_.data(), {values_.data(), columns_.data(), static_cast<Index>(columns_.size())}};
}

Pipeline StreamRows::pipeline(const Eigen::VectorXd& fill) const {
  if (hash_) return *hash_;
  if (sparse_) return Pipeline(Schema::numbered(entries_), {});
  std::vector<Column> columns = input_;
  Impute impute;
  impute.fill.resize(columns.size());
  for (std::size_t k = 0; k < number_columns_.size(); ++k)
    impute.fill[static_cast<std::size_t>(number_columns_[k])] = fill[static_cast<Index>(k)];
  OneHot encode{std::vector<Index>(columns.size(), 0), false};
  for (const TextColumn& text : texts_) {
    const auto at = static_cast<std::size_t>(text.column);
    if (text.levels.empty())
      throw Error(Code::data, "the column has no value at all; leave it out with `ignore`",
                  {"", 0, columns[at].name});
    columns[at].levels = text.levels;
    columns[at].other = text.other;
    encode.levels[at] = static_cast<Index>(text.levels.size());
    impute.fill[at] = static_cast<double>(text.most_frequent);
  }
  std::vector<Step> steps{std::move(impute)};
  if (!texts_.empty()) steps.emplace_back(std::move(encode));
  return Pipeline(numbered_ ? Schema::numbered(static_cast<Index>(columns.size())) : Schema(columns),
                  std::move(steps));
}

std::vector<Index> StreamRows::layout() const {
  std::vector<Index> order;
  if (hash_ || sparse_) {
    order.resize(static_cast<std::size_t>(entries_));
    std::iota(order.begin(), order.end(), Index{0});
    return order;
  }
  Index number = 0;
  auto text = texts_.begin();
  for (std::size_t j = 0; j < input_.size(); ++j) {
    if (!input_[j].categorical) {
      order.push_back(number++);
      continue;
    }
    for (const Index entry : text->entry) order.push_back(numbers() + entry);
    ++text;
  }
  return order;
}

std::vector<Index> StreamRows::arrange_entries() {
  std::vector<Index> order;
  for (TextColumn& text : texts_)
    for (Index& entry : text.entry) {
      order.push_back(entry);
      entry = static_cast<Index>(order.size()) - 1;
    }
  return order;
}

std::vector<double> StreamRows::level_counts() const {
  std::vector<double> counts;
  for (const TextColumn& text : texts_) counts.insert(counts.end(), text.count.begin(), text.count.end());
  return counts;
}

void StreamRows::set_level_counts(const std::vector<double>& counts) {
  std::size_t next = 0;
  for (TextColumn& text : texts_)
    for (double& count : text.count) count = counts[next++];
}

}  // namespace discern
