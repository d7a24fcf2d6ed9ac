// What a row costs an online learner (optim/stochastic/online.hpp): the losses of one score or of several.
#pragma once

#include "discern/data/row.hpp"
#include "discern/loss/all.hpp"

namespace discern {

struct OnlineLoss {
  double loss = 0;
  Index label = 0;  // that the scores decide for
};

// Scores g in, slopes dL/dg out. y is the class, or the number of a regression.
OnlineLoss row_loss(const Loss& loss, double* g, Index classes, double y, bool regression);

}  // namespace discern
