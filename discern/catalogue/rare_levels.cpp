#include "discern/catalogue/rare_levels.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "discern/base/threads.hpp"

namespace discern {
namespace {

template <class T>
std::vector<Index> level_counts(const DenseMatrix<T>& x, Index column, std::size_t levels) {
  std::vector<Index> counts(levels);
  for (Index i = 0; i < x.rows; ++i)
    if (const T code = x.values[i * x.cols + column]; !std::isnan(code))
      ++counts[static_cast<std::size_t>(code)];
  return counts;
}

// The new code of each level of a column; nothing when none is rare.
using Codes = std::vector<double>;
std::optional<Codes> pool(Column& column, Noticed& noticed, const std::vector<Index>& counts, Index least) {
  if (std::none_of(counts.begin(), counts.end(), [&](Index n) { return n < least; })) return std::nullopt;
  std::vector<std::string> levels;
  std::vector<Index> lines;
  Codes codes(counts.size(), -1);
  Index first_line = 0;  // of the levels pooled
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const Index line = k < noticed.level_line.size() ? noticed.level_line[k] : 0;
    if (counts[k] < least) {
      if (first_line == 0 || line < first_line) first_line = line;
      continue;
    }
    codes[k] = static_cast<double>(levels.size());
    levels.push_back(column.levels[k]);
    lines.push_back(line);
  }
  column.other = static_cast<Index>(levels.size());
  std::replace(codes.begin(), codes.end(), -1.0, static_cast<double>(column.other));
  std::string name = "other";
  while (std::find(levels.begin(), levels.end(), name) != levels.end()) name.insert(0, 1, '(').push_back(')');
  levels.push_back(name);
  lines.push_back(first_line);
  column.levels = std::move(levels);
  noticed.level_line = std::move(lines);
  return codes;
}

template <class T>
DenseMatrix<T> recoded(const DenseMatrix<T>& x, const std::vector<std::optional<Codes>>& codes) {
  DenseMatrix<T> out{Buffer<T>(x.rows * x.cols), x.rows, x.cols};
  std::copy_n(x.values.data(), x.rows * x.cols, out.values.data());
  parallel_for(x.cols, [&](Index j) {
    const auto& of = codes[static_cast<std::size_t>(j)];
    if (!of) return;
    for (Index i = 0; i < x.rows; ++i) {
      T& code = out.values[i * x.cols + j];
      if (!std::isnan(code)) code = static_cast<T>((*of)[static_cast<std::size_t>(code)]);
    }
  });
  return out;
}

}  // namespace

Index pool_rare_levels(Table& table, Index least) {
  if (is_sparse(table.x) || !table.schema.any_categorical()) return 0;
  Index pooled = 0;
  std::vector<Column> columns;
  std::vector<std::optional<Codes>> codes(static_cast<std::size_t>(table.schema.size()));
  std::visit(
      [&]<class M>(M& x) {
        if constexpr (std::is_same_v<M, DenseMatrix<float>> || std::is_same_v<M, DenseMatrix<double>>) {
          for (Index j = 0; j < table.schema.size(); ++j) {
            Column& column = columns.emplace_back(table.schema.column(j));
            if (!column.categorical) continue;
            const auto before = static_cast<Index>(column.levels.size());
            const auto at = static_cast<std::size_t>(j);
            codes[at] = pool(column, table.noticed[at], level_counts(x, j, column.levels.size()), least);
            if (codes[at]) pooled += before - static_cast<Index>(column.levels.size()) + 1;
          }
          if (pooled > 0) x = recoded(x, codes);
        }
      },
      table.x);
  if (pooled > 0) table.schema = Schema(std::move(columns));
  return pooled;
}

}  // namespace discern
