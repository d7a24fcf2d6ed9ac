// Weights and means of the classes and the scatter about them, in one fold.
//
//   m_k = sum_{i in k} s_i x_i / n_k,        S_k = sum_{i in k} s_i (x_i - m_k)(x_i - m_k)'
//
// either pooled (one matrix, sum_k S_k) or one a class. The rows of a block are gathered by class, a hundred
// or so at a time, less a rough centre of the class in that block, and multiplied while they are in the cache
// (scatter_panel.hpp). What the centre was off is taken away when the block is done, and the difference
// between its mean and the one so far enters as one more row. So each row is read from memory once
// (twice where rows have weights), and costs the same however many classes there are and whether they are
// pooled.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/data/source.hpp"
#include "discern/stats/block.hpp"
#include "discern/stats/column_moments.hpp"
#include "discern/stats/statistics.hpp"

namespace discern {

class ClassMoments {
 public:
  enum class Scatter { pooled, per_class };
  // `shift` is subtracted from every row first (a rough centre of the data, or empty).
  ClassMoments(Index classes, Index features, Scatter scatter, Eigen::VectorXd shift);

  void add(const Block& block);
  void merge(const ClassMoments& other);
  double bytes() const;

  const Eigen::VectorXd& weights() const { return weights_; }
  const RowMajor& means() const { return means_; }  // about the shift
  const Eigen::VectorXd& shift() const { return shift_; }
  // The scatter matrix number k (0 when pooled); only the lower triangle is meaningful.
  const Eigen::MatrixXd& scatter(Index k = 0) const { return scatter_[static_cast<std::size_t>(k)]; }
  // The columns over all classes; low and high are about the shift.
  ColumnSummary columns() const;

  template <class Self, class Visitor>
  static void visit_state(Self& self, Visitor&& visit) {
    visit("weights", self.weights_);
    visit("shift", self.shift_);
    visit("means", self.means_);
    visit("low", self.low_);
    visit("high", self.high_);
    visit("scatter", self.scatter_);
  }

 private:
  struct Gathering;
  template <class Rows>
  void add_rows(const Rows& rows, const Block& block);
  // Adds the first `count` of the rows in the order, which are of class k.
  template <class Rows>
  void add_class(const Rows& rows, const Block& block, Index k, std::span<const Index> order, Index count,
                 Gathering& work);
  // Takes them less the pivot into the panel and the totals and returns their weight.
  template <class Rows>
  double gather(const Rows& rows, const Block& block, Index k, std::span<const Index> order, Index count,
                Gathering& work);
  // Empties the panel, while the rows that come next are fetched.
  template <class Rows>
  void multiply(const Rows& rows, Index k, std::span<const Index> next, Gathering& work);
  // Merges group (weight, mean) into class k and returns the row that the difference adds to the scatter.
  Eigen::RowVectorXd absorb(Index k, double weight, const Eigen::Ref<const Eigen::RowVectorXd>& mean);
  Eigen::MatrixXd& target(Index k) { return scatter_[pooled_ ? 0 : static_cast<std::size_t>(k)]; }

  bool pooled_;
  Eigen::VectorXd weights_, shift_;
  RowMajor means_;
  Eigen::RowVectorXd low_, high_;
  std::vector<Eigen::MatrixXd> scatter_;
};

// The moments of a source, with the mean of its first block as shift; those of earlier rows, with their
// shift, go `before` (nullptr: there were none). Throws Code::interrupted when the monitor asks to stop.
ClassMoments class_moments(const Source& source, Index classes, ClassMoments::Scatter scatter,
                           const Monitor& monitor, const Statistics* before = nullptr);

}  // namespace discern
