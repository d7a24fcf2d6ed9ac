// The truth tables: OR and AND by one line each, XOR by none, by two layers, given and learned, and by a
// product.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cli/commands/demo.hpp"
#include "cli/commands/demo_parts.hpp"
#include "cli/text/text.hpp"
#include "discern/transform/radial.hpp"

namespace discern::cli {
namespace {

const std::vector<std::vector<double>> corners{{0, 0}, {0, 1}, {1, 0}, {1, 1}};

// g(x) = w1 x1 + w2 x2 + w0
struct Unit {
  double w1, w2, w0;
  double score(double x1, double x2) const { return w1 * x1 + w2 * x2 + w0; }
  double step(double x1, double x2) const { return score(x1, x2) >= 0 ? 1 : 0; }
};
constexpr Unit or_unit{1, 1, -0.5}, and_unit{1, 1, -1.5}, and_not_unit{1, -1, -0.5};

Table labelled(const std::array<int, 4>& truth) {
  std::vector<std::string> labels;
  labels.reserve(truth.size());
  for (const int value : truth) labels.push_back(fmt::format("{}", value));
  return points_table(corners, labels);
}

std::string unit_table(const Unit& unit, const std::array<int, 4>& truth) {
  TextTable table(std::vector<Align>(6, Align::right), 2);
  table.row({"x1", "x2", "wanted", "g(x)", "answer", ""});
  for (std::size_t i = 0; i < 4; ++i) {
    const double x1 = corners[i][0], x2 = corners[i][1], answer = unit.step(x1, x2);
    table.row({rounded(x1), rounded(x2), fmt::format("{}", truth[i]), rounded(unit.score(x1, x2)),
               rounded(answer), answer == truth[i] ? "right" : "wrong"});
  }
  return table.text();
}

// OR and AND: the weights that the lectures give, and beside them the line with the largest margin.
std::string one_line_story(const std::string& name, const Unit& unit, const std::array<int, 4>& truth,
                           const Paint& paint) {
  const Table table = labelled(truth);
  const PairSeparability verdict = demo_verdict(table);
  const Linear& best = verdict.result.plane;
  Picture picture = picture_of(table, 13, 40);
  picture.line(unit.w1, unit.w2, unit.w0, '.');
  return paint.bold(name) + "\n\n" +
         paragraph(fmt::format("{} with one line: g(x) = x1 + x2 - {}, and the answer is 1 where g(x) >= 0.",
                               name, rounded(-unit.w0))) +
         unit_table(unit, truth) + '\n' + picture.text("x1", "x2", 2) + '\n' +
         paragraph(fmt::format(
             "The classes are separable. The line with the largest margin is {} = 0, {} from the nearest "
             "corners: {}.",
             score_text(best, {"x1", "x2"}), rounded(verdict.result.margin),
             rounded(best.bias_at_origin()[0] / best.weights(0, 0)) == rounded(unit.w0)
                 ? "the given one, times a factor"
                 : "another than the given one"));
}

// "1/2 (0, 1) + 1/2 (1, 0)" of the shares of one class.
std::string combination_text(const std::vector<Share>& shares) {
  std::string text;
  for (const Share& share : shares) {
    const auto& corner = corners[static_cast<std::size_t>(share.row)];
    text +=
        fmt::format("{}{} ({}, {})", text.empty() ? "" : " + ", rounded(share.share), corner[0], corner[1]);
  }
  return text;
}

// The given 2-2-1 network: two lines with steps, and a line in their answers.
Network given_network() {
  Network network;
  network.layers = {
      {Matrix{{or_unit.w1, or_unit.w2}, {and_unit.w1, and_unit.w2}}, Vector{{or_unit.w0, and_unit.w0}},
       UnitKind::step},
      {Matrix{{and_not_unit.w1, and_not_unit.w2}}, Vector{{and_not_unit.w0}}, UnitKind::linear}};
  return network;
}

double score_at(const Network& network, const std::vector<double>& corner) {
  return scores_of(network, DenseRows<double>{corner.data(), 1, 2})(0, 0);
}

std::string two_layer_table(const Network& network) {
  TextTable table(std::vector<Align>(6, Align::right), 2);
  table.row({"x1", "x2", "y1 = OR", "y2 = AND", "y1 - y2 - 0.5", "answer"});
  for (const auto& corner : corners) {
    const double y1 = or_unit.step(corner[0], corner[1]), y2 = and_unit.step(corner[0], corner[1]);
    const double g = score_at(network, corner);
    table.row(
        {rounded(corner[0]), rounded(corner[1]), rounded(y1), rounded(y2), rounded(g), g >= 0 ? "1" : "0"});
  }
  return table.text();
}

// What the hidden units of a learned network of tanh units give, and its answers.
std::string learned_table(const Network& network) {
  TextTable table(std::vector<Align>(7, Align::right), 2);
  table.row({"x1", "x2", "y1", "y2", "g(x)", "P(1)", "answer"});
  for (const auto& corner : corners) {
    const Vector x{{corner[0], corner[1]}};
    const Vector z = (x - network.center).cwiseQuotient(network.scale);
    const Vector y = (network.layers[0].weights * z + network.layers[0].bias).array().tanh();
    const double g = score_at(network, corner);
    table.row({rounded(x[0]), rounded(x[1]), rounded(y[0], 2), rounded(y[1], 2), rounded(g, 3),
               rounded(probabilities(Matrix{{g}}, Link::logistic)(0, 1), 3), g >= 0 ? "1" : "0"});
  }
  return table.text();
}

// The lines where the sums of the hidden units are zero, among the corners.
std::string learned_picture(const Network& network, const Table& table) {
  Picture picture = picture_of(table, 11, 40);
  const Layer& hidden = network.layers[0];
  for (Index k = 0; k < hidden.weights.rows(); ++k) {
    const Vector w = hidden.weights.row(k).transpose().cwiseQuotient(network.scale);
    picture.line(w[0], w[1], hidden.bias[k] - w.dot(network.center), static_cast<char>('1' + k));
  }
  return picture.text("x1", "x2", 2);
}

std::string learned_story(const Table& table, const Paint& paint) {
  const FitOutcome outcome =
      demo_fit(table, "mlp", {{"layers", "2"}, {"activation", "tanh"}, {"restarts", "20"}});
  const auto& network = std::get<Network>(outcome.model.predictor);
  return paint.bold("two layers, learned") + "\n\n" +
         paragraph(fmt::format(
             "A 2-2-1 network with tanh units finds such lines by itself, from random weights and by "
             "back-propagation: the best of 20 starts has the objective {} after {} iterations in all. It "
             "gets {} of "
             "the four corners wrong. The lines (1, 2) are where its hidden units change their sign.",
             rounded(*outcome.model.summary.objective), outcome.model.summary.iterations,
             mistakes_of(outcome))) +
         learned_table(network) + '\n' + learned_picture(network, table) + '\n';
}

std::string product_table(const Linear& plane) {
  TextTable table(std::vector<Align>(5, Align::right), 2);
  table.row({"x1", "x2", "x1*x2", "g(x)", "answer"});
  const double bias = plane.bias_at_origin()[0];
  for (const auto& corner : corners) {
    const double x1 = corner[0], x2 = corner[1];
    const double g =
        plane.weights(0, 0) * x1 + plane.weights(0, 1) * x2 + plane.weights(0, 2) * x1 * x2 + bias;
    table.row({rounded(x1), rounded(x2), rounded(x1 * x2), rounded(g), g >= 0 ? "1" : "0"});
  }
  return table.text();
}

// Gaussian units exp(-|x - c|^2) at (1, 1) and (0, 0), the corners where XOR is 0; their sum is above 1 at
// these and below 1 at the others.
std::string radial_table() {
  Radial units;
  units.centers = RowMajor{{1.0, 1.0}, {0.0, 0.0}};
  units.scale = {1.0, 1.0};
  units.widths = {std::sqrt(0.5), std::sqrt(0.5)};
  units.prepare({{"x1"}, {"x2"}});
  TextTable table(std::vector<Align>(6, Align::right), 2);
  table.row({"x1", "x2", "y1", "y2", "1 - y1 - y2", "answer"});
  for (const auto& corner : corners) {
    Workspace made;
    const Rows rows = units.apply(DenseRows<double>{corner.data(), 1, 2}, made);
    const double* y = std::get<DenseRows<double>>(rows).values;
    const double g = 1 - y[0] - y[1];
    table.row({rounded(corner[0]), rounded(corner[1]), rounded(y[0]), rounded(y[1]), rounded(g),
               g >= 0 ? "1" : "0"});
  }
  return table.text();
}

}  // namespace

std::string or_story(const Paint& paint) { return one_line_story("OR", or_unit, {0, 1, 1, 1}, paint); }
std::string and_story(const Paint& paint) { return one_line_story("AND", and_unit, {0, 0, 0, 1}, paint); }

std::string xor_story(const Paint& paint) {
  const Table table = labelled({0, 1, 1, 0});
  const PairSeparability plain = demo_verdict(table), product = demo_verdict(table, "products:2");
  const Linear& plane = product.result.plane;
  std::string text = paint.bold("XOR") + "\n\n" + picture_of(table, 11, 40).text("x1", "x2", 2) + '\n';
  text += paragraph(
      "No line has both + on one side and both o on the other. The proof is a point that both classes share: "
      "a line that had the classes on its two sides would have this point on both.");
  text += fmt::format("  + : {}\n  o : {}\n\n", combination_text(plain.result.positive),
                      combination_text(plain.result.negative));
  text +=
      paragraph(fmt::format("Both are the middle of the square; they differ by {}.", plain.result.residual));
  text += paint.bold("two layers") + "\n\n" +
          paragraph(
              "Two lines first, OR (x1 + x2 - 0.5) and AND (x1 + x2 - 1.5); then a line in their answers, "
              "y1 - y2 - 0.5: y1 AND NOT y2.") +
          two_layer_table(given_network()) + '\n' + learned_story(table, paint);
  text += paint.bold("one more feature") + "\n\n" +
          paragraph(fmt::format(
              "With the product x1*x2 beside x1 and x2 a plane can do it. The one with the largest "
              "margin, {}, is g = {}.",
              rounded(product.result.margin), score_text(plane, {"x1", "x2", "x1*x2"}))) +
          product_table(plane) + '\n';
  text +=
      paint.bold("two radial units") + "\n\n" +
      paragraph(
          "y1 = exp(-|x - (1, 1)|^2) and y2 = exp(-|x - (0, 0)|^2) tell how near x is to the corners where "
          "XOR is 0. In y1 and y2 a line can do it: their sum is above 1 near these corners only.") +
      radial_table();
  return text;
}

}  // namespace discern::cli
