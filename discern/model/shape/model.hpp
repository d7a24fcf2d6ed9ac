// A fitted model: everything that `predict` needs to go from the same raw file as `fit` had to labels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "discern/data/table.hpp"
#include "discern/model/shape/decision.hpp"
#include "discern/model/shape/predictor.hpp"
#include "discern/model/shape/reduction.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/transform/pipeline.hpp"

namespace discern {

struct Model {
  std::string name;  // in the catalogue: "logistic", "lda", ...
  Task task = Task::classification;
  std::string target;                // name of the target column
  std::vector<std::string> classes;  // as the file spelled them, sorted
  Index positive = 1;                // with two classes: which of them g >= 0 means
  Pipeline pipeline;                 // from the columns of the file to the features of the predictor
  Predictor predictor;
  std::optional<Decision> decision;  // of models with probabilities; empty: by the scores
  Vector priors;  // of the classes, that the probabilities stand for; empty: not known, or a regression
  std::optional<Reduction> reduction;  // many classes from machines for two, or calibrated scores
  std::vector<std::pair<std::string, std::string>> options;  // of the trainer, as text, in declared order
  bool standardized = false;
  Index samples = 0;      // rows it was fitted on
  Statistics statistics;  // of those rows, for a fit that goes on; empty: not kept
  Summary summary;
  std::optional<Inference> inference;  // of the models that can tell, when asked
};

// What a model says about the rows of a table.
struct Prediction {
  std::vector<std::int32_t> labels;  // indices into Model::classes, or `undecided`; empty in regression
  Matrix scores;                     // rows x scores; in regression one column, the predicted value; of a
                                     // reduction what decides, a column a class
  Matrix proba;                      // rows x classes in the order of Model::classes; empty without a link
  Index unseen = 0;                  // cells with a category that training did not have
  Index imputed = 0;                 // missing cells that were filled in
  std::vector<std::pair<std::string, Index>> unseen_columns;   // which columns, how many cells each
  std::vector<std::pair<std::string, Index>> imputed_columns;  // which columns, how many cells each
};

struct PredictOptions {
  bool ignore_unseen = false;   // take an unknown category as "none of the known" instead of refusing
  bool refuse_missing = false;  // refuse missing cells instead of filling them in
  bool labels_only = false;     // of a classifier: no scores, no probabilities
  Monitor monitor;
};

// A label as it is written: the name of its class, or undecided_name.
std::string_view label_text(const Model& model, std::int32_t label);
// Whether predictions have probabilities, and how many scores.
bool has_probabilities(const Model& model);
Index predicted_scores(const Model& model);

// Matches the columns of the table by name. Throws Code::data when one is missing or a category is unknown.
Prediction predict(const Model& model, const Table& table, const PredictOptions& options = {});

// The same for rows that have been through the pipeline already. Throws Code::interrupted when the monitor
// asks to stop.
Prediction predict_rows(const Model& model, const Source& features, bool labels_only = false,
                        const Monitor& monitor = {});

// The same for one block of such rows, with a scorer of the model's predictor. `beyond` is the number of a row, from 1, whose scores are beyond
// double precision, which is for the caller to refuse; 0: there is none. Throws Code::interrupted when the
// monitor, which is asked from time to time if rows take long, says so.
struct BlockPrediction {
  Prediction said;
  Index beyond = 0;
};
BlockPrediction predict_block(const Model& model, const Scorer& scorer, const Block& block,
                              const Monitor& monitor);
[[noreturn]] void refuse_scores(Index beyond);

// Signed distances |w_k|^-1 g_k of the rows to the hyperplanes of a Linear predictor, in the units of the
// pipeline's features. Throws Code::usage for another shape, and where the scores are not those of the
// planes.
Matrix distances(const Model& model, const Matrix& scores);

// The indices into model.classes that a target column's cells stand for: equal text, or else an equal number
// ("1" matches "1.0"). Throws Code::data naming the line of a label that training did not have.
std::vector<std::int32_t> labels_of(const Model& model, const Table& table);

}  // namespace discern
