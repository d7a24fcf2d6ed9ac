// NumPy arrays and SciPy's CSR as views of the library, and results as NumPy arrays. Nothing is copied where the
// library can work on the memory as it lies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "discern/discern.hpp"

namespace discern::python {

namespace nb = nanobind;

using Array = nb::ndarray<nb::ro, nb::device::cpu>;

// A matrix of Python: the view, and what keeps its memory alive. Throws TypeError for anything that is neither a
// two-dimensional array of float32 or float64 nor CSR of such numbers.
struct Rows {
  std::vector<Array> memory;
  MatrixView view;
};
Rows rows_of(nb::handle x);

std::vector<double> numbers_of(nb::handle array);                            // one-dimensional float64
std::vector<std::int32_t> integers_of(nb::handle array);                     // one-dimensional int32
std::vector<std::string> texts_of(nb::handle list);                          // of str
std::vector<std::pair<std::string, std::string>> pairs_of(nb::handle dict);  // of str to str

// The array takes over the memory of the matrix.
nb::object array_of(Eigen::MatrixXd&& matrix);
nb::object array_of(Eigen::VectorXd&& vector);
nb::object array_of(std::vector<std::int32_t>&& values);

}  // namespace discern::python
