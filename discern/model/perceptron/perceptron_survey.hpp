// What a plane makes of all rows, in one fold: how many it gets wrong, by how much, and what the batch
// perceptron would correct.
#pragma once

#include <limits>

#include "discern/model/perceptron/perceptron_frame.hpp"

namespace discern {

// The margin of a row of scores and the class that comes next to its own: t g with one score, otherwise
// g_i - max g_j over the other classes j, the first of equals.
struct Margin {
  double value = 0;
  Index rival = 0;
};
inline Margin margin_of(const double* scores, Index count, std::int32_t label) {
  if (count == 1) return {label == 1 ? scores[0] : -scores[0], 0};
  Index rival = label == 0 ? 1 : 0;
  for (Index j = rival + 1; j < count; ++j)
    if (j != label && scores[j] > scores[rival]) rival = j;
  return {scores[label] - scores[rival], rival};
}

// Adds to every score's entry of `amounts` what a correction by h of a sample adds of it.
inline void set_amounts(double h, std::int32_t label, Index rival, Index count, double* amounts) {
  if (count == 1) {
    amounts[0] = label == 1 ? h : -h;
    return;
  }
  amounts[label] = h;
  amounts[rival] = -h;
}

class PerceptronSurvey {
 public:
  // `correct`: also sum up the correction. The plane and the frame must outlive it.
  PerceptronSurvey(const Predictor& plane, const PerceptronFrame& frame, bool correct);

  void add(const Block& block);
  void merge(const PerceptronSurvey& other);
  double bytes() const { return 8.0 * static_cast<double>(correction_.size() + 16); }

  Index mistakes() const { return mistakes_; }
  double criterion() const { return criterion_; }  // sum over the misclassified of s |t g|
  double margin() const { return margin_; }        // the least t g
  // plane + h (sum of the corrections)
  void correct(double h, Linear& plane) const;

 private:
  const Predictor* plane_;
  const PerceptronFrame* frame_;
  Index mistakes_ = 0;
  double criterion_ = 0;
  double margin_ = std::numeric_limits<double>::infinity();
  bool sparse_ = false;
  Matrix correction_;  // scores x features, of the rows as seen; empty when not asked for
  Vector sums_;        // of the bias
};

// The rows themselves: R^2 = max |y|^2, and the range of the sample weights.
class PerceptronRadius {
 public:
  explicit PerceptronRadius(const PerceptronFrame& frame);
  void add(const Block& block);
  void merge(const PerceptronRadius& other);
  double bytes() const { return 64; }

  double squares() const { return squares_; }
  bool equal_weights() const { return least_ == most_; }
  bool unit_weights() const { return least_ == 1 && most_ == 1; }

 private:
  const PerceptronFrame* frame_;
  double squares_ = 0;
  double least_ = std::numeric_limits<double>::infinity(), most_ = 0;
};

}  // namespace discern
