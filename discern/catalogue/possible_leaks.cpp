#include "discern/catalogue/possible_leaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/base/threads.hpp"
#include "discern/catalogue/unsuitable_columns.hpp"

namespace discern {
namespace {

constexpr Index least_rows = 20;
constexpr Index least_class = 5;  // rows
constexpr Index cells_per_level = 5;
constexpr Index most_classes_looked_at = 100;
constexpr double linear_error = 1e-9;
constexpr int none = -1, several = -2;  // a level's class

template <class T>
double cell(const DenseMatrix<T>& x, Index i, Index j) {
  return static_cast<double>(x.values[i * x.cols + j]);
}

// The range of a class in a column.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};

bool apart(std::vector<Range> ranges) {
  std::erase_if(ranges, [](const Range& r) { return r.low > r.high; });
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.low < b.low; });
  for (std::size_t k = 1; k < ranges.size(); ++k)
    if (!(ranges[k - 1].high < ranges[k].low)) return false;
  return true;
}

// One class for the level so far.
void join(int& level, int label) {
  if (level != label) level = level == none ? label : several;
}

template <class T>
bool numbers_tell(const DenseMatrix<T>& x, Index j, const std::vector<double>& labels, std::size_t classes) {
  std::vector<Range> ranges(classes);
  int missing = none;
  Index look = 32;  // when the ranges are compared next
  for (Index i = 0; i < x.rows; ++i) {
    const auto k = static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]);
    const double value = cell(x, i, j);
    if (std::isnan(value)) {
      join(missing, static_cast<int>(k));
      if (missing == several) return false;
      continue;
    }
    ranges[k] = {std::min(ranges[k].low, value), std::max(ranges[k].high, value)};
    if (i < look) continue;
    if (!apart(ranges)) return false;
    look *= 2;
  }
  if (missing >= 0 &&
      ranges[static_cast<std::size_t>(missing)].low <= ranges[static_cast<std::size_t>(missing)].high)
    return false;
  return apart(std::move(ranges));
}

template <class T>
bool text_tells(const DenseMatrix<T>& x, Index j, const std::vector<double>& labels, std::size_t levels) {
  if (static_cast<Index>(levels) * cells_per_level > x.rows) return false;
  std::vector<int> level(levels + 1, none);  // the last: of missing cells
  for (Index i = 0; i < x.rows; ++i) {
    const double value = cell(x, i, j);
    int& one = level[std::isnan(value) ? levels : static_cast<std::size_t>(value)];
    join(one, static_cast<int>(labels[static_cast<std::size_t>(i)]));
    if (one == several) return false;
  }
  return true;
}

// y = a + b x through the first row and the first that differs from it, for all rows.
template <class T>
bool line_tells(const DenseMatrix<T>& x, Index j, const std::vector<double>& y, double scale) {
  Index other = 1;
  while (other < x.rows && cell(x, other, j) == cell(x, 0, j)) ++other;
  if (other == x.rows) return false;
  const double slope = (y[static_cast<std::size_t>(other)] - y[0]) / (cell(x, other, j) - cell(x, 0, j));
  for (Index i = 0; i < x.rows; ++i)
    if (!(std::fabs(y[0] + slope * (cell(x, i, j) - cell(x, 0, j)) - y[static_cast<std::size_t>(i)]) <=
          linear_error * scale))
      return false;
  return slope != 0;
}

// The spread of the targets; 0 when they do not differ.
double spread(const std::vector<double>& y) {
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  return *high - *low;
}

bool every_class_counts(const SideColumn& target) {
  std::vector<Index> rows(target.levels.size());
  for (const double value : target.values) ++rows[static_cast<std::size_t>(value)];
  return rows.size() > 1 && static_cast<Index>(rows.size()) <= most_classes_looked_at &&
         *std::min_element(rows.begin(), rows.end()) >= least_class;
}

}  // namespace

std::vector<std::string> possible_leaks(const Table& table, const SideColumn& target) {
  std::vector<std::string> leaks;
  if (without_names(table) || table.rows() < least_rows) return leaks;
  if (target.text && !every_class_counts(target)) return leaks;
  const double scale = target.text ? 0 : spread(target.values);
  if (!target.text && !(scale > 0)) return leaks;
  const Schema& schema = table.schema;
  std::vector<char> tells(static_cast<std::size_t>(schema.size()), 0);
  const auto look = [&]<class T>(const DenseMatrix<T>& x, Index j) {
    if (!target.text) return !schema.categorical(j) && line_tells(x, j, target.values, scale);
    if (schema.categorical(j)) return text_tells(x, j, target.values, schema.column(j).levels.size());
    return numbers_tell(x, j, target.values, target.levels.size());
  };
  std::visit(
      [&]<class M>(const M& x) {
        if constexpr (std::is_same_v<M, DenseMatrix<float>> || std::is_same_v<M, DenseMatrix<double>>)
          parallel_for(schema.size(),
                       [&](Index j) { tells[static_cast<std::size_t>(j)] = look(x, j) ? 1 : 0; });
      },
      table.x);
  for (Index j = 0; j < schema.size(); ++j)
    if (tells[static_cast<std::size_t>(j)] != 0) leaks.push_back(schema.name(j));
  return leaks;
}

std::string leak_text(const std::string& column, const std::string& target) {
  return fmt::format(
      "possible leak: '{}' alone tells {} of every row; if it is not known before {} is, leave it out with "
      "`ignore`",
      column, target, target);
}

}  // namespace discern
