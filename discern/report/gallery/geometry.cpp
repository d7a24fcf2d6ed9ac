// F2: the geometry of a linear discriminant in the plane.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "discern/report/gallery/gallery.hpp"
#include "discern/report/plot.hpp"

namespace discern::report {

std::vector<Figure> geometry() {
  const Grid window{-4, 4, -3, 3};
  constexpr double px = 2.2, py = 1.6, length = 1.25;
  Json lines = Json::array(), normals = Json::array(), feet = Json::array(), distances = Json::array();
  Json origins = Json::array(), sides = Json::array(), names = Json::array(), notes = Json::array();
  const Numbers offsets{-3, -1.5, 0, 1.5, 3};
  Json offset_names = Json::array();
  for (const double w0 : offsets) offset_names.push_back(fmt::format("{}", w0));
  for (int step = 0; step < 36; ++step) names.push_back(fmt::format("{}°", 10 * step));
  for (int frame = 0; frame < 36 * static_cast<int>(offsets.size()); ++frame) {
    const int step = frame % 36;
    const double w0 = offsets[static_cast<std::size_t>(frame / 36)];
    const double angle = std::numbers::pi * step / 18;
    const double w1 = length * std::cos(angle), w2 = length * std::sin(angle);
    const Json at = straight(window, w1, w2, w0);
    lines.push_back({{"x", at["x"]}, {"y", at["y"]}});
    const double foot_x = -w0 * w1 / (length * length), foot_y = -w0 * w2 / (length * length);
    normals.push_back({{"x", numbers({foot_x, foot_x + w1})}, {"y", numbers({foot_y, foot_y + w2})}});
    origins.push_back({{"x", numbers({0, foot_x})}, {"y", numbers({0, foot_y})}});
    const double g = w1 * px + w2 * py + w0, d = g / length;
    const double qx = px - d * w1 / length, qy = py - d * w2 / length;
    feet.push_back({{"x", numbers({qx})}, {"y", numbers({qy})}});
    distances.push_back({{"x", numbers({px, qx})}, {"y", numbers({py, qy})}});
    // Class 0 has the score 0, class 1 the score g.
    sides.push_back({{"planes", Json::array({numbers({0, 0, 0}), numbers({w0, w1, w2})})}});
    notes.push_back(
        fmt::format("w = ({:.2f}, {:.2f}), w0 = {}; g(x) = {:.3f}, the signed distance of x is {:.3f}, that "
                    "of the origin {:.3f}.",
                    w1, w2, w0, g, d, w0 / length));
  }
  Json ground = regions(Grid{-4, 4, -3, 3, 40, 30}, std::vector<std::int32_t>(1200, 0));
  ground["frames"] = sides;
  Json layers = Json::array();
  layers.push_back(ground);
  layers.push_back(line({}, {}, {{"color", "ink"}, {"name", "g(x) = 0"}, {"frames", lines}}));
  layers.push_back(line({}, {},
                        {{"color", "soft"},
                         {"dash", "dotted"},
                         {"name", "distance of the origin, w0 / |w|"},
                         {"frames", origins}}));
  layers.push_back(line(
      {}, {},
      {{"color", "bad"}, {"dash", "dashed"}, {"name", "distance of x, g(x) / |w|"}, {"frames", distances}}));
  layers.push_back(arrow(0, 0, 1, 1, {{"text", "w"}, {"color", "ink"}, {"frames", normals}}));
  layers.push_back(points({px}, {py}, {{"color", "bad"}, {"name", "a point x"}, {"size", 90}}));
  layers.push_back(
      points({0}, {0},
             {{"color", "bad"}, {"open", true}, {"size", 60}, {"name", "its projection"}, {"frames", feet}}));
  layers.push_back(points({0}, {0}, {{"color", "ink"}, {"shape", 4}, {"name", "the origin"}}));
  Figure figure{
      "F2", "The geometry of a discriminant",
      "w stands at a right angle to the line g(x) = 0 and points to the side where g is above zero. The "
      "score "
      "of a point over the length of w is its signed distance from the line. Turn w, and move the line with "
      "w0."};
  figure.formula = "g(x) = w·x + w0      distance of x = g(x) / ‖w‖      distance of the origin = w0 / ‖w‖";
  figure.data = text_of(
      plots({plot(axis("x1", -4, 4), axis("x2", -3, 3), layers, {{"equal", true}})}, {"g(x) < 0", "g(x) ≥ 0"},
            {{"frames",
              {{"label", "Angle of w"},
               {"values", names},
               {"start", 4},
               {"notes", notes},
               {"second", {{"label", "Offset w0"}, {"values", offset_names}, {"start", 1}}}}}}));
  return {figure};
}

}  // namespace discern::report
