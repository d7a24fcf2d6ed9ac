#include "discern/evaluate/calibration.hpp"

#include <cmath>

namespace discern {

void CalibrationScore::add(double probability, bool came_true, double weight) {
  std::size_t b = 0;
  while (b + 1 < bins_.size() && probability > static_cast<double>(b + 1) / bins) ++b;
  bins_[b].weight.add(weight);
  bins_[b].probability.add(weight * probability);
  if (came_true) bins_[b].came_true.add(weight);
}

void CalibrationScore::merge(const CalibrationScore& other) {
  for (std::size_t b = 0; b < bins_.size(); ++b) {
    bins_[b].weight.merge(other.bins_[b].weight);
    bins_[b].probability.merge(other.bins_[b].probability);
    bins_[b].came_true.merge(other.bins_[b].came_true);
  }
}

std::vector<CalibrationBin> CalibrationScore::curve() const {
  std::vector<CalibrationBin> curve;
  for (const Bin& bin : bins_) {
    const double weight = bin.weight.value();
    if (weight > 0)
      curve.push_back({weight, bin.probability.value() / weight, bin.came_true.value() / weight});
  }
  return curve;
}

std::optional<double> CalibrationScore::error() const {
  CompensatedSum off, weight;
  for (const CalibrationBin& bin : curve()) {
    off.add(bin.weight * std::fabs(bin.share - bin.probability));
    weight.add(bin.weight);
  }
  if (!(weight.value() > 0)) return std::nullopt;
  return off.value() / weight.value();
}

}  // namespace discern
