#include "discern/report/figures/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t most_moments = 400, most_frames = 60;
constexpr Index most_kept_weights = 64;

void keep_plane(const Predictor& predictor, History::Moment& moment) {
  const auto* linear = std::get_if<Linear>(&predictor);
  if (linear == nullptr || linear->weights.size() > most_kept_weights) return;
  moment.weights = linear->weights;
  moment.bias = linear->bias_at_origin();
}

std::optional<Json> objective_plot(const std::vector<History::Moment>& moments) {
  Numbers x, y;
  for (const auto& m : moments)
    if (m.objective && std::isfinite(*m.objective))
      x.push_back(static_cast<double>(m.iteration)), y.push_back(*m.objective);
  if (x.size() < 2) return std::nullopt;
  const auto [low, high] = range_of(y);
  const bool wide = *std::min_element(y.begin(), y.end()) > 0 &&
                    *std::max_element(y.begin(), y.end()) > 100 * *std::min_element(y.begin(), y.end());
  Json up = wide ? axis("objective E", *std::min_element(y.begin(), y.end()) * 0.8, high, {{"log", true}})
                 : axis("objective E", low, high);
  return plot(axis("iteration", x.front(), std::max(x.back(), x.front() + 1), {{"whole", true}}),
              std::move(up), {line(x, y, {{"color", 0}, {"dots", x.size() <= 60}})},
              {{"title", "objective"}});
}

std::optional<Json> certificate_plot(const Summary& summary, const std::vector<History::Moment>& moments) {
  Numbers x, y;
  for (const auto& m : moments)
    if (m.certificate && *m.certificate > 0 && std::isfinite(*m.certificate))
      x.push_back(static_cast<double>(m.iteration)), y.push_back(*m.certificate);
  if (x.size() < 2) return std::nullopt;
  double low = *std::min_element(y.begin(), y.end()), high = *std::max_element(y.begin(), y.end());
  Json layers = Json::array();
  if (summary.tolerance > 0) {
    low = std::min(low, summary.tolerance);
    high = std::max(high, summary.tolerance);
    layers.push_back({{"type", "rule"}, {"y", summary.tolerance}, {"text", "tolerance"}, {"color", "good"}});
  }
  layers.push_back(line(x, y, {{"color", 1}, {"dots", x.size() <= 60}}));
  std::string name = summary.certificate.kind;
  std::replace(name.begin(), name.end(), '-', ' ');
  return plot(axis("iteration", x.front(), std::max(x.back(), x.front() + 1), {{"whole", true}}),
              axis(name, low / 2, high * 2, {{"log", true}}), layers, {{"title", "certificate"}});
}

}  // namespace

void History::watch(const TraceStep& step) {
  // Of several starts the last one is shown.
  if (!moments_.empty() && step.start != moments_.back().start) {
    moments_.clear();
    seen_ = 0;
    every_ = 1;
  }
  if (seen_++ % every_ != 0) return;
  Moment moment{step.iteration, step.start, step.objective, step.certificate, {}, {}};
  keep_plane(step.predictor, moment);
  moments_.push_back(std::move(moment));
  if (moments_.size() < most_moments) return;
  std::vector<Moment> half;
  for (std::size_t i = 0; i < moments_.size(); i += 2) half.push_back(std::move(moments_[i]));
  moments_ = std::move(half);
  every_ *= 2;
}

void History::finish(const Model& model) {
  const Summary& summary = model.summary;
  if (moments_.empty() || summary.iterations < moments_.back().iteration) return;
  Moment moment{
      summary.iterations, moments_.back().start, summary.objective, summary.certificate.value, {}, {}};
  keep_plane(model.predictor, moment);
  if (summary.iterations == moments_.back().iteration) moments_.pop_back();
  moments_.push_back(std::move(moment));
}

std::optional<Figure> convergence_figure(const Model& model, const History& history) {
  Json panels = Json::array();
  if (auto one = objective_plot(history.moments())) panels.push_back(std::move(*one));
  if (auto one = certificate_plot(model.summary, history.moments())) panels.push_back(std::move(*one));
  if (panels.empty()) return std::nullopt;
  const Summary& summary = model.summary;
  Figure figure{
      "convergence", "How the fit went",
      fmt::format("The objective falls from iteration to iteration; the certificate proves how near the end "
                  "is to the minimum. {} after {} by {}.",
                  summary.converged ? "The fit converged" : "The fit stopped short of its tolerance",
                  counted(summary.iterations, "iteration"), summary.solver)};
  figure.numbers = {{"certificate", rounded(summary.certificate.value, 3)}};
  if (summary.tolerance > 0) figure.numbers.emplace_back("tolerance", rounded(summary.tolerance, 3));
  if (summary.objective) figure.numbers.emplace_back("objective", rounded(*summary.objective, 8));
  figure.data = text_of(plots(panels));
  return figure;
}

std::optional<Figure> separator_figure(const Model& model, const DrawnRows& rows, const History& history) {
  const auto* linear = std::get_if<Linear>(&model.predictor);
  const bool plain = linear != nullptr && linear->scores() == 1 && linear->features() == 2 &&
                     model.pipeline.input().size() == 2 && !model.reduction;
  if (!plain || model.task != Task::classification) return std::nullopt;
  std::vector<const History::Moment*> moments;
  for (const auto& m : history.moments())
    if (m.weights.size() == 2) moments.push_back(&m);
  if (moments.size() < 2) return std::nullopt;
  std::vector<const History::Moment*> shown;
  const std::size_t count = std::min(moments.size(), most_frames);
  for (std::size_t i = 0; i < count; ++i) shown.push_back(moments[i * (moments.size() - 1) / (count - 1)]);
  const auto view = plane_view(model, rows);
  if (!view || !view->columns) return std::nullopt;
  Json frames = Json::array(), names = Json::array();
  for (const auto* m : shown) {
    const Json at = straight(view->grid, m->weights(0, 0), m->weights(0, 1), m->bias[0]);
    frames.push_back({{"x", at["x"]}, {"y", at["y"]}});
    names.push_back(fmt::format("{}", m->iteration));
  }
  Json layers = Json::array();
  layers.push_back(points(view->x, view->y, {{"class", rows.labels}}));
  layers.push_back(straight(view->grid, linear->weights(0, 0), linear->weights(0, 1),
                            linear->bias_at_origin()[0],
                            {{"color", "soft"}, {"dash", "dashed"}, {"name", "at the end"}}));
  layers.push_back(line({}, {}, {{"color", "ink"}, {"name", "boundary"}, {"frames", frames}}));
  Figure figure{"separator", "The boundary at each iteration",
                "Move the slider, or play, to see the line find its place."};
  const Grid& g = view->grid;
  figure.data = text_of(plots({plot(axis(view->x_label, g.left, g.right),
                                    axis(view->y_label, g.bottom, g.top), layers, {{"height", 0.72}})},
                              model.classes,
                              {{"frames", {{"label", "Iteration"}, {"values", names}, {"play", true}}}}));
  return figure;
}

}  // namespace discern::report
