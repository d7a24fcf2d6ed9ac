#include "discern/catalogue/stream_options.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"
#include "discern/catalogue/stream_fit.hpp"

namespace discern {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view why) {
  throw Error(Code::usage, fmt::format("{}: {}; leave it out with `stream`", option, why));
}

// What all rows are needed for.
void check(const LinearOptions& options) {
  const LinearOptions plain;
  if (options.l1 > 0) refuse("`l1`", "exact zeros need all rows at once");
  if (options.solver != Solver::automatic && options.solver != Solver::sgd)
    refuse("`solver`", "rows that are seen once are learned by sgd");
  if (options.schedule == Schedule::linear) refuse("`schedule` linear", "a stream has no known end");
  if (options.epochs != plain.epochs) refuse("`epochs`", "a stream is seen once");
  if (options.order == SampleOrder::drawn) refuse("`order` drawn", "a stream is taken as it comes");
  if (options.normalize_weights) refuse("`normalize_weights`", "a stream does not do that");
  if (options.normalize_criterion) refuse("`normalize_criterion`", "a stream does not do that");
  if (options.no_bias && options.penalize_bias)
    throw Error(Code::usage, "`no_bias` and `penalize_bias` exclude each other");
}

OnlineOptions from(const Loss& loss, const LinearOptions& options) {
  check(options);
  OnlineOptions online;
  online.loss = loss;
  online.l2 = options.l2;
  online.learning_rate = options.learning_rate;
  online.schedule = options.schedule;
  online.batch_size = options.batch_size;
  online.average = options.average;
  online.bias = !options.no_bias;
  online.penalize_bias = options.penalize_bias;
  return online;
}

struct Visitor {
  OnlineOptions operator()(const Logistic& options) const {
    if (options.firth) refuse("`firth`", "the correction needs all rows at once");
    return from(LogisticLoss{}, linear_options(options));
  }
  OnlineOptions operator()(const Svm& options) const {
    return options.loss == SvmLoss::hinge ? from(HingeLoss{}, linear_options(options))
                                          : from(SquaredHingeLoss{}, linear_options(options));
  }
  OnlineOptions operator()(const LeastSquares& options) const {
    if (options.activation != Activation::none) refuse("`activation`", "a stream learns plain scores");
    if (options.shrinkage > 0) refuse("`shrinkage`", "it needs the scatter of all rows");
    if (options.targets != "pm1") refuse("`targets`", "a stream has the targets -1 and +1");
    return from(SquaredLoss{}, linear_options(options));
  }
  OnlineOptions operator()(const Perceptron& options) const {
    const Perceptron plain;
    const bool sgd = options.variant == PerceptronVariant::sgd;
    if (!sgd && options.variant != PerceptronVariant::sequential)
      refuse("`variant`", "a stream is learned by the variants sequential and sgd");
    if (options.pocket) refuse("`pocket`", "the best plane is known after a pass over all rows");
    if (options.epochs != plain.epochs) refuse("`epochs`", "a stream is seen once");
    if (options.shuffle) refuse("`shuffle`", "a stream is taken as it comes");
    if (!(options.learning_rate > 0)) refuse("`learning_rate`", "expected a number above 0");
    OnlineOptions online;
    online.loss = PerceptronLoss{};
    online.learning_rate = options.learning_rate;
    constexpr Schedule schedules[] = {Schedule::constant, Schedule::inverse, Schedule::inverse_sqrt};
    online.schedule = schedules[static_cast<std::size_t>(options.schedule)];
    online.batch_size = sgd ? options.batch_size : 1;
    online.average = options.averaged;
    online.bias = !options.no_bias;
    online.count_mistakes = !sgd;
    return online;
  }
  template <class Options>
  OnlineOptions operator()(const Options&) const {
    throw Error(Code::usage, fmt::format("the model {} does not learn from a stream; those that do are "
                                         "logistic, svm, least-squares and perceptron",
                                         model));
  }

  std::string_view model;
};

}  // namespace

OnlineOptions online_options(const FitSettings& settings) {
  OnlineOptions online = std::visit(Visitor{entry_of(settings.options).name}, settings.options);
  online.standardize = settings.standardize;
  if (!settings.basis.empty()) refuse("`basis`", "units and scales are learned from all rows");
  if (settings.multiclass.multiclass != Strategy::joint)
    refuse("`multiclass`", "a stream has a score for each class");
  if (settings.multiclass.calibrate != CalibrationKind::none)
    refuse("`calibrate`", "a calibration needs rows of its own");
  if (settings.class_weight == "balanced")
    refuse("`class_weight` balanced", "what is balanced is known at the end; give LABEL=WEIGHT,...");
  if (settings.task == Task::regression && !std::holds_alternative<LeastSquares>(settings.options))
    throw Error(Code::usage, "`task` regression: with `stream` take least-squares");
  return online;
}

Link stream_link(const Loss& loss, Index scores) {
  if (!std::holds_alternative<LogisticLoss>(loss)) return Link::none;
  return scores > 1 ? Link::softmax : Link::logistic;
}

void set_stream_defaults(ModelOptions& options) {
  std::visit(
      []<class O>(O& o) {
        if constexpr (LinearModel<O>) {
          if (o.solver == Solver::automatic) o.solver = Solver::sgd;
          if (o.schedule == Schedule::linear) o.schedule = Schedule::inverse_sqrt;
        }
      },
      options);
}

}  // namespace discern
