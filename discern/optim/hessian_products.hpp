// Products with the Hessian of a LinearFunction,
//
//   H v = X' D X v + l2 v,     D the curvature of every row at the point evaluated last
//
// for methods that need many of them at one point. Those of all coordinates of softmax are SoftmaxProducts
// where that pays. Sparse rows of one score are copied for it, if that takes at most 2 GB: the entries of the
// coordinates asked for alone, scaled, in single precision, the coordinates numbered by how often they occur,
// so that what most rows need stays in the first-level cache, in 16 bits where those suffice. Of 100,000 rows
// with 65 entries a product takes half of the time from the data themselves; the copy takes as long as two or
// three products. Its rounding (6e-8), and that of sums of at most 32,768 rows in single precision, is below
// what a step of Newton's method asks for; gradients and values never come from it. Curvatures and v are
// taken in units of their largest, so that neither leaves the range of single precision.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "discern/base/buffer.hpp"
#include "discern/optim/compact_rows.hpp"
#include "discern/optim/function.hpp"
#include "discern/optim/softmax_products.hpp"

namespace discern {

class HessianProducts {
 public:
  // Whether sparse rows are copied.
  static bool copies(const Problem& problem);

  // On all coordinates.
  HessianProducts(const LinearFunction& function, const Monitor& monitor);
  // On these coordinates of a point, ascending; vectors and products have an entry for each.
  HessianProducts(const LinearFunction& function, std::vector<Index> coordinates, const Monitor& monitor);

  // Goes over to other coordinates.
  void restrict_to(std::vector<Index> coordinates, const Monitor& monitor);
  const std::vector<Index>& coordinates() const { return coordinates_; }
  // Goes on without a copy, for steps that its rounding spoils; false when there is none.
  bool make_exact();

  // These throw Code::interrupted when the monitor asks to stop.
  Eigen::VectorXd diagonal(const Monitor& monitor);
  Eigen::VectorXd times(const Eigen::VectorXd& v, const Monitor& monitor);

 private:
  // Some rows of the copy, in buffers that may have room for more: large blocks of memory are filled twice as
  // fast, and are used again for other coordinates.
  template <class Column>
  struct Part {
    Index first = 0;
    std::vector<std::uint32_t> starts;
    Buffer<Column> columns;
    Buffer<float> values;

    void reserve(Index entries);
    Index rows() const { return static_cast<Index>(starts.size()) - 1; }
    CompactRow<float, Column> row(Index i) const {
      const auto at = static_cast<std::size_t>(i);
      return {values.data() + starts[at], columns.data() + starts[at],
              static_cast<Index>(starts[at + 1] - starts[at])};
    }
  };
  // One for each lane; numbers of 16 bits where they suffice.
  using Parts = std::variant<std::vector<Part<std::uint16_t>>, std::vector<Part<std::uint32_t>>>;
  // Where the copy has each feature: 1 + its column there or 0, and what scales that column.
  struct Places {
    std::vector<std::uint32_t> of_feature;
    std::vector<double> units;
  };

  bool all() const { return static_cast<Index>(coordinates_.size()) == function_->size(); }
  void number_by_frequency();
  void copy_rows(const Monitor& monitor);
  template <class R, class Column>
  static void append(const R& rows, const Places& places, Part<Column>& part);
  // unit sum_i add(row i, its curvature, sums of features, sum of the bias) + l2 v, the rows by lanes.
  template <class Add>
  Eigen::VectorXd sum_over_rows(const Eigen::VectorXd& v, double unit, const Monitor& monitor,
                                const Add& add);

  const LinearFunction* function_;
  std::optional<SoftmaxProducts> softmax_;  // of all coordinates, where that pays
  bool copied_ = false;
  bool exact_ = false;  // no copy is to be made any more
  std::vector<Index> coordinates_;
  bool bias_ = false;                  // is the first of them
  std::vector<std::uint32_t> counts_;  // of all features
  std::vector<Index> order_;           // of the copy: places of the others among the coordinates
  Parts parts_;
  std::vector<Eigen::VectorXf> sums_;    // of each lane
  std::vector<Eigen::VectorXd> totals_;  // what was emptied from them; of no size in short lanes
};

}  // namespace discern
