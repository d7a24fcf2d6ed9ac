#include "discern/evaluate/hold_out.hpp"

#include <algorithm>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/data/place.hpp"

namespace discern {
namespace {

std::vector<Index> numbered(Index count) {
  std::vector<Index> rows(at(count));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

std::vector<Index> class_sizes(const FoldRows& rows) {
  if (rows.labels.empty()) return {rows.count};
  std::vector<Index> sizes(at(1 + *std::max_element(rows.labels.begin(), rows.labels.end())));
  for (const std::int32_t label : rows.labels) ++sizes[at(label)];
  return sizes;
}

// `test` rows shared out in proportion: the whole parts first, then one each to the largest remainders.
std::vector<Index> quotas(const std::vector<Index>& sizes, Index rows, Index test) {
  std::vector<Index> quota, order;
  std::vector<double> rest;
  Index given = 0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const double due = static_cast<double>(test) * static_cast<double>(sizes[c]) / static_cast<double>(rows);
    quota.push_back(static_cast<Index>(due));
    rest.push_back(due - static_cast<double>(quota.back()));
    given += quota.back();
    order.push_back(static_cast<Index>(c));
  }
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return rest[at(a)] > rest[at(b)]; });
  for (std::size_t k = 0; given < test; k = (k + 1) % order.size())
    if (quota[at(order[k])] < sizes[at(order[k])]) ++quota[at(order[k])], ++given;
  return quota;
}

std::vector<Index> hold_out_rows(const FoldRows& rows, Index test, std::uint64_t seed) {
  std::vector<Index> left = quotas(class_sizes(rows), rows.count, test), order = numbered(rows.count), part;
  Random random(seed);
  random.shuffle(order);
  for (const Index i : order)
    if (left[rows.labels.empty() ? 0 : at(rows.labels[at(i)])]-- > 0) part.push_back(i);
  return part;
}

std::vector<Index> hold_out_groups(const FoldRows& rows, Index test, std::uint64_t seed) {
  const Index groups = 1 + *std::max_element(rows.groups.begin(), rows.groups.end());
  const std::vector<Index> sizes = class_sizes(rows);
  const double share = static_cast<double>(test) / static_cast<double>(rows.count);
  std::vector<std::vector<Index>> members(at(groups));
  for (Index i = 0; i < rows.count; ++i) members[at(rows.groups[at(i)])].push_back(i);
  std::vector<Index> order = numbered(groups);
  Random random(seed);
  random.shuffle(order);
  std::vector<double> lack, here(sizes.size());  // how many rows of each class the part still lacks
  for (const Index size : sizes) lack.push_back(share * static_cast<double>(size));
  std::vector<Index> part;
  for (const Index g : order) {
    if (members[at(g)].empty() || static_cast<Index>(part.size() + members[at(g)].size()) == rows.count)
      continue;
    std::fill(here.begin(), here.end(), 0.0);
    for (const Index i : members[at(g)]) ++here[rows.labels.empty() ? 0 : at(rows.labels[at(i)])];
    double change = 0;  // (l - m)^2 - l^2 = m (m - 2 l)
    for (std::size_t c = 0; c < sizes.size(); ++c)
      if (here[c] > 0)
        change += here[c] * (here[c] - 2 * lack[c]) /
                  (static_cast<double>(sizes[c]) * static_cast<double>(sizes[c]));
    if (change >= 0) continue;
    for (std::size_t c = 0; c < sizes.size(); ++c) lack[c] -= here[c];
    part.insert(part.end(), members[at(g)].begin(), members[at(g)].end());
  }
  // Every group alone is more than wanted: the smallest of them.
  if (part.empty() && groups > 1)
    part = *std::min_element(members.begin(), members.end(),
                             [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return part;
}

void check_part(Index rows, Index test) {
  if (rows < 2) throw Error(Code::data, "found fewer than two rows, expected two or more to divide");
  if (test < 1 || test >= rows)
    throw Error(Code::usage, "`test`: expected a part that leaves rows on both sides");
}

}  // namespace

std::vector<Index> hold_out(const FoldRows& rows, Index test, std::uint64_t seed) {
  check_part(rows.count, test);
  std::vector<Index> part =
      rows.groups.empty() ? hold_out_rows(rows, test, seed) : hold_out_groups(rows, test, seed);
  if (part.empty() || static_cast<Index>(part.size()) == rows.count)
    throw Error(Code::data, "all rows are of one group, and a group is not divided");
  std::sort(part.begin(), part.end());
  return part;
}

std::vector<Index> hold_out_last(const std::vector<double>& times, Index test) {
  const auto rows = static_cast<Index>(times.size());
  check_part(rows, test);
  std::vector<Index> order = numbered(rows);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return times[at(a)] < times[at(b)]; });
  // The cut is before the first row of a time: the one that is nearest, the later of two.
  const auto cuts = [&](Index k) { return times[at(order[at(k - 1)])] < times[at(order[at(k)])]; };
  for (Index step = 0; step < rows; ++step)
    for (const Index cut : {rows - test + step, rows - test - step})
      if (cut > 0 && cut < rows && cuts(cut)) {
        std::vector<Index> part(order.begin() + cut, order.end());
        std::sort(part.begin(), part.end());
        return part;
      }
  throw Error(Code::data, "all rows have the same time, so that none is later");
}

}  // namespace discern
