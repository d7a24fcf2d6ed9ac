// A labelled table that models are to be judged on by parts of it: one part is fitted on, another is tested.
// Everything that is learned (fill values, categories, scales, class weights, the model) is learned from the
// rows that are fitted on alone.
//
// A class that has few rows, or all of them in one group, may be absent from the rows that are fitted on.
// What options say of it (class weights, priors, costs) is then left out; the model does not know the class,
// and tested rows of it count as wrong.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/evaluate/folds.hpp"
#include "discern/evaluate/measures.hpp"

namespace discern {

struct EvaluationSet {
  Table table;                       // rows of weight zero left out; the target's levels are the classes
  std::vector<std::string> classes;  // empty in regression
  Index positive = 1;
  FoldRows rows;                   // labels and groups
  std::vector<double> targets;     // of regression
  std::vector<double> weights;     // empty: all 1; without class weights, which are for fitting
  std::vector<Index> origin;       // the number of each row in the file; empty: the same
  std::vector<std::string> leaks;  // columns that alone tell the target
  std::vector<std::string> group_names;
  std::optional<Decision> decision;  // what the settings ask for, of all classes
};

// `group` names the side column whose equal cells belong together; empty: none. Throws what training_set
// does, and Code::data for a row without a group.
EvaluationSet evaluation_set(const Table& table, const FitSettings& settings, const std::string& group);

// A model of some rows, judged on others.
struct FoldRun {
  Model model;
  Prediction said;  // on the tested rows, in terms of the set's classes
  Judged judged;
  std::optional<Judged> training;  // when asked for
  Index train_rows = 0;
  bool converged = true;
  Index absent = 0;  // tested rows of classes that no fitted row has; they count as wrong
  Index unseen = 0;  // cells with a category that no fitted row has, taken as none of the known
  double seconds = 0;
};

// Throws Code::interrupted when the monitor stopped the fit.
FoldRun run_fold(const EvaluationSet& set, const FitSettings& settings, const std::vector<Index>& train,
                 const std::vector<Index>& test, bool judge_training = false);

// What a model that was fitted on some rows says on others, which are those of `tested`.
FoldRun judge_fold(const EvaluationSet& set, const FitSettings& settings, const Model& model,
                   const std::vector<Index>& test, const Table& tested);

// Errors in a fold are often about rows that are not in it, so they say where they come from.
Error in_fold(const Error& error, Index fold, Index train, Index rows);

// What is said on some rows (in their order), judged.
Judged judge_said(const EvaluationSet& set, const FitSettings& settings, const Prediction& said,
                  const std::vector<Index>& rows);

// A part of the rows to make folds of; groups are numbered anew.
FoldRows part_of(const FoldRows& all, const std::vector<Index>& rows);

// What is to be said of classes with fewer rows than a repeat has folds; empty: there are none.
std::string small_classes(const EvaluationSet& set, const Folds& folds);
// Tested rows of classes that no training row of their fold has.
Index absent_rows(const EvaluationSet& set, const Folds& folds);
// What is to be said of so many tested rows and cells that their fold did not know.
std::string absent_text(Index rows);
std::string unseen_text(Index cells);

// Calls body(0), ..., body(count - 1) in parallel, or one after the other where folds of such a table would
// together take too much memory. Of several errors the first in order is thrown. `stage` is what the monitor
// is told; bodies get a monitor to hand on.
void for_each_fold(const EvaluationSet& set, Index count, const std::string& stage, const Monitor& monitor,
                   const std::function<void(Index, const Monitor&)>& body);

}  // namespace discern
