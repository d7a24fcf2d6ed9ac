#include "discern/model/network/network_function.hpp"

#include <algorithm>
#include <numeric>

#include "discern/stats/fold.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// The weights of the rows that are held out and of the others.
struct HeldWeight {
  const std::vector<bool>* held;
  double kept = 0, out = 0;

  void add(const Block& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      const bool away = !held->empty() && (*held)[static_cast<std::size_t>(block.first + i)];
      (away ? out : kept) += block.weight(i);
    }
  }
  void merge(const HeldWeight& other) { kept += other.kept, out += other.out; }
  double bytes() const { return sizeof(*this); }
};

template <class T>
class NetworkSums {
 public:
  using Numbers = Eigen::Matrix<T, Eigen::Dynamic, 1>;

  NetworkSums(const NetworkTask& task, const Numbers& point) : task_(&task), point_(&point), pass_(task) {}

  void add(const Block& block) {
    // Enough rows for matrix products at full speed, few enough to stay in the cache.
    const Index at_once = task_->sparse ? block.rows() : 256;
    if (gradient.size() == 0) gradient.setZero(task_->layout.size());
    const RowSet set{{&block, 1}, block.rows()};
    for (Index first = 0; first < block.rows(); first += at_once) {
      which_.resize(static_cast<std::size_t>(std::min(at_once, block.rows() - first)));
      std::iota(which_.begin(), which_.end(), static_cast<std::uint32_t>(first));
      add_rows(set);
    }
  }
  void merge(const NetworkSums& other) {
    value += other.value;
    held_value += other.held_value;
    gradient += other.gradient;
  }
  double bytes() const { return static_cast<double>(sizeof(T)) * static_cast<double>(task_->layout.size()); }

  double value = 0, held_value = 0;
  Numbers gradient;

 private:
  void add_rows(const RowSet& set) {
    pass_.take(set, which_);
    pass_.prepare(point_->data());
    pass_.load(0, pass_.rows());
    pass_.forward(point_->data(), 0, pass_.rows());
    if (!task_->held.empty()) held_value += pass_.held_losses(0, pass_.rows());
    value += pass_.losses(0, pass_.rows());
    pass_.backward(point_->data(), 0, pass_.rows());
    for (const auto& part : pass_.parts()) pass_.gradient(part, true, gradient.data());
  }

  const NetworkTask* task_;
  const Numbers* point_;
  NetworkPass<T> pass_;
  std::vector<std::uint32_t> which_;
};

}  // namespace

NetworkFunction::NetworkFunction(const NetworkTask& task, const Source& source, Precision precision)
    : task_(&task), source_(&source), precision_(precision), penalty_(task.penalty()) {
  const auto weights = fold(source, HeldWeight{&task.held});
  weight_ = weights.kept;
  held_weight_ = weights.out;
}

Evaluation NetworkFunction::evaluate(const VectorXd& point, const Monitor& monitor) {
  Evaluation at;
  const auto take = [&](const auto& sums) {
    if (held_weight_ > 0) held_loss_ = sums.held_value / held_weight_;
    at.value = sums.value + 0.5 * penalty_.dot(point.cwiseAbs2());
    at.gradient = sums.gradient.template cast<double>() + penalty_.cwiseProduct(point);
  };
  if (precision_ == Precision::full) {
    take(fold(*source_, NetworkSums<double>(*task_, point), monitor));
  } else {
    const Eigen::VectorXf rounded = point.cast<float>();
    take(fold(*source_, NetworkSums<float>(*task_, rounded), monitor));
  }
  return at;
}

}  // namespace discern
