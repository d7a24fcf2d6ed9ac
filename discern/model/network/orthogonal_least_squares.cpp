#include "discern/model/network/orthogonal_least_squares.hpp"

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern {
namespace {

// What is left of a column, as a share of its square, that counts as nothing but rounding; and the smallest
// ratio worth a column.
constexpr double dependent = 1e-12, worthless = 1e-14;

// The column with the largest w . y, squared, over w . w; -1 when none is left. The first of equal ones.
Index best_column(const Eigen::MatrixXd& products, const Eigen::VectorXd& left, const Eigen::VectorXd& whole,
                  double& gain) {
  Index best = -1;
  gain = 0;
  for (Index j = 0; j < left.size(); ++j) {
    if (!(left[j] > dependent * whole[j])) continue;
    const double here = products.col(j).squaredNorm() / left[j];
    // Equal columns differ by rounding, and the order of the columns decides then.
    if (best < 0 || here > gain * (1 + 1e-12)) {
      best = j;
      gain = here;
    }
  }
  return best;
}

}  // namespace

ForwardSelection select_forward(Eigen::MatrixXd& p, Eigen::MatrixXd y, Index count, const Monitor& monitor) {
  ForwardSelection selected;
  const double total = y.squaredNorm();
  if (!(total > 0)) return selected;
  Eigen::MatrixXd products = y.transpose() * p;  // targets x columns
  Eigen::VectorXd left = p.colwise().squaredNorm();
  const Eigen::VectorXd whole = left;
  while (static_cast<Index>(selected.columns.size()) < count) {
    double gain = 0;
    const Index best = best_column(products, left, whole, gain);
    if (best < 0 || !(gain > worthless * total)) break;
    selected.columns.push_back(best);
    selected.ratios.push_back(gain / total);
    if (!go_on(monitor, {.stage = "choosing centres",
                         .done = static_cast<std::int64_t>(selected.columns.size()),
                         .total = count})) {
      selected.interrupted = true;
      break;
    }
    const Eigen::VectorXd q = p.col(best) / std::sqrt(left[best]);
    y -= q * (q.transpose() * y);
    left[best] = 0;
    parallel_for(p.cols(), [&](Index j) {
      if (!(left[j] > dependent * whole[j])) return;
      p.col(j) -= q.dot(p.col(j)) * q;
      left[j] = p.col(j).squaredNorm();
      products.col(j) = y.transpose() * p.col(j);
    });
  }
  return selected;
}

}  // namespace discern
