#include "discern/model/bayes/kernel_density.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/model/bayes/bandwidth.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

// The values of some features, class by class, with their weights. Of sparse rows only those stored.
class ClassValues {
 public:
  ClassValues(const std::vector<Index>& features, Index classes, Index columns)
      : slot_(static_cast<std::size_t>(columns), -1),
        count_(static_cast<Index>(features.size())),
        points_(static_cast<std::size_t>(classes * count_)) {
    for (Index f = 0; f < count_; ++f)
      slot_[static_cast<std::size_t>(features[static_cast<std::size_t>(f)])] = f;
  }

  void add(const Block& block) {
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.rows; ++i) {
            const double weight = block.weight(i);
            if (weight <= 0) continue;
            const Index k = block.labels[static_cast<std::size_t>(i)];
            for_each(rows.row(i), [&](Index j, double v) {
              const Index f = slot_[static_cast<std::size_t>(j)];
              if (f >= 0) points_[static_cast<std::size_t>(k * count_ + f)].push_back({v, weight});
            });
          }
        },
        block.x);
  }

  void merge(const ClassValues& other) {
    for (std::size_t n = 0; n < points_.size(); ++n)
      points_[n].insert(points_[n].end(), other.points_[n].begin(), other.points_[n].end());
  }

  double bytes() const { return 24.0 * static_cast<double>(points_.size()); }
  std::vector<WeightedValues>& points() { return points_; }

 private:
  std::vector<Index> slot_;
  Index count_;
  std::vector<WeightedValues> points_;
};

// Sorted, with the zeros that sparse rows do not store, equal values together.
void tidy(WeightedValues& points, double class_weight) {
  double seen = 0;
  for (const WeightedValue& point : points) seen += point.weight;
  if (class_weight - seen > 1e-9 * class_weight) points.push_back({0, class_weight - seen});
  std::sort(points.begin(), points.end(), [](const WeightedValue& a, const WeightedValue& b) {
    return a.value < b.value || (a.value == b.value && a.weight < b.weight);
  });
  WeightedValues distinct;
  for (const WeightedValue& point : points)
    if (!distinct.empty() && distinct.back().value == point.value)
      distinct.back().weight += point.weight;
    else
      distinct.push_back(point);
  points = std::move(distinct);
}

// The bandwidth of one density.
double bandwidth_of(const KernelOptions& options, const WeightedValues& points, double n, double squares) {
  if (options.bandwidth > 0) return options.bandwidth;
  const double silverman = silverman_bandwidth(points, n, squares);
  return options.cross_validate ? cross_validated_bandwidth(points, silverman) : silverman;
}

// Weights that were divided by their sum are less than one row together.
void check_weight(const KernelOptions& options, const Training& training, const WeightedValues& points,
                  double class_weight, Index k) {
  if (options.bandwidth > 0 || class_weight > 1 || points.size() < 2) return;
  throw Error(Code::data,
              fmt::format("the weights of class '{}' sum to {:.4g}, and a weight counts as so many rows: no "
                          "bandwidth can be estimated from one row or less; scale the weights up or set "
                          "`bandwidth`",
                          training.class_names[static_cast<std::size_t>(k)], class_weight));
}

}  // namespace

Kernels fit_kernels(const KernelOptions& options, const Training& training,
                    const ClassColumnSummary& columns) {
  Kernels kernels;
  kernels.features = options.features;
  const Index classes = training.classes, count = static_cast<Index>(options.features.size());
  if (count == 0) return kernels;
  ClassValues values =
      fold(training.source, ClassValues(options.features, classes, training.source.cols()), training.monitor);
  kernels.widths.resize(classes, count);
  parallel_for(classes * count, [&](Index n) {
    const Index k = n / count, f = n % count, j = options.features[static_cast<std::size_t>(f)];
    WeightedValues& points = values.points()[static_cast<std::size_t>(n)];
    tidy(points, columns.weights[k]);
    const double h = bandwidth_of(options, points, columns.weights[k], columns.squares(k, j));
    kernels.widths(k, f) = std::max(h, options.least);
  });
  kernels.starts.push_back(0);
  for (Index n = 0; n < classes * count; ++n) {
    check_weight(options, training, values.points()[static_cast<std::size_t>(n)], columns.weights[n / count],
                 n / count);
    if (!(kernels.widths.data()[n] > 0))
      throw Error(Code::data,
                  fmt::format("all values of class '{}' are equal, which leaves no bandwidth; set one with "
                              "`bandwidth` or `variance_smoothing`",
                              training.class_names[static_cast<std::size_t>(n / count)]),
                  {"", 0, feature_name(training, options.features[static_cast<std::size_t>(n % count)])});
    kernels.starts.push_back(kernels.starts.back() +
                             static_cast<Index>(values.points()[static_cast<std::size_t>(n)].size()));
  }
  kernels.points.resize(kernels.starts.back());
  kernels.weights.resize(kernels.starts.back());
  for (Index n = 0, next = 0; n < classes * count; ++n)
    for (const WeightedValue& point : values.points()[static_cast<std::size_t>(n)]) {
      kernels.points[next] = point.value;
      kernels.weights[next++] = point.weight / columns.weights[n / count];
    }
  return kernels;
}

}  // namespace discern
