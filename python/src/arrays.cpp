#include "arrays.hpp"

#include <nanobind/stl/string.h>

#include <memory>
#include <span>

namespace discern::python {
namespace {

Array array_from(nb::handle object, const char* what) {
  try {
    return nb::cast<Array>(object);
  } catch (const nb::cast_error&) {
    throw nb::type_error(what);
  }
}

template <class T>
MatrixView dense_view(const Array& x) {
  return {static_cast<const T*>(x.data()), static_cast<Index>(x.shape(0)), static_cast<Index>(x.shape(1)),
          static_cast<Index>(x.stride(0)), static_cast<Index>(x.stride(1))};
}

template <class T>
std::span<const T> span_of(const Array& x) {
  return {static_cast<const T*>(x.data()), x.shape(0)};
}

bool is_row(const Array& x) { return x.ndim() == 1 && (x.shape(0) <= 1 || x.stride(0) == 1); }

template <class T, class I>
MatrixView csr_view(Index cols, const Array& starts, const Array& columns, const Array& values) {
  return MatrixView::csr(cols, span_of<I>(starts), span_of<I>(columns), span_of<T>(values));
}

template <class T>
MatrixView csr_view(Index cols, const Array& starts, const Array& columns, const Array& values) {
  const bool narrow = starts.dtype() == nb::dtype<std::int32_t>();
  const bool wide = starts.dtype() == nb::dtype<std::int64_t>();
  if (!(narrow || wide) || columns.dtype() != starts.dtype())
    throw nb::type_error("expected CSR with indptr and indices of int32 or of int64");
  return narrow ? csr_view<T, std::int32_t>(cols, starts, columns, values)
                : csr_view<T, std::int64_t>(cols, starts, columns, values);
}

Rows sparse_rows(nb::handle x) {
  const char* expected = "expected CSR with one-dimensional indptr, indices and data";
  std::vector<Array> memory{array_from(x.attr("indptr"), expected), array_from(x.attr("indices"), expected),
                            array_from(x.attr("data"), expected)};
  for (const Array& part : memory)
    if (!is_row(part)) throw nb::type_error(expected);
  const auto cols = nb::cast<Index>(nb::object(x.attr("shape")[1]));
  if (memory[2].dtype() == nb::dtype<float>())
    return {memory, csr_view<float>(cols, memory[0], memory[1], memory[2])};
  if (memory[2].dtype() == nb::dtype<double>())
    return {memory, csr_view<double>(cols, memory[0], memory[1], memory[2])};
  throw nb::type_error("expected CSR of float32 or float64");
}

Rows dense_rows(nb::handle x) {
  const char* expected = "expected a two-dimensional array of float32 or float64";
  const Array array = array_from(x, expected);
  if (array.ndim() == 2 && array.dtype() == nb::dtype<float>()) return {{array}, dense_view<float>(array)};
  if (array.ndim() == 2 && array.dtype() == nb::dtype<double>()) return {{array}, dense_view<double>(array)};
  throw nb::type_error(expected);
}

template <class T>
std::vector<T> vector_of(nb::handle object, const char* expected) {
  const Array array = array_from(object, expected);
  if (array.ndim() != 1 || array.dtype() != nb::dtype<T>()) throw nb::type_error(expected);
  const auto* first = static_cast<const T*>(array.data());
  const auto stride = array.stride(0);
  std::vector<T> values(array.shape(0));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first[static_cast<std::int64_t>(i) * stride];
  return values;
}

template <class Owner, class T>
nb::object owned(Owner&& values, T* (*data)(Owner&), std::initializer_list<std::size_t> shape,
                 std::initializer_list<std::int64_t> strides) {
  auto kept = std::make_unique<Owner>(std::forward<Owner>(values));
  T* first = data(*kept);
  const nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<Owner*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(first, shape, owner, strides));
}

}  // namespace

Rows rows_of(nb::handle x) { return nb::hasattr(x, "indptr") ? sparse_rows(x) : dense_rows(x); }

std::vector<double> numbers_of(nb::handle array) {
  return vector_of<double>(array, "expected a one-dimensional array of float64");
}
std::vector<std::int32_t> integers_of(nb::handle array) {
  return vector_of<std::int32_t>(array, "expected a one-dimensional array of int32");
}

std::vector<std::string> texts_of(nb::handle list) {
  std::vector<std::string> texts;
  for (const nb::handle text : list) texts.push_back(nb::cast<std::string>(text));
  return texts;
}

std::vector<std::pair<std::string, std::string>> pairs_of(nb::handle dict) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto [key, value] : nb::cast<nb::dict>(dict))
    pairs.emplace_back(nb::cast<std::string>(key), nb::cast<std::string>(value));
  return pairs;
}

nb::object array_of(Eigen::MatrixXd&& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows()), cols = static_cast<std::size_t>(matrix.cols());
  return owned<Eigen::MatrixXd, double>(std::move(matrix), [](Eigen::MatrixXd& m) { return m.data(); },
                                        {rows, cols}, {1, static_cast<std::int64_t>(rows)});
}

nb::object array_of(Eigen::VectorXd&& vector) {
  const auto size = static_cast<std::size_t>(vector.size());
  return owned<Eigen::VectorXd, double>(std::move(vector), [](Eigen::VectorXd& v) { return v.data(); },
                                        {size}, {1});
}

nb::object array_of(std::vector<std::int32_t>&& values) {
  const std::size_t size = values.size();
  return owned<std::vector<std::int32_t>, std::int32_t>(
      std::move(values), [](std::vector<std::int32_t>& v) { return v.data(); }, {size}, {1});
}

}  // namespace discern::python
