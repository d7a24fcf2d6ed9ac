#include "discern/api/model_options.hpp"

#include <gtest/gtest.h>

#include "tests/api/problems.hpp"

namespace discern::api_model_options_test {
namespace {

using api_test::refusal;

TEST(ModelOptions, AreFoundByNameAndAlias) {
  EXPECT_EQ(model_names().size(), std::variant_size_v<ModelOptions>);
  for (const std::string& name : model_names()) EXPECT_FALSE(fields_of(options_of(name)).empty()) << name;
  EXPECT_GT(std::get<LeastSquares>(options_of("ridge")).l2, 0);
  EXPECT_NE(refusal([] { options_of("forest"); }).find("logistic"), std::string::npos);
}

TEST(ModelOptions, AreSetFromTexts) {
  ModelOptions options = options_of("logistic");
  set_option(options, "max-iter", "50");
  set_option(options, "l2", "0.25");
  EXPECT_EQ(std::get<Logistic>(options).max_iter, 50);
  EXPECT_EQ(std::get<Logistic>(options).l2, 0.25);
  EXPECT_NE(refusal([&] { set_option(options, "l2", "-1"); }).find("`l2`"), std::string::npos);
  EXPECT_THROW(set_option(options, "colour", "1"), Error);
}

}  // namespace
}  // namespace discern::api_model_options_test
