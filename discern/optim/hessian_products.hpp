// Products with the Hessian of a LinearFunction,
//
//   H v = X' D X v + l2 v,     D the curvature of every row at the point evaluated last
//
// for methods that need many of them at one point. Sparse rows of one score are copied for it, if that takes
// at most 2 GB: the entries of the coordinates asked for alone, scaled, in single precision, the coordinates
// numbered by how often they occur, so that what most rows need stays in the first-level cache. Of 100,000
// rows with 65 entries a product takes 0.65 of the time from the data themselves, on a tenth of the
// coordinates with half of the entries a quarter; the copy takes as long as two or three products. Its
// rounding (6e-8) is far below what a step of Newton's method asks for; gradients and values never come from
// it. There is no copy where all coordinates are asked for and have this order already (renumbered.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "discern/base/buffer.hpp"
#include "discern/optim/function.hpp"

namespace discern {

class HessianProducts {
 public:
  // On all coordinates.
  HessianProducts(const LinearFunction& function, const Monitor& monitor);
  // On these coordinates of a point, ascending; vectors and products have an entry for each.
  HessianProducts(const LinearFunction& function, std::vector<Index> coordinates, const Monitor& monitor);

  // Goes over to other coordinates.
  void restrict_to(std::vector<Index> coordinates, const Monitor& monitor);
  const std::vector<Index>& coordinates() const { return coordinates_; }

  // These throw Code::interrupted when the monitor asks to stop.
  Eigen::VectorXd diagonal(const Monitor& monitor);
  Eigen::VectorXd times(const Eigen::VectorXd& v, const Monitor& monitor);

 private:
  // Some rows of the copy, in buffers that may have room for more: large blocks of memory are filled twice as
  // fast, and are used again for other coordinates.
  struct Part {
    Index first = 0;
    std::vector<std::uint32_t> starts;
    Buffer<std::uint32_t> columns;
    Buffer<float> values;

    void reserve(Index entries);
    Index rows() const { return static_cast<Index>(starts.size()) - 1; }
    SparseRow<float> row(Index i) const {
      const auto at = static_cast<std::size_t>(i);
      return {values.data() + starts[at], columns.data() + starts[at],
              static_cast<Index>(starts[at + 1] - starts[at])};
    }
  };
  // Where the copy has each feature: 1 + its column there or 0, and what scales that column.
  struct Places {
    std::vector<std::uint32_t> of_feature;
    std::vector<double> units;
  };

  void number_by_frequency();
  void copy_rows(const Monitor& monitor);
  template <class R>
  static void append(const R& rows, const Places& places, Part& part);
  // sum_i add(row i, its curvature, sums of features, sum of the bias) + l2 v, the rows by lanes.
  template <class Add>
  Eigen::VectorXd sum_over_rows(const Eigen::VectorXd& v, const Monitor& monitor, const Add& add);

  const LinearFunction* function_;
  bool copied_ = false;
  std::vector<Index> coordinates_;
  bool bias_ = false;                  // is the first of them
  std::vector<Index> order_;           // of the copy: places of the others among the coordinates
  std::vector<Part> parts_;            // one for each lane
  std::vector<Eigen::VectorXd> sums_;  // of each lane
};

}  // namespace discern
