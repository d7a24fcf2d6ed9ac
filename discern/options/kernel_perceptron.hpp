// The perceptron in its dual form (Aizerman, Braverman and Rozonoer 1964): the weights are a sum of samples,
// a = sum_n alpha_n t_n y_n, where alpha_n counts how often sample n was misclassified, so that only inner
// products of samples are needed. With a kernel k (kernel/kernel.hpp) in the place of x.x'
//
//   g(x) = sum_n alpha_n t_n (k(x_n, x) + 1),      alpha_n <- alpha_n + s_n  when  t_n g(x_n) <= 0
//
// for at most `epochs` passes over the rows, in the order of the file or with `shuffle` in a new random order
// every pass. The 1 stands for the bias, which is sum_n alpha_n t_n; `no_bias` leaves it out. s_n is the
// sample weight. The linear kernel gives the plane of the sequential perceptron (model/perceptron/perceptron.hpp) with
// its steps of length one.
//
// With K > 2 classes there is a score each (Kesler's construction): a misclassified sample is added to its
// own class and subtracted from the best of the others.
//
// The samples with alpha > 0 are the model. `budget` N keeps at most N of them: beyond that, the one goes
// whose own margin would be the largest without it (Crammer, Kandola and Singer 2003), after which there is
// no promise of an end.
//
// A pass without a mistake ends the training. Without a budget that happens after at most (R / margin)^2
// mistakes (twice that for K > 2) when a sum exists that separates, with R^2 = max k(x, x) + 1 and the margin
// min t_n g(x_n) / |a|, |a|^2 = sum_n alpha_n t_n g(x_n).
//
// A sum that goes on keeps its samples and their counts, and its coordinates; the passes are over the new
// rows and add those that are misclassified. A `budget` would have to forget samples that are not among the
// rows, so that a sum with one cannot go on.
//
// x is in the coordinates that the user chose: standardised features or the features of the file. The scores
// of all rows are kept, so that a mistake costs the kernels of its row with all rows (once: as far as memory
// allows they are remembered) and a row without one costs nothing.
#pragma once

#include <string>
#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/base/index.hpp"

namespace discern {

struct KernelPerceptron {
  static constexpr bool starts = true;  // from a given sum

  std::string kernel = "gauss:1";
  Index budget = 0;
  Index epochs = 100;
  bool shuffle = false;
  bool no_bias = false;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, KernelPerceptron>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.kernel,
        Field{"kernel", "linear, poly:K for (1 + x.z)^K, or gauss:S for exp(-|x - z|^2 / (2 S^2))"});
  visit(options.budget,
        Field{"budget", "keep at most this many samples in the sum; 0: all that are needed", 0});
  visit(options.epochs, Field{"epochs", "passes over the data (at most, where it stops by itself)", 1});
  visit(options.shuffle, Field{"shuffle", "take the samples in a new random order every epoch"});
  visit(options.no_bias, Field{"no-bias", "force the hyperplane through the origin"});
}

}  // namespace discern
