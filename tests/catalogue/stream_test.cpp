// Learning row by row: the rule against sgd and against a direct computation, progressive validation by hand,
// and what must not matter (how the rows come in tables, the units of the columns).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/catalogue/stream_fit.hpp"
#include "discern/io/table/row_stream.hpp"
#include "discern/optim/stochastic/online.hpp"
#include "discern/persist/model_file.hpp"
#include "discern/transform/hashing.hpp"
#include "tests/support/fitting.hpp"
#include "tests/support/problems.hpp"

namespace discern::stream_test {
namespace {

using Eigen::VectorXd;
using support::make_table;

constexpr SparseRow<double> no_entries{nullptr, nullptr, 0};

// Rows with a plane behind them, and labels 0 and 1.
struct Sample {
  std::vector<std::vector<double>> x;
  std::vector<int> y;
};
Sample sample(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Sample result;
  for (Index i = 0; i < rows; ++i) {
    std::vector<double> row;
    double sum = 0.3;
    for (Index j = 0; j < cols; ++j) {
      row.push_back(random.normal());
      sum += (j % 2 == 0 ? 1 : -0.5) * row.back();
    }
    result.x.push_back(row);
    result.y.push_back(sum + 0.5 * random.normal() > 0 ? 1 : 0);
  }
  return result;
}

std::vector<std::string> names_of(const std::vector<int>& labels) {
  std::vector<std::string> names;
  for (const int y : labels) names.emplace_back(1, static_cast<char>('a' + y));
  return names;
}

FitSettings settings(const std::vector<std::pair<std::string, std::string>>& options = {}) {
  FitSettings result;
  result.options = Logistic{};
  set_stream_defaults(result.options);
  for (const auto& [name, value] : options) set_option(result.options, name, value);
  result.target = "class";
  result.standardize = result.encode = result.impute = true;
  return result;
}

TEST(Stream, WithPlainFeaturesAndAGivenRateIsSgdInTheOrderGiven) {
  const Sample data = sample(300, 7, 1);
  Features x = support::dense_features([&] {
    RowMajor values(300, 7);
    for (Index i = 0; i < 300; ++i)
      for (Index j = 0; j < 7; ++j)
        values(i, j) = data.x[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    return values;
  }());
  Targets targets;
  targets.labels.assign(data.y.begin(), data.y.end());
  const MemorySource source(x, targets);
  for (const Loss& loss : {Loss(LogisticLoss{}), Loss(SquaredHingeLoss{}), Loss(SquaredLoss{})})
    for (const Index batch : {1, 7}) {
      Problem problem;
      problem.source = &source;
      problem.loss = loss;
      problem.scaling.scale = problem.scaling.penalty = VectorXd::Ones(7);
      set_penalty(problem, {});
      const Minimum expected = sgd(problem,
                                   {.learning_rate = 0.05,
                                    .schedule = Schedule::inverse_sqrt,
                                    .batch_size = batch,
                                    .epochs = 1,
                                    .order = SampleOrder::given},
                                   {});
      OnlineOptions options;
      options.loss = loss;
      options.learning_rate = 0.05;
      options.batch_size = batch;
      options.standardize = false;
      OnlineLearner learner(options, 7, 0, 1);
      for (std::size_t i = 0; i < data.x.size(); ++i)
        learner.learn(data.x[i].data(), no_entries, data.y[i], 1, false);
      learner.finish_batch();
      const RowMajor weights = learner.weights();
      EXPECT_NEAR(learner.bias()[0], expected.point[0], 1e-12);
      for (Index j = 0; j < 7; ++j) EXPECT_NEAR(weights(j, 0), expected.point[j + 1], 1e-12) << j;
    }
}

// The rule of optim/stochastic/online.hpp in the coordinates in which it is stated: u for z = (x - m) / d, with moments
// computed afresh from all rows so far, and u carried over where deviations grow.
TEST(Stream, LearnsInTheCoordinatesOfTheRowsSoFar) {
  const Sample data = sample(60, 3, 2);
  const double l2 = 0.7;
  VectorXd w = VectorXd::Zero(3);
  double bias = 0;  // g = bias + w . x
  double size_sum = 0;
  VectorXd last_mean = VectorXd::Zero(3), last_d = last_mean;
  OnlineOptions options;
  options.l2 = l2;
  OnlineLearner learner(options, 3, 0, 1);
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    const double n = static_cast<double>(i + 1);
    VectorXd mean = VectorXd::Zero(3), variance = VectorXd::Zero(3), x(3);
    for (std::size_t k = 0; k <= i; ++k)
      for (Index j = 0; j < 3; ++j) mean[j] += data.x[k][static_cast<std::size_t>(j)] / n;
    for (std::size_t k = 0; k <= i; ++k)
      for (Index j = 0; j < 3; ++j)
        variance[j] += std::pow(data.x[k][static_cast<std::size_t>(j)] - mean[j], 2) / n;
    VectorXd z(3), d = variance.cwiseSqrt(), u(3);
    for (Index j = 0; j < 3; ++j)
      if (d[j] > last_d[j]) {
        const double change = (last_d[j] / d[j] - 1) * w[j];
        w[j] += change;
        bias -= change * last_mean[j];
      }
    last_mean = mean;
    last_d = d;
    double center = bias;  // the bias at the mean
    for (Index j = 0; j < 3; ++j) {
      x[j] = data.x[i][static_cast<std::size_t>(j)];
      z[j] = i == 0 ? 0 : (x[j] - mean[j]) / d[j];
      u[j] = w[j] * d[j];
      center += w[j] * mean[j];
    }
    const double y = data.y[i] == 1 ? 1 : -1, g = center + u.dot(z);
    const double slope = -y / (1 + std::exp(y * g));
    const double squares = 1 + z.squaredNorm();
    size_sum += squares;
    const double h0 = 1 / (0.25 * size_sum / n);
    const double h = h0 / std::sqrt(1 + static_cast<double>(i) / (size_sum / n));
    const double length = std::min(h, 1 / (0.25 * squares));
    u = u / (1 + h * l2 / n) - length * slope * z;
    center -= length * slope;
    for (Index j = 0; j < 3; ++j) w[j] = i == 0 ? 0 : u[j] / d[j];
    bias = center - w.dot(mean);
    const auto said = learner.learn(data.x[i].data(), no_entries, data.y[i], 1, false);
    EXPECT_NEAR(said.loss, std::log1p(std::exp(-y * g)), 1e-10) << i;
    EXPECT_EQ(said.label, g >= 0 ? 1 : 0);
  }
  const RowMajor found = learner.weights();
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(found(j, 0), w[j], 1e-10);
  EXPECT_NEAR(learner.bias()[0] - found.col(0).dot(learner.origin()), bias, 1e-10);
}

// Its weight is then in units that are a millionth of the column's, and has to follow.
TEST(Stream, TwoFirstValuesThatAreNearlyEqualAreUnlearned) {
  Sample data = sample(2000, 3, 5);
  const auto accuracy = [&](double gap) {
    data.x[1][0] = data.x[0][0] + gap;
    OnlineLearner learner({}, 3, 0, 1);
    double right = 0;
    for (std::size_t i = 0; i < data.x.size(); ++i)
      right += learner.learn(data.x[i].data(), no_entries, data.y[i], 1, false).label == data.y[i] ? 1 : 0;
    return right / static_cast<double>(data.x.size());
  };
  EXPECT_NEAR(accuracy(1e-6), accuracy(1), 0.01);
}

TEST(Stream, ARowOfZerosWithoutABiasTeachesNothing) {
  OnlineOptions options;
  options.bias = false;
  OnlineLearner learner(options, 2, 0, 1);
  const double zeros[] = {0, 0}, row[] = {1, 2};
  learner.learn(zeros, no_entries, 0, 1, false);
  learner.learn(row, no_entries, 1, 1, false);
  EXPECT_TRUE(learner.weights().allFinite());
  EXPECT_GT(learner.weights()(0, 0), 0);
}

// h = 1, first 0 and then [bias, w] = -1/2 [1, 2] after the first row, which is of the class that is -1.
TEST(Stream, JudgesEveryRowBeforeItIsLearned) {
  FitSettings plain = settings({{"learning-rate", "1"}, {"schedule", "constant"}, {"l2", "0"}});
  plain.standardize = false;
  std::vector<Progressive> seen;
  StreamFit fit(plain,
                {.classes = {}, .hash_bits = 0, .watch = [&](const Progressive& p) { seen.push_back(p); }});
  fit.learn(make_table({{2}, {1}}, {"a", "b"}));
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NEAR(seen[0].loss, std::log(2.0), 1e-15);
  EXPECT_NEAR(seen[1].loss, std::log(2.0) + std::log1p(std::exp(1.5)), 1e-15);
  EXPECT_EQ(seen[1].right, 0);  // 0 counts as the second class, and -1.5 is the first
  const Model model = fit.model(false);
  EXPECT_FALSE(model.summary.converged);
  EXPECT_EQ(model.summary.certificate.kind, "progressive-loss");
  EXPECT_NEAR(model.summary.certificate.value, seen[1].loss / 2, 1e-15);
}

Model streamed(const Sample& data, std::size_t rows_a_table, const FitSettings& how) {
  StreamFit fit(how, {});
  for (std::size_t first = 0; first < data.x.size(); first += rows_a_table) {
    const std::size_t last = std::min(data.x.size(), first + rows_a_table);
    fit.learn(make_table({data.x.begin() + static_cast<std::ptrdiff_t>(first),
                          data.x.begin() + static_cast<std::ptrdiff_t>(last)},
                         names_of({data.y.begin() + static_cast<std::ptrdiff_t>(first),
                                   data.y.begin() + static_cast<std::ptrdiff_t>(last)})));
  }
  return fit.model(false);
}

TEST(Stream, HowRowsComeInTablesDoesNotMatter) {
  Sample data = sample(200, 6, 3);
  for (std::size_t i = 40; i < 200; i += 9) data.y[i] = 2;  // a third class on the way
  data.x[50][2] = std::nan("");
  const FitSettings how = settings({{"average", "true"}});
  EXPECT_EQ(model_to_bytes(streamed(data, 200, how)), model_to_bytes(streamed(data, 7, how)));
}

TEST(Stream, UnitsOfTheColumnsDoNotMatter) {
  const Sample data = sample(500, 4, 4);
  Sample other = data;
  for (auto& row : other.x) {
    row[0] = 1e6 * row[0] + 3e7;
    row[1] = 1e-5 * row[1] - 2;
  }
  const Model one = streamed(data, 100, settings()), two = streamed(other, 100, settings());
  const Prediction a = predict(one, make_table(data.x, names_of(data.y)));
  const Prediction b = predict(two, make_table(other.x, names_of(data.y)));
  for (Index i = 0; i < a.scores.rows(); ++i) EXPECT_NEAR(a.scores(i, 0), b.scores(i, 0), 1e-6) << i;
  EXPECT_GT(std::get<double>(one.summary.facts[1].value), 0.85);
}

TEST(Stream, AThirdClassLeavesTheOddsOfTheFirstTwo) {
  const Sample data = sample(50, 3, 5);
  for (const Loss& loss :
       {Loss(LogisticLoss{}), Loss(HingeLoss{}), Loss(SquaredLoss{}), Loss(PerceptronLoss{})}) {
    OnlineOptions options;
    options.loss = loss;
    options.average = true;
    if (std::holds_alternative<PerceptronLoss>(loss)) options.learning_rate = 1;
    OnlineLearner learner(options, 3, 0, 1);
    for (std::size_t i = 0; i < data.x.size(); ++i)
      learner.learn(data.x[i].data(), no_entries, data.y[i], 1, false);
    const RowMajor before = learner.weights();
    const VectorXd bias = learner.bias();
    learner.set_scores(3);
    const RowMajor after = learner.weights();
    const double times = std::holds_alternative<HingeLoss>(loss) ? 2 : 1;
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(after(j, 1) - after(j, 0), times * before(j, 0), 1e-14);
    EXPECT_NEAR(learner.bias()[1] - learner.bias()[0], times * bias[0], 1e-14);
    EXPECT_EQ(after.col(2).norm(), 0);
  }
}

TEST(Stream, RefusesWhatNeedsAllRows) {
  const auto refusal = [](FitSettings how) {
    try {
      StreamFit(how, {});
      return std::string("nothing");
    } catch (const Error& error) {
      return error.message();
    }
  };
  EXPECT_EQ(refusal(settings({{"l1", "1"}})),
            "`l1`: exact zeros need all rows at once; leave it out with `stream`");
  EXPECT_EQ(refusal(settings({{"schedule", "linear"}})),
            "`schedule` linear: a stream has no known end; leave it out with `stream`");
  EXPECT_EQ(refusal(settings({{"epochs", "3"}})),
            "`epochs`: a stream is seen once; leave it out with `stream`");
}

// The text of a table as a stream, in the tables that come out of it joined again.
class Text {
 public:
  explicit Text(const std::string& text) : path_(fmt::format("/tmp/discern-stream-{}.csv", ::getpid())) {
    std::ofstream(path_) << text;
  }
  ~Text() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }
  std::vector<std::string> cells(const ReadOptions& options, int threads) const {
    std::vector<std::string> result;
    with_threads(threads, [&] {
      RowStream(path_, options).for_each([&](const Table& table) {
        const auto& x = std::get<DenseMatrix<double>>(table.x);
        for (Index i = 0; i < x.rows; ++i)
          for (Index j = 0; j < x.cols; ++j) {
            const double cell = x.values[i * x.cols + j];
            result.push_back(table.schema.categorical(j) && !std::isnan(cell)
                                 ? table.schema.column(j).levels[static_cast<std::size_t>(cell)]
                                 : fmt::format("{}", cell));
          }
        return true;
      });
    });
    return result;
  }

 private:
  std::string path_;
};

TEST(RowStream, GivesTheRowsInOrderWhateverTheThreads) {
  std::string text = "a,b,c\n";
  std::vector<std::string> expected;
  for (int i = 0; i < 60000; ++i) {
    const bool odd = i % 1000 == 999;  // quotes around a line end
    text += fmt::format("{},{},{}\n", i, odd ? "\"two\nlines, and \"\"quotes\"\"\"" : "plain",
                        i % 7 == 0 ? "" : "2.5");
    expected.push_back(fmt::format("{}", i));
    expected.emplace_back(odd ? "two\nlines, and \"quotes\"" : "plain");
    expected.emplace_back(i % 7 == 0 ? "nan" : "2.5");
  }
  const Text stream(text);
  EXPECT_EQ(stream.cells({}, 1), expected);
  EXPECT_EQ(stream.cells({}, 4), expected);
}

// The rows are learned while those behind them are parsed.
TEST(Stream, OfAFileGivesTheSameBitsOnOneThreadAndOnTwo) {
  std::string text = "a,b,class\n";
  Random random(11);
  for (int i = 0; i < 30000; ++i) {
    const double a = random.normal(), b = random.normal();
    text += fmt::format("{},{},{}\n", a, b, a > b ? "x" : a + b > 1 ? "y" : "z");
  }
  const Text file(text);
  const FitSettings how = settings();
  const auto learned = [&](int threads) {
    StreamFit fit(how, {});
    ReadOptions reading;
    reading.side.push_back({"class", true, true});
    with_threads(threads, [&] {
      RowStream(file.path(), reading).for_each([&](const Table& some) {
        fit.learn(some);
        return true;
      });
    });
    return model_to_bytes(fit.model(false));
  };
  EXPECT_EQ(learned(1), learned(2));
}

// Neither a header nor a row has to fit into what is read at once.
TEST(RowStream, TakesRowsOfAnyLength) {
  std::string text = "y";
  for (int j = 0; j < 60000; ++j) text += ",column" + std::to_string(j);
  for (int i = 0; i < 3; ++i) {
    text += "\n" + std::to_string(i);
    for (int j = 0; j < 60000; ++j) text += "," + std::to_string(1000000 + j);
  }
  const Text stream(text + '\n');
  EXPECT_EQ(stream.cells({}, 1).size(), 3 * 60001u);
  EXPECT_EQ(stream.cells({}, 2).size(), 3 * 60001u);
}

TEST(RowStream, NamesTheLineOfAQuoteThatIsNeverClosed) {
  const Text stream("a,b\n1,x\n2,\"open\n3,y\n4,z");
  try {
    stream.cells({}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the quote that opens here is never closed");
    EXPECT_EQ(error.place().line, 3);
  }
}

TEST(Hashing, AddsWhatMeetsInAFeatureWithItsSign) {
  const Schema schema({{"age", false, {}}, {"city", true, {}}, {"size", false, {}}});
  const Hashing step = Hashing::make(1, schema);
  const double code = step.code("city", "Bonn");
  const std::vector<double> cells{3, code, 0.5, std::nan(""), code, std::nan("")};
  const DenseMatrix<double> x{Buffer<double>(cells), 2, 3};
  Workspace out;
  const auto rows = std::get<SparseRows<double>>(step.apply(x.view(0, 2), out));
  std::vector<double> expected(2), second(2);
  const auto add = [&](const std::string& name, double value, std::vector<double>& to) {
    const Hashing::Slot slot = step.slot(name);
    to[slot.feature] += slot.negative ? -value : value;
  };
  add("age", 3, expected);
  add("city=Bonn", 1, expected);
  add("size", 0.5, expected);
  add("city=Bonn", 1, second);
  for (const auto& [i, row] : {std::pair<Index, std::vector<double>&>{0, expected}, {1, second}}) {
    std::vector<double> found(2);
    for_each(rows.row(i), [&](Index j, double v) { found[static_cast<std::size_t>(j)] += v; });
    EXPECT_EQ(found, row);
  }
  // Fixed for all time, since model files hold no table of it: XXH3 of "city=Bonn", from the xxhash package
  // of Python (xxhash.xxh3_64_intdigest).
  EXPECT_EQ(Hashing::make(22, schema).slot("city=Bonn").feature, 720603U);
}

}  // namespace
}  // namespace discern::stream_test
