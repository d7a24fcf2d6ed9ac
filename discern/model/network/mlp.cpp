#include "discern/model/network/mlp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/network/mlp_batches.hpp"
#include "discern/model/network/mlp_solve.hpp"
#include "discern/model/network/network_file.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

constexpr Index most_layers = 100, most_weights = 200'000'000;

// "64,32" as numbers; empty for "0".
std::vector<Index> hidden_layers(const std::string& text) {
  const auto refuse = [&] {
    throw Error(Code::usage,
                fmt::format("`layers`: expected numbers of units above 0 as in 64,32, or 0 for no hidden "
                            "layer, got '{}'",
                            text));
  };
  std::vector<Index> layers;
  if (text == "0") return layers;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    const std::string item = text.substr(first, end - first);
    const bool digits = !item.empty() && item.size() <= 9 &&
                        std::all_of(item.begin(), item.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || std::stol(item) < 1) refuse();
    layers.push_back(std::stol(item));
    first = end + 1;
  }
  if (static_cast<Index>(layers.size()) > most_layers) refuse();
  return layers;
}

UnitKind kind_of(HiddenUnit unit) {
  constexpr UnitKind kinds[] = {UnitKind::relu, UnitKind::tanh, UnitKind::logistic, UnitKind::linear};
  return kinds[static_cast<std::size_t>(unit)];
}

Index output_scores(const Training& training) {
  return training.task == Task::classification && training.classes > 2 ? training.classes : 1;
}

NetworkLayout new_layout(const Mlp& options, const Training& training) {
  NetworkLayout layout;
  layout.slope = options.slope;
  layout.sizes.push_back(training.source.cols());
  for (const Index units : hidden_layers(options.layers)) {
    layout.sizes.push_back(units);
    layout.units.push_back(kind_of(options.activation));
  }
  layout.sizes.push_back(output_scores(training));
  layout.units.push_back(UnitKind::linear);
  double weights = 0;
  for (std::size_t l = 0; l < layout.layers(); ++l)
    weights += static_cast<double>(1 + layout.inputs(l)) * static_cast<double>(layout.outputs(l));
  if (weights > static_cast<double>(most_weights))
    throw Error(Code::memory, fmt::format("`layers` {}: {:.0f} weights with {} features, and the limit is {}",
                                          options.layers, weights, layout.inputs(0), most_weights));
  return layout;
}

std::string shown(const NetworkLayout& layout) {
  std::string text;
  for (const Index size : layout.sizes) text += fmt::format("{}{}", text.empty() ? "" : "-", size);
  return text;
}

Link output_of(const Training& training) {
  if (training.task == Task::regression) return Link::none;
  return training.classes > 2 ? Link::softmax : Link::logistic;
}

void set_loss(const Mlp& options, const Training& training, NetworkTask& task) {
  const bool quadratic = options.loss == NetworkLoss::quadratic, several = training.classes > 2;
  task.loss.scores = output_scores(training);
  task.softmax_unit = quadratic && several;
  if (training.task == Task::regression)
    task.loss.loss = SquaredLoss{};
  else if (several)
    task.loss.loss = SoftmaxLoss{};
  else if (quadratic)
    task.loss.loss = LogisticUnitLoss{};
  else
    task.loss.loss = LogisticLoss{};
}

// A random share of the rows.
std::vector<bool> rows_held_out(const Mlp& options, const Training& training) {
  if (!options.early_stopping) return {};
  const Index rows = training.source.rows();
  const auto count = std::max<Index>(1, std::llround(options.held_out * static_cast<double>(rows)));
  if (rows - count < 1) throw Error(Code::data, fmt::format("{} rows are too few to hold some out", rows));
  std::vector<bool> held(static_cast<std::size_t>(rows));
  const std::vector<std::int64_t> order = Random(training.seed).permutation(rows);
  for (Index k = 0; k < count; ++k) held[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = true;
  return held;
}

// The classes of two are the other way round than their names sort. The start turns its sign with them, so
// that which of the classes is called positive does not change what is learned.
bool mirrored(const Training& training) {
  if (training.task != Task::classification || training.class_names.size() != 2) return false;
  const auto first = number_of(training.class_names[0]), second = number_of(training.class_names[1]);
  if (first && second && *first != *second) return *first > *second;
  return training.class_names[0] > training.class_names[1];
}

Network given_network(const Mlp& options, const Training& training) {
  const Mlp plain;
  if (options.layers != plain.layers || options.activation != plain.activation ||
      options.slope != plain.slope)
    throw Error(Code::usage,
                "`weights`: the file says what the layers and their activations are; leave out "
                "`layers`, `activation` and `slope`");
  if (options.restarts > 1)
    throw Error(Code::usage, "`restarts` is for random starts, and `weights` gives the start");
  Network network = read_network(options.weights);
  const Index scores = output_scores(training);
  if (network.features() != training.source.cols())
    throw Error(
        Code::data,
        fmt::format("found weights for {} features, expected {}", network.features(), training.source.cols()),
        {options.weights, 0, ""});
  if (network.scores() != scores)
    throw Error(Code::data, fmt::format("found {} scores, expected {}", network.scores(), scores),
                {options.weights, 0, ""});
  network.link = output_of(training);
  return network;
}

Network network_to_go_on(const Training& training) {
  const auto& network = std::get<Network>(*training.start);
  for (const Layer& layer : network.layers)
    if (layer.unit == UnitKind::step)
      throw Error(Code::usage, "a network with step units cannot go on: they have no slope to learn by");
  return network;
}

// In the coordinates of the network. A weight w of z = (x - c) / s is w s'/s in another scale s', and so is
// what its penalty acts on.
void take_scaling_of(const Network& network, NetworkScaling& scaling) {
  const Index features = network.features();
  scaling.center = network.center.size() > 0 ? network.center : Vector::Zero(features);
  const Vector scale = network.scale.size() > 0 ? network.scale : Vector::Ones(features);
  scaling.penalty.array() *= (scaling.scale.array() / scale.array()).square();
  scaling.scale = scale;
}

// A network with given weights that is not to be learned, or cannot be.
Fitted as_given(const Network& network, const NetworkTask& task, const Training& training) {
  Fitted fitted;
  NetworkFunction function(task, training.source);
  Summary& summary = fitted.summary;
  summary.solver = "given";
  summary.reason = "the weights of the file, not learned";
  summary.objective = function.evaluate(point_of(network, task.scaling), training.monitor).value;
  summary.converged = true;
  summary.certificate = {"exact", 0};
  summary.facts.push_back({"network", shown(task.layout)});
  fitted.predictor = network;
  return fitted;
}

std::string stopped_short(const NetworkMinimum& found, const Mlp& options, NetworkSolver solver) {
  if (found.stopped_early)
    return fmt::format("not converged: stopped early, as the loss of the rows held out was least after {} {}",
                       found.found_after, solver == NetworkSolver::sgd ? "epochs" : "iterations");
  if (solver == NetworkSolver::sgd)
    return fmt::format(
        "not converged: a certificate of {:.2g} after {} epochs, where sgd stops by design; "
        "raise `epochs`, or take another `solver` for more",
        found.certificate, found.iterations);
  if (found.iterations >= options.max_iter)
    return fmt::format(
        "not converged: stopped at the limit of {} iterations with a certificate of {:.2g}; raise `max_iter` "
        "or `tol`",
        options.max_iter, found.certificate);
  return fmt::format("not converged: no further progress: the certificate stays at {:.2g}",
                     found.certificate);
}

}  // namespace

Fitted fit(const Mlp& options, const Training& training) {
  NetworkTask task;
  std::optional<Network> given;
  if (training.start != nullptr)
    given = network_to_go_on(training);
  else if (options.weights != Mlp{}.weights)
    given = given_network(options, training);
  task.layout = given ? layout_of(*given) : new_layout(options, training);
  task.scaling = fit_network_scaling(training);
  if (given) take_scaling_of(*given, task.scaling);
  task.l2 = options.l2;
  task.sparse = training.source.sparse();
  set_loss(options, training, task);
  const NetworkChoice choice = choose_network_solver(options, task, training);
  const bool batches = choice.solver == NetworkSolver::sgd;
  const bool steps = std::count(task.layout.units.begin(), task.layout.units.end(), UnitKind::step) > 0;
  const bool goes_on = training.start != nullptr;
  if (given && !goes_on && (steps || (batches ? options.epochs : options.max_iter) == 0))
    return as_given(*given, task, training);
  task.held = rows_held_out(options, training);
  using Precision = NetworkFunction::Precision;
  NetworkFunction function(task, training.source, batches ? Precision::single : Precision::full);

  Fitted fitted;
  Summary& summary = fitted.summary;
  const auto predictor = [&](const VectorXd& point) {
    return network_of(task.layout, task.scaling, point, output_of(training));
  };
  SolverOptions how{options.tol, options.max_iter, training.monitor, {}, training.trace.every};
  Index trace_start = 0;
  if (training.trace.show)
    how.trace = [&](const Minimum& so_far) {
      const Predictor now = predictor(so_far.point);
      training.trace.show(
          {so_far.iterations, so_far.value, so_far.certificate, so_far.step, now, nullptr, trace_start});
    };
  Random random(training.seed);
  NetworkMinimum best;
  Index best_start = 0;
  for (Index k = 0; k < options.restarts && !best.interrupted; ++k) {
    if (options.restarts > 1) trace_start = k + 1;
    const VectorXd drawn = given && !goes_on
                               ? VectorXd()
                               : random_weights(task.layout, task.scaling, mirrored(training), random);
    const VectorXd start = given ? point_of(*given, task.scaling) : drawn;
    NetworkMinimum found = solve_network(choice.solver, options, task, training.source, function, start,
                                         random.bits(), how, goes_on ? &drawn : nullptr);
    summary.iterations += found.iterations;
    const bool better =
        options.early_stopping ? *found.held_loss < best.held_loss.value_or(0) : found.value < best.value;
    const bool interrupted = found.interrupted;
    if (k == 0 || better) {
      best = std::move(found);
      best_start = k + 1;
    }
    best.interrupted = best.interrupted || interrupted;
  }

  summary.solver = value_names(NetworkSolver{})[static_cast<std::size_t>(choice.solver)];
  if (batches)
    summary.solver += fmt::format(" ({})", value_names(Update{})[static_cast<std::size_t>(options.update)]);
  summary.reason = choice.reason;
  summary.objective = best.value;
  summary.converged = best.converged;
  summary.interrupted = best.interrupted;
  summary.certificate = {"relative-gradient-norm", best.certificate};
  summary.tolerance = options.tol;
  summary.facts.push_back({"network", shown(task.layout)});
  summary.facts.push_back({"weights", static_cast<double>(task.layout.size())});
  if (options.restarts > 1) summary.facts.push_back({"best_start", static_cast<double>(best_start)});
  if (best.held_loss) {
    summary.facts.push_back({"held_out_loss", *best.held_loss});
    summary.facts.push_back({"found_after", static_cast<double>(best.found_after)});
  }
  if (best.converged)
    summary.facts.push_back({"found", std::string("a stationary point, not proved to be the minimum")});
  else if (!best.interrupted)
    summary.warnings.push_back(stopped_short(best, options, choice.solver));
  fitted.predictor = predictor(best.point);
  return fitted;
}

}  // namespace discern
