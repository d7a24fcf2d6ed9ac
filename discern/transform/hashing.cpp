#include "discern/transform/hashing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/io/table/levels.hpp"

namespace discern {

Hashing Hashing::make(Index bits, const Schema& input) {
  Hashing step;
  step.bits = bits;
  if (input.is_numbered()) return step;
  for (Index j = 0; j < input.size(); ++j) {
    step.slots.push_back(step.slot(input.name(j)));
    step.text.push_back(input.categorical(j));
  }
  return step;
}

Hashing::Slot Hashing::slot(std::string_view name) const {
  const std::uint64_t hash = Levels::hash(name);
  return {static_cast<std::uint32_t>(hash & static_cast<std::uint64_t>(width() - 1)), hash >> 63 != 0};
}

double Hashing::code(std::string_view column, std::string_view level) const {
  const Slot found = slot(fmt::format("{}={}", column, level));
  return 2.0 * found.feature + (found.negative ? 1 : 0);
}

std::string Hashing::name(Index feature) { return fmt::format("hash {}", feature); }

std::vector<Feature> Hashing::names(const std::vector<Feature>&) const {
  std::vector<Feature> out;
  for (Index j = 0; j < width(); ++j) out.push_back({name(j), false});
  return out;
}

template <class Put>
void Hashing::cell(Index column, double value, Put&& put) const {
  if (std::isnan(value)) return;
  const auto at = static_cast<std::size_t>(column);
  if (at < text.size() && text[at]) {
    const auto code = static_cast<std::uint32_t>(value);
    put(code / 2, code % 2 != 0 ? -1.0 : 1.0);
    return;
  }
  if (value == 0) return;
  const Slot found = at < slots.size() ? slots[at] : slot(fmt::format("x{}", column + 1));
  put(found.feature, found.negative ? -value : value);
}

Rows Hashing::apply(const Rows& in, Workspace& out) const {
  out.values.clear();
  out.columns.clear();
  out.starts.assign(1, 0);
  std::vector<std::pair<std::uint32_t, double>> row;
  return std::visit(
      [&](const auto& rows) -> Rows {
        for (Index i = 0; i < rows.rows; ++i) {
          row.clear();
          for_each(rows.row(i), [&](Index j, double v) {
            cell(j, v, [&](std::uint32_t feature, double value) { row.emplace_back(feature, value); });
          });
          // Those that meet in a feature are added up in the order of their columns.
          std::stable_sort(row.begin(), row.end(),
                           [](const auto& a, const auto& b) { return a.first < b.first; });
          for (std::size_t k = 0; k < row.size(); ++k) {
            if (k > 0 && row[k].first == row[k - 1].first) {
              out.values.back() += row[k].second;
            } else {
              out.columns.push_back(row[k].first);
              out.values.push_back(row[k].second);
            }
          }
          out.starts.push_back(static_cast<std::int64_t>(out.values.size()));
        }
        return SparseRows<double>{out.values.data(), out.columns.data(), out.starts.data(), rows.rows,
                                  width()};
      },
      in);
}

void Hashing::extend(std::vector<long double>& row) const {
  std::vector<long double> out(static_cast<std::size_t>(width()), 0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    const bool number = j >= text.size() || !text[j];
    cell(static_cast<Index>(j), static_cast<double>(row[j]), [&](std::uint32_t feature, double value) {
      const bool same_sign = (value < 0) == (row[j] < 0);
      out[feature] += !number ? static_cast<long double>(value) : same_sign ? row[j] : -row[j];
    });
  }
  row = std::move(out);
}

}  // namespace discern
