#include "discern/api/frame.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/api/problems.hpp"
#include "tests/support/fitting.hpp"

namespace discern::frame_test {
namespace {

using api_test::refusal;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();
using Texts = std::vector<std::string>;

Frame people() {
  Frame frame;
  frame.add_numbers("age", std::vector<double>{20, 30, missing, 50, 60, 25, 35, 45})
      .add_text("town", Texts{"a", "b", "b", "", "a", "b", "a", "c"})
      .add_text("buys", Texts{"no", "yes", "no", "yes", "yes", "no", "yes", "no"});
  return frame;
}

TEST(Frame, KnowsItsRowsAndColumns) {
  const Frame frame = people();
  EXPECT_EQ(frame.rows(), 8);
  EXPECT_EQ(frame.columns(), (Texts{"age", "town", "buys"}));
  EXPECT_EQ(Frame().rows(), 0);
}

TEST(Frame, CopiesDoNotChangeEachOther) {
  Frame frame;
  frame.add_numbers("a", std::vector<int>{1, 2});
  Frame copy = frame;
  copy.add_numbers("b", std::vector<int>{3, 4});
  EXPECT_EQ(frame.columns(), (Texts{"a"}));
  EXPECT_EQ(copy.columns(), (Texts{"a", "b"}));
}

TEST(Frame, RefusesColumnsThatDoNotFit) {
  Frame frame = people();
  EXPECT_EQ(refusal([&] { frame.add_numbers("age", std::vector<int>(8)); }),
            "column 'age': the frame has a column of this name");
  EXPECT_EQ(refusal([&] { frame.add_numbers("size", std::vector<int>(7)); }),
            "column 'size': found 7 rows, expected 8 as in the other columns");
  EXPECT_EQ(refusal([&] { frame.add_numbers("size", std::vector<double>(8, 1 / 0.0)); }),
            "column 'size': row 1: found an infinite number");
}

TEST(Frame, IsFittedWithItsTextEncodedAndItsGapsFilled) {
  const Frame frame = people();
  EXPECT_EQ(refusal([&] { fit(Logistic{}, frame, "buys", {.impute = true}); }),
            "column 'town': the column holds text, and encoding it was not asked for");
  EXPECT_NE(refusal([&] { fit(Logistic{}, frame, "buys", {.encode = true}); }).find("column 'age'"),
            std::string::npos);
  EXPECT_NE(refusal([&] { fit(Logistic{}, frame, "sells"); }).find("sells"), std::string::npos);
  const FittedModel model = fit(Logistic{}, frame, "buys", {.encode = true, .impute = true});
  EXPECT_EQ(model.classes(), (Texts{"no", "yes"}));
  EXPECT_EQ(model.feature_names(), (Texts{"age", "town=a", "town=b", "town=c"}));
  EXPECT_EQ(model.labels(frame).size(), 8u);
  EXPECT_EQ(refusal([&] { model.scores(Eigen::MatrixXd::Zero(1, 2).eval()); }),
            "column 'town': the column holds text, which a matrix does not have; predict from a frame");
}

TEST(Frame, IsPredictedByTheNamesOfItsColumns) {
  const FittedModel model = fit(Logistic{}, people(), "buys", {.encode = true, .impute = true});
  Frame rows;
  rows.add_text("other", Texts{"z", "z"})
      .add_text("town", Texts{"b", "a"})
      .add_numbers("age", std::vector<int>{30, 20});
  const Eigen::MatrixXd all = model.probabilities(people()), two = model.probabilities(rows);
  EXPECT_EQ(two.row(0), all.row(1));
  EXPECT_EQ(two.row(1), all.row(0));
  Frame far;
  far.add_text("town", Texts{"d"}).add_numbers("age", std::vector<int>{30});
  EXPECT_NE(refusal([&] { model.labels(far); }).find("`unseen` ignore takes it as none of the known ones"),
            std::string::npos);
  EXPECT_EQ(model.labels(far, Unseen::ignore).size(), 1u);
  EXPECT_EQ(refusal([&] { model.labels(Frame().add_numbers("age", std::vector<int>{30})); }),
            "column 'town': the model needs this column, and the data do not have it");
}

TEST(Frame, WithGapsIsRefusedByAModelThatSawNone) {
  Frame whole, gaps;
  whole.add_numbers("x", std::vector<double>{1, 2, 3, 4}).add_text("y", Texts{"a", "b", "a", "b"});
  gaps.add_numbers("x", std::vector<double>{1, missing}).add_text("y", Texts{"a", "b"});
  const FittedModel model = fit(Logistic{}, whole, "y");
  EXPECT_NE(refusal([&] { model.labels(gaps); }).find("column 'x'"), std::string::npos);
  EXPECT_NE(refusal([&] { evaluate(model, gaps); }).find("column 'x'"), std::string::npos);
}

TEST(Frame, OfARegressionPredictsNumbers) {
  Frame frame;
  frame.add_numbers("x", std::vector<int>{1, 2, 3, 4})
      .add_numbers("y", std::vector<double>{2.5, 4.5, 6.5, 8.5});
  const FittedModel model = fit_regression(LeastSquares{}, frame, "y");
  EXPECT_NEAR(model.predictions(Frame().add_numbers("x", std::vector<int>{10}))[0], 20.5, 1e-12);
}

TEST(Frame, TakesWeightsFromAColumn) {
  Frame frame = people();
  frame.add_numbers("w", std::vector<int>{1, 1, 1, 1, 1, 1, 1, 0});
  const FittedModel model =
      fit(Logistic{}, frame, "buys", {.weight_column = "w", .encode = true, .impute = true});
  EXPECT_EQ(model.samples(), 7);
  EXPECT_EQ(model.columns(), (Texts{"age", "town"}));
}

TEST(Frame, ReadFromAFileIsThatOfTheTool) {
  const Frame iris = read_frame(support::data_file("iris.csv"));
  EXPECT_EQ(iris.rows(), 150);
  const FittedModel model = fit(Lda{}, iris, "class");
  const FitOutcome expected =
      support::fit_file(support::data_file("iris.csv"), {.model = "lda", .target = "class"});
  EXPECT_EQ(model.scores(iris), Eigen::MatrixXd(expected.train.scores));
  EXPECT_EQ(evaluate(model, iris).measure("accuracy"), 147.0 / 150);
  Frame copy = iris;
  EXPECT_EQ(refusal([&] { copy.add_numbers("more", std::vector<int>(150)); }),
            "columns cannot be added to a frame that was read from a file");
}

}  // namespace
}  // namespace discern::frame_test
