// What a model says about rows, as CSV: columns of the input on request, a column `prediction`, then probabilities, scores or distances.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "discern/model/shape/model.hpp"

namespace discern::cli {

// The columns beside `prediction`: a name and a column of numbers each.
struct PredictionTable {
  std::vector<std::string> names;
  Matrix numbers;                   // rows x names; in a regression without extra columns it is empty
  bool safe = false;                // labels and kept cells are written by safe_text
  const KeptCells* kept = nullptr;  // columns of the input, before `prediction`
};

// `output` is labels, proba, scores or distance. Throws Code::usage for what the model does not have.
PredictionTable prediction_table(const Model& model, const Prediction& said, const std::string& output);

// Writes header and rows to `sink` in large pieces, in order; numbers have the fewest digits that read back
// as the same double, labels are as they were in training. Throws Code::interrupted when a signal asks for
// it.
void write_predictions(const Model& model, const Prediction& said, const PredictionTable& table,
                       const std::function<void(std::string_view)>& sink);

// The same in two parts, for rows that come in pieces.
std::string prediction_header(const PredictionTable& table);
void write_prediction_rows(const Model& model, const Prediction& said, const PredictionTable& table,
                           const std::function<void(std::string_view)>& sink);

// A text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a line end, and is no
// number) with an apostrophe before it, which keeps it a text.
std::string safe_text(std::string_view text);

// A cell of a CSV file: in quotes when it holds a separator, a quote, a line end or outer blanks.
std::string csv_cell(std::string_view text);

}  // namespace discern::cli
