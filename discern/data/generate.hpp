// Seeded data with known densities. The same options give the same bits on every platform and with any
// number of threads, and fewer rows give the first rows of more.
//
// A table of features x1..xd and a side column "class" with the labels "0", "1", ..., "K-1". The classes are
// equally likely: every K consecutive rows hold each class once, in random order, before label noise.
// Below z ~ N(0, I), u ~ U[0, 1), k is the class, n stands for `noise`, and all draws are independent.
//
// gaussians: p(x | k) = N(m_k, S_k), S_k = D_k (I + 3 v_k v_k') D_k, D_k = diag of U[0.5, 2), |v_k| = 1.
//   Class k sits at point q_k of a cubic grid with edge `separation` in random orientation, centred at zero,
//   with the fewest points a side that hold K classes in d dimensions: m_k = D_0 (I + v_0 v_0') q_k.
//   With a shared covariance (S_k = S_0) the Mahalanobis distance of neighbours is `separation`, so that two
//   classes have the Bayes error Phi(-separation / 2). `own_covariance` draws D_k and v_k for each class.
// xor: p(x | 0) = N((-1,-1), n^2 I) / 2 + N((1,1), n^2 I) / 2, and p(x | 1) the same about (-1,1) and (1,-1).
//   Bayes error 2 q (1 - q), q = Phi(-1/n). n = 0 gives the truth table.
// moons: class 0 is (cos a, sin a) + n z, class 1 is (1 - cos a, 1/2 - sin a) + n z, a = pi u.
// rings: (k + 1) (cos a, sin a) + n z, a = 2 pi u.
// spiral: r (cos a, sin a) + n z, r = 3 sqrt(u), a = pi r + 2 pi k / K. Neighbouring arms are 2 / K apart.
// linear: a plane g(x) = w.x + b, |w| = 1, w in a random direction, b ~ U[-1, 1). Every point of class 1 has
//   g(x) >= G and every point of class 0 g(x) <= -G (up to rounding), G = `margin`: with s = -1, 1 the side,
//   p(x | s) = 2 phi(s g(x) - G) N(h; 0, I) where s g(x) >= G, h the d-1 coordinates of x along the plane.
// sparse: text-like, CSR of float: word counts of documents of N words, N = 10 + floor(-90 log(1 - u)).
//   A word is drawn by Zipf's law, z(j) proportional to 1/j for j = 1..d, and then with probability
//   a = `separation` exchanged for the class's word of its group: the k-th of each K consecutive words.
//   So P(j | k) = (1 - a) z(j) + a [j is the class's word] (sum of z over j's group); a short group at the
//   end keeps its words. Given N the counts are multinomial.
// outliers: p(x | 0) = N((-s/2, 0), I), p(x | 1) = (1 - n) N((s/2, 0), I) + n N((s/2 + G, -G), I / 4),
//   s = `separation`, G = `margin`: the far points of class 1 lie on its own side of x1 = 0, and yet pull the
//   least-squares line away from it because they are "too correct".
//
// xor, moons, rings, spiral and outliers lie in the plane of x1 and x2; further features are N(0, 1), the
// same for every class. Label noise P (gaussians, linear, sparse) replaces a label, with probability P, by
// one of the other K-1, each as likely; the features do not depend on P.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/data/table.hpp"

namespace discern {

// What is not given takes the shape's own default; what a shape has no use for must not be given.
struct GenerateOptions {
  std::string shape = "gaussians";
  Index rows = 1000;
  std::uint64_t seed = 0;
  std::optional<Index> features;
  std::optional<Index> classes;
  std::optional<double> margin;
  std::optional<double> noise;
  std::optional<double> separation;
  bool own_covariance = false;  // gaussians only
  Monitor monitor;
};

// A parameter of a shape: a member of GenerateOptions with its meaning and range there.
struct ShapeParameter {
  std::string_view
      name;  // "features", "classes", "margin", "noise", "separation" or "own-covariance" (a flag)
  std::string_view meaning;
  double standard;  // its value when it is not given
  double lowest = 0;
  double highest = 1e9;
  bool open = false;  // must stay below `highest`
};

struct ShapeInfo {
  std::string_view name;
  std::string_view summary;  // one line
  std::vector<ShapeParameter> parameters;
};

std::span<const ShapeInfo> shapes();

// Throws Code::usage for an unknown shape, a parameter that the shape does not take or that is out of range;
// Code::memory for more rows than memory can hold; Code::interrupted when the monitor says so.
Table generate(const GenerateOptions& options);

// The options with the shape's defaults for what is not given; throws as generate does.
GenerateOptions with_defaults(const GenerateOptions& options);

// The parameters that the seed drew, for comparing what was learned with the truth.
struct GaussianTruth {
  std::vector<double> mean;
  std::vector<double> scale;      // the diagonal of D_k
  std::vector<double> direction;  // v_k
};
struct PlaneTruth {
  std::vector<double> w;
  double b = 0;
};
std::vector<GaussianTruth> gaussians_truth(const GenerateOptions& options);  // a class each
PlaneTruth linear_truth(const GenerateOptions& options);
std::vector<double> sparse_truth(const GenerateOptions& options, Index label);  // P(j | label) for every word

}  // namespace discern
