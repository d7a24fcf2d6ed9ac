// The page of a fit: what was learned, how it went, and how it does on the rows that it was learned from.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "discern/catalogue/models.hpp"
#include "discern/report/figure.hpp"
#include "discern/report/figures/history.hpp"

namespace discern::report {

struct FitPage {
  const Table& table;
  const FitOutcome& outcome;
  const Metrics& metrics;               // of classification
  const RegressionMetrics& regression;  // of regression
  const History& history;
  std::string file;           // for the title
  std::string sample_weight;  // name of the side column; empty: none
  std::vector<std::string> warnings;
  std::optional<std::pair<Index, Index>> pixels = {};  // height and width
  Monitor monitor = {};
};

Page fit_page(const FitPage& fit);

// The standard deviations of the features of a table; empty when there are too many features to matter.
Vector feature_deviations(const Model& model, const Table& table, const Monitor& monitor);

}  // namespace discern::report
