#include "discern/model/linear_fit.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"

namespace discern {

Scaling fit_scaling(const Training& training, bool bias) {
  return fit_scaling(training.source, {bias, training.standardize, training.indicator}, training.monitor);
}

Linear unscale(const Scaling& scaling, const Matrix& u, const Vector& bias, Link link) {
  Linear linear{u, bias, scaling.center, link};
  linear.weights.array().rowwise() /= scaling.scale.transpose().array();
  return linear;
}

void check_matrix_size(Index size, std::string_view what) {
  const double bytes = 8.0 * static_cast<double>(size) * static_cast<double>(size);
  if (bytes > 4e9)
    throw Error(Code::memory,
                fmt::format("{} needs a {} x {} matrix of {:.1f} GB, and the limit is 4 GB; leave out "
                            "features with --features or --ignore",
                            what, size, size, bytes / 1e9));
}

std::string feature_name(const Training& training, Index j) {
  if (training.feature_names.empty()) return fmt::format("x{}", j + 1);
  return training.feature_names[static_cast<std::size_t>(j)];
}

std::string rank_warning(Index rank, Index features) {
  return fmt::format(
      "the features are linearly dependent (rank {} of {}): the weights are not unique, those of "
      "least norm are given",
      rank, features);
}

}  // namespace discern
