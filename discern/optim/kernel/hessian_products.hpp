// Products with the Hessian of a LinearFunction,
//
//   H v = X' D X v + l2 v,     D the curvature of every row at the point evaluated last
//
// for methods that need many of them at one point. For all coordinates of softmax SoftmaxProducts is used where
// that is faster. Sparse rows of one score are copied, if the copy takes at most 2 GB and single precision still
// distinguishes the rows. The copy has the entries of the coordinates asked for only, scaled, in single precision.
// The coordinates are numbered by how often they occur, in 16 bits where those suffice, so that what most rows need
// stays in the first-level cache. Of 100,000 rows
// with 65 entries a product takes half of the time from the data themselves; the copy takes as long as two or
// three products. Its rounding (6e-8), and that of sums of at most 32,768 rows in single precision, is below
// what a step of Newton's method asks for; the gradient and value at its end come from it only where other
// steps follow. Curvatures and v are taken in units of their largest, so that neither leaves the range of
// single precision.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "discern/base/buffer.hpp"
#include "discern/optim/kernel/softmax_products.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/optim/stochastic/compact_rows.hpp"

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
  // From now on without the copy, for steps that its rounding would make useless; false when there is no copy.
  bool make_exact();

  // These throw Code::interrupted when the monitor asks to stop.
  Eigen::VectorXd diagonal(const Monitor& monitor);
  Eigen::VectorXd sums(const Monitor& monitor);  // Z'c of the curvatures c, one score
  Eigen::VectorXd times(const Eigen::VectorXd& v, const Monitor& monitor);

  // Where all coordinates are copied: value and gradient at a point from the copy, about six digits of them,
  // in half of the time of LinearFunction::evaluate. The function, which must be that of the products, then
  // refers to the point.
  bool has_single_copy() const { return copied_ && all(); }
  Evaluation evaluate_single(LinearFunction& function, const Eigen::VectorXd& point, const Monitor& monitor);

 private:
  // The rows of one lane: row i has the entries starts[i], ..., starts[i + 1] - 1 after the first of the
  // lane.
  struct Lane {
    Index first_row = 0;
    Index first_entry = 0;
    std::vector<std::uint32_t> starts;
    Index rows() const { return static_cast<Index>(starts.size()) - 1; }
  };
  // Their entries, in buffers with room for those of all coordinates. What no entry is written to takes no
  // memory, and what does is used again for other coordinates.
  template <class Column>
  struct Entries {
    Buffer<Column> columns;
    Buffer<float> values;
    CompactRow<float, Column> row(const Lane& lane, Index i) const {
      const std::uint32_t* const start = lane.starts.data() + i;
      const Index first = lane.first_entry + start[0];
      return {values.data() + first, columns.data() + first, static_cast<Index>(start[1] - start[0])};
    }
  };
  // Where the copy has each feature: 1 + its column there or 0, and what scales that column.
  struct Places {
    std::vector<std::uint32_t> of_feature;
    std::vector<double> units;
  };

  bool all() const { return static_cast<Index>(coordinates_.size()) == function_->size(); }
  void number_by_frequency();
  void copy_rows(const Monitor& monitor);
  void make_room();
  // `all`: every feature has a place.
  template <bool all, class R, class Column>
  static void append(const R& rows, const Places& places, Lane& lane, Entries<Column>& to);
  struct LaneSum;
  // unit times what sum_lane(entries, lane, sum) sums up of all lanes.
  template <class SumLane>
  Eigen::VectorXd sum_over_lanes(double unit, const Monitor& monitor, const SumLane& sum_lane);
  // unit sum_i add(row i, its curvature, sums of features, sum of the bias).
  template <class Add>
  Eigen::VectorXd sum_over_rows(double unit, const Monitor& monitor, const Add& add);
  // l2 v
  Eigen::VectorXd penalised(const Eigen::VectorXd& v) const;

  const LinearFunction* function_;
  std::optional<SoftmaxProducts> softmax_;  // of all coordinates, where that pays
  bool copied_ = false;
  bool exact_ = false;  // no copy is to be made any more
  std::vector<Index> coordinates_;
  bool bias_ = false;                  // is the first of them
  std::vector<std::uint32_t> counts_;  // of all features
  std::vector<Index> order_;           // of the copy: places of the others among the coordinates
  std::vector<Lane> lanes_;
  std::variant<Entries<std::uint16_t>, Entries<std::uint32_t>> entries_;  // 16 bits where those suffice
  std::vector<Eigen::VectorXf> sums_;                                     // of each lane
  std::vector<Eigen::VectorXd> totals_;  // what was emptied from them; of no size in short lanes
};

}  // namespace discern
