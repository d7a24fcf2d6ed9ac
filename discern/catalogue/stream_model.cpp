#include "discern/catalogue/stream_model.hpp"

#include "discern/base/error.hpp"
#include "discern/catalogue/stream_options.hpp"

namespace discern {

Linear predictor_of(const OnlineLearner& learner, const StreamRows& rows, const OnlineOptions& options,
                    const std::vector<Index>& order, bool flipped) {
  const RowMajor found = learner.weights();
  const Vector bias = learner.bias(), origin = learner.origin();
  if (!found.allFinite() || !bias.allFinite())
    throw Error(Code::usage,
                "the steps are so long that the weights overflow; take a smaller `learning_rate`");
  const std::vector<Index> layout = rows.layout();
  const auto features = static_cast<Index>(layout.size());
  Linear linear{Matrix(found.cols(), features), bias, Vector::Zero(features),
                stream_link(options.loss, found.cols())};
  const double sign = flipped ? -1 : 1;
  for (Index k = 0; k < found.cols(); ++k) {
    const Index from = found.cols() == 1 ? 0 : order[static_cast<std::size_t>(k)];
    linear.bias[k] = sign * bias[from];
    for (Index j = 0; j < features; ++j)
      linear.weights(k, j) = sign * found(layout[static_cast<std::size_t>(j)], from);
  }
  for (Index j = 0; j < features; ++j)
    if (layout[static_cast<std::size_t>(j)] < origin.size())
      linear.center[j] = origin[layout[static_cast<std::size_t>(j)]];
  if (linear.center.isZero(0)) linear.center.resize(0);
  // A shift common to all classes changes nothing: the one that makes the biases sum to zero is given.
  if (linear.link == Link::softmax && options.bias && !options.penalize_bias)
    linear.bias.array() -= linear.bias_at_origin().mean();
  return linear;
}

void start_at(const Model& before, const StreamRows& rows, const OnlineOptions& options,
              OnlineLearner& learner) {
  const auto& linear = std::get<Linear>(before.predictor);
  bool drop_first = false;
  for (const Step& step : before.pipeline.steps())
    if (const auto* encode = std::get_if<OneHot>(&step)) drop_first = encode->drop_first;
  const bool centered = options.standardize && options.bias && !options.penalize_bias;
  const Index numbers = rows.numbers();
  RowMajor weights = RowMajor::Zero(numbers + rows.entries(), linear.scores());
  Vector origin = Vector::Zero(numbers), bias = linear.bias;
  const auto copy = [&](Index to, Index feature) {
    weights.row(to) = linear.weights.col(feature).transpose();
    const double center = linear.center.size() > 0 ? linear.center[feature] : 0;
    if (to < numbers && centered)
      origin[to] = center;
    else
      bias -= linear.weights.col(feature) * center;
  };
  const Schema& input = before.pipeline.input();
  const std::vector<Index> layout = rows.layout();
  Index feature = 0;
  std::size_t at = 0;
  for (Index j = 0; j < input.size(); ++j) {
    const std::size_t levels = input.categorical(j) ? input.column(j).levels.size() : 1;
    const std::size_t dropped = input.categorical(j) && drop_first ? 1 : 0;
    for (std::size_t level = dropped; level < levels; ++level) copy(layout[at + level], feature++);
    at += levels;
  }
  learner.start_at(weights, bias, origin, static_cast<double>(before.samples));
}

}  // namespace discern
