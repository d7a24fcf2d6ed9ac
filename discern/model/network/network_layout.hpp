// The weights of a network that is being learned, in one vector.
//
// Layer l has a (1 + inputs) x units matrix, row by row: first the biases, then the weights of each input.
// The layers follow one another. The inputs are z = (x - c) / s, centred and of unit variance, so that badly
// scaled data cost nothing; in regression the target is standardised as well.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "discern/base/random.hpp"
#include "discern/model/shape/predictor.hpp"
#include "discern/model/shape/training.hpp"

namespace discern {

struct NetworkLayout {
  std::vector<Index> sizes;     // inputs, the units of each hidden layer, scores
  std::vector<UnitKind> units;  // of the layers; the last are linear
  double slope = 1;             // of logistic units

  std::size_t layers() const { return units.size(); }
  Index inputs(std::size_t l) const { return sizes[l]; }
  Index outputs(std::size_t l) const { return sizes[l + 1]; }
  Index start(std::size_t l) const;  // where layer l begins
  Index size() const { return start(layers()); }
};

// How features become inputs and targets become outputs. Features without any spread become 0.
struct NetworkScaling {
  Vector center, scale;  // of the features
  Vector penalty;        // what an input's penalty is multiplied with, so that it acts on the chosen scale
  std::vector<bool> constant;
  double target_center = 0, target_scale = 1;  // of regression
};
NetworkScaling fit_network_scaling(const Training& training);

// The start: weights of a layer from U(-r, r) with r = sqrt(6 / inputs) for relu (He and others 2015),
// sqrt(6 / (inputs + units)) for tanh and linear units (Glorot and Bengio 2010), four times that over the
// slope for logistic units, whose slope at 0 is a quarter; biases from U(-1/sqrt(inputs), 1/sqrt(inputs)).
// `mirrored` turns the signs of the last layer. Inputs that are constant get no weight.
Eigen::VectorXd random_weights(const NetworkLayout& layout, const NetworkScaling& scaling, bool mirrored,
                               Random& random);

Network network_of(const NetworkLayout& layout, const NetworkScaling& scaling, const Eigen::VectorXd& point,
                   Link link);
NetworkLayout layout_of(const Network& network);
// The point whose network_of is this network; the scaling has the network's center and scale.
Eigen::VectorXd point_of(const Network& network, const NetworkScaling& scaling);

}  // namespace discern
