// Some rows of a table as a model sees them: what pictures of single rows are made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "discern/data/table.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct DrawnRows {
  Index of = 0;                      // rows that there are
  std::vector<Index> rows;           // their numbers in the table, from 0, ...
  std::vector<Index> numbers;        // ... and in the file
  std::vector<std::int32_t> labels;  // the truth; empty in a regression
  std::vector<double> targets;       // of a regression
  Features raw;                      // the columns of the model's input
  Matrix features;                   // behind the pipeline; empty when there are too many
  Matrix scores;                     // of the predictor, before classes are combined
  Prediction said;

  bool all() const { return static_cast<Index>(rows.size()) == of; }
  std::string note() const;               // "1,500 of 1,000,000 rows are drawn, ..."; empty when all are
  std::string name(std::size_t i) const;  // "row 17"
};

constexpr Index most_drawn = 1500;

// `labels` and `targets`: the truth of the rows of the table, one of them empty. A category that the model does not
// know counts as none. Rows are taken from those of positive weight (weights empty: from all).
DrawnRows rows_of(const Model& model, const Table& table, const std::vector<std::int32_t>& labels,
                  const std::vector<double>& targets, Index most = most_drawn);

}  // namespace discern::report
