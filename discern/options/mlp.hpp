// The multilayer perceptron: layers of units between the features and the scores, learned by back-propagation
// (Rumelhart, Hinton and Williams 1986).
//
//   y_0 = z,   y_l = f(W_l y_(l-1) + b_l),   g(x) = W_L y_(L-1) + b_L
//
//   minimise  E(W) = sum_i s_i L(g(x_i), y_i) + l2/2 sum_l |W_l|^2
//
// z are the features, always centred and divided by their standard deviation; the penalty of the first layer
// acts on that scale or, without `standardize`, on that of the features, as in every other model. Biases are
// not penalised. f is relu, tanh, logistic (with a slope) or linear, the same for all hidden layers.
//
//   cross-entropy   one logistic output for two classes, L = log(1 + exp(-t g)), t = -1 or +1;
//                   softmax outputs for more, L = log sum_k exp(g_k) - g_y
//   quadratic       L = 1/2 |y' - p|^2 with the outputs p = 1 / (1 + exp(-g)) or softmax and y' = 0 or 1
//   regression      L = 1/2 (y' - g)^2 with the target standardised, so that its unit does not matter
//
// Solvers: lbfgs, cg and gd take all rows at a time, in double precision, and stop at a tolerance. sgd takes
// a step after every batch (of one row: sequential learning), in single precision, and stops after its
// epochs. Its steps are along the mean gradient g of the batch and the penalty's share:
//
//   plain      w <- w - h g
//   momentum   v <- m v - h g,  w <- w + v
//   adam       w <- w - h m' / (sqrt(v') + 1e-8), m' and v' the means of g and g^2 over the last steps, with
//              factors m (0.9) and 0.999, corrected for their start at zero (Kingma and Ba 2015)
//
// E is not convex: the certificate |grad E| / |grad E at the start| within the tolerance says that the point
// is stationary, not that it is the minimum. `restarts` makes several random starts and keeps the best: on
// the rows held out where there are some (`early_stopping`), otherwise by E.
//
// A network that goes on starts at the weights of another, with its layers and its scaling of the features.
// What a solver knew beside them (adam's and momentum's means, the pairs of lbfgs) begins anew, as do the
// steps of a schedule. Near a stationary point the gradient at the start is small, so the certificate
// compares with the gradient at the random start of the same seed.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/base/index.hpp"
#include "discern/options/stochastic.hpp"

namespace discern {

enum class HiddenUnit { relu, tanh, logistic, linear };
inline std::span<const std::string_view> value_names(HiddenUnit) {
  static constexpr std::array<std::string_view, 4> names{"relu", "tanh", "logistic", "linear"};
  return names;
}

enum class NetworkLoss { cross_entropy, quadratic };
inline std::span<const std::string_view> value_names(NetworkLoss) {
  static constexpr std::array<std::string_view, 2> names{"cross-entropy", "quadratic"};
  return names;
}

enum class NetworkSolver { automatic, lbfgs, cg, gd, sgd };
inline std::span<const std::string_view> value_names(NetworkSolver) {
  static constexpr std::array<std::string_view, 5> names{"auto", "lbfgs", "cg", "gd", "sgd"};
  return names;
}

enum class Update { adam, momentum, plain };
inline std::span<const std::string_view> value_names(Update) {
  static constexpr std::array<std::string_view, 3> names{"adam", "momentum", "plain"};
  return names;
}

struct Mlp {
  static constexpr bool every_level = true;  // of text columns; the penalty makes the weights unique
  static constexpr bool starts = true;       // from given weights

  std::string layers = "100";
  HiddenUnit activation = HiddenUnit::relu;
  double slope = 1;
  NetworkLoss loss = NetworkLoss::cross_entropy;
  double l2 = 0.01;
  NetworkSolver solver = NetworkSolver::automatic;
  double tol = 1e-5;
  Index max_iter = 1000;
  Update update = Update::adam;
  double momentum = 0.9;
  double learning_rate = 0;
  Schedule schedule = Schedule::linear;
  Index batch_size = 128;
  Index epochs = 30;
  SampleOrder order = SampleOrder::shuffled;
  Index restarts = 1;
  double noise = 0;
  bool early_stopping = false;
  double held_out = 0.1;
  Index patience = 10;
  std::string weights = "random";
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, Mlp>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.layers, Field{"layers", "units of the hidden layers, as in 64,32; 0: no hidden layer"});
  visit(options.activation,
        Field{"activation",
              "what a unit makes of its sum: behind the score of least-squares, in the layers of mlp"});
  visit(options.slope, Field{"slope", "a of the logistic units 1 / (1 + exp(-a v))", 1e-3, 1e3});
  visit(options.loss, Field{"loss", "what the score of a sample costs"});
  visit(options.l2, Field{"l2", "strength of the penalty on the weights' squares (ridge)", 0});
  visit(options.solver, Field{"solver", "how to minimise"});
  visit(options.tol, Field{"tol", "largest certificate that counts as converged", 0});
  visit(options.max_iter, Field{"max-iter", "stop after this many iterations", 0});
  visit(options.update, Field{"update", "how sgd makes a step of a gradient"});
  visit(options.momentum, Field{"momentum", "share of the last step that goes on in the next", 0, 0.9999});
  visit(options.learning_rate, Field{"learning-rate", "step length; 0 leaves it to gd and sgd", 0});
  visit(options.schedule,
        Field{"schedule", "how the step length falls with the steps l: to 0 at the last, 1, 1/l, 1/sqrt(l)"});
  visit(options.batch_size, Field{"batch-size", "samples a step of sgd", 1});
  visit(options.epochs, Field{"epochs", "passes over the data (at most, where it stops by itself)", 0});
  visit(options.order,
        Field{"order", "how sgd takes the samples: shuffled each epoch, drawn with replacement, as given"});
  visit(options.restarts, Field{"restarts", "random starts, of which the best is kept", 1});
  visit(options.noise,
        Field{"noise", "standard deviation of noise that sgd adds to standardised features", 0, 1000});
  visit(options.early_stopping,
        Field{"early-stopping", "hold rows out and keep the weights that do best on them"});
  visit(options.held_out, Field{"held-out", "share of the rows that early stopping holds out", 0.001, 0.9});
  visit(options.patience,
        Field{"patience", "early stopping waits this many iterations or epochs for a lower loss", 1});
  visit(options.weights,
        Field{"weights", "where to start: random, or a JSON file with a network (see the guide)"});
}

}  // namespace discern
