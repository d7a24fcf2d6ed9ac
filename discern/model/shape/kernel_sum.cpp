#include "discern/model/shape/kernel_sum.hpp"

namespace discern {

PerceptronFrame frame_of(const KernelSum& sum) {
  PerceptronFrame frame;
  frame.bias = false;
  frame.center = sum.center;
  if (sum.scale.size() > 0) frame.metric = sum.scale.array().square().inverse();
  return frame;
}

Matrix scores_of(const KernelSum& sum, const Rows& x) {
  const PerceptronFrame frame = frame_of(sum);
  const SquaredLengths lengths(frame);
  return with_rows(frame, [&](auto& rows) {
    std::vector<KernelPoint> points;
    for (Index n = 0; n < sum.support.rows(); ++n)
      points.push_back(kernel_point(frame, rows, DenseRow<double>{sum.support.row(n).data(), sum.features()},
                                    sum.features()));
    return std::visit(
        [&](const auto& block) {
          Matrix out(block.rows, sum.scores());
          Vector kernels(sum.support.rows());
          for (Index i = 0; i < block.rows; ++i) {
            const auto seen = rows.seen(block.row(i));
            const double squares = lengths.of(block.row(i), rows.squares(seen));
            for (Index n = 0; n < kernels.size(); ++n) {
              const KernelPoint& point = points[static_cast<std::size_t>(n)];
              kernels[n] = sum.kernel(product(seen, point), squares, point.squares);
            }
            out.row(i) = (sum.coefficients * kernels + sum.bias).transpose();
          }
          return out;
        },
        x);
  });
}

}  // namespace discern
