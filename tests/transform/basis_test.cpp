// The basis functions against their formulas, their names, and what is said about mistakes.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/transform/basis_spec.hpp"
#include "discern/transform/pipeline.hpp"
#include "tests/support/fitting.hpp"

namespace discern::basis_test {
namespace {

using Names = std::vector<std::string>;

Table numbers(const std::vector<std::vector<double>>& rows) {
  return support::make_table(rows, std::vector<std::string>(rows.size(), "a"));
}

Table named(const std::vector<std::vector<double>>& rows, const Names& names) {
  Table table = numbers(rows);
  std::vector<Column> columns;
  for (const auto& name : names) columns.push_back({name, false, {}});
  table.schema = Schema(std::move(columns));
  return table;
}

Eigen::MatrixXd features(const Pipeline& pipeline, const Features& x) {
  const Targets none;
  const Features out = materialize(PipelineSource(x, pipeline, none));
  const auto& m = std::get<DenseMatrix<double>>(out);
  return Eigen::Map<const RowMajor>(m.values.data(), m.rows, m.cols);
}

Pipeline fitted(const Table& table, const std::string& basis, bool standardize = false) {
  return fit_pipeline(table, {}, {.basis = basis, .standardize = standardize, .seed = 1});
}

std::vector<std::vector<double>> random_rows_of(int n, int cols, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(n));
  for (auto& row : rows)
    for (int j = 0; j < cols; ++j) row.push_back(random.below(4) == 0 ? 0.0 : random.normal() + j);
  return rows;
}

TEST(Bases, PowersHaveNoProducts) {
  const Table table = numbers({{2, 3}, {1, -1}});
  const Pipeline pipeline = fitted(table, "powers:3");
  EXPECT_EQ(pipeline.feature_names(), (Names{"x1", "x2", "x1^2", "x2^2", "x1^3", "x2^3"}));
  EXPECT_EQ(features(pipeline, table.x).row(0), (Eigen::RowVectorXd(6) << 2, 3, 4, 9, 8, 27).finished());
}

TEST(Bases, GaussHasBumpsAtTheQuantiles) {
  const Table table = numbers({{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {20}});
  const Pipeline pipeline = fitted(table, "gauss:5");  // quantiles 0.1, 0.3, ..., 0.9
  EXPECT_EQ(pipeline.feature_names(),
            (Names{"gauss(x1=0)", "gauss(x1=2)", "gauss(x1=4)", "gauss(x1=6)", "gauss(x1=8)"}));
  const Eigen::MatrixXd x = features(pipeline, table.x);
  for (Index k = 0; k < 5; ++k) {
    EXPECT_DOUBLE_EQ(x(3, k), std::exp(-std::pow(3.0 - 2.0 * static_cast<double>(k), 2) / 8));
    EXPECT_EQ(x(2 * k, k), 1);
  }
}

TEST(Bases, ThresholdsAreStepsAtTheQuantiles) {
  const Table table = named({{0, 1}, {1, 1}, {2, 1}, {3, 1}}, {"age", "same"});
  const Pipeline pipeline = fitted(table, "threshold:3");
  // The quarter of the values is reached by all of them, and a constant column has no steps.
  EXPECT_EQ(pipeline.feature_names(), (Names{"age>=1", "age>=2"}));
  Eigen::MatrixXd expected(4, 2);
  expected << 0, 0, 1, 0, 1, 1, 1, 1;
  EXPECT_EQ(features(pipeline, table.x), expected);
}

TEST(Bases, AColumnThatIsNearlyAlwaysAtItsMinimumHasAStepAboveIt) {
  std::vector<std::vector<double>> rows(20, {0});
  rows[4] = {0.25};
  rows[11] = {7};
  const Table table = numbers(rows);
  EXPECT_EQ(fitted(table, "threshold:3").feature_names(), (Names{"x1>=0.25"}));
  const Eigen::MatrixXd x = features(fitted(table, "threshold:3"), table.x);
  EXPECT_EQ(x.sum(), 2);
  EXPECT_EQ(x(4, 0) + x(11, 0), 2);
  // A bump at the minimum tells the others by their distance from it.
  EXPECT_EQ(fitted(table, "gauss:3").feature_names(), (Names{"gauss(x1=0)"}));
  EXPECT_LT(features(fitted(table, "gauss:3"), table.x)(11, 0), 0.7);
  // Where only the lower quantiles are at the minimum, it joins those above.
  for (std::size_t i = 0; i < 9; ++i) rows[i] = {static_cast<double>(i) + 1};
  EXPECT_EQ(fitted(numbers(rows), "threshold:3").feature_names(), (Names{"x1>=1", "x1>=5"}));
}

TEST(Bases, NoTwoFeaturesHaveOneName) {
  std::vector<std::vector<double>> close;
  for (int i = 0; i < 8; ++i) close.push_back({1 + 1e-9 * i, static_cast<double>(i % 4)});
  const Table table = numbers(close);
  for (const char* basis : {"threshold:3", "gauss:4", "rbf:2(x1),rbf:2(x2)", "powers:2,powers:2",
                            "fourier:2(x1),fourier:3(x2)"}) {
    Names names = fitted(table, basis).feature_names();
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << basis;
  }
  EXPECT_EQ(fitted(table, "threshold:1(x1)").feature_names()[0], "x1>=1");
  EXPECT_EQ(fitted(table, "rbf:1(x1),rbf:1(x2)").feature_names(), (Names{"rbf1", "rbf1 (2)"}));
}

TEST(Bases, QuantilesHonourWeights) {
  const Table table = numbers({{0}, {1}, {2}, {3}});
  const Pipeline weighted = fit_pipeline(table, {1, 1, 1, 5}, {.basis = "gauss:2"});
  const Pipeline repeated = fitted(numbers({{0}, {1}, {2}, {3}, {3}, {3}, {3}, {3}}), "gauss:2");
  EXPECT_EQ(weighted.feature_names(), repeated.feature_names());
  EXPECT_NE(weighted.feature_names(), fitted(table, "gauss:2").feature_names());
}

TEST(Bases, RadialUnitsFollowTheirFormulaInStandardisedCoordinates) {
  auto rows = random_rows_of(60, 3, 2);
  for (auto& row : rows) row[1] *= 1e6;
  const Table table = numbers(rows);
  for (const char* basis : {"rbf:7:kmeans", "rbf:7:random:cluster", "rbf:7:em", "rbf:7:kmeans:1.5"}) {
    const Pipeline pipeline = fitted(table, basis, true);
    const auto& step = std::get<Radial>(pipeline.steps()[0]);
    const Eigen::MatrixXd x = features(pipeline, table.x);
    ASSERT_EQ(x.cols(), 7);
    for (Index i = 0; i < 60; ++i)
      for (Index k = 0; k < 7; ++k) {
        double r2 = 0;
        for (Index j = 0; j < 3; ++j) {
          const auto at = static_cast<std::size_t>(j);
          r2 += std::pow((rows[static_cast<std::size_t>(i)][at] - step.centers(k, j)) / step.scale[at], 2);
        }
        EXPECT_NEAR(x(i, k), std::exp(-r2 / (2 * std::pow(step.widths[static_cast<std::size_t>(k)], 2))),
                    1e-12);
      }
    EXPECT_GT(x.rowwise().maxCoeff().mean(), 0.3) << "most rows are near some unit";
  }
}

TEST(Bases, AUnitDoesNotSeeTheUnitOfTheData) {
  auto rows = random_rows_of(50, 3, 3), large = rows;
  for (auto& row : large) row[2] = 1000 * row[2] + 5;
  const Table a = numbers(rows), b = numbers(large);
  // Other values are other keys, so the start is by chance another one: compare given centres.
  const Pipeline pipeline = fitted(a, "rbf:5:kmeans", true);
  auto step = std::get<Radial>(pipeline.steps()[0]);
  step.centers.col(2) = (1000 * step.centers.col(2)).array() + 5;
  step.scale[2] *= 1000;
  step.prepare({{"x1"}, {"x2"}, {"x3"}});
  EXPECT_LT((features(pipeline, a.x) - features(Pipeline(b.schema, {step}), b.x)).cwiseAbs().maxCoeff(),
            1e-9);
}

TEST(Bases, ARowAloneIsTheRowAmongOthers) {
  const Table table = numbers(random_rows_of(500, 11, 4));
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  for (const char* basis : {"rbf:17", "fourier:13"}) {
    const Pipeline pipeline = fitted(table, basis, true);
    const Eigen::MatrixXd all = features(pipeline, table.x);
    for (const Index i : {0, 5, 191, 192, 499}) {
      Scratch scratch;
      const Rows one = pipeline.apply(x.view(i, 1), scratch);
      const double* y = std::get<DenseRows<double>>(one).values;
      for (Index k = 0; k < all.cols(); ++k) EXPECT_EQ(y[k], all(i, k)) << basis << i;
    }
  }
}

TEST(Bases, WavesStandInForAGaussianKernel) {
  const Table table = numbers(random_rows_of(30, 4, 5));
  const Eigen::MatrixXd z = features(fitted(table, "fourier:20000:2"), table.x);
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  const Eigen::Map<const RowMajor> rows(x.values.data(), x.rows, x.cols);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j)
      EXPECT_NEAR(z.row(i).dot(z.row(j)), std::exp(-(rows.row(i) - rows.row(j)).squaredNorm() / 8), 0.05);
}

TEST(Bases, ComposeOneAfterAnother) {
  const Table table = named({{1, 10}, {3, 30}}, {"a", "b"});
  const Pipeline pipeline = fitted(table, "standardize,products:2");
  EXPECT_EQ(pipeline.feature_names(), (Names{"a", "b", "a*b"}));
  EXPECT_EQ(features(pipeline, table.x), (Eigen::MatrixXd(2, 3) << -1, -1, 1, 1, 1, 1).finished());
}

TEST(Bases, OfSomeColumnsPassTheOthersOnBehind) {
  const Table table = named({{1, 2, 5}, {2, 4, 6}, {3, 9, 7}}, {"a", "b", "c"});
  EXPECT_EQ(fitted(table, "powers:2(c,a)").feature_names(), (Names{"a", "c", "a^2", "c^2", "b"}));
  EXPECT_EQ(fitted(table, "threshold:1(b)").feature_names(), (Names{"b>=4", "a", "c"}));
  const Pipeline units = fitted(table, "rbf:2:random(a,c)");
  EXPECT_EQ(units.feature_names(), (Names{"rbf1", "rbf2", "b"}));
  EXPECT_EQ(features(units, table.x).col(2), Eigen::Vector3d(2, 4, 9));
  EXPECT_EQ(std::get<Radial>(units.steps()[0]).centers.cols(), 2);
  const Eigen::MatrixXd scaled = features(fitted(table, "standardize(b)"), table.x);
  EXPECT_EQ(scaled.col(0), Eigen::Vector3d(1, 2, 3));
  EXPECT_NEAR(scaled.col(1).sum(), 0, 1e-15);
}

TEST(Bases, IndicatorsPassThroughExceptThatDistancesTakeThem) {
  Table table = named({{1, 0}, {2, 1}, {3, 1}}, {"a", "colour"});
  table.schema = Schema({{"a", false, {}}, {"colour", true, {"blue", "red"}}});
  const auto names = [&](const char* basis) {
    return fit_pipeline(table, {}, {.encode = true, .basis = basis}).feature_names();
  };
  EXPECT_EQ(names("powers:2"), (Names{"a", "a^2", "colour=blue", "colour=red"}));
  EXPECT_EQ(names("threshold:1"), (Names{"a>=2", "colour=blue", "colour=red"}));
  EXPECT_EQ(names("rbf:2"), (Names{"rbf1", "rbf2"}));
  EXPECT_EQ(names("rbf:2(a)"), (Names{"rbf1", "rbf2", "colour=blue", "colour=red"}));
}

// A table of a number and two columns of text.
Table passengers() {
  Table table = named({{22, 1, 0}, {38, 0, 1}, {26, 0, 2}, {35, 1, 2}}, {"Age", "Sex", "Port"});
  table.schema =
      Schema({{"Age", false, {}}, {"Sex", true, {"female", "male"}}, {"Port", true, {"C", "Q", "S"}}});
  return table;
}

TEST(Bases, ProductsTakeTextColumnsWhereTheyAreNamed) {
  const Table table = passengers();
  const auto pipeline = [&](const char* basis, bool drop_first = false) {
    return fit_pipeline(table, {}, {.encode = true, .drop_first = drop_first, .basis = basis});
  };
  const Pipeline both = pipeline("products:2(Sex,Age)");
  EXPECT_EQ(both.feature_names(), (Names{"Age", "Sex=female", "Sex=male", "Age*Sex=female", "Age*Sex=male",
                                         "Port=C", "Port=Q", "Port=S"}));
  EXPECT_EQ(features(both, table.x).row(0).head(5), (Eigen::Matrix<double, 1, 5>(22, 0, 1, 0, 22)));
  // Alone they stay indicators of their columns, and products of them are numbers.
  EXPECT_TRUE(both.indicator(1) && both.indicator(5));
  EXPECT_FALSE(both.indicator(0) || both.indicator(4));
  EXPECT_EQ(both.category(1), 1);
  EXPECT_EQ(pipeline("products:2(Sex,Age)", true).feature_names(),
            (Names{"Age", "Sex=male", "Age*Sex=male", "Port=Q", "Port=S"}));
  EXPECT_EQ(pipeline("products:2(Sex=male,Age)").feature_names(),
            (Names{"Age", "Sex=male", "Age*Sex=male", "Sex=female", "Port=C", "Port=Q", "Port=S"}));
}

TEST(Bases, NoProductHasTwoCategoriesOfOneColumnOrOneTwice) {
  const Table table = passengers();
  const auto names = [&](const char* basis) {
    return fit_pipeline(table, {}, {.encode = true, .basis = basis}).feature_names();
  };
  EXPECT_EQ(
      names("products:3(Sex,Port)"),
      (Names{"Sex=female", "Sex=male", "Port=C", "Port=Q", "Port=S", "Sex=female*Port=C", "Sex=female*Port=Q",
             "Sex=female*Port=S", "Sex=male*Port=C", "Sex=male*Port=Q", "Sex=male*Port=S", "Age"}));
  EXPECT_EQ(names("poly:2(Sex,Age)"), (Names{"Age", "Sex=female", "Sex=male", "Age^2", "Age*Sex=female",
                                             "Age*Sex=male", "Port=C", "Port=Q", "Port=S"}));
}

TEST(Bases, LogarithmsAndRootsFollowTheirFormula) {
  const Table table = named({{1, 0.5, -3}, {4, 2, 5}, {9, 0.25, 0}}, {"a", "b", "c"});
  const Pipeline pipeline = fitted(table, "log(b),sqrt(a),log1p(\"sqrt(a)\")");
  EXPECT_EQ(pipeline.feature_names(), (Names{"log1p(sqrt(a))", "log(b)", "c"}));
  const Eigen::MatrixXd x = features(pipeline, table.x);
  for (Index i = 0; i < 3; ++i) {
    const auto& cells = std::get<DenseMatrix<double>>(table.x).values;
    EXPECT_DOUBLE_EQ(x(i, 0), std::log1p(std::sqrt(cells[3 * i])));
    EXPECT_DOUBLE_EQ(x(i, 1), std::log(cells[3 * i + 1]));
    EXPECT_EQ(x(i, 2), cells[3 * i + 2]);
  }
}

TEST(Bases, AValueThatALogarithmDoesNotTakeNamesItsRowAndColumn) {
  const Table table = named({{1, 2}, {3, 0}, {-1, 5}}, {"a", "b"});
  const auto refused = [&](const char* basis) {
    try {
      fitted(table, basis);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::data);
      EXPECT_EQ(error.place().column, std::string(basis).find("(b)") != std::string::npos ? "b" : "a");
      return std::string(error.message());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refused("log(b)"),
            "row 2: found 0, of which there is no logarithm (`basis` log(b)); log1p(b) takes zeros");
  EXPECT_NE(refused("log(a)").find("row 3: found -1"), std::string::npos);
  EXPECT_NE(refused("sqrt").find("row 3: found -1, of which there is no square root"), std::string::npos);
  EXPECT_NE(refused("log1p(a)").find("row 3: found -1"), std::string::npos);
  EXPECT_EQ(refused("log1p(b)"), "nothing");
}

TEST(Bases, InLaterRowsTheLeastValueStandsForWhatALogarithmDoesNotTake) {
  const Pipeline pipeline = fitted(named({{2}, {4}, {8}}, {"a"}), "log");
  const Eigen::MatrixXd x = features(pipeline, named({{1}, {0}, {-5}, {16}}, {"a"}).x);
  EXPECT_EQ(x(0, 0), 0);  // less than the least, but there is a logarithm
  EXPECT_DOUBLE_EQ(x(1, 0), std::log(2.0));
  EXPECT_DOUBLE_EQ(x(2, 0), std::log(2.0));
  EXPECT_DOUBLE_EQ(x(3, 0), std::log(16.0));
}

TEST(Bases, SparseRowsGiveWhatDenseOnesGive) {
  const Table table = numbers(random_rows_of(80, 5, 6)), sparse = support::as_sparse(table);
  for (const char* basis :
       {"powers:2", "gauss:3", "threshold:3", "rbf:6", "rbf:6:em", "rbf:4:random(x2,x4)", "fourier:9",
        "gauss:2(x3)", "powers:2(x1),log1p(\"x1^2\"),sqrt(\"log1p(x1^2)\")"}) {
    const Pipeline a = fitted(table, basis), b = fitted(sparse, basis);
    EXPECT_FALSE(b.sparse_output(true));
    EXPECT_LT((features(a, table.x) - features(b, sparse.x)).cwiseAbs().maxCoeff(), 1e-11) << basis;
  }
  EXPECT_TRUE(fitted(sparse, "standardize").sparse_output(true));
}

TEST(Bases, InExtendedPrecisionAreTheSame) {
  const Table table = numbers(random_rows_of(40, 4, 7));
  for (const char* basis : {"powers:3", "gauss:3", "threshold:3", "rbf:6", "fourier:9", "rbf:4:random(x2,x4)",
                            "gauss:2(x3)", "powers:2(x1),log1p(\"x1^2\"),sqrt(\"log1p(x1^2)\")"}) {
    const Pipeline pipeline = fitted(table, basis);
    const Targets none;
    const PipelineSource source(table.x, pipeline, none);
    std::vector<long double> exact;
    source.extended(0, 40, exact);
    const Eigen::MatrixXd x = features(pipeline, table.x);
    ASSERT_EQ(static_cast<Index>(exact.size()), x.size());
    for (Index i = 0; i < x.rows(); ++i)
      for (Index k = 0; k < x.cols(); ++k)
        EXPECT_NEAR(static_cast<double>(exact[static_cast<std::size_t>(i * x.cols() + k)]), x(i, k), 1e-12)
            << basis;
  }
}

TEST(Bases, OneThreadAndTwoGiveTheSameBits) {
  const Table table = numbers(random_rows_of(9000, 4, 8));
  for (const char* basis : {"rbf:12", "rbf:5:em", "gauss:9", "fourier:20"}) {
    Eigen::MatrixXd one, two;
    with_threads(1, [&] { one = features(fitted(table, basis), table.x); });
    with_threads(2, [&] { two = features(fitted(table, basis), table.x); });
    EXPECT_TRUE(one == two) << basis;
  }
}

std::string refusal(const Table& table, const std::string& basis) {
  try {
    fitted(table, basis);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::usage);
    return error.message();
  }
  return "";
}

TEST(BasisText, MistakesAreToldWithTheirPositionAndWhatWasExpected) {
  const Table table = named({{1, 2}, {3, 5}}, {"a", "b"});
  EXPECT_EQ(
      refusal(table, "poly:2,gaus:3"),
      "`basis`: at character 8: expected one of poly:K, products:K, powers:K, log, log1p, sqrt, gauss:N, "
      "threshold:N, rbf:N[:random|kmeans|em[:WIDTH]], fourier:D[:WIDTH], standardize, got 'gaus'");
  EXPECT_EQ(refusal(table, "poly:2,gauss:x"),
            "`basis`: at character 14: expected gauss:N with a whole number from 1 to 10000, got 'x'");
  EXPECT_EQ(refusal(table, "gauss"),
            "`basis`: at character 6: expected gauss:N with a whole number from 1 to 10000, got ''");
  EXPECT_EQ(refusal(table, "poly:2:3"), "`basis`: at character 1: expected poly:K, got 'poly:2:3'");
  EXPECT_EQ(refusal(table, "rbf:3:means"),
            "`basis`: at character 1: rbf:3:means: expected random, kmeans or em, got 'means'");
  EXPECT_EQ(
      refusal(table, "rbf:3:em:-1"),
      "`basis`: at character 1: rbf:3:em:-1: expected the width as auto, neighbours, cluster or a number "
      "above 0, got '-1'");
  EXPECT_EQ(refusal(table, "powers:2(a,c)"),
            "`basis`: at character 1: powers:2(a,c): the column 'c' is not among the features");
  EXPECT_EQ(refusal(table, "powers:2(a"),
            "`basis`: at character 9: expected (COLUMN,COLUMN,...) at the end of 'powers:2(a'");
  EXPECT_EQ(refusal(table, "powers:2(a,a)"),
            "`basis`: at character 1: powers:2(a,a): a column is named twice");
  EXPECT_NE(refusal(table, "powers:2()"), "");
  EXPECT_NE(refusal(named({{1}, {1}}, {"a"}), "gauss:3").find("every column is constant"), std::string::npos);
}

TEST(BasisText, SparseColumnsByTheThousandAreRefusedExceptByStandardize) {
  Table table = support::as_sparse(numbers({{0, 1}, {1, 0}}));
  std::visit([](auto& x) { x.cols = 20000; }, table.x);
  table.schema = Schema::numbered(20000);
  EXPECT_NE(refusal(table, "rbf:2").find("20000 sparse columns are too many"), std::string::npos);
  EXPECT_NE(refusal(table, "powers:2").find("20000 sparse columns are too many"), std::string::npos);
  EXPECT_EQ(refusal(table, "standardize"), "");
}

TEST(BasisText, ItemsKeepTheirPartsAndPositions) {
  const auto items = parse_basis("gauss:10(age,hours per week),rbf:50:em:2");
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].count, 10);
  EXPECT_EQ(items[0].columns, (Names{"age", "hours per week"}));
  EXPECT_EQ(items[1].position, 30U);
  EXPECT_EQ(items[1].arguments, (Names{"em", "2"}));
  EXPECT_TRUE(parse_basis("").empty());
}

TEST(BasisText, NamesOfAnyKindCanBeGivenAndBlanksAfterCommasDoNotMatter) {
  const Table table = named({{1, 2, 3, 4}, {3, 5, 7, 1}}, {"a,b", "c(d)", "q\"q", "n"});
  const auto made = [&](const std::string& basis) { return fitted(table, basis).feature_names()[1]; };
  EXPECT_EQ(made("powers:2(\"a,b\")"), "a,b^2");
  EXPECT_EQ(made("powers:2(\"a,b\"),standardize"), "a,b^2");
  EXPECT_EQ(made("powers:2(c(d)),standardize"), "c(d)^2");
  EXPECT_EQ(made("powers:2(\"c(d)\",\"a,b\"),standardize"), "c(d)");
  EXPECT_EQ(made("powers:2(q\"q),standardize"), "q\"q^2");
  EXPECT_EQ(made("powers:2(\"q\"\"q\"),standardize"), "q\"q^2");
  EXPECT_EQ(fitted(table, "powers:2(n, q\"q), standardize").feature_names(),
            fitted(table, "powers:2(n,q\"q),standardize").feature_names());
}

}  // namespace
}  // namespace discern::basis_test
