#include "discern/api/labels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <list>
#include <span>

#include "tests/api/problems.hpp"

#include "discern/base/error.hpp"

namespace discern::labels_test {
namespace {

using Names = std::vector<std::string>;
using Indices = std::vector<std::int32_t>;

void expect_labels(const Labels& labels, const Names& names, const Indices& indices) {
  EXPECT_EQ(labels.names(), names);
  EXPECT_EQ(labels.indices(), indices);
}

static_assert(!std::is_constructible_v<Labels, std::vector<double>>);
static_assert(!std::is_constructible_v<Labels, std::string>);
static_assert(!std::is_constructible_v<Labels, std::vector<char>>);

TEST(Labels, OfIntegersAreInTheOrderOfTheNumbers) {
  expect_labels(std::vector<int>{10, -2, 10, 9}, {"-2", "9", "10"}, {2, 0, 2, 1});
  expect_labels(std::vector<std::uint8_t>{3, 1}, {"1", "3"}, {1, 0});
  expect_labels(std::list<std::int64_t>{5, 5}, {"5"}, {0, 0});
  const std::array<unsigned, 3> array{7, 8, 7};
  expect_labels(std::span(array), {"7", "8"}, {0, 1, 0});
  Eigen::VectorXi vector(2);
  vector << 1, 0;
  expect_labels(vector, {"0", "1"}, {1, 0});
}

TEST(Labels, OfIntegersBeyondSixtyThreeBitsAreRefused) {
  EXPECT_EQ(api_test::refusal([] {
              Labels(std::vector<std::uint64_t>{1, std::uint64_t{1} << 63});
            }),
            "found the label 9223372036854775808, expected at most 2^63 - 1; take texts");
}

TEST(Labels, OfBooleansAreCalledFalseAndTrue) {
  expect_labels(std::vector<bool>{true, false, true}, {"false", "true"}, {1, 0, 1});
}

TEST(Labels, OfTextsAreInTheOrderOfTheirBytesOrOfTheNumbersTheySpell) {
  expect_labels(std::vector<std::string>{"b", "a", "b"}, {"a", "b"}, {1, 0, 1});
  expect_labels(std::vector<const char*>{"10", "9"}, {"9", "10"}, {1, 0});
  const std::vector<std::string_view> views{"y", "x"};
  expect_labels(std::span(views), {"x", "y"}, {1, 0});
}

TEST(Labels, ThatAreCodedAreSortedByTheirNames) {
  const Labels labels = Labels::coded({"10", "9"}, {0, 1, 1});
  EXPECT_EQ(labels.names(), (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(labels.indices(), (std::vector<std::int32_t>{1, 0, 0}));
  EXPECT_THROW(Labels::coded({"a", "b"}, {2}), Error);
  EXPECT_THROW(Labels::coded({"a", "b"}, {-1}), Error);
  EXPECT_THROW(Labels::coded({"a", "a"}, {0, 1}), Error);
}

TEST(Numbers, AreTakenFromAnyContainer) {
  EXPECT_EQ(Numbers(std::vector<float>{0.5F, 1}).values(), (std::vector<double>{0.5, 1}));
  EXPECT_EQ(Numbers(std::vector<int>{2, 3}).values(), (std::vector<double>{2, 3}));
  const Eigen::VectorXd vector = Eigen::VectorXd::Constant(2, 4.0);
  EXPECT_EQ(Numbers(vector).values(), (std::vector<double>{4, 4}));
}

}  // namespace
}  // namespace discern::labels_test
