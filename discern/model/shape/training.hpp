// What every trainer takes and gives back: fit(options, training) -> Fitted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "discern/base/certificate.hpp"
#include "discern/base/progress.hpp"
#include "discern/data/schema.hpp"
#include "discern/data/source.hpp"
#include "discern/model/inference/inference.hpp"
#include "discern/model/shape/predictor.hpp"
#include "discern/model/shape/projection.hpp"
#include "discern/options/task.hpp"
#include "discern/stats/column_moments.hpp"
#include "discern/stats/statistics.hpp"
#include "discern/transform/steps.hpp"

namespace discern {

// A moment of a fit, for those who want to watch it.
struct TraceStep {
  Index iteration = 0;
  std::optional<double> objective, certificate, step;  // what the algorithm knows; step: its length
  const Predictor& predictor;                          // as it would be if the fit ended here
  const Source* features = nullptr;  // what the predictor takes, where that is not what the trainer was given
  Index start = 0;  // of several random starts, from 1: iterations count from 0 in each; 0: there is one
};
struct Trace {
  std::function<void(const TraceStep&)> show;  // empty: nobody watches
  Index every = 1;                             // iterations
  bool due(Index iteration) const { return show && iteration % every == 0; }
};

struct Training {
  const Source& source;  // features after the pipeline, with labels or targets and weights
  Task task = Task::classification;
  Index classes = 0;  // of classification; labels are 0..classes-1, of two classes 1 is the positive one
  bool standardize = false;          // penalties act on features divided by their standard deviation
  std::vector<bool> indicator = {};  // features that are never standardised (one-hot columns); empty: none
  std::vector<std::string> class_names = {};    // for messages
  std::vector<std::string> feature_names = {};  // for messages; empty: x1, x2, ...
  std::uint64_t seed = 0;
  Monitor monitor = {};
  // For each feature the text column that it is an indicator of, as a number in `input`, and -1 for a number;
  // empty: all are numbers.
  std::vector<Index> category = {};
  const Schema* input = nullptr;  // the columns of the file, where `category` has some
  Trace trace = {};
  InferenceRequest inference = {};
  // For trainers whose statistics merge (options with `continues`): the statistics of earlier rows, to go on from
  // (nullptr: there were none), and whether to return the statistics of all rows so far.
  const Statistics* before = nullptr;
  bool keep_statistics = false;
  bool wants_statistics() const { return before != nullptr || keep_statistics; }
  // Weights to begin with instead of zero or chance, of a predictor for the same features and scores; of the
  // trainers whose options declare `starts`. Null: there are none.
  const Predictor* start = nullptr;
  // The moments of all rows, whose deviations features are divided by where they are standardised. For a source
  // that has only some of the rows, such as those of one machine; null: the moments of the source.
  const ColumnSummary* columns = nullptr;
  // The numbers from 0 that the rows have in the file, for messages that name rows (empty: the same as here);
  // null: they are not to be named, because the source has only some of them or the fit is one of many.
  const std::vector<Index>* rows = nullptr;

  // The same for other rows of the same features. This is the one place that copies member by member.
  Training on(const Source& other) const {
    return {.source = other,
            .task = task,
            .classes = classes,
            .standardize = standardize,
            .indicator = indicator,
            .class_names = class_names,
            .feature_names = feature_names,
            .seed = seed,
            .monitor = monitor,
            .category = category,
            .input = input,
            .trace = trace,
            .inference = inference,
            .before = before,
            .keep_statistics = keep_statistics,
            .start = start,
            .columns = columns,
            .rows = rows};
  }

  bool standardizes(Index j) const {
    return standardize && (indicator.empty() || !indicator[static_cast<std::size_t>(j)]);
  }
};

// Something else worth knowing about a fit, that only some trainers have to tell.
struct Fact {
  std::string name;  // words joined by _, as in "mistake_bound"
  std::variant<bool, double, std::string> value;
};

// One solver that took part in a fit, in the order in which they ran.
struct FitStage {
  std::string solver;
  Index iterations = 0;
  Certificate certificate;  // at its end
};

struct Summary {
  std::string solver;
  std::string reason;  // why this solver, when it was chosen automatically
  std::optional<double> objective;
  Index iterations = 0;
  bool converged = false;
  bool interrupted = false;
  Certificate certificate;
  double tolerance = 0;       // converged means certificate.value <= tolerance
  std::optional<Index> rank;  // of the (centred) features, where the algorithm finds it
  std::vector<std::string> warnings;
  std::vector<Fact> facts = {};
  std::vector<FitStage> stages = {};  // empty: the algorithm is one
};

struct Fitted {
  Predictor predictor;
  Summary summary;
  std::optional<Projection> projection = {};  // of the trainers that make one
  Statistics statistics = {};                 // when they were asked for
  std::optional<Step> basis = {};  // a step to add at the end of the pipeline: the predictor takes its output
  std::optional<Inference> inference = {};  // of those that know how, when asked
};

}  // namespace discern
