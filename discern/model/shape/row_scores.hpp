// The scores and probabilities of a single row, in memory that the caller keeps: nothing is allocated. Blocks
// of rows (model/shape/predictor.cpp) go through the same functions, so that a row has the same bits alone and
// among others.
#pragma once

#include "discern/data/row.hpp"
#include "discern/model/shape/predictor.hpp"

namespace discern {

// Memory for one row; as many entries as features in each.
struct RowRoom {
  Vector x, product;
  explicit RowRoom(Index features) : x(features), product(features) {}
};

void row_scores(const Linear& linear, DenseRow<float> row, RowRoom& room, double* out);
void row_scores(const Linear& linear, DenseRow<double> row, RowRoom& room, double* out);
void row_scores(const Quadratic& quadratic, DenseRow<double> row, RowRoom& room, double* out);

// In place for softmax; two probabilities from one score otherwise. Requires link != Link::none.
void row_probabilities(const double* scores, Index count, Link link, double* out);

}  // namespace discern
