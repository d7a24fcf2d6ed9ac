// Scores one row at a time, for programs that answer requests: the columns are bound once, the memory is owned,
// and a call neither allocates nor looks anything up. The bits are those of FittedModel::scores.
//
//   RowScorer score(model);
//   score(row, out);                        // row: model.columns() numbers, out: score.scores() numbers
//   const std::string& label = score.label(row);
//
// For linear and quadratic models of numeric columns, without a basis, and without machines or a calibration
// (FitOptions::multiclass); the constructor throws Code::usage for others. NaN is a missing number: it is filled
// in where the fit imputed, and otherwise refused with Code::data.
//
// A scorer has memory of its own, so every thread needs one; a copy is cheap.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "discern/api/fitted_model.hpp"
#include "discern/base/index.hpp"

namespace discern {

class RowScorer {
 public:
  explicit RowScorer(const FittedModel& model);
  // Rows have these columns, in this order; those that the model does not need are skipped.
  RowScorer(const FittedModel& model, const std::vector<std::string>& columns);
  RowScorer(const RowScorer& other);
  RowScorer(RowScorer&& other) noexcept;
  RowScorer& operator=(const RowScorer& other);
  RowScorer& operator=(RowScorer&& other) noexcept;
  ~RowScorer();

  Index columns() const;  // numbers in a row
  Index scores() const;   // numbers in `out`

  // Code::usage for a row or an output of another size.
  void operator()(std::span<const double> row, std::span<double> out);
  void operator()(std::span<const float> row, std::span<double> out);
  void probabilities(std::span<const double> row, std::span<double> out);  // one per class
  void probabilities(std::span<const float> row, std::span<double> out);
  Index label_index(std::span<const double> row);  // into the classes; -1: undecided
  Index label_index(std::span<const float> row);
  const std::string& label(std::span<const double> row);
  const std::string& label(std::span<const float> row);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace discern
