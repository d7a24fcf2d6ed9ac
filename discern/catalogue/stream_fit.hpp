// Fitting a linear model to rows that come one after the other (io/table/row_stream.hpp), each seen once, in memory
// that does not grow with them; optim/stochastic/online.hpp has the rule. What every row teaches is used at once:
//
// - Every row is judged before it is learned, so the mean loss and the accuracy of these judgements
//   (progressive validation: Blum, Kalai and Langford 1999) are those of rows that the model had not seen.
// - A missing number is taken as the mean of its column so far, a missing text as the most frequent so far.
// - A text gets a feature of its own when it first appears, up to a limit; with hash_bits columns and texts
//   share 2^bits features (transform/hashing.hpp), and missing cells have none.
// - A class gets a score of its own when it first appears, unless the classes are given: then another one is
//   an Error. With two classes there is one score.
//
// The model can be made at any time. It carries what is needed to go on: rows in two parts, the second from
// the model of the first, leave the same bits as all rows at once (with batches: when the first part is whole
// batches).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "discern/catalogue/models.hpp"

namespace discern {

// What was said of the rows before they were learned.
struct Progressive {
  double rows = 0;
  double weight = 0;
  double loss = 0;   // sum of the weighted losses
  double right = 0;  // weight of the rows that got their label

  double mean_loss() const { return weight > 0 ? loss / weight : 0; }
  double accuracy() const { return weight > 0 ? right / weight : 0; }
};

struct StreamSettings {
  std::vector<std::string> classes;  // all that there are, at least two; empty: those that appear
  Index hash_bits = 0;               // 0: no hashing
  std::function<void(const Progressive&)> watch = {};  // told after 1, 2, 4, 8, ... rows
};

class StreamFit {
 public:
  // Of the settings the model and its options, the task, the target, weights, positive label, decision rule,
  // standardize, encode and impute count, and `before`: a model that this one goes on from. Throws
  // Code::usage for what cannot be learned from a stream.
  StreamFit(const FitSettings& settings, const StreamSettings& stream);
  ~StreamFit();

  // Learns the rows of a table in order; all tables have the same columns.
  void learn(const Table& table);
  const Progressive& so_far() const;
  Index missing() const;  // cells so far

  // The model so far. Throws Code::data (interrupted: Code::interrupted) when there are fewer than two
  // classes, Code::usage when the steps were so long that the weights overflow, and unless interrupted for a
  // class weight of a label that no row had.
  Model model(bool interrupted);

 private:
  class State;
  std::unique_ptr<State> state_;
};

// The options as a stream takes them where they were left open: sgd, with a schedule that needs no end.
void set_stream_defaults(ModelOptions& options);

// Whether a fit can go on from the model row by row: it was learned from a stream, or by sgd, or is a
// perceptron.
bool learns_online(const Model& model);
// The settings with which it was fitted, with `before` set. Throws Code::usage when it cannot go on.
FitSettings stream_settings_of(const Model& before);

}  // namespace discern
