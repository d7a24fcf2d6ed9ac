// Between an online learner and the predictor of a model: its weights in the order of the model's features.
#pragma once

#include <vector>

#include "discern/catalogue/stream_rows.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/optim/stochastic/online.hpp"

namespace discern {

// `order`: the learner's class of each of the model's; flipped: of two classes the learner's first is the
// positive one. Throws Code::usage when the steps were so long that the weights overflow.
Linear predictor_of(const OnlineLearner& learner, const StreamRows& rows, const OnlineOptions& options,
                    const std::vector<Index>& order, bool flipped);

// Begins with the weights of a linear model that was fitted in another way, whose columns `rows` has, and
// with the steps that its rows would have been.
void start_at(const Model& before, const StreamRows& rows, const OnlineOptions& options,
              OnlineLearner& learner);

}  // namespace discern
