#include "discern/base/error.hpp"

#include <gtest/gtest.h>

namespace discern::error_test {
namespace {

TEST(Error, NamesFileLineColumnAndMessage) {
  const Error error(Code::data, "expected a number, found 'abc'", {"a.csv", 3, "age"});
  EXPECT_STREQ(error.what(), "a.csv:3: column 'age': expected a number, found 'abc'");
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(Error(Code::usage, "no").what(), "no");
  EXPECT_STREQ(Error(Code::data, "no", {"a.csv", 0, ""}).what(), "a.csv: no");
  EXPECT_STREQ(Error(Code::data, "no", {"", 7, ""}).what(), "line 7: no");
}

TEST(Result, HoldsTheValueOrTheError) {
  const Result<int> good = attempt([] { return 7; });
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good.value(), 7);
  const Result<int> bad = attempt([]() -> int { throw Error(Code::io, "gone"); });
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code(), Code::io);
  EXPECT_THROW(bad.value(), Error);
}

}  // namespace
}  // namespace discern::error_test
