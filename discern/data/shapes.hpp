// The distributions that generate.hpp describes: how one row of a class is drawn, given what the seed
// decided.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "discern/base/random.hpp"
#include "discern/data/generate.hpp"

namespace discern::shapes_detail {

// Options that have been checked, with the shape's defaults filled in.
struct Settings {
  Index features = 0;
  Index classes = 2;
  double margin = 0;
  double noise = 0;
  double separation = 0;
  bool own_covariance = false;
  std::uint64_t seed = 0;
};

// Writes the features of a row of class `label` to x.
using DrawRow = std::function<void(Random& random, Index label, double* x)>;

DrawRow draw_gaussians(const Settings& settings);
DrawRow draw_xor(const Settings& settings);
DrawRow draw_moons(const Settings& settings);
DrawRow draw_rings(const Settings& settings);
DrawRow draw_spiral(const Settings& settings);
DrawRow draw_linear(const Settings& settings);
DrawRow draw_outliers(const Settings& settings);

std::vector<GaussianTruth> gaussian_classes(const Settings& settings);
PlaneTruth separating_plane(const Settings& settings);

// The words of the sparse shape: Walker's alias method, two random numbers a word whatever their number.
class Words {
 public:
  explicit Words(const Settings& settings);
  // Replaces `words` by those of a document of the class, sorted.
  void document(Random& random, Index label, std::vector<std::uint32_t>& words) const;
  std::vector<double> probabilities(Index label) const;

 private:
  std::uint32_t zipf(Random& random) const;
  std::uint32_t topical(std::uint32_t word, Index label) const;

  std::uint32_t size_;
  std::uint32_t classes_;
  double share_;                      // of topical words
  std::vector<double> keep_;          // probability of staying at a word once it is drawn uniformly,
  std::vector<std::uint32_t> alias_;  // and where to go otherwise
};

// Independent streams of random numbers: number 0 decides the parameters, the others draw rows.
Random stream(std::uint64_t seed, Index number);

}  // namespace discern::shapes_detail
