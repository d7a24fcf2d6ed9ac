#include "discern/model/perceptron/perceptron.hpp"

#include <fmt/format.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/perceptron/perceptron_passes.hpp"
#include "discern/model/perceptron/perceptron_survey.hpp"
#include "discern/model/separable/separability.hpp"
#include "discern/optim/problem/shifted_source.hpp"
#include "discern/stats/block.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

std::string_view name_of(PerceptronVariant variant) {
  return value_names(variant)[static_cast<std::size_t>(variant)];
}

// Nothing is ignored in silence: an option that the variant does not know is refused.
void check(const Perceptron& options) {
  const Perceptron plain;
  const auto above_zero = [](double value, std::string_view option) {
    if (!(value > 0))
      throw Error(Code::usage, fmt::format("`{}`: expected a number above 0, got {}", option, value));
  };
  above_zero(options.learning_rate, "learning_rate");
  above_zero(options.lambda, "lambda");
  const auto only = [&](bool set, bool known, std::string_view option, std::string_view owners) {
    if (set && !known)
      throw Error(Code::usage, fmt::format("`{}` is for `variant` {}, and the variant here is {}", option,
                                           owners, name_of(options.variant)));
  };
  const bool batch = options.variant == PerceptronVariant::batch,
             sgd = options.variant == PerceptronVariant::sgd,
             fractional = options.variant == PerceptronVariant::fractional;
  only(options.lambda != plain.lambda, fractional, "lambda", "fractional");
  only(options.batch_size != plain.batch_size, sgd, "batch_size", "sgd");
  only(options.shuffle, !batch && !sgd, "shuffle", "sequential and fractional (sgd always does)");
  only(options.learning_rate != plain.learning_rate, !fractional, "learning_rate",
       "sequential, batch and sgd");
  only(options.schedule != plain.schedule, !fractional, "schedule", "sequential, batch and sgd");
  if (options.averaged && options.pocket)
    throw Error(Code::usage, "`averaged` and `pocket` exclude each other");
}

std::string not_separated(const Perceptron& options, const PerceptronPasses& passes, Index mistakes,
                          Index rows) {
  if (passes.separated && options.averaged)
    return fmt::format(
        "the mean of the planes leaves {} of {} rows on the wrong side, though the last of them leaves none; "
        "leave out `averaged` for that one",
        mistakes, rows);
  if (passes.separated) return fmt::format("{} of {} rows are within rounding of the plane", mistakes, rows);
  const bool last = !options.averaged && !options.pocket;
  return fmt::format(
      "not separated after {} epochs: {} of {} rows are on the wrong side. More `epochs` may help{}",
      passes.epochs, mistakes, rows,
      last ? "; if the classes overlap nothing does, but `pocket` and `averaged` give better planes "
             "than the last one"
           : ", unless the classes overlap");
}

// Beyond this many numbers the best margin is not sought for a report.
constexpr double most_numbers = 2e6;

// The largest margin that any plane has in the perceptron's coordinates, for two classes that are separated:
// the distance of zero to the hull of the signed samples t y.
std::optional<double> best_margin(const Training& training, const PerceptronFrame& frame) {
  const Source& source = training.source;
  const Index cols = source.cols() + (frame.bias ? 1 : 0);
  if (training.classes != 2 || static_cast<double>(source.rows()) * static_cast<double>(cols) > most_numbers)
    return std::nullopt;
  std::vector<double> values;
  std::vector<std::int8_t> side;
  Vector scale;
  if (!frame.plain()) scale = frame.metric.cwiseSqrt().cwiseInverse();
  RowMajor z;
  Scratch scratch;
  for (Index k = 0; k < source.block_count(); ++k) {
    const Block block = source.block(k, scratch);
    dense_rows(block.x, frame.center, scale, z);
    for (Index i = 0; i < z.rows(); ++i) {
      values.insert(values.end(), z.row(i).data(), z.row(i).data() + z.cols());
      if (frame.bias) values.push_back(1);
      side.push_back(block.labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1);
    }
  }
  const Features samples = DenseMatrix<double>{Buffer<double>(std::move(values)), source.rows(), cols};
  const Separability found = separability(samples, side, {.bias = false, .monitor = training.monitor});
  if (found.verdict != Verdict::separable || !found.converged) return std::nullopt;
  return found.margin;
}

// What the plane found makes of the rows and what they are like, in one fold.
struct Review {
  PerceptronSurvey survey;
  PerceptronRadius radius;

  void add(const Block& block) {
    survey.add(block);
    radius.add(block);
  }
  void merge(const Review& other) {
    survey.merge(other.survey);
    radius.merge(other.radius);
  }
  double bytes() const { return survey.bytes() + radius.bytes(); }
};

// R, the margin, the mistakes and, where the theory has one, their bound. It holds with the margin of any
// plane that separates; the best one gives the best bound.
std::vector<Fact> theory(const Perceptron& options, const Training& training, const PerceptronFrame& frame,
                         const PerceptronPasses& passes, const Review& review) {
  const PerceptronRadius& radius = review.radius;
  const double length = std::sqrt(frame.squared_length(passes.plane));
  const double margin = length > 0 ? review.survey.margin() / length : 0;
  std::vector<Fact> facts{{"mistakes", static_cast<double>(passes.mistakes)},
                          {"radius", std::sqrt(radius.squares())},
                          {"margin", margin}};
  std::optional<double> best;
  if (margin > 0) best = best_margin(training, frame);
  if (best) facts.push_back({"best_margin", *best});
  const double reference = std::max(margin, best.value_or(0));
  const bool covered = options.variant != PerceptronVariant::fractional &&
                       options.schedule == Increment::constant && radius.equal_weights();
  if (covered && margin > 0) {
    const double bound = static_cast<double>(passes.most_at_once) * (training.classes > 2 ? 2 : 1) *
                         radius.squares() / (reference * reference);
    facts.push_back({"mistake_bound", bound});
    facts.push_back({"within_bound", static_cast<double>(passes.mistakes) <= bound});
  }
  facts.push_back(
      {"coordinates", std::string(training.standardize ? "standardised features" : "features as they are") +
                          (frame.bias ? " with a 1 for the bias" : "")});
  return facts;
}

// The centres of sparse features far from zero, by more than ten deviations; empty when there are none.
Vector far_centers(const Training& training, const PerceptronFrame& frame) {
  if (!training.source.sparse() || frame.center.size() == 0) return {};
  const auto far = frame.center.array().abs() * frame.metric.array().sqrt() > 10;
  return far.any() ? Vector(far.select(frame.center, 0)) : Vector();
}

void move_center(Predictor& plane, const Vector& shift) { std::get<Linear>(plane).center += shift; }

Fitted fit_in(const Perceptron& options, const Training& training, const PerceptronFrame& frame) {
  if (options.variant == PerceptronVariant::fractional &&
      !fold(training.source, PerceptronRadius(frame), training.monitor).unit_weights())
    throw Error(
        Code::usage,
        "`variant` fractional takes no sample or class weights: a correction is as long as its row asks for");
  const PerceptronPasses passes = options.variant == PerceptronVariant::batch
                                      ? batch_passes(options, training, frame)
                                      : sequential_passes(options, training, frame);
  if (!passes.plane.weights.allFinite() || !passes.plane.bias.allFinite())
    throw Error(Code::usage,
                "the corrections are so long that the weights overflow; take a smaller `learning_rate`");

  Fitted fitted;
  fitted.predictor = passes.plane;
  const Review review = fold(
      training.source, Review{PerceptronSurvey(fitted.predictor, frame, false), PerceptronRadius(frame)});
  const PerceptronSurvey& survey = review.survey;
  Summary& summary = fitted.summary;
  summary.solver = name_of(options.variant);
  summary.objective = survey.criterion();
  summary.iterations = passes.epochs;
  summary.interrupted = passes.interrupted;
  summary.certificate = {"training-mistakes", static_cast<double>(survey.mistakes())};
  summary.converged = survey.mistakes() == 0 && !passes.interrupted;
  summary.facts = theory(options, training, frame, passes, review);
  if (!summary.converged && !passes.interrupted)
    summary.warnings.push_back(not_separated(options, passes, survey.mistakes(), training.source.rows()));
  return fitted;
}

}  // namespace

// Sparse rows are scored uncentred, w.x - w.center, which loses the digits that tell the rows apart where
// they are far from zero. Those features are brought there first (shifted_source.hpp).
Fitted fit(const Perceptron& options, const Training& training) {
  check(options);
  PerceptronFrame frame = fit_frame(training, !options.no_bias);
  const Vector shift = far_centers(training, frame);
  if (shift.size() == 0) return fit_in(options, training, frame);
  const ShiftedSource rows(training.source, shift);
  Training near = training.on(rows);
  if (training.trace.show)
    near.trace.show = [&](const TraceStep& step) {
      Predictor plane = step.predictor;
      move_center(plane, shift);
      training.trace.show({step.iteration, step.objective, step.certificate, step.step, plane});
    };
  frame.center -= shift;
  Fitted fitted = fit_in(options, near, frame);
  move_center(fitted.predictor, shift);
  return fitted;
}

}  // namespace discern
