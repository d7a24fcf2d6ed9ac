#include "discern/stats/summary/association.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace discern {
namespace {

// A number as it is kept, or none where overflow or a division by zero left something else.
std::optional<double> number_or_none(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

// The rows of each level, one level after the other: row indices, and where each level begins.
struct RowsByLevel {
  std::vector<Index> rows, starts;
};

RowsByLevel rows_by_level(std::span<const std::int32_t> levels, Index level_count) {
  RowsByLevel sorted;
  sorted.starts.assign(static_cast<std::size_t>(level_count) + 1, 0);
  for (const std::int32_t level : levels)
    if (level >= 0) ++sorted.starts[static_cast<std::size_t>(level) + 1];
  std::partial_sum(sorted.starts.begin(), sorted.starts.end(), sorted.starts.begin());
  sorted.rows.resize(static_cast<std::size_t>(sorted.starts.back()));
  std::vector<Index> next(sorted.starts.begin(), sorted.starts.end() - 1);
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i] >= 0)
      sorted.rows[static_cast<std::size_t>(next[static_cast<std::size_t>(levels[i])]++)] =
          static_cast<Index>(i);
  return sorted;
}

}  // namespace

std::string_view name_of(Association measure) {
  switch (measure) {
    case Association::auc:
      return "auc";
    case Association::eta_squared:
      return "eta_squared";
    case Association::cramers_v:
      return "cramers_v";
    case Association::pearson:
      return "pearson";
  }
  return "";
}

std::optional<Association> association_for(bool text, const Answers& answers) {
  if (!answers.values.empty()) return text ? Association::eta_squared : Association::pearson;
  if (answers.classes.empty()) return std::nullopt;
  if (text) return Association::cramers_v;
  return answers.class_count == 2 ? Association::auc : Association::eta_squared;
}

double strength(Association measure, double value) {
  return std::fabs(measure == Association::auc ? 2 * value - 1 : value);
}

std::optional<double> auc(std::span<const double> negatives, std::span<const double> positives) {
  if (negatives.empty() || positives.empty()) return std::nullopt;
  double wins = 0;
  std::size_t below = 0, upto = 0;  // negatives less than the positive value, and not more than it
  for (const double value : positives) {
    while (below < negatives.size() && negatives[below] < value) ++below;
    upto = std::max(upto, below);
    while (upto < negatives.size() && negatives[upto] <= value) ++upto;
    wins += 0.5 * (static_cast<double>(below) + static_cast<double>(upto));
  }
  return wins / (static_cast<double>(negatives.size()) * static_cast<double>(positives.size()));
}

// SS_between = sum_g n_g (m_g - m)^2, SS_within = sum_g sum_i (v_i - m_g)^2, each about means that were found first.
std::optional<double> eta_squared(std::span<const double> values, std::span<const std::int32_t> groups,
                                  Index group_count) {
  const auto known = [&](std::size_t i) { return groups[i] >= 0 && values[i] == values[i]; };
  std::vector<double> count(static_cast<std::size_t>(group_count)), mean(count.size());
  double rows = 0, sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!known(i)) continue;
    const auto g = static_cast<std::size_t>(groups[i]);
    ++count[g], ++rows;
    mean[g] += values[i], sum += values[i];
  }
  double present = 0, between = 0, within = 0;
  for (std::size_t g = 0; g < count.size(); ++g) {
    if (count[g] == 0) continue;
    ++present;
    mean[g] /= count[g];
    between += count[g] * (mean[g] - sum / rows) * (mean[g] - sum / rows);
  }
  if (present < 2 || rows <= present) return std::nullopt;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (known(i)) {
      const double d = values[i] - mean[static_cast<std::size_t>(groups[i])];
      within += d * d;
    }
  if (!(between + within > 0)) return std::nullopt;
  const double unexplained = within / (between + within) * (rows - 1) / (rows - present);
  return number_or_none(std::max(0.0, 1 - unexplained));
}

// phi^2 = sum_ij n_ij^2 / (n_i n_j) - 1, of which chance alone makes (r - 1) (k - 1) / (n - 1) on average.
std::optional<double> cramers_v(std::span<const std::int32_t> levels, Index level_count,
                                std::span<const std::int32_t> classes, Index class_count) {
  const RowsByLevel sorted = rows_by_level(levels, level_count);
  std::vector<double> of_class(static_cast<std::size_t>(class_count)), here(of_class.size());
  double rows = 0, present_levels = 0;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i] >= 0 && classes[i] >= 0) ++of_class[static_cast<std::size_t>(classes[i])], ++rows;
  double sum = 0;
  for (Index level = 0; level < level_count; ++level) {
    const auto first = sorted.rows.begin() + sorted.starts[static_cast<std::size_t>(level)];
    const auto last = sorted.rows.begin() + sorted.starts[static_cast<std::size_t>(level) + 1];
    const auto class_of = [&](Index i) { return classes[static_cast<std::size_t>(i)]; };
    double of_level = 0;
    for (auto i = first; i != last; ++i)
      if (class_of(*i) >= 0) ++here[static_cast<std::size_t>(class_of(*i))], ++of_level;
    present_levels += of_level > 0 ? 1 : 0;
    // The counts are set back as they are used, so that the work is that of the rows and not of all classes.
    for (auto i = first; i != last; ++i) {
      if (class_of(*i) < 0) continue;
      double& n = here[static_cast<std::size_t>(class_of(*i))];
      sum += n * n / (of_level * of_class[static_cast<std::size_t>(class_of(*i))]);
      n = 0;
    }
  }
  const double r = present_levels;
  const auto k =
      static_cast<double>(std::count_if(of_class.begin(), of_class.end(), [](double n) { return n > 0; }));
  if (r < 2 || k < 2 || rows < 2) return std::nullopt;
  const double chance = (r - 1) * (k - 1) / (rows - 1);
  const double levels_left = r - (r - 1) * (r - 1) / (rows - 1),
               classes_left = k - (k - 1) * (k - 1) / (rows - 1);
  const double most = std::min(levels_left, classes_left) - 1;
  if (!(most > 0)) return 0.0;
  return number_or_none(std::min(1.0, std::sqrt(std::max(0.0, sum - 1 - chance) / most)));
}

std::optional<double> pearson(std::span<const double> x, std::span<const double> y) {
  const auto known = [&](std::size_t i) { return x[i] == x[i] && y[i] == y[i]; };
  double rows = 0, mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (known(i)) ++rows, mean_x += x[i], mean_y += y[i];
  if (rows < 2) return std::nullopt;
  mean_x /= rows, mean_y /= rows;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!known(i)) continue;
    const double dx = x[i] - mean_x, dy = y[i] - mean_y;
    xx += dx * dx, xy += dx * dy, yy += dy * dy;
  }
  if (!(xx > 0 && yy > 0)) return std::nullopt;
  return number_or_none(std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0));
}

}  // namespace discern
