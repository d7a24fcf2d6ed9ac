// How much a column says of the target on its own. Every measure is one that statisticians know:
//
//   numbers, two classes    AUC: the probability that a positive row has the larger value, ties half; 0.5 says
//                           nothing, 0 and 1 separate the classes
//   numbers, more classes   eta squared: the share of the variance that lies between the classes
//   text, classes           Cramer's V of the table of levels and classes, with Bergsma's correction ("A
//                           bias-correction for Cramer's V and Tschuprow's T", 2013), so that a column of
//                           identifiers does not seem to know everything
//   numbers, numbers        Pearson's correlation
//   text, numbers           eta squared of the target by level
//
// Eta squared is adjusted for the number of groups G, 1 - (1 - eta^2) (n - 1) / (n - G), and not below 0: the
// adjusted R^2 of an analysis of variance. Rows without a value or without a target are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "discern/data/row.hpp"

namespace discern {

// The target of each row: classes, numbers, or neither.
struct Answers {
  std::vector<std::int32_t> classes = {};  // -1: the row has none
  Index class_count = 0;
  Index positive = 1;               // of two classes
  std::vector<double> values = {};  // NaN: the row has none
};

enum class Association { auc, eta_squared, cramers_v, pearson };

// "auc", "eta_squared", "cramers_v", "pearson"
std::string_view name_of(Association measure);
// The one for a column of text or numbers; nothing without a target.
std::optional<Association> association_for(bool text, const Answers& answers);
// From 0, nothing, to 1, for the order of columns: |2 AUC - 1|, |correlation|, the others as they are.
double strength(Association measure, double value);

// NaN in `values` and a level below 0 are missing. Nothing where the numbers do not say: one value or one class.
// AUC comes from the sorted values of both classes, the others from the rows.
std::optional<double> auc(std::span<const double> negatives, std::span<const double> positives);
std::optional<double> eta_squared(std::span<const double> values, std::span<const std::int32_t> groups,
                                  Index group_count);
std::optional<double> cramers_v(std::span<const std::int32_t> levels, Index level_count,
                                std::span<const std::int32_t> classes, Index class_count);
std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

}  // namespace discern
