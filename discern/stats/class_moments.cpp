#include "discern/stats/class_moments.hpp"

#include <cmath>

namespace discern {

ClassMoments::ClassMoments(Index classes, Index features, Scatter scatter, Eigen::VectorXd shift)
    : pooled_(scatter == Scatter::pooled),
      weights_(Eigen::VectorXd::Zero(classes)),
      shift_(std::move(shift)),
      means_(RowMajor::Zero(classes, features)),
      scatter_(static_cast<std::size_t>(pooled_ ? 1 : classes), Eigen::MatrixXd::Zero(features, features)) {}

double ClassMoments::bytes() const {
  const auto d = static_cast<double>(means_.cols());
  return 8 * d * (d * static_cast<double>(scatter_.size()) + static_cast<double>(means_.rows()));
}

Eigen::RowVectorXd ClassMoments::absorb(Index k, double weight,
                                        const Eigen::Ref<const Eigen::RowVectorXd>& mean) {
  const double total = weights_[k] + weight;
  const Eigen::RowVectorXd delta = mean - means_.row(k);
  const double spread = std::sqrt(weights_[k] * weight / total);
  means_.row(k) += delta * (weight / total);
  weights_[k] = total;
  return delta * spread;
}

void ClassMoments::add(const Block& block) {
  RowMajor x;
  dense_rows(block.x, shift_, {}, x);
  // The rows of each class in this block, found without a pass over all classes.
  std::vector<std::vector<Index>> members;
  std::vector<Index> classes;
  std::vector<Index> slot(static_cast<std::size_t>(weights_.size()), -1);
  for (Index i = 0; i < x.rows(); ++i) {
    if (block.weight(i) <= 0) continue;
    const auto k = block.labels[static_cast<std::size_t>(i)];
    auto& s = slot[static_cast<std::size_t>(k)];
    if (s < 0) {
      s = static_cast<Index>(classes.size());
      classes.push_back(k);
      members.emplace_back();
    }
    members[static_cast<std::size_t>(s)].push_back(i);
  }
  RowMajor rows;
  Index filled = 0;
  const auto flush = [&](Index k) {
    target(k).selfadjointView<Eigen::Lower>().rankUpdate(rows.topRows(filled).transpose());
    filled = 0;
  };
  rows.resize(x.rows() + static_cast<Index>(classes.size()), x.cols());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    double weight = 0;
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(x.cols());
    for (const Index i : members[c]) {
      mean += block.weight(i) * x.row(i);
      weight += block.weight(i);
    }
    mean /= weight;
    for (const Index i : members[c]) rows.row(filled++) = std::sqrt(block.weight(i)) * (x.row(i) - mean);
    rows.row(filled++) = absorb(classes[c], weight, mean);
    if (!pooled_) flush(classes[c]);
  }
  if (pooled_ && filled > 0) flush(0);
}

void ClassMoments::merge(const ClassMoments& other) {
  for (std::size_t s = 0; s < scatter_.size(); ++s) scatter_[s] += other.scatter_[s];
  for (Index k = 0; k < weights_.size(); ++k) {
    if (other.weights_[k] <= 0) continue;
    const Eigen::RowVectorXd row = absorb(k, other.weights_[k], other.means_.row(k));
    target(k).selfadjointView<Eigen::Lower>().rankUpdate(row.transpose());
  }
}

}  // namespace discern
