#include "discern/io/binary/cache_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern {
namespace {

constexpr Index cells_checked_at_once = Index{1} << 17;

[[noreturn]] void fail(const std::string& why, const Table& table) {
  throw Error(Code::data, fmt::format("the file is damaged: {}", why), {table.file, 0, ""});
}

// Calls sound(first, last) for ranges of 0..count, side by side; true when all were.
template <class Sound>
bool all_sound(Index count, Index at_a_time, const Sound& sound) {
  std::atomic<bool> all{true};
  parallel_for((count + at_a_time - 1) / at_a_time, [&](Index k) {
    if (all && !sound(k * at_a_time, std::min(count, (k + 1) * at_a_time))) all = false;
  });
  return all;
}

// x - x is 0 for every finite x, so the sum tells about all of them without a branch each.
template <class T>
bool all_finite(const T* values, Index first, Index last) {
  T sum = 0;
  for (Index k = first; k < last; ++k) sum += values[k] - values[k];  // NOLINT(misc-redundant-expression)
  return sum == 0;
}

bool names_level(double code, std::size_t levels) {
  return code >= 0 && code < static_cast<double>(levels) && code == std::floor(code);
}

// What the cells of the columns may be, and how many of them are missing.
class Columns {
 public:
  explicit Columns(const Table& table) : missing_(table.noticed.size()) {
    for (std::size_t j = 0; j < table.noticed.size(); ++j) {
      const Column& column = table.schema.column(static_cast<Index>(j));
      add(column.categorical, column.levels.size(), table.noticed[j].missing);
    }
  }
  explicit Columns(const SideColumn& side) : missing_(1) {
    add(side.text, side.levels.size(), side.noticed.missing);
  }

  // Counts a missing cell; false for one that is neither missing nor allowed.
  bool take(std::size_t j, double value, std::vector<Index>& missing) const {
    if (std::isnan(value)) {
      ++missing[j];
      return true;
    }
    return text_[j] ? names_level(value, levels_[j]) : !std::isinf(value);
  }
  std::vector<Index> counters() const { return std::vector<Index>(missing_.size()); }
  void add(const std::vector<Index>& missing) {
    const std::lock_guard lock(mutex_);
    for (std::size_t j = 0; j < missing.size(); ++j) missing_[j] += missing[j];
  }
  bool all_noticed() const { return missing_ == expected_; }

 private:
  void add(bool text, std::size_t levels, Index missing) {
    text_.push_back(text);
    levels_.push_back(levels);
    expected_.push_back(missing);
  }

  std::vector<char> text_;
  std::vector<std::size_t> levels_;
  std::vector<Index> expected_;
  std::vector<Index> missing_;
  std::mutex mutex_;
};

// Levels are in the order of sort_levels and none appears twice, as a search in them relies on.
bool sound_levels(const std::vector<std::string>& levels, const Noticed& noticed) {
  std::vector<std::string> sorted = levels;
  sort_levels(sorted);
  std::vector<std::string> unique = levels;
  std::sort(unique.begin(), unique.end());
  return sorted == levels && std::adjacent_find(unique.begin(), unique.end()) == unique.end() &&
         noticed.level_line.size() == levels.size();
}

template <class T>
void check_features(const DenseMatrix<T>& x, const Table& table) {
  if (table.noticed.empty()) {
    if (!all_sound(x.rows * x.cols, cells_checked_at_once,
                   [&](Index first, Index last) { return all_finite(x.values.data(), first, last); }))
      fail("a cell is not a finite number", table);
    return;
  }
  Columns columns(table);
  const auto sound = [&](Index first, Index last) {
    std::vector<Index> missing = columns.counters();
    bool fine = true;
    for (Index i = first; i < last && fine; ++i)
      for (Index j = 0; j < x.cols; ++j)
        fine &=
            columns.take(static_cast<std::size_t>(j), static_cast<double>(x.values[i * x.cols + j]), missing);
    columns.add(missing);
    return fine;
  };
  const Index at_a_time = std::max<Index>(cells_checked_at_once / std::max<Index>(x.cols, 1), 1);
  if (!all_sound(x.rows, at_a_time, sound) || !columns.all_noticed())
    fail("a column holds cells that its description does not allow", table);
}

template <class T>
void check_entries(const SparseMatrix<T>& x, const Table& table) {
  Columns columns(table);
  std::vector<Index> missing = columns.counters();
  bool fine = true;
  for (Index e = 0; e < x.values.size(); ++e)
    fine &= columns.take(x.columns[e], static_cast<double>(x.values[e]), missing);
  columns.add(missing);
  if (!fine || !columns.all_noticed())
    fail("a column holds cells that its description does not allow", table);
}

template <class T>
void check_features(const SparseMatrix<T>& x, const Table& table) {
  if (x.cols > (Index{1} << 32)) fail("it has too many columns", table);
  const Index entries = x.values.size();
  if (x.starts[0] != 0 || x.starts[x.rows] != entries ||
      !all_sound(x.rows, cells_checked_at_once, [&](Index first, Index last) {
        bool increasing = true;
        for (Index i = first; i < last; ++i) increasing &= x.starts[i] <= x.starts[i + 1];
        return increasing;
      }))
    fail("the row starts are out of order", table);
  const auto ordered = [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const Index begin = x.starts[i], end = x.starts[i + 1];
      bool increasing = true;
      for (Index e = begin + 1; e < end; ++e) increasing &= x.columns[e - 1] < x.columns[e];
      if (!increasing || (end > begin && static_cast<Index>(x.columns[end - 1]) >= x.cols)) return false;
    }
    return true;
  };
  if (!all_sound(x.rows, 1024, ordered)) fail("the columns of a row are out of order", table);
  if (!table.noticed.empty()) return check_entries(x, table);
  if (!all_sound(entries, cells_checked_at_once,
                 [&](Index first, Index last) { return all_finite(x.values.data(), first, last); }))
    fail("an entry is not a finite number", table);
}

}  // namespace

void check_table(const Table& table) {
  if (table.rows() == 0) fail("it holds no rows", table);
  for (std::size_t j = 0; j < table.noticed.size(); ++j) {
    const Column& column = table.schema.column(static_cast<Index>(j));
    if (column.categorical && !sound_levels(column.levels, table.noticed[j]))
      fail("levels are out of order", table);
  }
  std::visit([&](const auto& x) { check_features(x, table); }, table.x);
  for (const SideColumn& side : table.side) {
    if (side.text && !sound_levels(side.levels, side.noticed)) fail("levels are out of order", table);
    Columns column(side);
    std::vector<Index> missing = column.counters();
    bool fine = true;
    for (const double value : side.values) fine &= column.take(0, value, missing);
    column.add(missing);
    if (!fine || !column.all_noticed())
      fail(fmt::format("the column '{}' holds cells that its description does not allow", side.name), table);
  }
}

}  // namespace discern
