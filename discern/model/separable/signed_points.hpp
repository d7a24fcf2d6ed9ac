// The rows of two classes as points of one problem: z_i = t_i (x_i - c) / s with t_i = +1 or -1, so that a
// plane through c separates the classes when w . z_i > 0 for all of them.
//
// Dense rows are kept centred and scaled; sparse rows stay as they are, uncentred.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "discern/data/features.hpp"
#include "discern/stats/block.hpp"

namespace discern {

// z = (x - center) / scale. The centre is empty for zero.
struct PointFrame {
  Eigen::VectorXd center;
  Eigen::VectorXd scale;
};

// Where every feature that varies has a standard deviation of one. Sparse features, and all without `center`,
// are divided by their root mean square instead and stay where they are. `side` is +1 or -1, and 0 for rows
// that do not take part. Throws Code::data for a spread beyond 1e+-150.
PointFrame standard_coordinates(const Features& x, std::span<const std::int8_t> side, bool center);

// The same centre, and one unit for all features: lengths are those of the features up to that unit.
PointFrame same_unit(PointFrame coordinates);

class SignedPoints {
 public:
  // `augment` appends the coordinate 1 (times t_i) to every point. x must outlive this.
  SignedPoints(const Features& x, std::span<const std::int8_t> side, PointFrame coordinates, bool augment);

  Index size() const { return static_cast<Index>(rows_.size()); }
  Index width() const { return width_; }
  Index row(Index i) const { return rows_[static_cast<std::size_t>(i)]; }
  double sign(Index i) const { return signs_[static_cast<std::size_t>(i)]; }
  const PointFrame& coordinates() const { return coordinates_; }
  const Eigen::VectorXd& lengths() const { return lengths_; }  // |z_i|
  double radius() const { return lengths_.maxCoeff(); }

  Eigen::VectorXd products(const Eigen::VectorXd& w) const;  // w . z_i
  Eigen::VectorXd mean(double sign) const;                   // of the points of one class
  void copy(Index i, Eigen::Ref<Eigen::VectorXd> z) const;

 private:
  bool centered() const { return coordinates_.center.size() > 0; }
  template <class Body>
  void for_chunks(Body&& body) const;

  const Features* x_;
  PointFrame coordinates_;
  bool augment_;
  Index width_;
  std::vector<Index> rows_;
  std::vector<double> signs_;
  RowMajor dense_;  // rows z_i without the appended coordinate, when x is dense
  Eigen::VectorXd lengths_;
};

}  // namespace discern
