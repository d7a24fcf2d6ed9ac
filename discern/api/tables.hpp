// From what users have (views, labels, frames) to the tables that the library works on. Not installed.
#pragma once

#include <string>

#include "discern/api/fit_options.hpp"
#include "discern/api/frame.hpp"
#include "discern/api/labels.hpp"
#include "discern/api/matrix_view.hpp"
#include "discern/base/threads.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/data/table.hpp"

namespace discern {

// The names of the side columns of a table that was made from a matrix.
inline constexpr const char* target_name = "target";
inline constexpr const char* weight_name = "sample_weight";
inline constexpr const char* group_name = "group";

// A matrix as the library stores it, sharing the caller's memory where the layout allows. Throws Code::data
// naming the row and the column (by `names`) of a number that is not finite, and of CSR entries that are out
// of place. NaN is allowed with `missing`, which then counts the missing cells of each column.
Features features_of(const MatrixView& x, const Schema& names, std::vector<Noticed>* missing);
// The same for a dense matrix, without looking whether its numbers are finite.
Features unchecked_features_of(const MatrixView& x);

// Whether a model fills in missing cells; otherwise they are refused.
bool imputes(const Pipeline& pipeline);

Table training_table(const MatrixView& x, const Labels& y, const FitOptions& options);
Table training_table(const MatrixView& x, const Numbers& y, const FitOptions& options);
// Sets the target, the weights and the groups (empty: none) aside.
Table training_table(const Frame& frame, const std::string& target, Task task, const FitOptions& options,
                     const std::string& group = "");
void add_side(Table& table, const std::string& name, const Labels& labels);

// The settings without a model and a target; throws Code::usage for an option out of its range, as below.
FitSettings settings_for(const FitOptions& options, Task task);
FitSettings settings_for(const ModelOptions& model, const FitOptions& options, Task task,
                         const std::string& target);

// Runs the work with at most so many threads; 0: as many as the caller has.
template <class Work>
auto on_threads(int threads, const Work& work) {
  if (threads <= 0) return work();
  std::optional<decltype(work())> result;
  with_threads(threads, [&] { result.emplace(work()); });
  return std::move(*result);
}

}  // namespace discern
