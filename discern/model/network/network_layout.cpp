#include "discern/model/network/network_layout.hpp"

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/stats/block.hpp"
#include "discern/stats/column_moments.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// Weighted mean and deviation of the targets.
struct TargetMoments {
  double weight = 0, mean = 0, squares = 0;

  void add(const Block& block) {
    for (std::size_t i = 0; i < block.targets.size(); ++i)
      take(block.weight(static_cast<Index>(i)), block.targets[i], 0);
  }
  void merge(const TargetMoments& other) { take(other.weight, other.mean, other.squares); }
  void take(double w, double at, double spread) {
    if (!(w > 0)) return;
    weight += w;
    const double delta = at - mean;
    mean += delta * w / weight;
    squares += spread + w * delta * (at - mean);
  }
  double bytes() const { return sizeof(*this); }
};

double start_radius(UnitKind unit, double slope, Index inputs, Index units) {
  const auto in = static_cast<double>(inputs), out = static_cast<double>(units);
  if (unit == UnitKind::relu) return std::sqrt(6 / in);
  const double radius = std::sqrt(6 / (in + out));
  return unit == UnitKind::logistic ? 4 * radius / slope : radius;
}

}  // namespace

Index NetworkLayout::start(std::size_t l) const {
  Index at = 0;
  for (std::size_t k = 0; k < l; ++k) at += (1 + inputs(k)) * outputs(k);
  return at;
}

NetworkScaling fit_network_scaling(const Training& training) {
  const Source& source = training.source;
  const ColumnSummary moments = column_summary(source, training.monitor);
  check_spread(training, moments.deviation);
  NetworkScaling scaling;
  scaling.center = moments.mean;
  scaling.scale = moments.deviation;
  scaling.penalty.setOnes(source.cols());
  for (Index j = 0; j < source.cols(); ++j) {
    scaling.constant.push_back(moments.constant(j));
    if (moments.constant(j)) scaling.scale[j] = 1;
    if (!training.standardizes(j)) scaling.penalty[j] = 1 / (scaling.scale[j] * scaling.scale[j]);
  }
  if (training.task == Task::regression) {
    const TargetMoments targets = fold(source, TargetMoments{}, training.monitor);
    scaling.target_center = targets.mean;
    const double deviation = std::sqrt(targets.squares / targets.weight);
    if (!(deviation < 1e150))
      throw Error(Code::data,
                  "the targets spread so far that their squares leave the range of double precision; "
                  "use another unit");
    if (deviation > 0) scaling.target_scale = deviation;
  }
  return scaling;
}

VectorXd random_weights(const NetworkLayout& layout, const NetworkScaling& scaling, bool mirrored,
                        Random& random) {
  VectorXd point(layout.size());
  for (std::size_t l = 0; l < layout.layers(); ++l) {
    const Index inputs = layout.inputs(l), units = layout.outputs(l);
    const double radius = start_radius(layout.units[l], layout.slope, inputs, units);
    const double of_biases = 1 / std::sqrt(static_cast<double>(inputs));
    const double sign = mirrored && l + 1 == layout.layers() ? -1 : 1;
    Eigen::Map<RowMajor> layer(point.data() + layout.start(l), 1 + inputs, units);
    for (Index j = 0; j <= inputs; ++j)
      for (Index k = 0; k < units; ++k)
        layer(j, k) = sign * (j == 0 ? of_biases : radius) * random.uniform(-1, 1);
    for (Index j = 0; l == 0 && j < inputs; ++j)
      if (scaling.constant[static_cast<std::size_t>(j)]) layer.row(1 + j).setZero();
  }
  return point;
}

Network network_of(const NetworkLayout& layout, const NetworkScaling& scaling, const VectorXd& point,
                   Link link) {
  Network network;
  network.center = scaling.center;
  network.scale = scaling.scale;
  network.slope = layout.slope;
  network.link = link;
  for (std::size_t l = 0; l < layout.layers(); ++l) {
    const Eigen::Map<const RowMajor> layer(point.data() + layout.start(l), 1 + layout.inputs(l),
                                           layout.outputs(l));
    network.layers.push_back(
        {layer.bottomRows(layout.inputs(l)).transpose(), layer.row(0).transpose(), layout.units[l]});
  }
  Layer& last = network.layers.back();
  last.weights *= scaling.target_scale;
  last.bias = (last.bias.array() * scaling.target_scale + scaling.target_center).matrix().eval();
  return network;
}

NetworkLayout layout_of(const Network& network) {
  NetworkLayout layout;
  layout.sizes.push_back(network.features());
  layout.slope = network.slope;
  for (const Layer& layer : network.layers) {
    layout.sizes.push_back(layer.weights.rows());
    layout.units.push_back(layer.unit);
  }
  return layout;
}

VectorXd point_of(const Network& network, const NetworkScaling& scaling) {
  const NetworkLayout layout = layout_of(network);
  VectorXd point(layout.size());
  for (std::size_t l = 0; l < layout.layers(); ++l) {
    Eigen::Map<RowMajor> layer(point.data() + layout.start(l), 1 + layout.inputs(l), layout.outputs(l));
    layer.row(0) = network.layers[l].bias.transpose();
    layer.bottomRows(layout.inputs(l)) = network.layers[l].weights.transpose();
    if (l + 1 < layout.layers()) continue;
    layer.row(0).array() -= scaling.target_center;
    layer /= scaling.target_scale;
  }
  return point;
}

}  // namespace discern
