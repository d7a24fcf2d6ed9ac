// F12: the disc of ridge and the diamond of the lasso.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/surface.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

struct PenaltyCourse {
  Numbers w1, w2;
};

PenaltyCourse course(const Table& table, const char* penalty, const Numbers& strengths) {
  PenaltyCourse course;
  for (const double s : strengths) {
    const FitOutcome outcome =
        demo_fit(table, "least-squares", {{penalty, fmt::format("{}", s)}, {"no-bias", "true"}});
    course.w1.push_back(linear_of(outcome).weights(0, 0));
    course.w2.push_back(linear_of(outcome).weights(0, 1));
  }
  return course;
}

// The points of |w|_p = r.
std::pair<Numbers, Numbers> ball(bool diamond, double r) {
  std::pair<Numbers, Numbers> outline;
  for (int k = 0; k <= 72; ++k) {
    const double angle = 2 * std::numbers::pi * k / 72, c = std::cos(angle), s = std::sin(angle);
    const double length = diamond ? r / (std::abs(c) + std::abs(s)) : r;
    outline.first.push_back(length * c);
    outline.second.push_back(length * s);
  }
  return outline;
}

}  // namespace

std::vector<Figure> ridge_lasso() {
  const Table table = valley_table();
  const ErrorSurface surface(table);
  const auto [m1, m2] = surface.minimum();
  const double reach = 1.35 * std::max(std::abs(m1), std::abs(m2));
  const Grid grid{-reach, reach, -0.85 * reach, 0.85 * reach, 80, 68};
  Numbers strengths;
  for (int k = 0; k < 25; ++k) strengths.push_back(0.5 * std::pow(10, 0.125 * k));
  Json panels = Json::array(), names = Json::array();
  for (const double s : strengths) names.push_back(rounded(s, 3));
  std::vector<PenaltyCourse> courses;
  for (const bool diamond : {false, true}) {
    const PenaltyCourse c = course(table, diamond ? "l1" : "l2", strengths);
    Json balls = Json::array(), dots = Json::array();
    for (std::size_t k = 0; k < strengths.size(); ++k) {
      const double r = diamond ? std::abs(c.w1[k]) + std::abs(c.w2[k]) : std::hypot(c.w1[k], c.w2[k]);
      const auto [x, y] = ball(diamond, r);
      balls.push_back({{"x", numbers(x)}, {"y", numbers(y)}});
      dots.push_back({{"x", numbers({c.w1[k]})}, {"y", numbers({c.w2[k]})}});
    }
    Json layers = Json::array();
    layers.push_back(surface.level_lines(grid));
    layers.push_back(line({}, {},
                          {{"color", diamond ? 1 : 0},
                           {"closed", true},
                           {"name", diamond ? "‖w‖₁ = const" : "‖w‖₂ = const"},
                           {"frames", balls}}));
    layers.push_back(line(c.w1, c.w2, {{"color", "soft"}, {"thin", true}, {"name", "as the penalty grows"}}));
    layers.push_back(
        points({m1}, {m2}, {{"color", "good"}, {"shape", 4}, {"size", 100}, {"name", "without a penalty"}}));
    layers.push_back(points({0}, {0}, {{"color", diamond ? 1 : 0}, {"size", 100}, {"frames", dots}}));
    panels.push_back(plot(axis("w1", grid.left, grid.right), axis("w2", grid.bottom, grid.top), layers,
                          {{"equal", true}, {"title", diamond ? "lasso: a diamond" : "ridge: a disc"}}));
    courses.push_back(c);
  }
  for (std::size_t p = 0; p < 2; ++p) {
    Json rules = Json::array();
    for (const double s : strengths) rules.push_back({{"x", number(s)}});
    Numbers all = courses[p].w1;
    all.insert(all.end(), courses[p].w2.begin(), courses[p].w2.end());
    all.push_back(0);
    const auto [low, high] = range_of(all);
    panels.push_back(
        plot(axis(p == 0 ? "penalty l2" : "penalty l1", strengths.front(), strengths.back(), {{"log", true}}),
             axis("weight", low, high),
             {line(strengths, courses[p].w1, {{"color", 2}, {"name", "w1"}}),
              line(strengths, courses[p].w2, {{"color", 3}, {"dash", "dashed"}, {"name", "w2"}}),
              Json{{"type", "rule"}, {"x", strengths[0]}, {"frames", rules}},
              Json{{"type", "rule"}, {"y", 0}, {"dash", "dotted"}}},
             {{"title", p == 0 ? "ridge shrinks" : "the lasso eliminates"}, {"height", 0.8}}));
  }
  Figure figure{
      "F12", "Ridge and lasso",
      "The penalised minimum is where a level line of the error first touches the disc or the diamond. The "
      "disc has no corners, so both weights shrink together; the diamond is mostly touched at a corner, "
      "where "
      "one of the weights is exactly zero."};
  figure.formula = "ridge: E(w) + l2/2 ‖w‖²      lasso: E(w) + l1 ‖w‖₁";
  figure.data = text_of(plots(
      panels, {}, {{"frames", {{"label", "Penalty"}, {"values", names}, {"start", 10}, {"play", true}}}}));
  return {figure};
}

}  // namespace discern::report
