// The passes of a perceptron over its rows: all misclassified samples at once, in a fold, or one batch of
// samples after the other, by nature on one thread (a second one only reads ahead:
// optim/stochastic/read_ahead.hpp). model/perceptron/perceptron.hpp has the algorithms.
#pragma once

#include "discern/model/perceptron/perceptron.hpp"
#include "discern/model/perceptron/perceptron_frame.hpp"

namespace discern {

struct PerceptronPasses {
  Linear plane;            // the last, the mean or the one in the pocket, as asked
  Index epochs = 0;        // passes made, the one without a mistake included
  Index mistakes = 0;      // samples corrected, in all passes
  Index most_at_once = 1;  // samples corrected in one step
  bool separated = false;  // the last pass was without a mistake
  bool interrupted = false;
};

// Those who watch (Training::trace) are shown the weights at work (of sequential --averaged their mean so
// far): those of each pass of batch, and of the others those after each correction (of more than 1,000 rows
// after each pass), with the criterion and the mistakes that they make of all rows.
PerceptronPasses batch_passes(const Perceptron& options, const Training& training,
                              const PerceptronFrame& frame);
PerceptronPasses sequential_passes(const Perceptron& options, const Training& training,
                                   const PerceptronFrame& frame);

// h, h/k or h/sqrt(k).
double increment(const Perceptron& options, Index k);

// The scores: one for two classes, otherwise one a class.
inline Index perceptron_scores(const Training& training) {
  return training.classes == 2 ? 1 : training.classes;
}

}  // namespace discern
