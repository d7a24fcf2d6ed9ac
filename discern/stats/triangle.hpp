// The triangular factor of a tall matrix, in one fold ("tall skinny QR").
//
// With Z the n x p matrix of all rows z_i times sqrt(s_i), Z = Q R: the accumulator holds R, and adding rows
// or merging two of them is a QR decomposition of what is stacked. Backward stable, unlike Z'Z, whose
// condition is the square.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "discern/data/source.hpp"

namespace discern {

template <class Scalar>
using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

// Writes the targets of row i of a block.
using TargetRow = std::function<void(const Block&, Index i, double* y)>;

// How the rows z of a least-squares problem are laid out: z = [1, x - c, y], a leading 1 (0 without a bias),
// then the centred features, then the targets.
struct Design {
  const Source* source = nullptr;
  bool bias = true;
  Eigen::VectorXd center;  // features, or empty for zero
  Index features = 0;
  Index targets = 1;
  TargetRow target;
  Index width() const { return 1 + features + targets; }
};

// The rows z of a block. Scalar: double, or long double for Source::extended.
template <class Scalar>
Dense<Scalar> design_rows(const Design& design, const Block& block);

template <class Scalar>
class Triangle {
 public:
  using Rows = Dense<Scalar>;
  explicit Triangle(const Design& design);

  void add(const Block& block);
  void merge(const Triangle& other);
  void push(const Rows& rows);  // takes in rows z that are there already, such as another R
  double bytes() const { return static_cast<double>(sizeof(Scalar)) * static_cast<double>(stack_.size()); }
  // R, width x width, upper triangular.
  Rows result() const;
  // R without the rows that are zero because there are fewer rows than that; two of them at least.
  Rows rows() const;

 private:
  void reduce();

  const Design* design_;
  Index most_;        // rows of the stack
  Rows stack_;        // the triangle, with rows below it that wait for the next reduction
  Index filled_ = 0;  // rows of the stack in use
};

// Pivots below this share of the largest are rounding.
double rank_threshold(Index features);
// Divides the columns of A, the features of the triangle R of a design without its bias, which may have rows
// of a penalty below, so that they have a length of one, and returns by how much. One far from zero is known
// to fewer digits: it becomes so short that its rounding is the threshold. What is left of a constant one is
// rounding and becomes zero. `origin`: what was taken off the features; `weight`: the sum of the rows' own.
template <class Scalar>
Dense<Scalar> shorten_columns(const Dense<Scalar>& r, const Design& design, const Eigen::VectorXd& origin,
                              double weight, Dense<Scalar>& a);

// Which columns of A depend on the others up to the threshold, and how: A_dependent = A_independent C.
struct Dependence {
  std::vector<Index> independent, dependent;
  Dense<double> coefficients;
};
Dependence dependence(const Dense<double>& a, double threshold);

// The x of least norm among those that minimise |A x - y|, with the rank of A: columns whose pivot is below
// the threshold times the largest count as dependent on the others. The norm is that of `units` times x where
// those are given. Where A is known to have no singular value below `least`, and that is above the threshold,
// no pivots are sought: a ridge of 1,500 features takes less than half the time.
template <class Scalar>
struct LeastNorm {
  Dense<Scalar> x;
  Index rank = 0;
};
template <class Scalar>
LeastNorm<Scalar> least_norm(const Dense<Scalar>& a, const Dense<Scalar>& y, double threshold,
                             double least = 0, const Dense<Scalar>& units = {});

// The same of a matrix of fewer rows than columns, which takes time with the square of its rows: with A' = Q T it
// is T' Q', and x = Q v of the least v that minimises |T'v - y|.
template <class Scalar>
LeastNorm<Scalar> least_norm_of_few_rows(const Dense<Scalar>& a, const Dense<Scalar>& y, double threshold,
                                         const Dense<Scalar>& units = {});

// The x that minimises |A x - y|^2 + |D x|^2 with D = diag(units), all above zero, of fewer rows than columns: with
// D^-1 A' = Q T it is D^-1 Q v of the v that minimises |T'v - y|^2 + |v|^2.
template <class Scalar>
Dense<Scalar> ridge_of_few_rows(const Dense<Scalar>& a, const Dense<Scalar>& y, const Dense<Scalar>& units);

extern template class Triangle<double>;
extern template class Triangle<long double>;

}  // namespace discern
