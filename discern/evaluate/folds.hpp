// How rows are divided so that a model is judged on rows that it was not fitted on.
//
//   K folds          every row is tested once in each repeat, by a model of the rows of the other K - 1
//   folds.
//                    The rows of a class are dealt to the folds in turn, in random order, one class after the
//                    other: no two folds differ by more than one row of any class, nor by more than one row
//   groups           a group is tested as a whole, so that no model has seen rows of the group that it is
//                    judged on (patients, speakers, documents). Groups go, the largest first, to the fold f
//                    that keeps sum_f sum_c (n_fc / N_c)^2 smallest, n_fc being its rows of class c of N_c
//   leave one out    every row is a fold
//   time order       rows are in the order of time and stay in it: K test parts of n / (K + 1) rows each at
//                    the end, each tested by a model of all rows before it (scikit-learn's TimeSeriesSplit)
//
// The same rows, labels, groups and seed give the same folds.
#pragma once

#include <cstdint>
#include <vector>

#include "discern/data/row.hpp"
#include "discern/options/folds.hpp"

namespace discern {

// What is known of each row; a vector is empty when there is nothing to know.
struct FoldRows {
  Index count = 0;
  std::vector<std::int32_t> labels;  // of classification
  std::vector<std::int32_t> groups;  // 0, 1, ...
};

class Folds {
 public:
  // `assigned`: for each repeat the fold that tests each row, counting from 0; -1: none. With `past_only` a
  // fold is tested by a model of the rows of earlier folds, otherwise of all others.
  Folds(std::vector<std::vector<Index>> assigned, Index per_repeat, bool past_only);

  Index count() const { return per_repeat_ * static_cast<Index>(assigned_.size()); }
  Index per_repeat() const { return per_repeat_; }
  // Of fold k of count(), ascending; the folds of a repeat follow each other.
  std::vector<Index> test(Index k) const;
  std::vector<Index> train(Index k) const;

 private:
  std::vector<std::vector<Index>> assigned_;
  Index per_repeat_;
  bool past_only_;
};

// Throws Code::usage for fewer than 2 folds, more folds than rows or groups, or kinds of folds that exclude
// each other.
Folds make_folds(const FoldRows& rows, const FoldOptions& options);

// A share of the given rows, drawn class by class (at least one of each); in time order the last of them. A
// smaller share is part of a larger one. Ascending.
std::vector<Index> thin_rows(const std::vector<Index>& rows, const FoldRows& all, double share,
                             const FoldOptions& options);

}  // namespace discern
