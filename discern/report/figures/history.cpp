#include "discern/report/figures/history.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t most_moments = 400;
constexpr std::string_view mistake_count = "training-mistakes";
constexpr Index most_kept_weights = 2048;

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
  // Counts are drawn as they are, and down to zero; what falls by powers of ten on a scale of these.
  const bool counts = summary.certificate.kind == mistake_count;
  for (const auto& m : moments)
    if (m.certificate && (counts || *m.certificate > 0) && std::isfinite(*m.certificate))
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
  if (counts)
    return plot(axis("iteration", x.front(), std::max(x.back(), x.front() + 1), {{"whole", true}}),
                axis("rows on the wrong side", 0, std::max(1.0, 1.06 * high), {{"whole", true}}), layers,
                {{"title", "mistakes"}});
  std::string name = summary.certificate.kind;
  std::replace(name.begin(), name.end(), '-', ' ');
  return plot(axis("iteration", x.front(), std::max(x.back(), x.front() + 1), {{"whole", true}}),
              axis(name, low / 2, high * 2, {{"log", true}}), layers, {{"title", "certificate"}});
}

// What the curves show.
std::string course_text(const Summary& summary, const std::vector<History::Moment>& moments) {
  if (summary.certificate.kind == mistake_count)
    return "Corrections for one row may spoil others, so neither the criterion nor the number of mistakes "
           "falls at "
           "every step; at no mistakes the method stops.";
  bool falls = true;
  std::optional<double> before;
  for (const auto& m : moments) {
    if (!m.objective) continue;
    if (before && *m.objective > *before + 1e-9 * std::abs(*before)) falls = false;
    before = m.objective;
  }
  const std::string ends = " The certificate says how near the end is to the minimum.";
  return (falls ? "The objective falls from iteration to iteration."
                : "The objective falls on the whole, though not at every iteration.") +
         ends;
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
      fmt::format("{} {} after {} by {}.", course_text(summary, history.moments()),
                  summary.converged ? "The fit converged" : "The fit stopped short of its tolerance",
                  counted(summary.iterations, "iteration"), summary.solver)};
  figure.numbers = {{"certificate", rounded(summary.certificate.value, 3)}};
  if (summary.tolerance > 0) figure.numbers.emplace_back("tolerance", rounded(summary.tolerance, 3));
  if (summary.objective) figure.numbers.emplace_back("objective", rounded(*summary.objective, 8));
  figure.data = text_of(plots(panels));
  return figure;
}

namespace {

constexpr std::size_t most_separators = 40;

// The plane of a view in the space of the features: x = origin + a across + b up, where a and b are the coordinates
// of the view. Across and up are what the features are on average, by least squares, at a and b; for a model that is
// linear in them its own scores are then exact.
struct FeaturePlane {
  Vector origin, across, up;
};

FeaturePlane plane_of(const PlaneView& view, const Matrix& features) {
  const Index n = features.rows();
  Eigen::MatrixXd z(n, 2);
  for (Index i = 0; i < n; ++i)
    z.row(i) << view.x[static_cast<std::size_t>(i)], view.y[static_cast<std::size_t>(i)];
  const Eigen::RowVector2d middle = z.colwise().mean();
  z.rowwise() -= middle;
  const Eigen::MatrixXd centred = features.rowwise() - features.colwise().mean();
  const Eigen::Matrix2d spread = z.transpose() * z;
  const Eigen::MatrixXd slopes = spread.ldlt().solve(z.transpose() * centred);
  FeaturePlane plane;
  plane.across = slopes.row(0).transpose();
  plane.up = slopes.row(1).transpose();
  plane.origin = features.colwise().mean().transpose() - middle[0] * plane.across - middle[1] * plane.up;
  return plane;
}

// The decisions at one moment of the fit, over the plane and for the rows.
struct Separator {
  Json change;                     // of the layer that shows it
  std::vector<std::size_t> wrong;  // rows
};

Separator separator_at(const Model& model, const History::Moment& moment, const PlaneView& view,
                       const FeaturePlane& plane, const Grid& grid, const DrawnRows& rows, bool plain) {
  const Vector base = moment.weights * plane.origin + moment.bias, across = moment.weights * plane.across,
               up = moment.weights * plane.up;
  Separator separator;
  if (plain && base.size() == 1) {
    const Json at = straight(view.grid, across[0], up[0], base[0]);
    separator.change = {{"x", at["x"]}, {"y", at["y"]}};
  } else if (plain) {
    Json planes = Json::array();
    for (Index k = 0; k < base.size(); ++k) planes.push_back(numbers({base[k], across[k], up[k]}));
    separator.change = {{"planes", planes}};
  } else {
    Matrix scores(grid.cells(), base.size());
    for (Index r = 0; r < grid.rows; ++r)
      for (Index c = 0; c < grid.cols; ++c)
        scores.row(r * grid.cols + c) = (base + grid.x(c) * across + grid.y(r) * up).transpose();
    separator.change = {{"labels", runs(decided(model, scores))}};
  }
  const Matrix scores = (rows.features * moment.weights.transpose()).rowwise() + moment.bias.transpose();
  const auto labels = decided(model, scores);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] != rows.labels[i]) separator.wrong.push_back(i);
  return separator;
}

std::vector<const History::Moment*> shown_moments(const Linear& linear, const History& history) {
  std::vector<const History::Moment*> all, shown;
  for (const auto& m : history.moments())
    if (m.weights.rows() == linear.scores() && m.weights.cols() == linear.features()) all.push_back(&m);
  if (all.size() < 2) return {};
  const std::size_t count = std::min(all.size(), most_separators);
  for (std::size_t i = 0; i < count; ++i) shown.push_back(all[i * (all.size() - 1) / (count - 1)]);
  return shown;
}

}  // namespace

std::optional<Figure> separator_figure(const Model& model, const DrawnRows& rows, const History& history) {
  const auto* linear = std::get_if<Linear>(&model.predictor);
  if (linear == nullptr || model.reduction || model.task != Task::classification) return std::nullopt;
  if (rows.features.size() == 0 || rows.features.cols() != linear->features()) return std::nullopt;
  const auto moments = shown_moments(*linear, history);
  const auto view = moments.empty() ? std::nullopt : plane_view(model, rows);
  if (!view || (view->columns && linear->features() != 2)) return std::nullopt;
  const FeaturePlane plane = plane_of(*view, rows.features);
  if (!plane.across.allFinite() || !plane.up.allFinite()) return std::nullopt;
  // The largest score decides, or the sign of the only one.
  const bool plain = !(model.decision && (model.decision->has_costs() || model.decision->threshold));
  const bool line_only = plain && linear->scores() == 1;
  const Grid grid{view->grid.left, view->grid.right, view->grid.bottom, view->grid.top, 110, 84};
  Json changes = Json::array(), rings = Json::array(), names = Json::array(), notes = Json::array();
  for (const auto* m : moments) {
    const Separator at = separator_at(model, *m, *view, plane, grid, rows, plain);
    changes.push_back(at.change);
    rings.push_back({{"wrong", at.wrong}});
    names.push_back(fmt::format("{}", m->iteration));
    notes.push_back(
        fmt::format("{} of {} on the wrong side{}.", grouped(static_cast<Index>(at.wrong.size())),
                    counted(static_cast<Index>(rows.rows.size()), rows.all() ? "row" : "drawn row"),
                    m->objective ? ", objective " + rounded(*m->objective) : ""));
  }
  Json layers = Json::array();
  Json ground = regions(grid, std::vector<std::int32_t>(static_cast<std::size_t>(grid.cells()), 0));
  ground["frames"] = changes;
  if (!line_only) layers.push_back(std::move(ground));
  layers.push_back(points(view->x, view->y, {{"class", rows.labels}, {"frames", rings}}));
  if (line_only) {
    Json last = line({}, {}, {{"color", "soft"}, {"dash", "dashed"}, {"name", "at the end"}});
    last.update(changes.back());
    layers.push_back(std::move(last));
    layers.push_back(line({}, {}, {{"color", "ink"}, {"name", "boundary"}, {"frames", changes}}));
  }
  Figure figure{
      "separator", "The boundary at each iteration",
      view->columns
          ? "Move the slider, or play, to see the boundary find its place. Rings are rows that are "
            "on the wrong side at that moment."
          : "The rows stay where the fitted model sees them; the boundary is that of the weights at "
            "the moment, cut along this plane. Rings are rows that are on the wrong side then."};
  if (const std::string note = rows.note(); !note.empty()) figure.notes.push_back(note);
  const Grid& g = view->grid;
  figure.data = text_of(
      plots({plot(axis(view->x_label, g.left, g.right), axis(view->y_label, g.bottom, g.top), layers,
                  {{"height", 0.66}})},
            model.classes,
            {{"frames", {{"label", "Iteration"}, {"values", names}, {"notes", notes}, {"play", true}}}}));
  return figure;
}

}  // namespace discern::report
