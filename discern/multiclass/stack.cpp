#include "discern/multiclass/stack.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "discern/base/error.hpp"

namespace discern {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Error(Code::usage, "the machines cannot be made one model: " + why);
}

// Calls put(machine, first of its scores) for each, and returns the number of all scores.
template <class Shape, class Put>
Index for_each_machine(const std::vector<Shape>& machines, const Put& put) {
  Index next = 0;
  for (const Shape& machine : machines) {
    put(machine, next);
    next += machine.scores();
  }
  return next;
}

template <class Shape>
Index all_scores(const std::vector<Shape>& machines) {
  return for_each_machine(machines, [](const Shape&, Index) {});
}

// g = w.(x - c_l) + b_l = w.(x - c) + (b_l + w.(c - c_l))
Predictor stack_all(const std::vector<Linear>& machines) {
  const Index d = machines[0].features(), scores = all_scores(machines);
  Linear whole{Matrix(scores, d), Vector(scores), {}, machines[0].link};
  for (const Linear& machine : machines) {
    if (machine.link != whole.link) refuse("only some of them give probabilities");
    if (machine.center.size() == 0) continue;
    if (whole.center.size() == 0) whole.center.setZero(d);
    whole.center += (machine.center - whole.center) / static_cast<double>(&machine - machines.data() + 1);
  }
  for_each_machine(machines, [&](const Linear& machine, Index first) {
    whole.weights.middleRows(first, machine.scores()) = machine.weights;
    Eigen::Matrix<long double, Eigen::Dynamic, 1> shift = whole.center.cast<long double>();
    if (machine.center.size() > 0) shift -= machine.center.cast<long double>();
    Eigen::Matrix<long double, Eigen::Dynamic, 1> bias = machine.bias.cast<long double>();
    if (shift.size() > 0) bias += machine.weights.cast<long double>() * shift;
    whole.bias.segment(first, machine.scores()) = bias.cast<double>();
  });
  return whole;
}

Predictor stack_all(const std::vector<Quadratic>& machines) {
  const Index d = machines[0].features(), scores = all_scores(machines);
  Quadratic whole{Matrix(scores, d), {}, Vector(scores)};
  for_each_machine(machines, [&](const Quadratic& machine, Index first) {
    whole.means.middleRows(first, machine.scores()) = machine.means;
    whole.bias.segment(first, machine.scores()) = machine.bias;
    whole.whiten.insert(whole.whiten.end(), machine.whiten.begin(), machine.whiten.end());
  });
  return whole;
}

void append(const Kernels& from, Kernels& to) {
  const Index points = to.points.size(), rows = to.widths.rows();
  to.widths.conservativeResize(rows + from.widths.rows(), from.widths.cols());
  to.widths.bottomRows(from.widths.rows()) = from.widths;
  to.points.conservativeResize(points + from.points.size());
  to.points.tail(from.points.size()) = from.points;
  to.weights.conservativeResize(to.points.size());
  to.weights.tail(from.points.size()) = from.weights;
  for (std::size_t n = to.starts.empty() ? 0 : 1; n < from.starts.size(); ++n)
    to.starts.push_back(points + from.starts[n]);
}

Predictor stack_all(const std::vector<Additive>& machines) {
  const Index d = machines[0].features(), scores = all_scores(machines);
  Additive whole{Matrix(scores, d), Matrix(scores, d), Matrix(scores, d), {}, Vector(scores)};
  whole.kernels.features = machines[0].kernels.features;
  for_each_machine(machines, [&](const Additive& machine, Index first) {
    whole.means.middleRows(first, machine.scores()) = machine.means;
    whole.precision.middleRows(first, machine.scores()) = machine.precision;
    whole.weights.middleRows(first, machine.scores()) = machine.weights;
    whole.bias.segment(first, machine.scores()) = machine.bias;
    if (machine.kernels.features != whole.kernels.features)
      refuse("only some of them estimate the same features by kernels");
    if (!machine.kernels.features.empty()) append(machine.kernels, whole.kernels);
  });
  return whole;
}

Predictor stack_all(const std::vector<KernelSum>& machines) {
  KernelSum whole = machines[0];
  const Index d = whole.features();
  std::unordered_map<std::string, Index> known;  // a row's bytes -> its place
  std::vector<Index> places;                     // of the rows of all machines, one after the other
  for (const KernelSum& machine : machines) {
    const bool same = machine.kernel.kind == whole.kernel.kind &&
                      machine.kernel.parameter == whole.kernel.parameter && machine.center == whole.center &&
                      machine.scale == whole.scale;
    if (!same) refuse("their kernels differ");
    for (Index n = 0; n < machine.support.rows(); ++n) {
      const auto* bytes = reinterpret_cast<const char*>(machine.support.row(n).data());
      std::string key(bytes, static_cast<std::size_t>(d) * sizeof(double));
      places.push_back(known.emplace(std::move(key), static_cast<Index>(known.size())).first->second);
    }
  }
  const auto rows = static_cast<Index>(known.size());
  const Index scores = all_scores(machines);
  whole.support.resize(rows, d);
  whole.coefficients.setZero(scores, rows);
  whole.bias.resize(scores);
  auto place = places.begin();
  for_each_machine(machines, [&](const KernelSum& machine, Index first) {
    whole.bias.segment(first, machine.scores()) = machine.bias;
    for (Index n = 0; n < machine.support.rows(); ++n, ++place) {
      whole.support.row(*place) = machine.support.row(n);
      whole.coefficients.col(*place).segment(first, machine.scores()) += machine.coefficients.col(n);
    }
  });
  return whole;
}

Additive as_additive(const Linear& linear) {
  const Index d = linear.features();
  Additive pair{Matrix::Zero(2, d), Matrix::Zero(2, d), Matrix::Zero(2, d), {}, Vector::Zero(2)};
  pair.weights.row(1) = linear.weights.row(0);
  pair.bias[1] = linear.bias_at_origin()[0];
  return pair;
}

template <class Shape>
std::vector<Shape> all_of(const std::vector<Predictor>& machines) {
  std::vector<Shape> list;
  for (const Predictor& machine : machines) {
    const auto* linear = std::get_if<Linear>(&machine);
    if constexpr (std::is_same_v<Shape, Additive>)
      if (linear != nullptr && linear->link == Link::logistic) {
        list.push_back(as_additive(*linear));
        continue;
      }
    if (!std::holds_alternative<Shape>(machine)) refuse("they are of different shapes");
    list.push_back(std::get<Shape>(machine));
  }
  return list;
}

}  // namespace

Predictor stack(const std::vector<Predictor>& machines) {
  const bool additive = std::any_of(machines.begin(), machines.end(),
                                    [](const Predictor& p) { return std::holds_alternative<Additive>(p); });
  if (additive) return stack_all(all_of<Additive>(machines));
  return std::visit(
      [&]<class Shape>(const Shape&) -> Predictor {
        if constexpr (requires { stack_all(std::vector<Shape>()); })
          return stack_all(all_of<Shape>(machines));
        else
          refuse("a predictor of this shape has parts that its scores share");
      },
      machines[0]);
}

}  // namespace discern
