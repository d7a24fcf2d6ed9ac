// The table of models: the one place that lists them all. Adding a model is a source file in model/ and a
// row in models.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discern/base/fields.hpp"
#include "discern/catalogue/grid.hpp"
#include "discern/evaluate/metrics.hpp"
#include "discern/model/bayes/naive_bayes.hpp"
#include "discern/model/gaussian/fisher.hpp"
#include "discern/model/gaussian/lda.hpp"
#include "discern/model/gaussian/qda.hpp"
#include "discern/model/linear/least_squares.hpp"
#include "discern/model/linear/logistic.hpp"
#include "discern/model/linear/svm.hpp"
#include "discern/model/network/mlp.hpp"
#include "discern/model/network/rbf_network.hpp"
#include "discern/model/perceptron/kernel_perceptron.hpp"
#include "discern/model/perceptron/perceptron.hpp"
#include "discern/model/separable/ho_kashyap.hpp"
#include "discern/model/shape/decision_options.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/multiclass/options.hpp"
#include "discern/options/all.hpp"
#include "discern/transform/reference.hpp"

namespace discern {

// How the time of a fit grows.
enum class Effort {
  one_pass,   // with the rows
  iterative,  // with the rows and the iterations
  pairs       // with the pairs of rows
};

struct ModelEntry {
  std::string_view name;                        // as --model takes it
  std::vector<std::string_view> aliases;        // other names, with the options they imply in `make`
  std::string_view summary;                     // one line
  std::string_view formula;                     // a few lines: what is minimised or computed
  bool regression;                              // can it do --task regression
  bool probabilities;                           // does it give probabilities
  ModelOptions (*make)(std::string_view name);  // default options for the name or alias given
  // What compare tries for the name or alias; of equally good values the first is taken. None: the defaults.
  std::vector<GridAxis> (*grid)(std::string_view name) = nullptr;
  Effort effort = Effort::iterative;
};

std::span<const ModelEntry> models();
// Throws Code::usage listing the names; `flag`: where the name comes from.
const ModelEntry& find_model(std::string_view name, std::string_view flag = "`model`");

// The entry of the model that has these options.
const ModelEntry& entry_of(const ModelOptions& options);

// The options' fields, and setting one by name from text. set throws Code::usage for an unknown one, naming
// the options that the model has.
std::vector<FieldInfo> fields_of(const ModelOptions& options);
void set_option(ModelOptions& options, std::string_view name, std::string_view text);
ModelOptions with_point(ModelOptions options, const GridPoint& point);
// True when text features get a column for every level: where the weights are penalised, or a density has a
// probability for each level. Otherwise the first level has none, so that weights are unique.
bool every_level(const ModelOptions& options);

// True when fits can leave statistics from which another goes on with more rows.
bool continues(const ModelOptions& options);
// Throws Code::usage, naming those of which it is.
void check_continues(std::string_view model, const ModelOptions& options);
// True when fits can start at the weights of another.
bool starts(const ModelOptions& options);

// Throws Code::usage for a decision rule that a model cannot have, because it is a regression or has no
// probabilities, naming the models that have.
void check_decidable(std::string_view model, Task task, bool probabilities, const DecisionOptions& decision);

// The loss that the model minimises, or that suits its scores best: a name in loss/all.hpp.
std::string_view loss_of(const ModelOptions& options);

// True when the model can tell how sure it is of its weights (model/inference/inference.hpp).
bool has_inference(const ModelOptions& options);

// What a fit says of the rows that it was made from.
enum class OnTraining {
  nothing,
  warnings,    // of rows that bend the fit
  predictions  // these, and FitOutcome::train or judged
};

// Everything that surrounds a trainer.
struct FitSettings {
  ModelOptions options;                   // which say the model, too (entry_of)
  std::vector<double> target_sizes = {};  // of the rows, where `targets` names a file (target_sizes.hpp)
  MulticlassOptions multiclass;
  Task task = Task::classification;
  std::string target;             // name of the side column with the labels or targets
  std::string sample_weight;      // name of the side column with the weights; empty: all 1
  std::string class_weight;       // "balanced", or "label=weight,label=weight"; empty: all 1
  std::string positive;           // the positive label of two; empty: the last in order
  bool positive_by_name = false;  // where `positive` is empty: one that says yes first (positive_class.hpp)
  DecisionOptions decision;       // of models with probabilities
  std::string basis;              // transform/basis_spec.hpp's text; empty: none
  // "Sex=male,Embarked=S": reference coding of text, with these levels left out (transform/reference.hpp); empty: as the
  // model needs it, and the first levels
  std::string reference = {};
  std::optional<References> references = {};  // those of them that the rows of a fold have
  bool standardize = false;
  bool encode = false;              // one-hot encode text columns; otherwise they are refused
  bool impute = false;              // fill missing cells; otherwise they are refused
  bool date_parts = false;          // take dates apart into year, month, day, day of the week and hour
  bool missing_indicators = false;  // with impute: a 0/1 feature for each column that has missing cells
  bool drop_missing = false;        // leave rows with missing cells out (catalogue/prepared_table.hpp)
  bool drop_unlabelled = false;     // leave rows without a target out; otherwise they are refused
  bool choose_columns = false;      // leave out columns that should not be features, name possible leaks
  Index rare = 0;                   // texts that fewer rows have are one, "other" (catalogue/rare_levels.hpp)
  std::uint64_t seed = 0;
  OnTraining on_training = OnTraining::predictions;
  InferenceRequest inference;  // of models that have some (has_inference)
  Monitor monitor;
  Monitor judging;                // of the predictions for the training rows: stopping it leaves them out
  bool whole_or_nothing = false;  // stopped by the monitor, it need not end with a model of the basis so far
  std::string trace;      // write the fit's iterations to this file (catalogue/trace_file.hpp); empty: do not
  Index trace_every = 1;  // iterations
  std::function<void(const TraceStep&)> watch =
      {};                        // told of these iterations of a single machine; empty: nobody
  bool keep_statistics = false;  // put into the model what a later fit can go on from
  // Go on from this model, whose settings these are (settings_of). From its statistics the fit is that of its
  // rows and these together; where it kept none the fit of these rows starts at its weights, and a sum over
  // samples keeps its own. Its pipeline, classes and the order of its scores stay as they are.
  const Model* before = nullptr;
  bool warm_start() const { return before != nullptr && before->statistics.empty(); }
  // Trains instead of `options`, which then only say how the columns are to be prepared; empty: they train.
  std::function<Fitted(const Training& training)> trainer = {};
};

// The settings with which a model was fitted, with `before` set: as they are, and for fit_model to go on
// with. That throws Code::usage when the model cannot be continued, saying why.
FitSettings fitted_settings(const Model& before);
FitSettings settings_of(const Model& before);

struct FitOutcome {
  Model model;
  Index imputed = 0;                                           // missing cells filled in
  std::vector<std::pair<std::string, Index>> imputed_columns;  // which columns, how many cells each
  Index dropped = 0;                                           // rows of weight zero, left out
  Index pooled = 0;                                            // rare levels that became one
  std::vector<Note> notes;                                     // of the table, and of what was left out
  std::vector<std::string> leaks;                              // columns that alone tell the target
  Prediction train;                                            // the model's word on the training rows
  bool predicted = false;                                      // there is such a word
  // Set when the scores of all rows and classes would take too much memory; `train` then has the labels only.
  std::optional<Metrics> judged;
  std::optional<Projection> projection;    // of the models that make one
  std::vector<std::int32_t> train_labels;  // the truth, as indices into model.classes
  std::vector<double> train_targets;       // regression
  std::vector<double> train_weights;       // empty: all 1
  double predict_seconds = 0;              // that the word on the training rows took, after the fit
};

// From a table to a model: checks, weights, pipeline, trainer.
FitOutcome fit_model(const Table& table, const FitSettings& settings);

}  // namespace discern
