#include "discern/report/plane.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "discern/report/names.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr Index widest_features = 2000;  // for the second direction of a single score

double best_less_second(const Eigen::Ref<const Eigen::RowVectorXd>& values) {
  if (values.size() == 1) return std::abs(values[0]);
  double best = -std::numeric_limits<double>::infinity(), second = best;
  for (const double v : values) {
    if (v > best)
      second = best, best = v;
    else
      second = std::max(second, v);
  }
  return best - second;
}

// Machines that vote, costs and rejecting: how sure the decision is has no measure that is zero where it changes.
bool coarse_decision(const Model& model) {
  return (model.reduction && model.reduction->strategy != Strategy::joint) ||
         (model.decision && (model.decision->has_costs() || model.decision->threshold));
}

void decide_cells(const Model& model, const Matrix& cells, PlaneView& view) {
  const Block block{DenseRows<double>{cells.data(), cells.rows(), cells.cols()}, 0, {}, {}, {}};
  const Prediction said = predict_block(model, Scorer(model.predictor, false), block, {}).said;
  view.labels = said.labels;
  if (!coarse_decision(model)) view.margin = margins_of(said);
}

// Cells are finer where no margin tells where between two of them the decision changes.
Grid window_around(const Model& model, const Numbers& x, const Numbers& y) {
  const auto [left, right] = range_of(x);
  const auto [bottom, top] = range_of(y);
  if (coarse_decision(model)) return {left, right, bottom, top, 280, 210};
  return {left, right, bottom, top, 120, 90};
}

// The same model with its scores for features.
Model of_scores(const Model& model) {
  const Index count = score_count(model.predictor);
  Model same;
  same.task = model.task;
  same.classes = model.classes;
  same.positive = model.positive;
  same.decision = model.decision;
  same.priors = model.priors;
  same.reduction = model.reduction;
  same.predictor = Linear{Matrix::Identity(count, count), Vector::Zero(count), {}, link_of(model.predictor)};
  return same;
}

// What a score of two classes is called: the positive side of it is to the right.
std::string score_label(const Model& model) {
  const std::string positive = shortened(model.classes[static_cast<std::size_t>(model.positive)], 24);
  if (link_of(model.predictor) == Link::logistic)
    return fmt::format("score g(x): the log-odds of {}", positive);
  return fmt::format("score g(x), above 0 for {}", positive);
}

// The first principal component of standardised features of which the part along `score` has been taken off.
std::optional<Numbers> second_direction(const Matrix& features, const Vector& score) {
  if (features.size() == 0 || features.cols() < 2 || features.cols() > widest_features) return std::nullopt;
  const double n = static_cast<double>(features.rows());
  Eigen::MatrixXd z = features.rowwise() - features.colwise().mean();
  const Vector g = score.array() - score.mean();
  const double norm = g.squaredNorm();
  for (Index j = 0; j < z.cols(); ++j) {
    const double deviation = z.col(j).norm() / std::sqrt(n);
    if (deviation > 0) z.col(j) /= deviation;
    if (norm > 0) z.col(j) -= z.col(j).dot(g) / norm * g;
  }
  Vector v = Vector::Ones(z.cols()), along = z * v;
  for (int turn = 0; turn < 100; ++turn) {
    v = z.transpose() * along;
    if (!(v.norm() > 0)) return std::nullopt;
    v /= v.norm();
    along = z * v;
  }
  Index largest = 0;
  v.cwiseAbs().maxCoeff(&largest);
  if (v[largest] < 0) along = -along;
  const double deviation = along.norm() / std::sqrt(n);
  if (!(deviation > 1e-9)) return std::nullopt;
  along /= deviation;
  return Numbers(along.data(), along.data() + along.size());
}

std::optional<PlaneView> one_score_view(const Model& model, const DrawnRows& rows) {
  const auto up = second_direction(rows.features, rows.scores.col(0));
  if (!up) return std::nullopt;
  PlaneView view;
  view.x.assign(rows.scores.data(), rows.scores.data() + rows.scores.rows());
  view.y = *up;
  view.x_label = score_label(model);
  view.y_label = "largest spread beside the score";
  Numbers with_zero = view.x;
  with_zero.push_back(0);
  view.grid = window_around(model, with_zero, view.y);
  Matrix cells(view.grid.cells(), 1);
  for (Index r = 0; r < view.grid.rows; ++r)
    for (Index c = 0; c < view.grid.cols; ++c) cells(r * view.grid.cols + c, 0) = view.grid.x(c);
  decide_cells(of_scores(model), cells, view);
  return view;
}

std::optional<PlaneView> many_scores_view(const Model& model, const DrawnRows& rows) {
  Eigen::MatrixXd g = rows.scores;
  // Of scores that are compared with each other only the differences count.
  const bool compared = !model.reduction || model.reduction->strategy == Strategy::joint;
  if (compared) g.colwise() -= g.rowwise().mean().eval();
  const Eigen::RowVectorXd mean = g.colwise().mean();
  const Eigen::MatrixXd centred = g.rowwise() - mean;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(centred.transpose() * centred /
                                                             static_cast<double>(g.rows()));
  const Index count = g.cols();
  const Vector values = eigen.eigenvalues().cwiseMax(0.0);
  if (count < 2 || !(values[count - 2] > 1e-9 * values[count - 1])) return std::nullopt;
  PlaneView view;
  Eigen::MatrixXd axes = eigen.eigenvectors().rightCols(2).rowwise().reverse();
  Eigen::Vector2d length{std::sqrt(values[count - 1]), std::sqrt(values[count - 2])};
  for (Index i = 0; i < 2; ++i) {
    Index largest = 0;
    axes.col(i).cwiseAbs().maxCoeff(&largest);
    if (axes(largest, i) < 0) axes.col(i) *= -1;
    const Vector z = centred * axes.col(i) / length[i];
    (i == 0 ? view.x : view.y).assign(z.data(), z.data() + z.size());
    (i == 0 ? view.x_label : view.y_label) = fmt::format("discriminant direction {}", i + 1);
  }
  if (values.sum() > (length.squaredNorm()) * (1 + 1e-6))
    view.note =
        "The scores have more than two dimensions: regions are those at the mean of what is not drawn, so "
        "that some "
        "rows are decided otherwise than the ground under them says.";
  view.grid = window_around(model, view.x, view.y);
  Matrix cells(view.grid.cells(), count);
  for (Index r = 0; r < view.grid.rows; ++r)
    for (Index c = 0; c < view.grid.cols; ++c)
      cells.row(r * view.grid.cols + c) = mean + length[0] * view.grid.x(c) * axes.col(0).transpose() +
                                          length[1] * view.grid.y(r) * axes.col(1).transpose();
  decide_cells(of_scores(model), cells, view);
  return view;
}

Matrix raw_values(const Features& raw) {
  Matrix values = Matrix::Zero(row_count(raw), column_count(raw));
  std::visit(
      [&](const auto& x) {
        const auto rows = x.view(0, x.rows);
        for (Index i = 0; i < x.rows; ++i)
          for_each(rows.row(i), [&](Index j, double v) { values(i, j) = v; });
      },
      raw);
  return values;
}

double middle_of(Numbers values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }),
               values.end());
  if (values.empty()) return std::nan("");
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

double most_frequent(Numbers values) {
  std::sort(values.begin(), values.end());
  double best = std::nan("");
  std::size_t most = 0;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i;
    while (end < values.size() && values[end] == values[i]) ++end;
    if (end == i) end = i + 1;  // not a number
    if (end - i > most) most = end - i, best = values[i];
    i = end;
  }
  return best;
}

// How far apart the classes lie in a column: the spread of their means over that within them.
double separation(const Eigen::Ref<const Vector>& column, const std::vector<std::int32_t>& labels,
                  Index classes) {
  Vector sum = Vector::Zero(classes), squares = sum, count = sum;
  double all = 0, rows = 0;
  for (Index i = 0; i < column.size(); ++i) {
    if (std::isnan(column[i])) continue;
    sum[labels[static_cast<std::size_t>(i)]] += column[i];
    count[labels[static_cast<std::size_t>(i)]] += 1;
    all += column[i], rows += 1;
  }
  if (rows == 0) return 0;
  double between = 0, within = 0;
  for (Index k = 0; k < classes; ++k)
    if (count[k] > 0) between += count[k] * std::pow(sum[k] / count[k] - all / rows, 2);
  for (Index i = 0; i < column.size(); ++i) {
    const Index k = labels[static_cast<std::size_t>(i)];
    if (!std::isnan(column[i])) within += std::pow(column[i] - sum[k] / count[k], 2);
  }
  return within > 0 ? between / within : 0;
}

std::optional<PlaneView> columns_view(const Model& model, const DrawnRows& rows) {
  const Schema& schema = model.pipeline.input();
  const Index columns = schema.size();
  if (columns > widest_features) return std::nullopt;
  const Matrix values = raw_values(rows.raw);
  std::vector<std::pair<double, Index>> numeric;
  for (Index j = 0; j < columns; ++j)
    if (!schema.categorical(j))
      numeric.emplace_back(-separation(values.col(j), rows.labels, static_cast<Index>(model.classes.size())),
                           j);
  if (numeric.size() < 2) return std::nullopt;
  if (numeric.size() > 2) std::stable_sort(numeric.begin(), numeric.end());
  PlaneView view;
  view.columns = true;
  view.first = std::min(numeric[0].second, numeric[1].second);
  view.second = std::max(numeric[0].second, numeric[1].second);
  view.x_label = schema.name(view.first);
  view.y_label = schema.name(view.second);
  for (Index i = 0; i < values.rows(); ++i) {
    view.x.push_back(values(i, view.first));
    view.y.push_back(values(i, view.second));
  }
  view.grid = window_around(model, view.x, view.y);
  Eigen::RowVectorXd base(columns);
  for (Index j = 0; j < columns; ++j) {
    const Vector column = values.col(j);
    const Numbers cells(column.data(), column.data() + column.size());
    base[j] = schema.categorical(j) ? most_frequent(cells) : middle_of(cells);
  }
  std::vector<double> cells;
  cells.reserve(static_cast<std::size_t>(view.grid.cells() * columns));
  for (Index r = 0; r < view.grid.rows; ++r)
    for (Index c = 0; c < view.grid.cols; ++c) {
      base[view.first] = view.grid.x(c);
      base[view.second] = view.grid.y(r);
      cells.insert(cells.end(), base.data(), base.data() + columns);
    }
  const Features raw = DenseMatrix<double>{Buffer<double>(std::move(cells)), view.grid.cells(), columns};
  const Targets none;
  const PipelineSource source(raw, model.pipeline, none);
  const Prediction said = predict_rows(model, source);
  view.labels = said.labels;
  if (!coarse_decision(model)) view.margin = margins_of(said);
  if (columns > 2)
    view.note = fmt::format(
        "The two columns that tell the classes apart best. The other {} are held at their median (texts at "
        "the most "
        "frequent) for the regions, so that some rows are decided otherwise than the ground under them says.",
        columns - 2);
  return view;
}

}  // namespace

std::vector<std::int32_t> decided(const Model& model, const Matrix& scores) {
  const Block block{DenseRows<double>{scores.data(), scores.rows(), scores.cols()}, 0, {}, {}, {}};
  const Model same = of_scores(model);
  return predict_block(same, Scorer(same.predictor, false), block, {}).said.labels;
}

Numbers margins_of(const Prediction& said) {
  const Matrix& values = said.proba.size() > 0 ? said.proba : said.scores;
  Numbers margin;
  for (Index i = 0; i < values.rows(); ++i) margin.push_back(best_less_second(values.row(i)));
  if (said.proba.size() > 0) return margin;
  const double middle = middle_of(margin);
  for (double& m : margin) m = m + middle > 0 ? m / (m + middle) : 0;
  return margin;
}

std::optional<PlaneView> plane_view(const Model& model, const DrawnRows& rows) {
  if (rows.rows.empty()) return std::nullopt;
  const Schema& schema = model.pipeline.input();
  const bool two_columns = schema.size() == 2 && !schema.any_categorical();
  if (!two_columns && std::holds_alternative<Linear>(model.predictor)) {
    const auto view =
        score_count(model.predictor) == 1 ? one_score_view(model, rows) : many_scores_view(model, rows);
    if (view) return view;
  }
  return columns_view(model, rows);
}

}  // namespace discern::report
