#include "discern/evaluate/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/data/place.hpp"

namespace discern {
namespace {

void check(const FoldRows& rows, const FoldOptions& options) {
  const bool grouped = !rows.groups.empty();
  if (options.leave_one_out && (grouped || options.time_ordered))
    throw Error(Code::usage, fmt::format("`leave_one_out` and {} exclude each other",
                                         grouped ? "`group`" : "`time_ordered`"));
  if (grouped && options.time_ordered)
    throw Error(Code::usage, "`group` and `time_ordered` exclude each other");
  if ((options.leave_one_out || options.time_ordered) && options.repeats != 1)
    throw Error(Code::usage, fmt::format("`repeats`: there is only one way to {}",
                                         options.leave_one_out ? "leave one out" : "keep the order of time"));
  if (options.leave_one_out) {
    if (rows.count < 2)
      throw Error(Code::data, fmt::format("found {} row, expected 2 or more to leave one out", rows.count));
    return;
  }
  if (options.folds < 2)
    throw Error(Code::usage, fmt::format("`folds`: expected 2 or more, got {}", options.folds));
  const Index most = options.time_ordered ? rows.count - 1 : rows.count;
  if (options.folds > most && !options.asked_for)
    throw Error(Code::data,
                fmt::format("found {} row{}, expected {} or more for {} folds", rows.count,
                            rows.count == 1 ? "" : "s",
                            options.time_ordered ? options.folds + 1 : options.folds, options.folds));
  if (options.folds > most)
    throw Error(Code::usage, fmt::format("`folds`: expected at most {} for {} rows, got {}", most, rows.count,
                                         options.folds));
  if (!grouped) return;
  const Index groups = 1 + *std::max_element(rows.groups.begin(), rows.groups.end());
  if (options.folds > groups && !options.asked_for)
    throw Error(Code::data, fmt::format("found {} group{}, expected {} or more for {} folds", groups,
                                        groups == 1 ? "" : "s", options.folds, options.folds));
  if (options.folds > groups)
    throw Error(Code::usage, fmt::format("`folds`: expected at most {}, the number of groups, got {}", groups,
                                         options.folds));
}

// The rows of each class in random order, one class after the other.
std::vector<Index> by_class(const std::vector<Index>& rows, const std::vector<std::int32_t>& labels,
                            std::uint64_t seed) {
  std::vector<Index> order = rows;
  Random random(seed);
  random.shuffle(order);
  if (!labels.empty())
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return labels[at(a)] < labels[at(b)]; });
  return order;
}

std::vector<Index> all_rows(Index count) {
  std::vector<Index> rows(at(count));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

std::vector<Index> deal(const FoldRows& rows, Index folds, std::uint64_t seed) {
  std::vector<Index> assigned(at(rows.count));
  Index next = 0;
  for (const Index i : by_class(all_rows(rows.count), rows.labels, seed)) assigned[at(i)] = next++ % folds;
  return assigned;
}

// Greedily, the largest group first; groups of one size in random order.
std::vector<Index> deal_groups(const FoldRows& rows, Index folds, std::uint64_t seed) {
  const Index groups = 1 + *std::max_element(rows.groups.begin(), rows.groups.end());
  const Index classes =
      rows.labels.empty() ? 1 : 1 + *std::max_element(rows.labels.begin(), rows.labels.end());
  const auto label = [&](std::size_t i) { return rows.labels.empty() ? 0 : Index{rows.labels[i]}; };
  std::vector<double> size(at(groups)), total(at(classes)), count(at(groups * classes));
  for (std::size_t i = 0; i < rows.groups.size(); ++i) {
    ++size[at(rows.groups[i])];
    ++total[at(label(i))];
    ++count[at(rows.groups[i] * classes + label(i))];
  }
  std::vector<Index> order = all_rows(groups);
  Random random(seed);
  random.shuffle(order);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return size[at(a)] > size[at(b)]; });
  std::vector<double> held(at(folds * classes));
  std::vector<Index> fold_of(at(groups));
  for (const Index g : order) {
    // (n + m)^2 - n^2 = m (2 n + m), the growth of the sum when m rows join n.
    double least = 0;
    for (Index f = 0; f < folds; ++f) {
      double growth = 0;
      for (Index c = 0; c < classes; ++c) {
        const double m = count[at(g * classes + c)], n = held[at(f * classes + c)];
        if (m > 0) growth += m * (2 * n + m) / (total[at(c)] * total[at(c)]);
      }
      if (f == 0 || growth < least) {
        least = growth;
        fold_of[at(g)] = f;
      }
    }
    for (Index c = 0; c < classes; ++c) held[at(fold_of[at(g)] * classes + c)] += count[at(g * classes + c)];
  }
  std::vector<Index> assigned;
  for (const std::int32_t g : rows.groups) assigned.push_back(fold_of[at(g)]);
  return assigned;
}

}  // namespace

Folds::Folds(std::vector<std::vector<Index>> assigned, Index per_repeat, bool past_only)
    : assigned_(std::move(assigned)), per_repeat_(per_repeat), past_only_(past_only) {}

std::vector<Index> Folds::test(Index k) const {
  const std::vector<Index>& assigned = assigned_[at(k / per_repeat_)];
  std::vector<Index> rows;
  for (std::size_t i = 0; i < assigned.size(); ++i)
    if (assigned[i] == k % per_repeat_) rows.push_back(static_cast<Index>(i));
  return rows;
}

std::vector<Index> Folds::train(Index k) const {
  const std::vector<Index>& assigned = assigned_[at(k / per_repeat_)];
  const Index fold = k % per_repeat_;
  std::vector<Index> rows;
  for (std::size_t i = 0; i < assigned.size(); ++i)
    if (past_only_ ? assigned[i] < fold : assigned[i] != fold) rows.push_back(static_cast<Index>(i));
  return rows;
}

Folds make_folds(const FoldRows& rows, const FoldOptions& options) {
  check(rows, options);
  if (options.leave_one_out) return {{all_rows(rows.count)}, rows.count, false};
  std::vector<std::vector<Index>> assigned;
  if (options.time_ordered) {
    const Index part = rows.count / (options.folds + 1), first = rows.count - options.folds * part;
    assigned.emplace_back(at(rows.count), -1);
    for (Index i = first; i < rows.count; ++i) assigned[0][at(i)] = (i - first) / part;
    return {std::move(assigned), options.folds, true};
  }
  for (Index r = 0; r < options.repeats; ++r) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(r) * 0x9e3779b97f4a7c15;
    assigned.push_back(rows.groups.empty() ? deal(rows, options.folds, seed)
                                           : deal_groups(rows, options.folds, seed));
  }
  return {std::move(assigned), options.folds, false};
}

std::vector<Index> thin_rows(const std::vector<Index>& rows, const FoldRows& all, double share,
                             const FoldOptions& options) {
  const auto part = [&](std::size_t count) {
    return static_cast<std::size_t>(std::ceil(share * static_cast<double>(count) - 1e-9));
  };
  if (options.time_ordered) return {rows.end() - static_cast<std::ptrdiff_t>(part(rows.size())), rows.end()};
  const std::vector<Index> order = by_class(rows, all.labels, options.seed);
  const auto label = [&](std::size_t i) { return all.labels.empty() ? 0 : all.labels[at(order[i])]; };
  std::vector<Index> kept;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && label(last) == label(first)) ++last;
    kept.insert(kept.end(), order.begin() + static_cast<std::ptrdiff_t>(first),
                order.begin() + static_cast<std::ptrdiff_t>(first + part(last - first)));
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace discern
