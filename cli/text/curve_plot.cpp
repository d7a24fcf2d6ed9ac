#include "cli/text/curve_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/text/plot.hpp"

namespace discern::cli {
namespace {

constexpr std::size_t picture_rows = 12, widest_picture = 60;

bool wants_logarithm(const std::vector<double>& x) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  return *low > 0 && *high >= 20 * *low;
}

double bar(const Curve& curve, std::size_t i) {
  return i < curve.se.size() && curve.se[i] ? *curve.se[i] : 0;
}

// From the lowest end of a bar to the highest, with a little room.
bool set_heights(const std::vector<Curve>& curves, Window& window) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve& curve : curves)
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      if (!curve.y[i]) continue;
      low = std::min(low, *curve.y[i] - bar(curve, i));
      high = std::max(high, *curve.y[i] + bar(curve, i));
    }
  if (!(low <= high) || !std::isfinite(low) || !std::isfinite(high)) return false;
  const double room = high > low ? 0.05 * (high - low) : std::max(1e-3, std::fabs(high) * 1e-3);
  window.bottom = low - room;
  window.top = high + room;
  return true;
}

}  // namespace

std::string curve_picture(const std::vector<double>& x, const std::vector<Curve>& curves,
                          const std::string& x_name, const std::string& y_name) {
  if (x.empty()) return "";
  const bool logarithm = wants_logarithm(x);
  std::vector<double> across;
  across.reserve(x.size());
  for (const double value : x) across.push_back(logarithm ? std::log10(value) : value);
  const auto [left, right] = std::minmax_element(across.begin(), across.end());
  Window window{*left, *right, 0, 1};
  if (!(window.left < window.right) || !set_heights(curves, window)) return "";
  Picture picture(window, picture_rows, std::min(widest_picture, plot_width() - 12));
  const double step = (window.top - window.bottom) / static_cast<double>(picture_rows - 1);
  for (const Curve& curve : curves)
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      if (!curve.y[i]) continue;
      const double y = *curve.y[i];
      for (double off = step; off <= bar(curve, i); off += step) {
        picture.point(across[i], y + off, '|');
        picture.point(across[i], y - off, '|');
      }
      picture.point(across[i], y, curve.mark);
    }
  return picture.text(logarithm ? "log10 " + x_name : x_name, y_name, 2);
}

}  // namespace discern::cli
