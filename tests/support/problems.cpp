#include "tests/support/problems.hpp"

#include <cmath>

#include "discern/base/random.hpp"

namespace discern::support {

Features dense_features(const RowMajor& values) {
  std::vector<double> all(values.data(), values.data() + values.size());
  return DenseMatrix<double>{Buffer<double>(std::move(all)), values.rows(), values.cols()};
}

Features sparse_features(const RowMajor& values) {
  std::vector<double> entries;
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> starts{0};
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j)
      if (values(i, j) != 0) {
        entries.push_back(values(i, j));
        columns.push_back(static_cast<std::uint32_t>(j));
      }
    starts.push_back(static_cast<std::int64_t>(entries.size()));
  }
  return SparseMatrix<double>{Buffer<double>(std::move(entries)), Buffer<std::uint32_t>(std::move(columns)),
                              Buffer<std::int64_t>(std::move(starts)), values.rows(), values.cols()};
}

MadeProblem::MadeProblem(const Loss& loss, const ProblemShape& shape) : values_(shape.rows, shape.cols) {
  Random random(shape.seed);
  for (Index i = 0; i < shape.rows; ++i) {
    double plane = 0;
    for (Index j = 0; j < shape.cols; ++j) {
      const double z = random.below(3) == 0 ? 0.0 : random.normal();
      plane += j % 2 == 0 ? z : -z;
      const double scale = std::pow(10.0, static_cast<double>(j % 3) - 1);
      values_(i, j) = scale * (z + shape.offset);
    }
    const double noisy = plane + random.normal();
    if (shape.classes == 0) targets_.values.push_back(noisy);
    if (shape.classes == 2) targets_.labels.push_back(noisy > 0 ? 1 : 0);
    if (shape.classes > 2)
      targets_.labels.push_back(
          noisy > 0.5 ? static_cast<std::int32_t>(random.below(2))
                      : static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(shape.classes))));
    if (shape.weights) targets_.weights.push_back(static_cast<double>(random.below(5)) / 2);
  }
  x_ = shape.sparse ? sparse_features(values_) : dense_features(values_);
  problem_.source = &source_;
  problem_.loss = loss;
  problem_.bias = shape.bias;
  if (problem_.softmax()) problem_.scores = shape.classes;
  problem_.scaling = fit_scaling(source_, {shape.bias && shape.center, false, {}}, {});
  set_penalty(problem_, shape.penalty);
}

Eigen::VectorXd MadeProblem::scaled_row(Index i) const {
  const Scaling& scaling = problem_.scaling;
  Eigen::VectorXd row(problem_.width());
  row[0] = problem_.bias ? 1.0 : 0.0;
  for (Index j = 0; j < problem_.features(); ++j) {
    const double center = scaling.center.size() > 0 ? scaling.center[j] : 0.0;
    row[j + 1] = (values_(i, j) - center) / scaling.scale[j];
  }
  return row;
}

double MadeProblem::target(Index i) const {
  const auto at = static_cast<std::size_t>(i);
  if (targets_.labels.empty()) return targets_.values[at];
  return targets_.labels[at] == problem_.positive ? 1.0 : problem_.negative;
}

double MadeProblem::weight(Index i) const {
  return targets_.weights.empty() ? 1.0 : targets_.weights[static_cast<std::size_t>(i)];
}

}  // namespace discern::support
