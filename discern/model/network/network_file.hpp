// A network whose weights somebody gives: a JSON file
//
//   {"layers": [{"weights": [[1, 1], [1, 1]], "bias": [-0.5, -1.5], "activation": "step"},
//               {"weights": [[1, -1]], "bias": [-0.5]}]}
//
// From the features to the scores; weights have a row for each unit and a number for each input. The
// activation of a hidden layer is linear, relu, tanh, logistic or step; the last layer, which gives the
// scores, has none. Optional: "slope" of logistic units (1), and "center" and "scale", a number for each
// feature: the inputs are (x - center) / scale, and without them the features as they are.
#pragma once

#include <string>

#include "discern/model/shape/predictor.hpp"

namespace discern {

// Throws Code::data for what is no such file or does not fit together, saying where.
Network read_network(const std::string& path);

}  // namespace discern
