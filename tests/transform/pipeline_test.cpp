#include "discern/transform/pipeline.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"

namespace discern::pipeline_test {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// age (a missing cell), color (text, a missing cell), size.
Table people() {
  Table table;
  table.file = "people.csv";
  table.schema = Schema({{"age", false, {}}, {"color", true, {"blue", "green", "red"}}, {"size", false, {}}});
  table.x = DenseMatrix<double>{
      Buffer<double>(std::vector<double>{20, 2, 1, missing, 0, 2, 40, missing, 3, 70, 0, 4}), 4, 3};
  table.noticed = {{1, 3, {}}, {1, 4, {3, 9, 2}}, {0, 0, {}}};
  return table;
}

Eigen::MatrixXd features(const Pipeline& pipeline, const Features& x) {
  const Targets none;
  const Features out = materialize(PipelineSource(x, pipeline, none));
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(row_count(out), column_count(out));
  std::visit(
      [&](const auto& m) {
        for (Index i = 0; i < m.rows; ++i)
          for_each(m.view(i, 1).row(0), [&](Index j, double v) { dense(i, j) = v; });
      },
      out);
  return dense;
}

TEST(Pipeline, FillsMissingCellsWithMedianAndMostFrequentLevel) {
  const Pipeline pipeline = fit_pipeline(people(), {}, {.impute = true, .encode = true});
  const auto x = features(pipeline, people().x);
  EXPECT_EQ(pipeline.feature_names(),
            (std::vector<std::string>{"age", "color=blue", "color=green", "color=red", "size"}));
  Eigen::MatrixXd expected(4, 5);
  expected << 20, 0, 0, 1, 1,  //
      40, 1, 0, 0, 2,          //
      40, 1, 0, 0, 3,          //
      70, 1, 0, 0, 4;
  EXPECT_EQ(x, expected);
}

TEST(Pipeline, TheMedianOfAnEvenCountIsTheMiddleOfTheTwoAndHonoursWeights) {
  Table table;
  table.schema = Schema::numbered(1);
  table.x = DenseMatrix<double>{Buffer<double>(std::vector<double>{1, 2, 10, missing, 4}), 5, 1};
  table.noticed = {{1, 4, {}}};
  const auto fill = [&](const std::vector<double>& weights) {
    return std::get<Impute>(fit_pipeline(table, weights, {.impute = true}).steps()[0]).fill[0];
  };
  EXPECT_EQ(fill({}), 3.0);
  EXPECT_EQ(fill({1, 1, 1, 1, 1}), 3.0);
  EXPECT_EQ(fill({1, 1, 4, 1, 1}), 10.0);
  EXPECT_EQ(fill({3, 1, 1, 1, 1}), 1.5);  // 1 1 1 2 4 10
}

TEST(Pipeline, ReferenceCodingDropsTheFirstLevel) {
  const Pipeline pipeline = fit_pipeline(people(), {}, {.impute = true, .encode = true, .drop_first = true});
  EXPECT_EQ(pipeline.feature_names(), (std::vector<std::string>{"age", "color=green", "color=red", "size"}));
  EXPECT_EQ(features(pipeline, people().x).row(1), (Eigen::RowVector4d(40, 0, 0, 2)));
}

TEST(Pipeline, RefusesMissingCellsAndTextUnlessAsked) {
  try {
    fit_pipeline(people(), {}, {.encode = true});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "people.csv:3: column 'age': found a missing value (1 in this column), expected none");
  }
  EXPECT_THROW(fit_pipeline(people(), {}, {.impute = true}), Error);
}

TEST(Pipeline, ManyLevelsBecomeSparseRows) {
  Table table;
  Column column{"word", true, {}};
  std::vector<double> codes;
  for (int k = 0; k < 3000; ++k) {
    column.levels.push_back(std::to_string(k));
    codes.push_back(k);
  }
  sort_levels(column.levels);
  table.schema = Schema({column});
  table.x = DenseMatrix<double>{Buffer<double>(codes), 3000, 1};
  const Pipeline pipeline = fit_pipeline(table, {}, {.impute = true, .encode = true});
  EXPECT_TRUE(pipeline.sparse_output(false));
  const Targets none;
  const Features x = materialize(PipelineSource(table.x, pipeline, none));
  EXPECT_TRUE(is_sparse(x));
  EXPECT_EQ(stored_entries(x), 3000);
  EXPECT_EQ(features(pipeline, table.x), Eigen::MatrixXd::Identity(3000, 3000));
}

Table numbers(std::vector<double> values, Index cols) {
  Table table;
  const Index rows = static_cast<Index>(values.size()) / cols;
  table.schema = Schema::numbered(cols);
  table.x = DenseMatrix<double>{Buffer<double>(std::move(values)), rows, cols};
  return table;
}

TEST(Basis, PolyHoldsAllMonomialsUpToTheDegree) {
  const Table table = numbers({2, 3}, 2);
  const Pipeline pipeline = fit_pipeline(table, {}, {.basis = "poly:3"});
  EXPECT_EQ(pipeline.feature_names(), (std::vector<std::string>{"x1", "x2", "x1^2", "x1*x2", "x2^2", "x1^3",
                                                                "x1^2*x2", "x1*x2^2", "x2^3"}));
  Eigen::RowVectorXd expected(9);
  expected << 2, 3, 4, 6, 9, 8, 12, 18, 27;
  EXPECT_EQ(features(pipeline, table.x).row(0), expected);
}

TEST(Basis, ProductsHoldOnlyDifferentFeatures) {
  const Table table = numbers({2, 3, 5}, 3);
  const Pipeline pipeline = fit_pipeline(table, {}, {.basis = "products:3"});
  EXPECT_EQ(pipeline.feature_names(),
            (std::vector<std::string>{"x1", "x2", "x3", "x1*x2", "x1*x3", "x2*x3", "x1*x2*x3"}));
  Eigen::RowVectorXd expected(7);
  expected << 2, 3, 5, 6, 10, 15, 30;
  EXPECT_EQ(features(pipeline, table.x).row(0), expected);
}

TEST(Basis, PowersAreRoundedOnce) {
  const Table table = numbers({-6.860120914}, 1);
  const auto x = features(fit_pipeline(table, {}, {.basis = "poly:10"}), table.x);
  for (int k = 1; k <= 10; ++k)
    EXPECT_DOUBLE_EQ(x(0, k - 1), static_cast<double>(std::pow(-6.860120914L, k)));
}

TEST(Basis, StandardizeIsAStepThatComposes) {
  const Table table = numbers({1, 10, 3, 30}, 2);
  const Pipeline pipeline = fit_pipeline(table, {}, {.basis = "standardize,products:2"});
  Eigen::MatrixXd expected(2, 3);
  expected << -1, -1, 1, 1, 1, 1;
  EXPECT_EQ(features(pipeline, table.x), expected);
}

TEST(Basis, MistakesAreRefusedWithWhatIsExpected) {
  const Table table = numbers({1, 2}, 2);
  for (const char* basis : {"poly", "poly:0", "poly:x", "cubic:3", "poly:2,", ",poly:2", "poly:101"}) {
    try {
      fit_pipeline(table, {}, {.basis = basis});
      FAIL() << basis;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      EXPECT_NE(error.message().find("poly:K"), std::string::npos);
    }
  }
  EXPECT_THROW(fit_pipeline(numbers(std::vector<double>(300, 1.0), 300), {}, {.basis = "poly:5"}), Error);
}

TEST(Arrange, MatchesColumnsByNameAndLevelsByText) {
  const Pipeline pipeline = fit_pipeline(people(), {}, {.impute = true, .encode = true});
  Table other;
  other.file = "new.csv";
  other.schema = Schema(
      {{"size", false, {}}, {"extra", false, {}}, {"color", true, {"green", "red"}}, {"age", false, {}}});
  other.x = DenseMatrix<float>{Buffer<float>(std::vector<float>{9, 0, 1, 33}), 1, 4};
  other.noticed.resize(4);
  other.noticed[2].level_line = {5, 2};
  const Arranged arranged = arrange(other, pipeline, {});
  Eigen::RowVectorXd expected(5);
  expected << 33, 0, 0, 1, 9;
  EXPECT_EQ(features(pipeline, arranged.x).row(0), expected);
}

TEST(Arrange, RefusesUnknownCategoriesByLineOrTakesThemAsNone) {
  const Pipeline pipeline = fit_pipeline(people(), {}, {.impute = true, .encode = true});
  Table other = people();
  other.schema = Schema({{"age", false, {}}, {"color", true, {"blue", "pink", "red"}}, {"size", false, {}}});
  try {
    arrange(other, pipeline, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().line, 9);
    EXPECT_EQ(error.place().column, "color");
    EXPECT_NE(error.message().find("'pink'"), std::string::npos);
  }
  std::get<DenseMatrix<double>>(other.x).values[1] = 1;
  const Arranged arranged = arrange(other, pipeline, {.ignore_unseen = true});
  EXPECT_EQ(arranged.unseen, 1);
  EXPECT_EQ(features(pipeline, arranged.x).row(0).segment(1, 3), Eigen::RowVector3d::Zero());
}

TEST(Arrange, RefusesAMissingColumnByName) {
  const Pipeline pipeline = fit_pipeline(people(), {}, {.impute = true, .encode = true});
  Table other = people();
  other.schema = Schema({{"Age", false, {}}, {"color", true, {"blue", "green", "red"}}, {"size", false, {}}});
  try {
    arrange(other, pipeline, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_EQ(error.place().column, "age");
  }
}

}  // namespace
}  // namespace discern::pipeline_test
