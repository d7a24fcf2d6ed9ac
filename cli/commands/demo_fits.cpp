// Stories about fits of generated points.
#include <fmt/format.h>

#include <cmath>

#include "cli/commands/demo.hpp"
#include "cli/commands/demo_parts.hpp"
#include "cli/text/text.hpp"
#include "discern/data/generate.hpp"

namespace discern::cli {
namespace {

const Linear& plane_of(const FitOutcome& outcome) { return std::get<Linear>(outcome.model.predictor); }

double fact(const FitOutcome& outcome, std::string_view name) {
  for (const Fact& one : outcome.model.summary.facts)
    if (one.name == name) return std::get<double>(one.value);
  return 0;
}

// The objectives of one gradient descent: the loss after 1, 2, 4, ... steps.
const std::vector<Index> steps_shown{1, 2, 4, 8, 16, 32, 64, 128};

std::vector<double> descent(const Table& table, const std::string& rate) {
  std::vector<double> objectives;
  for (const Index count : steps_shown) {
    const FitOutcome outcome = demo_fit(
        table, "logistic",
        {{"l2", "1"}, {"solver", "gd"}, {"learning-rate", rate}, {"max-iter", fmt::format("{}", count)}});
    objectives.push_back(outcome.model.summary.objective.value_or(0));
  }
  return objectives;
}

}  // namespace

std::string separable_story(const Paint& paint) {
  GenerateOptions shape;
  shape.shape = "linear";
  shape.rows = 60;
  shape.margin = 0.25;
  shape.seed = 4;
  const Table table = generate(shape);
  const PairSeparability verdict = demo_verdict(table);
  const FitOutcome perceptron = demo_fit(table, "perceptron", {});
  Picture picture = picture_of(table, 21, 56);
  draw_boundary(picture, verdict.result.plane, '.');
  draw_boundary(picture, plane_of(perceptron), ':');
  std::string text = paint.bold("separable classes") + "\n\n" + picture.text("x1", "x2", 2) + '\n';
  text += paragraph(
      fmt::format("60 points, drawn with a gap of 0.5 between the classes. The line with the largest margin "
                  "(.) is {} away from every point, and the proof says that no line has more than {}.",
                  rounded(verdict.result.margin), rounded(verdict.result.margin_bound)));
  text += paragraph(fmt::format(
      "The perceptron (:) stops at the first line that separates, after {} mistakes. Its margin is {}. The "
      "theory allows "
      "(R / margin)^2 = {} mistakes, with R = {} the length of the longest sample [x, 1].",
      fact(perceptron, "mistakes"), rounded(fact(perceptron, "margin")),
      rounded(std::floor(fact(perceptron, "mistake_bound")), 6), rounded(fact(perceptron, "radius"))));
  return text;
}

std::string outlier_story(const Paint& paint) {
  GenerateOptions shape;
  shape.shape = "outliers";
  shape.rows = 80;
  shape.seed = 2;
  const Table table = generate(shape);
  const FitOutcome squares = demo_fit(table, "least-squares", {});
  const FitOutcome logistic = demo_fit(table, "logistic", {});
  Picture picture = picture_of(table, 21, 60);
  draw_boundary(picture, plane_of(squares), 's');
  draw_boundary(picture, plane_of(logistic), 'l');
  std::string text = paint.bold("outliers") + "\n\n" + picture.text("x1", "x2", 2) + '\n';
  text +=
      paragraph(fmt::format("Some points of the class + lie far away, on their own side. They are right, and "
                            "too right: the squared error of a "
                            "score of 10 where 1 was wanted is 81/2. Least squares (s) turns its line "
                            "towards them and gets {} of 80 points wrong.",
                            mistakes_of(squares)));
  text += paragraph(
      fmt::format("The logistic loss of a point that is right by far is next to nothing. Logistic regression "
                  "(l) leaves them where they are and gets {} wrong.",
                  mistakes_of(logistic)));
  return text;
}

std::string learning_rate_story(const Paint& paint) {
  GenerateOptions shape;
  shape.shape = "gaussians";
  shape.rows = 200;
  shape.separation = 2;
  shape.seed = 3;
  const Table table = generate(shape);
  const double best =
      demo_fit(table, "logistic", {{"l2", "1"}, {"solver", "newton"}}).model.summary.objective.value_or(0);
  struct Run {
    std::string rate, name;
    char mark;
    std::vector<double> objectives;
  };
  std::vector<Run> runs{
      {"0.0003", "small", 's', {}}, {"0.006", "good", 'g', {}}, {"0.06", "too large", 'L', {}}};
  for (Run& run : runs) run.objectives = descent(table, run.rate);

  TextTable numbers(std::vector<Align>(4, Align::right), 2);
  numbers.row({"steps", runs[0].name, runs[1].name, runs[2].name});
  Picture picture({0, 7, -9, 3}, 17, 56);
  for (std::size_t k = 0; k < steps_shown.size(); ++k) {
    std::vector<std::string> cells{fmt::format("{}", steps_shown[k])};
    for (const Run& run : runs) {
      cells.push_back(fmt::format("{:.6f}", run.objectives[k]));
      picture.point(static_cast<double>(k), std::log10(std::max(run.objectives[k] - best, 1e-9)), run.mark);
    }
    numbers.row(std::move(cells));
  }
  std::string text = paint.bold("learning rates") + "\n\n";
  text += paragraph(
      fmt::format("Logistic regression of 200 points by gradient descent, w <- w - h grad E(w), with three "
                  "rates h: {}, {} and {}. The loss E after some steps; its minimum is {:.6f}.",
                  runs[0].rate, runs[1].rate, runs[2].rate, best));
  text += numbers.text() + '\n' + "  log10 of the distance of E from its minimum, by log2 of the steps\n" +
          picture.text("steps", "log", 2) + '\n';
  return text + paragraph(
                    "Small (s): sure and slow. Good (g): every step takes off a fixed share of the distance, "
                    "so that "
                    "each doubling of the steps brings more digits than the one before. Too large (L): it "
                    "jumps over the "
                    "valley from side to side, and does not come down.");
}

}  // namespace discern::cli
