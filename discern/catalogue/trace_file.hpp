// A fit written down as it happens: a line of JSON for an iteration, enough to replay it without fitting.
//
//   {"iteration": 3, "objective": 41.2, "certificate": 0.07, "step": 0.5,
//    "mistakes": 2, "wrong": [17, 80], "weights": [[0.4, -1.1]], "bias": [0.2]}
//
// objective, certificate and step are null where the algorithm has none. "mistakes" counts the training rows
// on the wrong side (classification); "wrong" lists them up to 1,000 rows, by their number among the rows of
// the file. Weights and biases are in the units of the features, a row a score; beyond 1,000 weights
// "projection" has, for each score, the products with eight random directions (of the seed) instead. A sum of
// kernels has "support", the number of its rows, and "coefficients", up to 1,000 of them. A network has
// "layers", each with "weights" (a row a unit) and "bias", of its inputs ("center" and "scale" say how they
// come from the features); beyond 1,000 weights only "norms", the length of each layer's. Of several random
// starts each line has its "start", counting from 1, and iterations begin at 0 in each. The last line is
// the model that the fit gave, with "final": true. The file appears when the fit has ended.
#pragma once

#include <string>
#include <vector>

#include "discern/io/file/file.hpp"
#include "discern/model/shape/training.hpp"

namespace discern {

class TraceFile {
 public:
  // `rows`: the number in the file of each row of the source; empty when they are the same.
  TraceFile(const std::string& path, const Source& source, std::vector<Index> rows, std::uint64_t seed);

  void write(const TraceStep& step, bool last = false);
  // The last line; the file is there after it. `features`: what the predictor takes.
  void finish(const Fitted& fitted, const Source& features);

 private:
  FileWriter file_;
  const Source* source_;
  std::vector<Index> rows_;
  std::uint64_t seed_;
};

}  // namespace discern
