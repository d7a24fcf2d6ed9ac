// The part of a Problem that some of its features make up: their columns gathered in memory, as a problem of
// its own. What is left out is held at zero.
#pragma once

#include <optional>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/optim/l1/column_cd.hpp"
#include "discern/optim/view/problem_view.hpp"

namespace discern {

class WorkingSet : public ProblemView {
 public:
  // `features`: numbers of features, ascending. One pass over the data, for those that are not in `before`
  // (null: none) where rows are dense.
  WorkingSet(const Problem& whole, std::vector<Index> features, const Monitor& monitor,
             const WorkingSet* before = nullptr);
  WorkingSet(const WorkingSet&) = delete;
  WorkingSet& operator=(const WorkingSet&) = delete;

  const Problem& problem() const override { return part_; }
  const std::vector<Index>& features() const { return features_; }
  const Features& columns() const { return columns_; }  // DenseMatrix<double> or SparseMatrix<double>
  // The same column by column, made on first use; sparse features only.
  const SparseColumns& by_column();
  // Copies the penalties that the whole problem has now.
  void take_penalty();
  // Multiplies the columns by these factors. problem() is then no longer a part of the whole problem.
  void scale_columns(const Eigen::VectorXd& factors);
  Eigen::VectorXd to(const Eigen::VectorXd& whole_point) const override;
  // The whole's point with this part and zero elsewhere.
  Eigen::VectorXd from(const Eigen::VectorXd& part_point) const override;

 private:
  const Problem* whole_;
  std::vector<Index> features_;
  Features columns_;
  Targets answers_;
  MemorySource source_;
  Problem part_;
  std::optional<SparseColumns> by_column_;
};

}  // namespace discern
