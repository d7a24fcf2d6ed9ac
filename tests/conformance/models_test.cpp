// Promises that every row of the catalogue keeps. A new model is tested here by being in the table; what
// goes another way through the solvers is listed here beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::models_test {
namespace {

using support::as_sparse;
using support::data_file;
using support::fit_table;
using support::make_table;
using support::Request;

struct Variant {
  std::string name, model;
  std::vector<std::pair<std::string, std::string>> options;
  bool separates = false;   // converges only where the classes do not overlap
  bool one_by_one = false;  // takes the rows one after the other, so that their order and repetition matter
  bool calibrated = false;
};

void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

class EveryModel : public ::testing::TestWithParam<Variant> {
 protected:
  Request request() const { return {.model = GetParam().model, .options = GetParam().options}; }
};

std::vector<Variant> every_variant() {
  std::vector<Variant> variants;
  for (const auto& entry : models()) {
    const bool perceptron = entry.name.ends_with("perceptron");
    variants.push_back({std::string(entry.name), std::string(entry.name), {}, perceptron, perceptron});
    // Where the classes overlap it goes on to its limit.
    if (perceptron) variants.back().options = {{"epochs", "10"}};
    // Not convex: what has to be equal is so at a stationary point that all get to, and few units get there
    // soon.
    if (entry.name == "mlp")
      variants.back().options = {{"layers", "3"}, {"activation", "tanh"}, {"l2", "1"}, {"tol", "1e-11"}};
  }
  variants.push_back({"perceptron-batch", "perceptron", {{"variant", "batch"}, {"epochs", "50"}}, true});
  // Where the classes overlap its rounding errors grow from pass to pass, so that few passes can be compared.
  variants.push_back(
      {"perceptron-fractional", "perceptron", {{"variant", "fractional"}, {"epochs", "3"}}, true, true});
  variants.push_back({"perceptron-sgd",
                      "perceptron",
                      {{"variant", "sgd"}, {"batch-size", "8"}, {"epochs", "10"}},
                      true,
                      true});
  variants.push_back(
      {"perceptron-averaged", "perceptron", {{"averaged", "true"}, {"epochs", "10"}}, true, true});
  variants.push_back({"perceptron-pocket", "perceptron", {{"pocket", "true"}, {"epochs", "10"}}, true, true});
  variants.push_back({"lasso", "lasso", {}});
  variants.push_back({"elastic-net", "elastic-net", {}});
  variants.push_back({"logistic-l1", "logistic", {{"l1", "2"}, {"l2", "0"}}});
  variants.push_back({"squared-hinge", "svm", {{"loss", "squared-hinge"}}});
  variants.push_back({"squared-hinge-l1", "svm", {{"loss", "squared-hinge"}, {"l1", "2"}}});
  variants.push_back({"lda-ledoit-wolf", "lda", {{"shrinkage", "ledoit-wolf"}}});
  variants.push_back({"lda-oas", "lda", {{"shrinkage", "oas"}, {"priors", "equal"}}});
  variants.push_back({"qda-regularised", "qda", {{"pooling", "0.3"}, {"shrinkage", "0.2"}}});
  variants.push_back({"naive-bayes-kde", "naive-bayes", {{"density", "kde"}}});
  for (const char* strategy : {"ovr", "ovo", "ecoc"})
    variants.push_back({std::string("logistic-") + strategy, "logistic", {{"multiclass", strategy}}});
  variants.push_back({"squared-hinge-ovo", "svm", {{"loss", "squared-hinge"}, {"multiclass", "ovo"}}});
  variants.push_back({"qda-ovo", "qda", {{"multiclass", "ovo"}, {"decision", "sum"}}});
  variants.push_back({"naive-bayes-ovr", "naive-bayes", {{"multiclass", "ovr"}}});
  variants.push_back(
      {"kernel-perceptron-ovo", "kernel-perceptron", {{"multiclass", "ovo"}, {"epochs", "10"}}, true, true});
  // Which rows are left out together depends on their order.
  variants.push_back({"svm-platt", "svm", {{"calibrate", "platt"}}, false, true, true});
  variants.push_back({"least-squares-isotonic",
                      "least-squares",
                      {{"multiclass", "ovo"}, {"calibrate", "isotonic"}},
                      false,
                      true,
                      true});
  variants.push_back({"rbf-network-random", "rbf-network", {{"placement", "random"}, {"width", "cluster"}}});
  variants.push_back({"rbf-network-em", "rbf-network", {{"placement", "em"}}});
  variants.push_back(
      {"rbf-network-ols", "rbf-network", {{"placement", "ols"}, {"unit", "inverse-quadratic"}}});
  return variants;
}

std::string name_of(const ::testing::TestParamInfo<Variant>& test) {
  std::string name = test.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryModel, ::testing::ValuesIn(every_variant()), name_of);

// Those that take all rows together.
class EveryModelOfAllRows : public EveryModel {};

std::vector<Variant> variants_of_all_rows() {
  std::vector<Variant> variants = every_variant();
  std::erase_if(variants, [](const Variant& variant) { return variant.one_by_one; });
  return variants;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryModelOfAllRows, ::testing::ValuesIn(variants_of_all_rows()),
                         name_of);

struct Cloud {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
};

// Overlapping Gaussian classes, with a few zeros so that sparse differs from dense.
Cloud cloud(int n, const std::vector<std::string>& names, std::uint64_t seed) {
  Random random(seed);
  Cloud c;
  for (int i = 0; i < n; ++i) {
    const std::size_t k = random.below(names.size());
    const double shift = static_cast<double>(k);
    c.rows.push_back(
        {random.normal() + shift, random.normal() - 0.5 * shift, random.normal(), random.normal()});
    if (random.below(4) == 0) c.rows.back()[2] = 0;
    c.labels.push_back(names[k]);
  }
  return c;
}

// The same with the classes pulled apart.
Cloud apart(int n, const std::vector<std::string>& names, std::uint64_t seed) {
  Cloud c = cloud(n, names, seed);
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    const auto k = std::find(names.begin(), names.end(), c.labels[i]) - names.begin();
    c.rows[i][static_cast<std::size_t>(k)] += 20;
  }
  return c;
}

Matrix outputs(const FitOutcome& outcome) { return outcome.train.scores; }

double difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, a.cwiseAbs().maxCoeff());
}

TEST_P(EveryModel, EndsWithACertificateWithinItsTolerance) {
  for (const std::vector<std::string>& names : {std::vector<std::string>{"a", "b"}, {"a", "b", "c"}}) {
    const Cloud c = GetParam().separates ? apart(300, names, 1) : cloud(300, names, 1);
    const Summary summary = fit_table(make_table(c.rows, c.labels), request()).model.summary;
    EXPECT_TRUE(summary.converged);
    EXPECT_FALSE(summary.certificate.kind.empty());
    EXPECT_LE(summary.certificate.value, summary.tolerance);
    EXPECT_FALSE(summary.solver.empty());
  }
}

TEST_P(EveryModel, OneThreadAndManyGiveTheSameBytes) {
  // Several blocks; of the dual, whose work is that of all pairs of rows, not more than needed.
  const bool dual = GetParam().model == "kernel-perceptron";
  const Cloud c = cloud(dual ? 4200 : 9000, {"a", "b", "c"}, 2);
  const Table table = make_table(c.rows, c.labels);
  Request asked = request();
  if (dual) {
    std::erase_if(asked.options, [](const auto& option) { return option.first == "epochs"; });
    asked.options.insert(asked.options.end(), {{"epochs", "1"}, {"budget", "20"}});
  }
  if (GetParam().model == "mlp") asked.options.emplace_back("max-iter", "30");
  std::string one, many;
  with_threads(1, [&] { one = model_to_bytes(fit_table(table, asked).model); });
  with_threads(4, [&] { many = model_to_bytes(fit_table(table, asked).model); });
  EXPECT_TRUE(one == many);
}

TEST_P(EveryModel, DenseEqualsSparse) {
  const Cloud c = cloud(400, {"a", "b", "c"}, 3);
  const Table table = make_table(c.rows, c.labels);
  EXPECT_LT(difference(outputs(fit_table(table, request())), outputs(fit_table(as_sparse(table), request()))),
            1e-9);
}

TEST_P(EveryModel, FloatStorageEqualsDouble) {
  Cloud c = cloud(400, {"a", "b"}, 4);
  for (auto& row : c.rows)
    for (double& v : row) v = static_cast<double>(static_cast<float>(v));
  const Table table = make_table(c.rows, c.labels);
  Table single = table;
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  DenseMatrix<float> values{Buffer<float>(x.values.size()), x.rows, x.cols};
  for (Index i = 0; i < x.values.size(); ++i) values.values[i] = static_cast<float>(x.values[i]);
  single.x = values;
  EXPECT_TRUE(outputs(fit_table(table, request())) == outputs(fit_table(single, request())));
}

TEST_P(EveryModelOfAllRows, WeightTwoEqualsTheRowTwiceAndWeightZeroEqualsTheRowRemoved) {
  const Cloud c = cloud(200, {"a", "b", "c"}, 5);
  Random random(6);
  std::vector<double> weights;
  Cloud repeated;
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    const auto times = random.below(3);
    weights.push_back(static_cast<double>(times));
    for (std::uint64_t t = 0; t < times; ++t) {
      repeated.rows.push_back(c.rows[i]);
      repeated.labels.push_back(c.labels[i]);
    }
  }
  Request weighted = request();
  weighted.weight = "weight";
  const auto a = fit_table(make_table(c.rows, c.labels, weights), weighted);
  const auto b = fit_table(make_table(repeated.rows, repeated.labels), request());
  const Table plain = make_table(c.rows, c.labels);
  EXPECT_LT(difference(predict(a.model, plain).scores, predict(b.model, plain).scores), 1e-9);
  EXPECT_GT(a.dropped, 0);
}

TEST_P(EveryModel, NegativeAndAllZeroWeightsAreRefused) {
  const Cloud c = cloud(50, {"a", "b"}, 7);
  Request weighted = request();
  weighted.weight = "weight";
  std::vector<double> weights(50, 1.0);
  weights[3] = -1;
  EXPECT_THROW(fit_table(make_table(c.rows, c.labels, weights), weighted), Error);
  EXPECT_THROW(fit_table(make_table(c.rows, c.labels, std::vector<double>(50, 0.0)), weighted), Error);
}

TEST_P(EveryModel, SavedLoadedAndSavedAgainIsTheSame) {
  for (const std::vector<std::string>& names : {std::vector<std::string>{"a", "b"}, {"a", "b", "c"}}) {
    const Cloud c = cloud(200, names, 8);
    const Table table = make_table(c.rows, c.labels);
    const auto outcome = fit_table(table, request());
    const std::string bytes = model_to_bytes(outcome.model);
    const Model loaded = model_from_bytes(bytes);
    EXPECT_TRUE(model_to_bytes(loaded) == bytes);
    const auto prediction = predict(loaded, table);
    EXPECT_TRUE(prediction.scores == outcome.train.scores);
    EXPECT_EQ(prediction.labels, outcome.train.labels);
  }
}

TEST_P(EveryModel, AnyNamesOfTheLabelsGiveTheSameModel) {
  const Cloud c = cloud(300, {"0", "1"}, 9);
  const auto base = fit_table(make_table(c.rows, c.labels), request());
  for (const auto& [zero, one] : {std::pair{"-1", "+1"}, {"1", "2"}, {"no", "yes"}, {"3", "70"}}) {
    auto labels = c.labels;
    for (auto& label : labels) label = label == "0" ? zero : one;
    const auto outcome = fit_table(make_table(c.rows, labels), request());
    EXPECT_TRUE(outcome.train.scores == base.train.scores) << zero << " " << one;
    EXPECT_EQ(outcome.model.classes, (std::vector<std::string>{zero, one}));
  }
}

TEST_P(EveryModelOfAllRows, TheOrderOfTheRowsDoesNotMatter) {
  Cloud c = cloud(300, {"0", "1"}, 17);
  const Table table = make_table(c.rows, c.labels);
  const auto base = fit_table(table, request());
  std::reverse(c.rows.begin(), c.rows.end());
  std::reverse(c.labels.begin(), c.labels.end());
  const auto reversed = fit_table(make_table(c.rows, c.labels), request());
  EXPECT_EQ(reversed.model.classes, base.model.classes);
  EXPECT_LT(difference(predict(reversed.model, table).scores, base.train.scores), 1e-9);
}

TEST_P(EveryModel, ARowAloneHasTheSameBitsAsAmongOthers) {
  const Cloud c = cloud(67, {"a", "b", "c"}, 18);
  const auto outcome = fit_table(make_table(c.rows, c.labels), request());
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    const auto alone = predict(outcome.model, make_table({c.rows[i]}, {c.labels[i]}));
    const auto row = static_cast<Index>(i);
    EXPECT_TRUE(alone.scores.row(0) == outcome.train.scores.row(row)) << i;
    ASSERT_EQ(alone.proba.cols(), outcome.train.proba.cols());
    EXPECT_TRUE(alone.proba.size() == 0 || alone.proba.row(0) == outcome.train.proba.row(row)) << i;
  }
}

TEST_P(EveryModel, ThePositiveClassOnlyChangesTheSign) {
  const Cloud c = cloud(300, {"a", "b"}, 10);
  Request other = request();
  other.positive = "a";
  const auto base = fit_table(make_table(c.rows, c.labels), request());
  const auto swapped = fit_table(make_table(c.rows, c.labels), other);
  EXPECT_EQ(base.train.labels, swapped.train.labels);
  ASSERT_EQ(base.train.proba.size(), swapped.train.proba.size());
  if (base.train.proba.size() > 0) {
    EXPECT_LT(difference(base.train.proba, swapped.train.proba), GetParam().calibrated ? 1e-9 : 1e-12);
  }
  if (base.train.scores.cols() == 1) {
    EXPECT_LT(difference(base.train.scores, -swapped.train.scores), 1e-9);
  }
}

TEST_P(EveryModel, ProbabilitiesSumToOneAndAgreeWithTheLabel) {
  const Cloud c = cloud(300, {"a", "b", "c"}, 11);
  const Table table = make_table(c.rows, c.labels);
  const auto outcome = fit_table(table, request());
  EXPECT_EQ(outcome.train.proba.size() > 0,
            find_model(GetParam().model).probabilities || GetParam().calibrated);
  Cloud far = c;
  for (auto& row : far.rows)
    for (double& v : row) v *= 1e6;
  for (const auto& proba :
       {outcome.train.proba, predict(outcome.model, make_table(far.rows, far.labels)).proba})
    for (Index i = 0; i < proba.rows(); ++i) {
      EXPECT_NEAR(proba.row(i).sum(), 1.0, 1e-12);
      EXPECT_GE(proba.row(i).minCoeff(), 0.0);
    }
  for (Index i = 0; i < outcome.train.proba.rows(); ++i) {
    Index best = 0;
    outcome.train.proba.row(i).maxCoeff(&best);
    EXPECT_EQ(best, outcome.train.labels[static_cast<std::size_t>(i)]);
  }
}

TEST_P(EveryModel, OneClassIsRefusedByName) {
  const Cloud c = cloud(50, {"only"}, 12);
  try {
    fit_table(make_table(c.rows, c.labels), request());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_NE(error.message().find("'only'"), std::string::npos);
  }
}

TEST_P(EveryModel, ARowOfWeightZeroMayLackEverything) {
  Cloud c = cloud(60, {"a", "b"}, 13);
  std::vector<double> weights(60, 1.0);
  Table table = make_table(c.rows, c.labels, weights);
  table.side[0].values[7] = std::numeric_limits<double>::quiet_NaN();
  table.side[0].noticed.missing = 1;
  table.side[0].noticed.first_missing_line = 8;
  Request weighted = request();
  weighted.weight = "weight";
  EXPECT_THROW(fit_table(table, weighted), Error);
  table.side[1].values[7] = 0;
  EXPECT_EQ(fit_table(table, weighted).dropped, 1);
}

TEST_P(EveryModel, RefusesSpreadsWhoseSquaresOverflowByName) {
  for (const double unit : {1e160, 1e-200}) {
    Cloud c = cloud(60, {"a", "b"}, 14);
    for (auto& row : c.rows) row[1] *= unit;
    try {
      fit_table(make_table(c.rows, c.labels), request());
      FAIL() << unit;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::data);
      EXPECT_EQ(error.place().column, "x2");
    }
  }
}

TEST_P(EveryModel, FeaturesThatAreAllConstantGiveAModelOrAClearError) {
  const std::vector<std::string> labels{"a", "b", "a", "b", "a", "b", "a", "b"};
  const Table table = make_table(std::vector<std::vector<double>>(8, {1, 2}), labels);
  try {
    const auto outcome = fit_table(table, request());
    EXPECT_TRUE(outcome.train.scores.allFinite());
    for (Index i = 1; i < 8; ++i) EXPECT_TRUE(outcome.train.scores.row(i) == outcome.train.scores.row(0));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data) << error.what();
  }
}

TEST_P(EveryModel, NeverPredictsNaN) {
  const Cloud c = cloud(60, {"a", "b"}, 15);
  const auto outcome = fit_table(make_table(c.rows, c.labels), request());
  const Table huge = make_table({{1e308, -1e308, 1e308, 1e308}, {-1e308, 1e308, 1e308, -1e308}}, {"a", "b"});
  try {
    const auto prediction = predict(outcome.model, huge);
    EXPECT_TRUE(prediction.scores.allFinite());
    EXPECT_TRUE(prediction.proba.allFinite());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_NE(error.message().find("row "), std::string::npos);
  }
}

TEST_P(EveryModel, LabelsBeyondTheRangeOfExactIntegersStayApart) {
  const Cloud c = cloud(80, {"9007199254740992", "9007199254740993"}, 16);
  EXPECT_EQ(fit_table(make_table(c.rows, c.labels), request()).model.classes,
            (std::vector<std::string>{"9007199254740992", "9007199254740993"}));
}

TEST_P(EveryModel, TextAndMissingCellsAreHandledOrRefusedAsAsked) {
  Request votes{.model = GetParam().model, .target = "Class"};
  const Table table = support::read_for(data_file("house_votes84_missing.csv"), votes);
  FitSettings settings;
  settings.options = find_model(GetParam().model).make(GetParam().model);
  for (const auto& [name, text] : GetParam().options)
    if (!set_field(settings.multiclass, name, text)) set_option(settings.options, name, text);
  settings.target = "Class";
  EXPECT_THROW(fit_model(table, settings), Error);
  settings.impute = true;
  EXPECT_THROW(fit_model(table, settings), Error);
  settings.encode = true;
  const auto outcome = fit_model(table, settings);
  EXPECT_EQ(outcome.imputed, 392);
  EXPECT_EQ(predict(outcome.model, table).labels, outcome.train.labels);
}

TEST_P(EveryModel, LearnsIris) {
  const auto outcome = support::fit_file(data_file("iris.csv"), request());
  Index right = 0;
  for (std::size_t i = 0; i < 150; ++i) right += outcome.train.labels[i] == outcome.train_labels[i] ? 1 : 0;
  EXPECT_GE(right, 120);  // the weakest, least squares, masks the middle class
}

TEST_P(EveryModel, HasASummaryAFormulaAndFieldsThatReadBack) {
  const ModelEntry& entry = find_model(GetParam().model);
  EXPECT_FALSE(entry.summary.empty());
  EXPECT_FALSE(entry.formula.empty());
  ModelOptions options = entry.make(entry.name);
  for (const auto& field : fields_of(options)) {
    EXPECT_FALSE(field.help.empty());
    EXPECT_NO_THROW(set_option(options, field.name, field.value));
  }
  EXPECT_THROW(set_option(options, "no-such-option", "1"), Error);
}

}  // namespace
}  // namespace discern::models_test
