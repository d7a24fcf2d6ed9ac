#include <cmath>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/model/perceptron/perceptron_passes.hpp"
#include "discern/model/perceptron/perceptron_survey.hpp"
#include "discern/stats/fold.hpp"

namespace discern {

double increment(const Perceptron& options, Index k) {
  switch (options.schedule) {
    case Increment::inverse:
      return options.learning_rate / static_cast<double>(k);
    case Increment::inverse_sqrt:
      return options.learning_rate / std::sqrt(static_cast<double>(k));
    default:
      return options.learning_rate;
  }
}

PerceptronPasses batch_passes(const Perceptron& options, const Training& training,
                              const PerceptronFrame& frame) {
  const Index scores = perceptron_scores(training), d = training.source.cols();
  const Linear zero{Matrix::Zero(scores, d), Vector::Zero(scores), frame.center, Link::none};
  Predictor predictor = zero;
  auto& plane = std::get<Linear>(predictor);
  Linear mean = zero, pocket = zero;
  Index least = training.source.rows() + 1;
  std::optional<double> step;
  PerceptronPasses passes;
  try {
    while (passes.epochs < options.epochs && !passes.separated) {
      const Progress progress{.stage = "fitting", .done = passes.epochs, .total = options.epochs};
      if (!go_on(training.monitor, progress)) throw Error(Code::interrupted, "interrupted");
      const auto survey = fold(training.source, PerceptronSurvey(predictor, frame, true), training.monitor);
      if (training.trace.due(passes.epochs))
        training.trace.show(
            {passes.epochs, survey.criterion(), static_cast<double>(survey.mistakes()), step, predictor});
      ++passes.epochs;
      passes.mistakes += survey.mistakes();
      passes.most_at_once = std::max(passes.most_at_once, survey.mistakes());
      passes.separated = survey.mistakes() == 0;
      if (options.pocket && survey.mistakes() < least) {
        least = survey.mistakes();
        pocket = plane;
      }
      if (!passes.separated) survey.correct(*(step = increment(options, passes.epochs)), plane);
      if (options.averaged) {
        mean.weights += plane.weights;
        mean.bias += plane.bias;
      }
    }
    // The last correction has not been tried yet.
    if (options.pocket && !passes.separated &&
        fold(training.source, PerceptronSurvey(predictor, frame, false), training.monitor).mistakes() < least)
      pocket = plane;
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    passes.interrupted = true;
  }
  if (options.averaged && passes.epochs > 0) {
    mean.weights /= static_cast<double>(passes.epochs);
    mean.bias /= static_cast<double>(passes.epochs);
    plane = mean;
  }
  passes.plane = options.pocket ? pocket : plane;
  return passes;
}

}  // namespace discern
