// Compiled with -ffp-contract=off, and without the kernels of row.hpp: a fused multiply-add would change the
// last bits from one instruction set to the next.
#include "discern/data/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "discern/data/place.hpp"

namespace discern::shapes_detail {
namespace {

using std::numbers::pi;

double product(const double* a, const double* b, Index size) {
  double sum = 0;
  for (Index j = 0; j < size; ++j) sum += a[j] * b[j];
  return sum;
}

void normalize(std::vector<double>& v) {
  const double length = std::sqrt(product(v.data(), v.data(), static_cast<Index>(v.size())));
  for (double& value : v) value /= length;
}

std::vector<double> unit_vector(Random& random, Index size) {
  std::vector<double> v(at(size));
  for (double& value : v) value = random.normal();
  normalize(v);
  return v;
}

// Gram and Schmidt, twice: once leaves errors that grow as the vectors near each other.
std::vector<std::vector<double>> orthonormal(Random& random, Index count, Index size) {
  std::vector<std::vector<double>> axes;
  while (static_cast<Index>(axes.size()) < count) {
    std::vector<double> v = unit_vector(random, size);
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& axis : axes) {
        const double along = product(axis.data(), v.data(), size);
        for (Index j = 0; j < size; ++j) v[at(j)] -= along * axis[at(j)];
      }
      normalize(v);
    }
    axes.push_back(std::move(v));
  }
  return axes;
}

// A cubic grid with at least `points` points.
struct Grid {
  Index side = 2;  // points a side
  Index axes = 0;  // dimensions in use
};

// The number of axes, at most `limit`, that `points` grid points need; 0 when the grid is too small.
Index axes_needed(Index side, Index points, Index limit) {
  Index held = 1, axes = 0;
  while (held < points && axes < limit) held *= side, ++axes;
  return held >= points ? axes : 0;
}

Grid smallest_grid(Index points, Index limit) {
  Grid grid;
  while ((grid.axes = axes_needed(grid.side, points, limit)) == 0) ++grid.side;
  return grid;
}

// y = D (z + v (v.z)), which has the covariance D (I + 3 v v') D.
void spread(const GaussianTruth& truth, double* z) {
  const Index size = static_cast<Index>(truth.scale.size());
  const double along = product(truth.direction.data(), z, size);
  for (Index j = 0; j < size; ++j) z[j] = truth.scale[at(j)] * (z[j] + truth.direction[at(j)] * along);
}

void draw_covariance(Random& random, Index size, GaussianTruth& truth) {
  truth.scale.resize(at(size));
  for (double& scale : truth.scale) scale = random.uniform(0.5, 2);
  truth.direction = unit_vector(random, size);
}

void add_normals(Random& random, double deviation, double* x, Index count) {
  for (Index j = 0; j < count; ++j) x[j] += deviation * random.normal();
}

// A point of the plane with the shape's noise, and the features beyond the plane.
void finish_planar(Random& random, const Settings& settings, double* x) {
  add_normals(random, settings.noise, x, 2);
  for (Index j = 2; j < settings.features; ++j) x[j] = random.normal();
}

void put_polar(double radius, double angle, double* x) {
  const auto [sine, cosine] = portable_sin_cos(angle);
  x[0] = radius * cosine;
  x[1] = radius * sine;
}

}  // namespace

// Seeds a fixed odd step apart: the four words that seed one stream are never those of another, shifted.
Random stream(std::uint64_t seed, Index number) {
  return Random(Random(seed).bits() + static_cast<std::uint64_t>(number) * 0xd1342543de82ef95ULL);
}

std::vector<GaussianTruth> gaussian_classes(const Settings& settings) {
  Random random = stream(settings.seed, 0);
  const Index size = settings.features;
  const Grid grid = smallest_grid(settings.classes, size);
  const auto axes = orthonormal(random, grid.axes, size);
  std::vector<GaussianTruth> classes(at(settings.classes));
  for (Index k = 0; k < settings.classes; ++k) {
    GaussianTruth& truth = classes[at(k)];
    if (k == 0 || settings.own_covariance)
      draw_covariance(random, size, truth);
    else
      truth = classes[0];
    truth.mean.assign(at(size), 0.0);
    Index digits = k;
    for (const auto& axis : axes) {
      const double step = static_cast<double>(digits % grid.side) - 0.5 * static_cast<double>(grid.side - 1);
      for (Index j = 0; j < size; ++j) truth.mean[at(j)] += settings.separation * step * axis[at(j)];
      digits /= grid.side;
    }
    spread(classes[0], truth.mean.data());
  }
  return classes;
}

DrawRow draw_gaussians(const Settings& settings) {
  return [size = settings.features, classes = gaussian_classes(settings)](Random& random, Index label,
                                                                          double* x) {
    const GaussianTruth& truth = classes[at(label)];
    for (Index j = 0; j < size; ++j) x[j] = random.normal();
    spread(truth, x);
    for (Index j = 0; j < size; ++j) x[j] += truth.mean[at(j)];
  };
}

DrawRow draw_xor(const Settings& settings) {
  return [settings](Random& random, Index label, double* x) {
    x[0] = random.below(2) == 0 ? -1 : 1;
    x[1] = label == 0 ? x[0] : -x[0];
    finish_planar(random, settings, x);
  };
}

DrawRow draw_moons(const Settings& settings) {
  return [settings](Random& random, Index label, double* x) {
    put_polar(1, pi * random.uniform(), x);
    if (label == 1) {
      x[0] = 1 - x[0];
      x[1] = 0.5 - x[1];
    }
    finish_planar(random, settings, x);
  };
}

DrawRow draw_rings(const Settings& settings) {
  return [settings](Random& random, Index label, double* x) {
    put_polar(static_cast<double>(label + 1), 2 * pi * random.uniform(), x);
    finish_planar(random, settings, x);
  };
}

DrawRow draw_spiral(const Settings& settings) {
  return [settings](Random& random, Index label, double* x) {
    const double turn = static_cast<double>(label) / static_cast<double>(settings.classes);
    const double radius = 3 * std::sqrt(random.uniform());
    put_polar(radius, pi * radius + 2 * pi * turn, x);
    finish_planar(random, settings, x);
  };
}

DrawRow draw_outliers(const Settings& settings) {
  return [settings](Random& random, Index label, double* x) {
    const bool outlier = random.uniform() < settings.noise && label == 1;
    const double side = label == 0 ? -0.5 : 0.5;
    x[0] = side * settings.separation + (outlier ? settings.margin : 0);
    x[1] = outlier ? -settings.margin : 0;
    add_normals(random, outlier ? 0.5 : 1, x, 2);
    for (Index j = 2; j < settings.features; ++j) x[j] = random.normal();
  };
}

PlaneTruth separating_plane(const Settings& settings) {
  Random random = stream(settings.seed, 0);
  PlaneTruth plane;
  plane.w = unit_vector(random, settings.features);
  plane.b = random.uniform(-1, 1);
  return plane;
}

// Moves a point of N(0, I) along w until its distance from the plane is G plus the distance it had from zero.
DrawRow draw_linear(const Settings& settings) {
  return [size = settings.features, margin = settings.margin, plane = separating_plane(settings)](
             Random& random, Index label, double* x) {
    for (Index j = 0; j < size; ++j) x[j] = random.normal();
    const double along = product(plane.w.data(), x, size);
    const double distance = (label == 0 ? -1 : 1) * (margin + std::fabs(along));
    const double move = distance - plane.b - along;
    for (Index j = 0; j < size; ++j) x[j] += move * plane.w[at(j)];
  };
}

// Vose's construction: every word below the average probability is topped up by one above it.
Words::Words(const Settings& settings)
    : size_(static_cast<std::uint32_t>(settings.features)),
      classes_(static_cast<std::uint32_t>(settings.classes)),
      share_(settings.separation),
      keep_(size_),
      alias_(size_) {
  double total = 0;
  for (std::uint32_t j = 0; j < size_; ++j) total += 1.0 / (j + 1.0);
  std::vector<std::uint32_t> small, large;
  for (std::uint32_t j = 0; j < size_; ++j) {
    keep_[j] = size_ / ((j + 1.0) * total);
    alias_[j] = j;
    (keep_[j] < 1 ? small : large).push_back(j);
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t poor = small.back(), rich = large.back();
    small.pop_back();
    alias_[poor] = rich;
    keep_[rich] -= 1 - keep_[poor];
    if (keep_[rich] >= 1) continue;
    large.pop_back();
    small.push_back(rich);
  }
  for (const std::uint32_t j : small) keep_[j] = 1;
}

std::uint32_t Words::zipf(Random& random) const {
  const auto word = static_cast<std::uint32_t>(random.below(size_));
  return random.uniform() < keep_[word] ? word : alias_[word];
}

std::uint32_t Words::topical(std::uint32_t word, Index label) const {
  const std::uint32_t group = word - word % classes_;
  return size_ - group < classes_ ? word : group + static_cast<std::uint32_t>(label);
}

void Words::document(Random& random, Index label, std::vector<std::uint32_t>& words) const {
  const double extra = std::floor(-90 * portable_log(1 - random.uniform()));
  words.resize(10 + static_cast<std::size_t>(extra));
  for (std::uint32_t& word : words) {
    word = zipf(random);
    if (random.uniform() < share_) word = topical(word, label);
  }
  std::sort(words.begin(), words.end());
}

std::vector<double> Words::probabilities(Index label) const {
  double total = 0;
  for (std::uint32_t j = 0; j < size_; ++j) total += 1.0 / (j + 1.0);
  std::vector<double> p(size_);
  for (std::uint32_t j = 0; j < size_; ++j) {
    const double z = 1.0 / ((j + 1.0) * total);
    p[j] += (1 - share_) * z;
    p[topical(j, label)] += share_ * z;
  }
  return p;
}

}  // namespace discern::shapes_detail
