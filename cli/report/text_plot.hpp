// --plot: a small picture in the terminal. Of two numeric columns the rows and the boundary; of more columns and two
// classes the ROC curve.
#pragma once

#include <string>

#include "cli/shell/command.hpp"
#include "discern/data/table.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/report/figures/judged.hpp"

namespace discern::cli {

Flag plot_flag();

// Empty when there is nothing to draw: more than two columns, or a text.
std::string boundary_plot(const Model& model, const Table& table);
// Empty unless there are two classes with scores.
std::string roc_plot(const report::JudgedModel& judged);

}  // namespace discern::cli
