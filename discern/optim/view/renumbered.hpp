// A problem on sparse rows with its features numbered by how often they occur, the most frequent first: the
// weights that most rows need then share cache lines and stay in the first-level cache.
//
// Only the numbers of the columns are copied (4 bytes an entry); the values are those of the source. Within
// a row the columns are no longer in order.
#pragma once

#include <cstdint>
#include <vector>

#include "discern/optim/view/problem_view.hpp"

namespace discern {

// How often each feature occurs in a twentieth of the rows, which is enough for an order.
std::vector<std::uint32_t> feature_counts(const Source& source);
// The places of the counts, the largest first.
std::vector<Index> by_frequency(const std::vector<std::uint32_t>& counts);
// The features by how often they occur, the most frequent first.
std::vector<Index> features_by_frequency(const Source& source);
// Whether there are enough features and rows for that to pay, and memory for the columns.
bool worth_renumbering(const Source& source);

// The scaling and the penalties of a problem for rows whose features are in an order (the original number of
// each); its source stays as it is.
Problem in_order(const Problem& problem, const std::vector<Index>& order);
// What a point of such a problem is in the numbers of the original.
Eigen::VectorXd in_original_order(const Eigen::VectorXd& point, const std::vector<Index>& order,
                                  Index scores);

class RenumberedProblem : public ProblemView {
 public:
  static bool worth_making(const Problem& problem) { return worth_renumbering(*problem.source); }
  // The problem must outlive it. One pass over its columns.
  explicit RenumberedProblem(const Problem& problem);
  RenumberedProblem(const RenumberedProblem&) = delete;
  RenumberedProblem& operator=(const RenumberedProblem&) = delete;

  const Problem& problem() const override { return renumbered_; }
  Eigen::VectorXd to(const Eigen::VectorXd& whole_point) const override;
  Eigen::VectorXd from(const Eigen::VectorXd& view_point) const override {
    return in_original_order(view_point, order_, renumbered_.scores);
  }
  Eigen::VectorXd diagonal_from(const Eigen::VectorXd& diagonal) const override { return from(diagonal); }

 private:
  class Renumbered : public Source {
   public:
    Renumbered(const Source& from, const std::vector<Index>& order);
    Index rows() const override { return from_->rows(); }
    Index cols() const override { return from_->cols(); }
    bool sparse() const override { return true; }
    Block block(Index k, Scratch& scratch) const override;
    void extended(Index first, Index count, std::vector<long double>& values) const override;

   private:
    const Source* from_;
    const std::vector<Index>* order_;
    std::vector<Index> first_entry_;  // of each block
    Buffer<std::uint32_t> columns_;
  };

  std::vector<Index> order_;  // the original number of each feature
  Renumbered source_;
  Problem renumbered_;
};

}  // namespace discern
