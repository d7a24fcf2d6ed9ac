// Which of two classes is positive: the one asked for, the one that says yes, the last in order.
#include "discern/catalogue/positive_class.hpp"

#include <gtest/gtest.h>

#include "discern/base/error.hpp"
#include "discern/catalogue/cross_validate.hpp"
#include "discern/catalogue/models.hpp"
#include "tests/support/fitting.hpp"

namespace discern::positive_class_test {
namespace {

std::string positive_of(std::vector<std::string> classes) {
  sort_levels(classes);
  return classes[static_cast<std::size_t>(positive_class(classes, "", true))];
}

TEST(PositiveClass, IsTheOneThatSaysYesWhateverTheOrder) {
  EXPECT_EQ(positive_of({"+", "-"}), "+");
  EXPECT_EQ(positive_of({"no", "yes"}), "yes");
  EXPECT_EQ(positive_of({"no", "Yes"}), "Yes");
  EXPECT_EQ(positive_of({"false", "TRUE"}), "TRUE");
  EXPECT_EQ(positive_of({"n", "Y"}), "Y");
  EXPECT_EQ(positive_of({"0", "1"}), "1");
  EXPECT_EQ(positive_of({"neg", "POS"}), "POS");
  EXPECT_EQ(positive_of({"negative", "Positive"}), "Positive");
  EXPECT_EQ(positive_of({"no", "1"}), "1");
  EXPECT_EQ(positive_of({"no", " yes "}), " yes ");
}

TEST(PositiveClass, IsTheLastInOrderWhereNamesSayNothing) {
  EXPECT_EQ(positive_of({"ham", "spam"}), "spam");
  EXPECT_EQ(positive_of({"+", "a"}), "a");  // only one of the two is known
  EXPECT_EQ(positive_of({"Yes", "maybe"}), "maybe");
  EXPECT_EQ(positive_of({"Yes", "true"}), "true");  // both say yes
  EXPECT_EQ(positive_of({"1", "2"}), "2");
}

TEST(PositiveClass, IsByNameOnlyWhereThatIsAllowed) {
  EXPECT_EQ(positive_class({"+", "-"}, "", false), 1);
  EXPECT_EQ(positive_class({"+", "-"}, "", true), 0);
  EXPECT_EQ(positive_class({"+", "-"}, "-", true), 1);
  EXPECT_EQ(positive_class({"a", "b", "c"}, "", true), 1);
  EXPECT_THROW(positive_class({"+", "-"}, "x", true), Error);
}

// A fold may lack one of three classes; the scores of its two must still speak for the right ones.
TEST(PositiveClass, FoldsWithoutAThirdClassScoreTheOthersRightly) {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 40; ++i) {
    rows.push_back({i % 2 == 0 ? 1.0 + 0.01 * i : -1.0 - 0.01 * i});
    labels.emplace_back(i % 2 == 0 ? "+" : "-");
  }
  rows.push_back({0});
  labels.emplace_back("neither");
  const Table table = support::make_table(rows, labels);
  FitSettings settings;
  settings.options = find_model("logistic").make("logistic");
  settings.target = "class";
  settings.positive_by_name = true;
  const CrossValidationOptions options{{.folds = 4}, "", false, true};
  const CrossValidation result = cross_validate(table, settings, options, {Variant{settings.options}});
  ASSERT_EQ(result.predictions.size(), 4U);
  for (const FoldPrediction& fold : result.predictions)
    for (Index i = 0; i < fold.said.scores.rows(); ++i) {
      Index best = 0;
      fold.said.scores.row(i).maxCoeff(&best);
      EXPECT_EQ(best, fold.said.labels[static_cast<std::size_t>(i)]);
    }
}

}  // namespace
}  // namespace discern::positive_class_test
