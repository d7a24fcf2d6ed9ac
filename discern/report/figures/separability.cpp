#include "discern/report/figures/separability.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "discern/report/hull.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/sample.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

// Two directions to look along: the first given, the second the largest spread at a right angle to it.
struct Plane2 {
  Vector first, second, center;
  std::pair<double, double> at(const Eigen::Ref<const Vector>& x) const {
    return {first.dot(x - center), second.dot(x - center)};
  }
};

Plane2 plane_along(const Matrix& rows, const Vector& direction) {
  Plane2 plane;
  plane.center = rows.colwise().mean().transpose();
  plane.first = direction / direction.norm();
  if (rows.cols() == 2) {
    plane.second = Vector{{-plane.first[1], plane.first[0]}};
    return plane;
  }
  const Eigen::MatrixXd centred = rows.rowwise() - plane.center.transpose();
  Vector v = Vector::Ones(rows.cols());
  for (int turn = 0; turn < 100; ++turn) {
    v -= plane.first.dot(v) * plane.first;
    if (!(v.norm() > 0)) v = Vector::Unit(rows.cols(), turn % rows.cols());
    v = centred.transpose() * (centred * (v / v.norm())).eval();
  }
  v -= plane.first.dot(v) * plane.first;
  plane.second = v.norm() > 0 ? Vector(v / v.norm()) : Vector(Vector::Zero(rows.cols()));
  return plane;
}

bool takes_part(const PairSeparability& pair, std::int32_t label) {
  return label == pair.positive || pair.negative < 0 || label == pair.negative;
}
std::int32_t side_of(const PairSeparability& pair, std::int32_t label) {
  return label == pair.positive ? 1 : 0;
}

Vector combination(const std::vector<Share>& shares, const Matrix& features) {
  Vector sum = Vector::Zero(features.cols());
  for (const Share& one : shares) sum += one.share * features.row(one.row).transpose();
  return sum;
}

Vector class_mean(const PairSeparability& pair, const Matrix& features,
                  const std::vector<std::int32_t>& labels, std::int32_t side) {
  Vector sum = Vector::Zero(features.cols());
  double count = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (takes_part(pair, labels[i]) && side_of(pair, labels[i]) == side)
      sum += features.row(static_cast<Index>(i)).transpose(), count += 1;
  return sum / std::max(1.0, count);
}

}  // namespace

Figure separability_figure(const PairSeparability& pair, const std::vector<std::string>& classes,
                           const Matrix& features, const std::vector<std::int32_t>& labels,
                           const std::vector<std::string>& names) {
  const Separability& result = pair.result;
  const bool separable = result.verdict == Verdict::separable;
  const bool flat = features.cols() == 2;
  // In two dimensions the columns themselves; in more, along the plane's normal or the difference of the means.
  Plane2 plane;
  if (flat) {
    plane = {Vector{{1, 0}}, Vector{{0, 1}}, Vector::Zero(2)};
  } else if (separable) {
    plane = plane_along(features, result.plane.weights.row(0).transpose());
    const double norm = result.plane.weights.row(0).norm();
    // The place of the plane is zero.
    plane.center -= (result.plane.weights.row(0).dot(plane.center) + result.plane.bias_at_origin()[0]) /
                    norm * plane.first;
  } else {
    Vector difference = class_mean(pair, features, labels, 1) - class_mean(pair, features, labels, 0);
    if (!(difference.norm() > 0)) difference = Vector::Unit(features.cols(), 0);
    plane = plane_along(features, difference);
  }
  const std::string positive = classes[static_cast<std::size_t>(pair.positive)];
  const std::string negative =
      pair.negative < 0 ? "the rest" : classes[static_cast<std::size_t>(pair.negative)];
  std::set<Index> support;
  for (const auto* shares : {&result.positive, &result.negative})
    for (const Share& one : *shares) support.insert(one.row);
  std::vector<Numbers> x(2), y(2);
  std::vector<std::vector<std::string>> row_names(2);
  std::vector<std::vector<std::pair<double, double>>> cloud(2);
  Numbers sx, sy, all_x, all_y;
  std::vector<std::string> s_names;
  const std::vector<Index> drawn = rows_to_draw(features.rows(), labels, 1500);
  const std::set<Index> shown(drawn.begin(), drawn.end());
  for (Index i = 0; i < features.rows(); ++i) {
    const std::int32_t label = labels[static_cast<std::size_t>(i)];
    if (!takes_part(pair, label)) continue;
    const auto side = static_cast<std::size_t>(side_of(pair, label));
    const auto at = plane.at(features.row(i).transpose());
    cloud[side].push_back(at);
    all_x.push_back(at.first);
    all_y.push_back(at.second);
    if (support.contains(i))
      sx.push_back(at.first), sy.push_back(at.second), s_names.push_back(fmt::format("row {}", i + 1));
    if (!shown.contains(i)) continue;
    x[side].push_back(at.first);
    y[side].push_back(at.second);
    row_names[side].push_back(fmt::format("row {}", i + 1));
  }
  const auto [left, right] = range_of(all_x);
  const auto [bottom, top] = range_of(all_y);
  const Grid window{left, right, bottom, top};
  Json layers = Json::array();
  for (std::size_t side = 0; side < 2; ++side) {
    Numbers hx, hy;
    for (const auto& [u, v] : convex_hull(cloud[side])) hx.push_back(u), hy.push_back(v);
    layers.push_back(
        line(hx, hy,
             {{"color", side},
              {"closed", true},
              {"thin", true},
              {"name", fmt::format("hull of {}", shortened(side == 1 ? positive : negative, 30))}}));
  }
  if (separable) {
    const Vector w = result.plane.weights.row(0).transpose();
    const double b = result.plane.bias_at_origin()[0];
    const double w1 = w.dot(plane.first), w2 = w.dot(plane.second), w0 = w.dot(plane.center) + b;
    layers.push_back(straight(window, w1, w2, w0, {{"color", "ink"}, {"name", "the widest margin"}}));
    for (const double level : {-1.0, 1.0})
      layers.push_back(
          straight(window, w1, w2, w0 - level,
                   {{"color", "soft"}, {"dash", "dashed"}, {"thin", true}, {"name", "its edges"}}));
  }
  for (std::size_t side = 0; side < 2; ++side)
    layers.push_back(points(x[side], y[side],
                            {{"color", side},
                             {"shape", side},
                             {"label", row_names[side]},
                             {"name", shortened(side == 1 ? positive : negative, 30)}}));
  if (sx.size() <= 200)
    layers.push_back(
        points(sx, sy,
               {{"color", "ink"},
                {"ring", true},
                {"size", 190},
                {"label", s_names},
                {"name", separable ? "rows that hold the plane" : "rows that the point is made of"}}));
  if (!separable && result.verdict == Verdict::not_separable) {
    const auto [u, v] = plane.at(combination(result.positive, features));
    layers.push_back(
        points({u}, {v},
               {{"color", "bad"}, {"shape", 5}, {"size", 220}, {"name", "the point that both hulls share"}}));
  }
  Figure figure{"pair",
                fmt::format("{} and {}: {}", shortened(positive, 40), shortened(negative, 40),
                            separable                                  ? "a plane separates them"
                            : result.verdict == Verdict::not_separable ? "no plane separates them"
                                                                       : "not decided"),
                ""};
  if (separable) {
    figure.text =
        "A plane separates the classes, and this is the one with the widest margin: no plane keeps a larger "
        "distance from every row. The ringed rows lie on the edges and hold it in its place.";
    figure.formula = "w·x + b ≥ 1 for the one class, ≤ −1 for the other;   margin = 1 / ‖w‖";
    figure.numbers = {{"margin", rounded(result.margin, 6)},
                      {"no plane has more than", rounded(result.margin_bound, 6)},
                      {"perceptron: mistakes at most", rounded(std::floor(result.mistake_bound()), 8)}};
  } else if (result.verdict == Verdict::not_separable) {
    figure.text =
        "No plane separates the classes: the star is a mean of rows of the one class and also a mean of rows "
        "of the other, so that a plane would have it on both of its sides. The ringed rows and their shares "
        "are the proof.";
    figure.formula = "Σ_i a_i x_i = Σ_j b_j x_j,   a, b ≥ 0,   Σ a = Σ b = 1";
    figure.numbers = {{"rows in the proof", grouped(static_cast<Index>(support.size()))},
                      {"the two means differ by", rounded(result.residual, 3)}};
  } else {
    figure.text = "Neither a separating plane nor a common point could be proved in double precision.";
  }
  if (!flat)
    figure.notes.push_back(
        separable
            ? "Across: the distance from the plane. Up: the largest spread along it."
            : "The rows seen along two directions: the difference of the class means, and the largest spread "
              "beside it. A point that both hulls share is in both hulls from wherever one looks.");
  Json panel =
      plot(axis(flat        ? names[0]
                : separable ? "distance from the plane"
                            : "along the difference of the means",
                left, right),
           axis(flat ? names[1] : "largest spread beside it", bottom, top), layers, {{"height", 0.72}});
  figure.data = text_of(plots({panel}));
  return figure;
}

}  // namespace discern::report
