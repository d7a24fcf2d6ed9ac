// A column at a glance. Quartiles are exact, with linear interpolation between neighbours (type 7 of Hyndman and Fan,
// the default of R, numpy and pandas); the standard deviation has the divisor n - 1.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "discern/stats/summary/association.hpp"

namespace discern {

// Bins of equal width from low to high. Whole numbers in a small range get a bin each.
struct Histogram {
  double low = 0, high = 0;
  std::vector<Index> counts;
};

struct NumberSummary {
  bool whole = true;  // no value has a fraction
  double min = 0, q1 = 0, median = 0, q3 = 0, max = 0;
  double mean = 0, deviation = 0;  // not finite where they leave the range of a double
  Index zeros = 0;
  Histogram histogram;
};

struct LevelCount {
  std::string name;
  Index rows = 0;
};

struct DescribedColumn {
  std::string name = {};
  bool text = false;
  Index missing = 0;
  Index distinct = 0;                         // different values, without the missing ones
  std::optional<NumberSummary> numbers = {};  // of numbers, when there is one
  std::vector<LevelCount> levels = {};        // of text: the most frequent, at most `most_levels`
  std::optional<double> association = {};     // with the target, by association_for
  bool empty() const { return distinct == 0; }
  bool constant() const { return distinct == 1; }
};

constexpr std::size_t most_levels = 12;
constexpr Index histogram_bins = 24;  // at most

// `values`: a row each, NaN where missing; they are sorted on the way.
DescribedColumn summarise_numbers(std::span<double> values, const Answers& answers);
// `codes`: a row each, indices into `levels`, -1 where missing.
DescribedColumn summarise_texts(std::span<const std::int32_t> codes, const std::vector<std::string>& levels,
                                const Answers& answers);

}  // namespace discern
