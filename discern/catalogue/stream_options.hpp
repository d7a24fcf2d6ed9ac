// What of a model's options a stream can follow.
#pragma once

#include "discern/catalogue/models.hpp"
#include "discern/optim/stochastic/online.hpp"

namespace discern {

// Throws Code::usage naming the flag that needs all rows at once, or the models that learn from streams.
OnlineOptions online_options(const FitSettings& settings);

// The link of its scores.
Link stream_link(const Loss& loss, Index scores);

}  // namespace discern
