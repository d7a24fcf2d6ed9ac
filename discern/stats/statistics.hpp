// What an accumulator has seen, as named arrays of numbers: to be kept in a file, and to go on from when more
// rows come. An accumulator lists its arrays once,
//
//   template <class Self, class Visitor>
//   static void visit_state(Self& self, Visitor&& visit) { visit("weights", self.weights_); ... }
//
// and keep(accumulator) and restore(statistics, accumulator) follow. What was restored merges with what
// another has seen of new rows, as the lanes of a fold do.
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "discern/data/row.hpp"

namespace discern {

struct Statistic {
  std::string name;
  std::vector<Index> shape;
  std::vector<double> values;  // row-major
};
using Statistics = std::vector<Statistic>;

// Whether number i (row-major) of the statistic of that name is an amount, such as a weight, a count or a sum
// of squares, of which none is negative: statistics come from files that may hold anything.
bool is_amount(std::string_view name, const std::vector<Index>& shape, std::size_t i);

// Throws Code::model when there is none of that name, or one of another shape (empty: any), or one with a
// number that is not finite, other than limits and origins of columns that are nowhere and sums of squares.
const Statistic& find_statistic(const Statistics& statistics, std::string_view name,
                                const std::vector<Index>& shape);

namespace statistics_detail {

template <class Array>
std::vector<Index> shape_of(const Array& array) {
  if (Array::IsVectorAtCompileTime) return {array.size()};
  return {array.rows(), array.cols()};
}
inline std::vector<Index> shape_of(double) { return {1}; }
inline std::vector<Index> shape_of(const std::vector<Eigen::MatrixXd>& list) {
  return {static_cast<Index>(list.size()), list[0].rows(), list[0].cols()};
}

// Calls f(number) for every number, in row-major order.
template <class Array, class F>
void for_each_number(Array& array, F&& f) {
  for (Index i = 0; i < array.rows(); ++i)
    for (Index j = 0; j < array.cols(); ++j) f(array(i, j));
}
template <class F>
void for_each_number(double& number, F&& f) {
  f(number);
}
template <class F>
void for_each_number(const double& number, F&& f) {
  f(number);
}
template <class F>
void for_each_number(std::vector<Eigen::MatrixXd>& list, F&& f) {
  for (auto& matrix : list) for_each_number(matrix, f);
}
template <class F>
void for_each_number(const std::vector<Eigen::MatrixXd>& list, F&& f) {
  for (const auto& matrix : list) for_each_number(matrix, f);
}

}  // namespace statistics_detail

template <class Accumulator>
Statistics keep(const Accumulator& accumulator) {
  Statistics statistics;
  Accumulator::visit_state(accumulator, [&](const char* name, const auto& array) {
    Statistic one{name, statistics_detail::shape_of(array), {}};
    statistics_detail::for_each_number(array, [&](double v) { one.values.push_back(v); });
    statistics.push_back(std::move(one));
  });
  return statistics;
}

// Fills an accumulator that was made for data of the same shape. Throws Code::model as find_statistic does.
template <class Accumulator>
void restore(const Statistics& statistics, Accumulator& accumulator) {
  Accumulator::visit_state(accumulator, [&](const char* name, auto& array) {
    const Statistic& one = find_statistic(statistics, name, statistics_detail::shape_of(array));
    std::size_t next = 0;
    statistics_detail::for_each_number(array, [&](double& v) { v = one.values[next++]; });
  });
}

}  // namespace discern
