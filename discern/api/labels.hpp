// What is to be learned, one per row: the labels of classes, or numbers.
//
// Labels are integers, booleans or texts in any container: std::vector<int>, std::span<const std::string>,
// Eigen::VectorXi. Classes are named by their texts: 7 is "7", true is "true". They are in the order of the
// numbers where all names are numbers, otherwise in that of the bytes.
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "discern/base/index.hpp"

namespace discern {
namespace detail {

template <class R>
using ElementOf = std::remove_cvref_t<decltype(*std::begin(std::declval<const R&>()))>;

template <class R>
concept Sequence = !std::convertible_to<const R&, std::string_view> && requires(const R& r) {
  std::begin(r), std::end(r);
  typename ElementOf<R>;
};

template <class R>
concept TextSequence = Sequence<R> && std::convertible_to < const ElementOf<R>
&, std::string_view > ;

template <class R>
concept IntegerSequence = Sequence<R> && std::integral<ElementOf<R>> && !std::same_as<ElementOf<R>, char>;

template <class R>
concept NumberSequence = Sequence<R> &&(std::floating_point<ElementOf<R>> || IntegerSequence<R>);

}  // namespace detail

class Labels {
 public:
  Labels() = default;
  template <detail::IntegerSequence R>
  Labels(const R& labels) {  // NOLINT(*-explicit-*)
    std::vector<std::int64_t> values;
    for (auto&& label : labels) values.push_back(as_integer(static_cast<detail::ElementOf<R>>(label)));
    set_integers(values, std::same_as<detail::ElementOf<R>, bool>);
  }
  template <detail::TextSequence R>
  Labels(const R& labels) {  // NOLINT(*-explicit-*)
    std::vector<std::string_view> values;
    for (const auto& label : labels) values.emplace_back(label);
    set_texts(values);
  }
  // Numbers with a fraction are no labels: fit_regression predicts them.
  template <detail::Sequence R>
  requires std::floating_point<detail::ElementOf<R>> Labels(const R& labels)
  = delete;
  // Labels that have been counted already: indices into the names, which may be in any order. Throws
  // Code::usage for an index out of range and for equal names.
  static Labels coded(const std::vector<std::string>& names, const std::vector<std::int32_t>& indices);

  Index size() const { return static_cast<Index>(indices_.size()); }
  const std::vector<std::string>& names() const { return names_; }       // of the classes, in order
  const std::vector<std::int32_t>& indices() const { return indices_; }  // into the names, one per row

 private:
  template <class T>
  static std::int64_t as_integer(T value) {
    if constexpr (std::unsigned_integral<T> && sizeof(T) == 8) check_range(value);
    return static_cast<std::int64_t>(value);
  }
  static void check_range(std::uint64_t value);
  void set_integers(const std::vector<std::int64_t>& values, bool boolean);
  void set_texts(const std::vector<std::string_view>& values);

  std::vector<std::string> names_;
  std::vector<std::int32_t> indices_;
};

// Numbers, one per row: the targets of a regression, sample weights, a column of a frame. NaN is a missing one.
class Numbers {
 public:
  Numbers() = default;
  template <detail::NumberSequence R>
  Numbers(const R& numbers) {  // NOLINT(*-explicit-*)
    for (auto&& number : numbers) values_.push_back(static_cast<double>(number));
  }
  Numbers(std::vector<double> numbers) : values_(std::move(numbers)) {}  // NOLINT(*-explicit-*)

  Index size() const { return static_cast<Index>(values_.size()); }
  bool empty() const { return values_.empty(); }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
};

}  // namespace discern
