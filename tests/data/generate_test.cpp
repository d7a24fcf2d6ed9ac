#include "discern/data/generate.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern::generate_test {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

GenerateOptions options_of(std::string shape, Index rows, std::uint64_t seed = 7) {
  GenerateOptions options;
  options.shape = std::move(shape);
  options.rows = rows;
  options.seed = seed;
  return options;
}

Eigen::Map<const RowMajor> dense(const Table& table) {
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  return {x.values.data(), x.rows, x.cols};
}

const SparseMatrix<float>& sparse(const Table& table) { return std::get<SparseMatrix<float>>(table.x); }

int label(const Table& table, Index i) {
  const SideColumn& column = table.side.at(0);
  return std::stoi(column.levels.at(static_cast<std::size_t>(column.values.at(static_cast<std::size_t>(i)))));
}

double phi(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// Five standard errors of a rate of n draws.
double five_errors(double rate, double n) { return 5 * std::sqrt(rate * (1 - rate) / n); }

std::string refusal(const GenerateOptions& options) {
  try {
    generate(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::usage);
    return error.message();
  }
  return "no error";
}

struct GoldenRow {
  int label;
  std::vector<double> x;
};

void expect_rows(const Table& table, const std::vector<GoldenRow>& golden) {
  const auto x = dense(table);
  ASSERT_EQ(x.rows(), static_cast<Index>(golden.size()));
  for (Index i = 0; i < x.rows(); ++i) {
    const GoldenRow& row = golden[static_cast<std::size_t>(i)];
    EXPECT_EQ(label(table, i), row.label) << "row " << i;
    ASSERT_EQ(x.cols(), static_cast<Index>(row.x.size()));
    for (Index j = 0; j < x.cols(); ++j)
      EXPECT_EQ(x(i, j), row.x[static_cast<std::size_t>(j)]) << i << ' ' << j;
  }
}

// The golden rows come from a second implementation of generate.hpp in Python, whose floats round
// after every operation on every machine. A change here changes the data of every user's seed.
TEST(Generate, GivesTheSameBitsAsAnIndependentImplementation) {
  GenerateOptions gaussians = options_of("gaussians", 4);
  gaussians.features = 3;
  gaussians.classes = 5;
  gaussians.noise = 0.25;
  gaussians.own_covariance = true;
  expect_rows(generate(gaussians),
              {{1, {0x1.6c3f999b2da54p+0, 0x1.a95a9242ef761p+0, 0x1.4358806cfb51dp+2}},
               {4, {-0x1.74467093ae060p+0, -0x1.aba2aba73a3dap-1, 0x1.f31663e8c09b3p+0}},
               {2, {-0x1.3655decb32617p+2, 0x1.0efa64cbc3e68p+1, -0x1.dfb88103c21cbp+2}},
               {0, {-0x1.3107bf4ae82cep+2, 0x1.4082824ddbc83p-4, -0x1.ffd06fbf69dd0p+2}}});
  GenerateOptions exclusive_or = options_of("xor", 2);
  exclusive_or.features = 3;
  expect_rows(generate(exclusive_or),
              {{0, {-0x1.37e9382dbce2ep-1, -0x1.18a2d50370912p+0, 0x1.a9a466b89dfd7p+0}},
               {1, {0x1.66a2e86e78ec7p+0, -0x1.8ae7a6d04f49cp+0, 0x1.d3a97d05dde9cp-2}}});
  expect_rows(generate(options_of("moons", 2)), {{0, {-0x1.1142459887e04p-2, 0x1.d0728007f9066p-1}},
                                                 {1, {0x1.9f21e817f8082p+0, -0x1.95b91f9fb68ecp-3}}});
  GenerateOptions rings = options_of("rings", 3);
  rings.classes = 3;
  expect_rows(generate(rings), {{1, {0x1.358c4dfcf7485p+0, -0x1.5830b1a52015ep+0}},
                                {2, {-0x1.2e2aa2a72fff0p+1, -0x1.e4e50a94329e0p+0}},
                                {0, {-0x1.6a0de309d5f8ap-1, -0x1.5efafe84739bap-1}}});
  GenerateOptions spiral = options_of("spiral", 3);
  spiral.classes = 3;
  expect_rows(generate(spiral), {{1, {-0x1.fee40686b654dp-2, -0x1.4b09bd9a0cc59p+1}},
                                 {2, {0x1.2b35a991d1af5p+0, -0x1.1519a472e8041p+1}},
                                 {0, {0x1.6330b1c5f2b08p+0, 0x1.d0d4d0f906288p+0}}});
  GenerateOptions linear = options_of("linear", 4);
  linear.features = 3;
  linear.margin = 0.5;
  linear.noise = 0.25;
  expect_rows(generate(linear), {{0, {-0x1.ca83e806e8a41p-2, 0x1.8d935ecefa80ep-2, -0x1.a9c637e731354p+0}},
                                 {1, {0x1.c1175e1212ca0p+0, -0x1.536adb1c91e41p+0, 0x1.f8e65a5be6c92p-2}},
                                 {0, {-0x1.b03c525671645p+0, 0x1.7410d8b2a2497p-1, -0x1.00bcfe91ac1bap+0}},
                                 {1, {0x1.336ca4d9b2c85p+0, 0x1.064c2a675b34ep+0, -0x1.6aa3f1262eb7ep-1}}});
  GenerateOptions outliers = options_of("outliers", 2);
  outliers.noise = 0.5;
  expect_rows(generate(outliers), {{0, {-0x1.05e386392c1bap+0, -0x1.ecb8a444cb56fp-3}},
                                   {1, {0x1.9ae0d9cd907a2p+1, 0x1.acf71643666eep+0}}});
}

TEST(Generate, GivesTheSameWordCountsAsAnIndependentImplementation) {
  GenerateOptions options = options_of("sparse", 2);
  options.features = 20;
  options.noise = 0.25;
  const Table table = generate(options);
  const auto& x = sparse(table);
  EXPECT_EQ(label(table, 0), 1);
  EXPECT_EQ(label(table, 1), 0);
  const std::vector<std::uint32_t> columns(x.columns.begin() + x.starts[1], x.columns.end());
  EXPECT_EQ(columns,
            (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 19}));
  const std::vector<float> values(x.values.begin() + x.starts[1], x.values.end());
  EXPECT_EQ(values, (std::vector<float>{43, 28, 13, 13, 15, 13, 9, 3, 8, 4, 4, 4, 2, 3, 6, 2, 1, 1}));
}

TEST(Generate, EveryShapeOfTheListWorksWithItsDefaults) {
  ASSERT_EQ(shapes().size(), 8U);
  for (const ShapeInfo& shape : shapes()) {
    const Table table = generate(options_of(std::string(shape.name), 100));
    EXPECT_EQ(table.rows(), 100) << shape.name;
    EXPECT_EQ(static_cast<double>(table.schema.size()), shape.parameters[0].standard) << shape.name;
    EXPECT_EQ(column_count(table.x), table.schema.size()) << shape.name;
    ASSERT_NE(table.find_side("class"), nullptr) << shape.name;
    EXPECT_TRUE(table.side[0].text);
    EXPECT_EQ(table.side[0].levels, (std::vector<std::string>{"0", "1"})) << shape.name;
  }
}

TEST(Generate, FewerRowsAreTheFirstRowsOfMore) {
  GenerateOptions options = options_of("gaussians", 10000);
  options.classes = 3;
  const Table whole = generate(options);
  options.rows = 4321;
  const Table part = generate(options);
  EXPECT_EQ(dense(whole).topRows(4321), dense(part));
  for (Index i = 0; i < 4321; ++i) ASSERT_EQ(label(whole, i), label(part, i));

  const Table documents = generate(options_of("sparse", 5000));
  const Table fewer = generate(options_of("sparse", 4200));
  const auto &x = sparse(documents), &y = sparse(fewer);
  EXPECT_TRUE(std::equal(y.starts.begin(), y.starts.end(), x.starts.begin()));
  EXPECT_TRUE(std::equal(y.columns.begin(), y.columns.end(), x.columns.begin()));
  EXPECT_TRUE(std::equal(y.values.begin(), y.values.end(), x.values.begin()));
}

TEST(Generate, DoesNotDependOnTheNumberOfThreads) {
  for (const ShapeInfo& shape : shapes()) {
    const GenerateOptions options = options_of(std::string(shape.name), 13000);
    Table one, four;
    with_threads(1, [&] { one = generate(options); });
    with_threads(4, [&] { four = generate(options); });
    EXPECT_EQ(one.side[0].values, four.side[0].values) << shape.name;
    if (is_sparse(one.x)) {
      EXPECT_TRUE(
          std::equal(sparse(one).values.begin(), sparse(one).values.end(), sparse(four).values.begin()));
      EXPECT_TRUE(
          std::equal(sparse(one).starts.begin(), sparse(one).starts.end(), sparse(four).starts.begin()));
    } else {
      EXPECT_EQ(dense(one), dense(four)) << shape.name;
    }
  }
}

TEST(Generate, AnotherSeedGivesOtherRows) {
  for (const ShapeInfo& shape : shapes()) {
    const Table a = generate(options_of(std::string(shape.name), 10, 1));
    const Table b = generate(options_of(std::string(shape.name), 10, 2));
    if (is_sparse(a.x))
      EXPECT_NE(stored_entries(a.x), stored_entries(b.x));
    else
      EXPECT_NE(dense(a)(0, 0), dense(b)(0, 0)) << shape.name;
  }
}

TEST(Generate, BlocksOfRowsDoNotRepeatEachOther) {
  const Table table = generate(options_of("gaussians", 3 * 4096));
  const auto x = dense(table);
  EXPECT_NE(x(0, 0), x(4096, 0));
  EXPECT_NE(x(4096, 0), x(8192, 0));
  // Neighbouring streams are uncorrelated: five standard errors of a correlation of 4096 pairs.
  const Eigen::VectorXd a = x.col(0).head(4096).array() - x.col(0).head(4096).mean();
  const Eigen::VectorXd b = x.col(0).segment(4096, 4096).array() - x.col(0).segment(4096, 4096).mean();
  EXPECT_NEAR(a.dot(b) / (a.norm() * b.norm()), 0, 5 / std::sqrt(4096));
}

TEST(Generate, EveryRunOfKRowsHoldsEachClassOnce) {
  GenerateOptions options = options_of("rings", 5 * 2000 + 3);
  options.classes = 5;
  const Table table = generate(options);
  for (Index i = 0; i < 2000; ++i) {
    std::array<int, 5> seen{};
    for (Index j = 0; j < 5; ++j) ++seen[static_cast<std::size_t>(label(table, 5 * i + j))];
    ASSERT_EQ(seen, (std::array<int, 5>{1, 1, 1, 1, 1})) << i;
  }
}

TEST(Generate, ClassesThatDoNotOccurAreNoLevels) {
  GenerateOptions options = options_of("rings", 2);
  options.classes = 4;
  const Table table = generate(options);
  ASSERT_EQ(table.side[0].levels.size(), 2U);
  EXPECT_LT(std::stoi(table.side[0].levels[0]), std::stoi(table.side[0].levels[1]));
  EXPECT_EQ(table.side[0].noticed.level_line.size(), 2U);
  const double radius = dense(table).row(0).norm();
  EXPECT_NEAR(radius, label(table, 0) + 1, 0.6);
}

TEST(GenerateGaussians, HaveTheStatedMeansAndCovariances) {
  GenerateOptions options = options_of("gaussians", 90000);
  options.features = 3;
  options.classes = 3;
  options.own_covariance = true;
  const auto truth = gaussians_truth(options);
  const Table table = generate(options);
  const auto x = dense(table);
  for (int k = 0; k < 3; ++k) {
    const GaussianTruth& t = truth[static_cast<std::size_t>(k)];
    const Eigen::Map<const Eigen::VectorXd> mean(t.mean.data(), 3), scale(t.scale.data(), 3),
        v(t.direction.data(), 3);
    const Eigen::Matrix3d inner = Eigen::Matrix3d::Identity() + 3 * v * v.transpose();
    const Eigen::Matrix3d covariance = scale.asDiagonal() * inner * scale.asDiagonal();
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    Eigen::Matrix3d products = Eigen::Matrix3d::Zero();
    double n = 0;
    for (Index i = 0; i < x.rows(); ++i) {
      if (label(table, i) != k) continue;
      const Eigen::Vector3d z = x.row(i).transpose() - mean;
      sum += z;
      products += z * z.transpose();
      ++n;
    }
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(sum[i] / n, 0, 5 * std::sqrt(covariance(i, i) / n));
      for (int j = 0; j < 3; ++j) {
        const double variance = covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
        EXPECT_NEAR(products(i, j) / n, covariance(i, j), 5 * std::sqrt(variance / n));
      }
    }
  }
}

TEST(GenerateGaussians, NearestMeansAreTheStatedMahalanobisDistanceApart) {
  for (const auto& [features, classes] : {std::pair<Index, Index>{1, 4}, {2, 3}, {2, 10}, {5, 2}, {8, 17}}) {
    GenerateOptions options = options_of("gaussians", 1);
    options.features = features;
    options.classes = classes;
    options.separation = 2.5;
    const auto truth = gaussians_truth(options);
    const Eigen::Map<const Eigen::ArrayXd> scale(truth[0].scale.data(), features);
    const Eigen::Map<const Eigen::VectorXd> v(truth[0].direction.data(), features);
    double nearest = 1e9;
    for (std::size_t a = 0; a < truth.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Eigen::Map<const Eigen::ArrayXd> p(truth[a].mean.data(), features),
            q(truth[b].mean.data(), features);
        const Eigen::VectorXd y = ((p - q) / scale).matrix();
        nearest = std::min(nearest, (y - 0.5 * v.dot(y) * v).norm());  // (I + v v')^-1 = I - v v' / 2
      }
    EXPECT_NEAR(nearest, 2.5, 1e-12) << features << " features, " << classes << " classes";
  }
}

TEST(GenerateGaussians, TheBayesRuleErrsAtTheStatedRate) {
  GenerateOptions options = options_of("gaussians", 50000);
  options.features = 4;
  const auto truth = gaussians_truth(options);
  const Eigen::Map<const Eigen::VectorXd> m0(truth[0].mean.data(), 4), m1(truth[1].mean.data(), 4);
  const Eigen::Map<const Eigen::VectorXd> scale(truth[0].scale.data(), 4), v(truth[0].direction.data(), 4);
  const Eigen::Matrix4d inner = Eigen::Matrix4d::Identity() + 3 * v * v.transpose();
  const Eigen::Matrix4d covariance = scale.asDiagonal() * inner * scale.asDiagonal();
  const Eigen::VectorXd w = solve_semidefinite(covariance, m1 - m0).x;
  const double threshold = 0.5 * w.dot(m0 + m1);
  const Table table = generate(options);
  double wrong = 0;
  for (Index i = 0; i < table.rows(); ++i)
    wrong += (dense(table).row(i).dot(w) >= threshold) != (label(table, i) == 1);
  EXPECT_NEAR(wrong / 50000, phi(-1.5), five_errors(phi(-1.5), 50000));
}

TEST(GenerateXor, NoiseZeroGivesTheTruthTable) {
  GenerateOptions options = options_of("xor", 200);
  options.noise = 0;
  const Table table = generate(options);
  for (Index i = 0; i < 200; ++i) {
    const auto row = dense(table).row(i);
    EXPECT_EQ(std::fabs(row[0]), 1);
    EXPECT_EQ(row[0] * row[1], label(table, i) == 0 ? 1 : -1);
  }
}

TEST(GenerateXor, TheSignOfTheProductErrsAtTheStatedRate) {
  GenerateOptions options = options_of("xor", 50000);
  options.noise = 0.8;
  const Table table = generate(options);
  double wrong = 0;
  for (Index i = 0; i < table.rows(); ++i)
    wrong += (dense(table)(i, 0) * dense(table)(i, 1) < 0) != (label(table, i) == 1);
  const double q = phi(-1 / 0.8), rate = 2 * q * (1 - q);
  EXPECT_NEAR(wrong / 50000, rate, five_errors(rate, 50000));
}

TEST(GeneratePlanar, WithoutNoiseThePointsLieOnTheCurves) {
  const double pi = std::numbers::pi;
  for (const std::string shape : {"moons", "rings", "spiral"}) {
    GenerateOptions options = options_of(shape, 999);
    options.noise = 0;
    if (shape != "moons") options.classes = 3;
    const Table table = generate(options);
    for (Index i = 0; i < 999; ++i) {
      const Eigen::Vector2d x = dense(table).row(i).transpose();
      const int k = label(table, i);
      if (shape == "moons") {
        const Eigen::Vector2d centred = k == 0 ? x : Eigen::Vector2d(1 - x[0], 0.5 - x[1]);
        EXPECT_NEAR(centred.norm(), 1, 1e-15 * 4);
        EXPECT_GE(centred[1], -1e-15);
      } else if (shape == "rings") {
        EXPECT_NEAR(x.norm(), k + 1, 1e-15 * 8);
      } else {
        const double angle = pi * x.norm() + 2 * pi * k / 3;
        EXPECT_NEAR((x - x.norm() * Eigen::Vector2d(std::cos(angle), std::sin(angle))).norm(), 0, 1e-13);
      }
    }
  }
}

TEST(GeneratePlanar, AnglesAreUniformAndNoiseHasItsDeviation) {
  GenerateOptions options = options_of("rings", 40000);
  options.noise = 0.3;
  const Table table = generate(options);
  const auto x = dense(table);
  std::array<double, 8> sectors{};
  double squares = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    ++sectors[static_cast<std::size_t>((std::atan2(x(i, 1), x(i, 0)) / std::numbers::pi + 1) * 4) % 8];
    squares += x.row(i).squaredNorm() - std::pow(label(table, i) + 1, 2);
  }
  for (const double sector : sectors) EXPECT_NEAR(sector / 40000, 1.0 / 8, five_errors(1.0 / 8, 40000));
  // |x|^2 - r^2 = 2 r n z + n^2 chi^2_2: mean 2 n^2, variance 4 r^2 n^2 + 4 n^4.
  const double variance = 4 * 2.5 * 0.09 + 4 * 0.0081;
  EXPECT_NEAR(squares / 40000, 2 * 0.09, 5 * std::sqrt(variance / 40000));
}

TEST(GeneratePlanar, FeaturesBeyondThePlaneAreStandardNormalAndSayNothing) {
  for (const std::string shape : {"xor", "moons", "rings", "spiral", "outliers"}) {
    GenerateOptions options = options_of(shape, 20000);
    options.features = 3;
    const Table table = generate(options);
    std::array<double, 2> sum{};
    double squares = 0;
    for (Index i = 0; i < 20000; ++i) {
      sum[static_cast<std::size_t>(label(table, i))] += dense(table)(i, 2);
      squares += dense(table)(i, 2) * dense(table)(i, 2);
    }
    for (const double s : sum) EXPECT_NEAR(s / 10000, 0, 5 / std::sqrt(10000)) << shape;
    EXPECT_NEAR(squares / 20000, 1, 5 * std::sqrt(2.0 / 20000)) << shape;
  }
}

TEST(GenerateLinear, EveryPointKeepsTheMarginOnItsSide) {
  for (const Index features : {1, 2, 30}) {
    GenerateOptions options = options_of("linear", 20000);
    options.features = features;
    options.margin = 0.75;
    const PlaneTruth plane = linear_truth(options);
    const Eigen::Map<const Eigen::VectorXd> w(plane.w.data(), features);
    EXPECT_NEAR(w.norm(), 1, 1e-15 * 4);
    const Table table = generate(options);
    const Eigen::VectorXd g = (dense(table) * w).array() + plane.b;
    double nearest = 1e9, excess = 0;
    for (Index i = 0; i < 20000; ++i) {
      const double distance = label(table, i) == 1 ? g[i] : -g[i];
      nearest = std::min(nearest, distance);
      excess += distance - 0.75;
    }
    EXPECT_GE(nearest, 0.75);
    EXPECT_LT(nearest, 0.76);
    // Half-normal beyond the margin: mean sqrt(2/pi), variance 1 - 2/pi.
    EXPECT_NEAR(excess / 20000, std::sqrt(2 / std::numbers::pi),
                5 * std::sqrt((1 - 2 / std::numbers::pi) / 20000));
  }
}

TEST(Generate, LabelNoiseHasItsRateAndLeavesTheFeatures) {
  for (const std::string shape : {"linear", "gaussians", "sparse"}) {
    GenerateOptions options = options_of(shape, 30000);
    if (shape != "linear") options.classes = 3;
    if (shape == "sparse") options.features = 30;
    const Table clean = generate(options);
    options.noise = 0.3;
    const Table noisy = generate(options);
    double changed = 0, next = 0;
    for (Index i = 0; i < 30000; ++i) {
      changed += label(clean, i) != label(noisy, i);
      next += (label(clean, i) + 1) % 3 == label(noisy, i);
    }
    EXPECT_NEAR(changed / 30000, 0.3, five_errors(0.3, 30000)) << shape;
    if (shape != "linear") {
      EXPECT_NEAR(next / 30000, 0.15, five_errors(0.15, 30000)) << shape;
    }
    if (is_sparse(clean.x))
      EXPECT_TRUE(
          std::equal(sparse(clean).values.begin(), sparse(clean).values.end(), sparse(noisy).values.begin()));
    else
      EXPECT_EQ(dense(clean), dense(noisy)) << shape;
  }
}

TEST(GenerateSparse, WordsComeAtTheStatedRates) {
  GenerateOptions options = options_of("sparse", 4000);
  options.features = 50;
  options.classes = 3;
  options.separation = 0.4;
  const Table table = generate(options);
  std::array<std::array<double, 50>, 3> counts{};
  std::array<double, 3> totals{};
  for (Index i = 0; i < 4000; ++i)
    for_each(sparse(table).view(i, 1).row(0), [&](Index j, double count) {
      counts[static_cast<std::size_t>(label(table, i))][static_cast<std::size_t>(j)] += count;
      totals[static_cast<std::size_t>(label(table, i))] += count;
    });
  for (Index k = 0; k < 3; ++k) {
    const auto p = sparse_truth(options, k);
    double sum = 0;
    for (std::size_t j = 0; j < 50; ++j) {
      const double n = totals[static_cast<std::size_t>(k)];
      EXPECT_NEAR(counts[static_cast<std::size_t>(k)][j] / n, p[j], five_errors(p[j], n)) << k << ' ' << j;
      sum += p[j];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  // Words 1..50 have 16 whole groups of three; class 0 owns words 1, 4, ...; words 49 and 50 are nobody's.
  double harmonic = 0;
  for (int j = 1; j <= 50; ++j) harmonic += 1.0 / j;
  const auto p = sparse_truth(options, 0);
  EXPECT_NEAR(p[0], (0.6 * 1 + 0.4 * (1 + 1.0 / 2 + 1.0 / 3)) / harmonic, 1e-15);
  EXPECT_NEAR(p[1], 0.6 / 2 / harmonic, 1e-15);
  EXPECT_NEAR(p[49], 1.0 / 50 / harmonic, 1e-15);
}

TEST(GenerateSparse, IsAValidMatrixOfDocumentsOfTheStatedLength) {
  const Table table = generate(options_of("sparse", 20000));
  const auto& x = sparse(table);
  ASSERT_EQ(x.starts.size(), 20001);
  EXPECT_EQ(x.starts[0], 0);
  EXPECT_EQ(x.starts[20000], x.values.size());
  double words = 0;
  for (Index i = 0; i < 20000; ++i) {
    double length = 0;
    for (Index e = x.starts[i]; e < x.starts[i + 1]; ++e) {
      ASSERT_TRUE(e == x.starts[i] || x.columns[e - 1] < x.columns[e]);
      ASSERT_LT(x.columns[e], 10000U);
      ASSERT_GE(x.values[e], 1);
      length += static_cast<double>(x.values[e]);
    }
    ASSERT_GE(length, 10);
    words += length;
  }
  // floor of an exponential is geometric with q = exp(-1/90): mean q/(1-q), variance q/(1-q)^2.
  const double q = std::exp(-1.0 / 90);
  EXPECT_NEAR(words / 20000, 10 + q / (1 - q), 5 * std::sqrt(q) / (1 - q) / std::sqrt(20000));
}

// The line of least squares with targets -1 and 1.
Eigen::Vector3d least_squares(const Table& table) {
  Eigen::MatrixXd x(table.rows(), 3);
  x << dense(table), Eigen::VectorXd::Ones(table.rows());
  Eigen::VectorXd y(table.rows());
  for (Index i = 0; i < table.rows(); ++i) y[i] = label(table, i) == 1 ? 1 : -1;
  return solve_semidefinite(x.transpose() * x, x.transpose() * y).x;
}

double error_of(const Eigen::Vector3d& w, const Table& table) {
  double wrong = 0;
  for (Index i = 0; i < table.rows(); ++i)
    wrong += (dense(table).row(i).dot(w.head(2)) + w[2] >= 0) != (label(table, i) == 1);
  return wrong / static_cast<double>(table.rows());
}

TEST(GenerateOutliers, BendLeastSquaresThoughTheyAreOnTheRightSide) {
  GenerateOptions options = options_of("outliers", 4000);
  const Table bent = generate(options);
  options.noise = 0;
  const Table clean = generate(options);
  double far = 0;
  for (Index i = 0; i < 4000; ++i) {
    if (dense(bent)(i, 1) > -7) continue;
    ++far;
    EXPECT_EQ(label(bent, i), 1);
    EXPECT_GT(dense(bent)(i, 0), 8);
  }
  EXPECT_NEAR(far / 2000, 0.1, five_errors(0.1, 2000));
  EXPECT_NEAR(error_of(least_squares(clean), clean), phi(-2), five_errors(phi(-2), 4000));
  EXPECT_GT(error_of(least_squares(bent), clean), 2 * phi(-2));
}

TEST(Generate, RefusesBadOptionsNamingWhatWasGivenAndExpected) {
  EXPECT_EQ(refusal(options_of("circle", 10)),
            "unknown shape 'circle', expected one of gaussians, xor, moons, rings, spiral, linear, sparse, "
            "outliers");
  EXPECT_EQ(refusal(options_of("moons", 0)), "`rows`: expected 1 or more, got 0");
  EXPECT_EQ(refusal(options_of("moons", -5)), "`rows`: expected 1 or more, got -5");
  GenerateOptions options = options_of("xor", 10);
  options.features = 1;
  EXPECT_EQ(refusal(options),
            "`features`: the shape xor expects 2 or more (columns; beyond x1 and x2 pure noise), got 1");
  options = options_of("xor", 10);
  options.margin = 1;
  EXPECT_EQ(refusal(options), "`margin`: the shape xor does not take it; it takes rows, features, noise");
  options = options_of("moons", 10);
  options.own_covariance = true;
  EXPECT_EQ(refusal(options),
            "`own_covariance`: the shape moons does not take it; it takes rows, features, noise");
  options = options_of("linear", 10);
  options.noise = 1;
  EXPECT_EQ(refusal(options),
            "`noise`: the shape linear expects 0 to below 1 (probability that a label is wrong), got 1");
  options.noise = -0.5;
  EXPECT_EQ(refusal(options),
            "`noise`: the shape linear expects 0 to below 1 (probability that a label is wrong), got -0.5");
  options = options_of("linear", 10);
  options.margin = std::nan("");
  EXPECT_EQ(
      refusal(options),
      "`margin`: the shape linear expects 0 or more (least distance of a point from the plane), got nan");
  options = options_of("gaussians", 10);
  options.classes = 1;
  EXPECT_EQ(refusal(options), "`classes`: the shape gaussians expects 2 to 1000000 (classes), got 1");
  options = options_of("sparse", 10);
  options.features = 4;
  options.classes = 5;
  EXPECT_EQ(refusal(options), "`features`: expected at least as many words as the 5 classes, got 4");
  options.features = 200000000;
  EXPECT_EQ(refusal(options), "`features`: the shape sparse expects 2 to 100000000 (words), got 200000000");
}

TEST(Generate, RefusesWhatCannotFitInMemoryBeforeAllocating) {
  GenerateOptions options = options_of("moons", Index{1} << 40);
  options.features = Index{1} << 40;
  try {
    generate(options);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::memory);
  }
}

TEST(Generate, StopsWhenTheMonitorSaysSo) {
  GenerateOptions options = options_of("moons", 100000);
  options.monitor = [](const Progress& progress) {
    EXPECT_EQ(progress.total, 100000);
    return progress.done < 50000;
  };
  try {
    generate(options);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::interrupted);
  }
}

TEST(Generate, TheTruthOfAnotherShapeIsRefused) {
  EXPECT_THROW(linear_truth(options_of("moons", 10)), Error);
  EXPECT_THROW(gaussians_truth(options_of("linear", 10)), Error);
  EXPECT_THROW(sparse_truth(options_of("sparse", 10), 2), Error);
}

}  // namespace
}  // namespace discern::generate_test
