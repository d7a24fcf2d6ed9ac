// Model files whose checksum is right and whose content is not.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/persist/sample_models.hpp"
#include "tests/persist/tampering.hpp"

namespace discern::model_tampering_test {
namespace {

using Change = std::function<void(ModelParts&)>;

std::string refusal_of(const std::string& bytes) {
  const auto loaded = attempt([&] { return model_from_bytes(bytes, "m"); });
  if (loaded) return "";
  EXPECT_EQ(loaded.error().code(), Code::model);
  EXPECT_EQ(loaded.error().place().file, "m");
  return loaded.error().message();
}

std::string refusal(const Model& model, const Change& change) { return refusal_of(tampered(model, change)); }

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(TamperedModel, TakingApartAndPuttingTogetherChangesNothing) {
  for (const auto& sample : sample_models()) {
    const std::string bytes = model_to_bytes(sample.model);
    EXPECT_EQ(put_together(take_apart(bytes)), bytes) << sample.name;
  }
}

TEST(TamperedModel, AnotherNumberOfFeaturesIsRefused) {
  const auto with_features = [](const nlohmann::json& count) {
    return refusal(two_class_model(), [&](ModelParts& p) { p.document["input"]["numbered"] = count; });
  };
  EXPECT_EQ(with_features(5), "the input and its steps make 5 features, the predictor has 3");
  EXPECT_EQ(with_features(-5),
            "model document: input.numbered: expected a whole number of at least 0, found -5");
  EXPECT_EQ(with_features(2000000000),
            "the input and its steps make 2000000000 features, the predictor has 3");
  EXPECT_EQ(with_features(std::numeric_limits<Index>::max()),
            "the input and its steps make 9223372036854775807 features, the predictor has 3");
}

TEST(TamperedModel, AnotherNumberOfClassesIsRefused) {
  const auto fifty = [](ModelParts& p) {
    for (int k = 3; k < 50; ++k) p.document["classes"].push_back("class " + std::to_string(k));
  };
  EXPECT_EQ(
      refusal(two_class_model(), [&](ModelParts& p) { p.document["classes"].push_back("maybe"), fifty(p); }),
      "tensor 'weights': the shape is [1, 3], expected [50, 3]");
  EXPECT_EQ(refusal(many_steps_model(), fifty), "tensor 'weights': the shape is [3, 7], expected [50, 7]");
  EXPECT_EQ(refusal(quadratic_model(), fifty), "tensor 'means': the shape is [3, 2], expected [50, 2]");
  EXPECT_EQ(refusal(two_class_model(), [](ModelParts& p) { p.document["classes"].erase(1); }),
            "a classification model with 1 classes, expected at least 2");
  EXPECT_EQ(refusal(regression_model(),
                    [](ModelParts& p) {
                      p.document["classes"] = {"a", "b"};
                    }),
            "a regression model with 2 classes, expected none");
}

TEST(TamperedModel, ANumberThatIsNotFiniteIsRefusedInEveryTensor) {
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    for (const auto& sample : sample_models()) {
      const std::size_t count = take_apart(model_to_bytes(sample.model)).tensors.size();
      for (std::size_t t = 0; t < count; ++t) {
        std::string name;
        const auto message = refusal(sample.model, [&](ModelParts& p) {
          p.tensors[t].values.back() = odd;
          name = p.tensors[t].name;
        });
        EXPECT_NE(message.find("tensor '" + name + "': number "), std::string::npos) << message;
        EXPECT_NE(message.find("expected finite ones"), std::string::npos) << message;
      }
    }
}

TEST(TamperedModel, ATensorThatIsMissingUnknownOrOfAnotherShapeIsRefused) {
  for (const auto& sample : sample_models()) {
    const auto tensors = take_apart(model_to_bytes(sample.model)).tensors;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      const auto without = [&](ModelParts& p) { p.tensors.erase(p.tensors.begin() + static_cast<Index>(t)); };
      if (tensors[t].name != "center" && tensors[t].name != "priors") {
        EXPECT_EQ(refusal(sample.model, without), "the tensor '" + tensors[t].name + "' is missing")
            << sample.name;
      }
      const auto longer = [&](ModelParts& p) {
        p.tensors[t].shape.push_back(2);
        p.tensors[t].values.resize(2 * p.tensors[t].values.size());
      };
      EXPECT_NE(refusal(sample.model, longer).find("the shape is"), std::string::npos) << tensors[t].name;
      const auto flat = [&](ModelParts& p) {
        p.tensors[t].shape = {1, 1, static_cast<Index>(p.tensors[t].values.size())};
      };
      EXPECT_NE(refusal(sample.model, flat).find("the shape is"), std::string::npos) << tensors[t].name;
    }
  }
  const auto extra = [](ModelParts& p) { p.tensors.push_back({"step.1.fill", {3}, {0, 0, 0}}); };
  EXPECT_EQ(refusal(many_steps_model(), extra), "the tensor 'step.1.fill' is unknown");
  const auto many = [](ModelParts& p) {
    for (int i = 0; i < 1000; ++i) p.tensors.push_back({"extra" + std::to_string(i), {1}, {0}});
  };
  EXPECT_EQ(refusal(two_class_model(), many), "1003 tensors, expected at most 22");
}

TEST(TamperedModel, ATensorThatDeclaresMoreThanTheFileHoldsIsRefused) {
  for (const Index count : {Index{4}, Index{2000000000}, Index{1} << 61, std::numeric_limits<Index>::max()}) {
    const auto change = [&](ModelParts& p) {
      p.tensor("weights").shape[1] = count;
      p.document["input"]["numbered"] = count;
    };
    EXPECT_NE(refusal(two_class_model(), change).find("tensor 'weights'"), std::string::npos) << count;
  }
}

TEST(TamperedModel, ALinkThatDoesNotGoWithTheClassesIsRefused) {
  const auto with_link = [](const Model& model, const char* link) {
    return refusal(model, [&](ModelParts& p) { p.document["predictor"]["link"] = link; });
  };
  EXPECT_EQ(with_link(two_class_model(), "softmax"),
            "the link softmax needs more than two classes, the model has 2");
  EXPECT_EQ(with_link(many_steps_model(), "logistic"),
            "the link logistic needs two classes, the model has 3");
  EXPECT_EQ(with_link(regression_model(), "logistic"),
            "the link logistic needs two classes, the model has 0");
  EXPECT_EQ(with_link(two_class_model(), "none"), "");
}

TEST(TamperedModel, AQuadraticModelCannotBeTurnedIntoRegression) {
  const auto change = [](ModelParts& p) {
    p.document["classes"] = nlohmann::json::array();
    p.document["task"] = "regression";
  };
  EXPECT_EQ(refusal(quadratic_model(), change), "a quadratic predictor cannot do regression");
}

TEST(TamperedModel, WhiteningThatIsNotLowerTriangularIsRefused) {
  EXPECT_EQ(refusal(quadratic_model(), [](ModelParts& p) { p.tensor("whiten").values[5] = 0.5; }),
            "tensor 'whiten': not lower triangular");
}

TEST(TamperedModel, KernelsThatCannotBeSearchedAreRefused) {
  const auto with = [](const std::string& name, std::size_t place, double value) {
    return refusal(additive_model(), [&](ModelParts& p) { p.tensor(name).values[place] = value; });
  };
  for (const double feature : {-1.0, 0.5, 4.0, 1e300})
    EXPECT_NE(with("kernel.features", 0, feature).find("tensor 'kernel.features': number 1"),
              std::string::npos);
  for (const double start : {0.0, 1.5, 3.0, 4.0, -1.0})
    EXPECT_NE(with("kernel.starts", 1, start).find("tensor 'kernel.starts': number"), std::string::npos);
  EXPECT_EQ(with("kernel.starts", 2, 2.5).find("tensor 'kernel.starts'"), 0U);
  EXPECT_EQ(with("kernel.points", 1, -1.0), "tensor 'kernel.points': the points of a density do not ascend");
  EXPECT_EQ(with("kernel.widths", 1, 0.0), "tensor 'kernel.widths': a number is not above 0");
  EXPECT_EQ(with("kernel.weights", 0, 0.0), "tensor 'kernel.weights': a number is not above 0");
  EXPECT_EQ(with("precision", 0, -1.0), "tensor 'precision': a number is below 0");
}

TEST(TamperedModel, ASumOfKernelsThatCannotBeComputedIsRefused) {
  const auto with_kernel = [](const char* kernel, double parameter) {
    return refusal(kernel_sum_model(), [&](ModelParts& p) {
      p.document["predictor"]["kernel"] = kernel;
      p.document["predictor"]["parameter"] = parameter;
    });
  };
  for (const double degree : {0.0, -1.0, 2.5, 101.0, 1e300})
    EXPECT_EQ(with_kernel("poly", degree).find("the degree of the kernel is "), 0U) << degree;
  for (const double width : {0.0, -1.0, 1e-200, 1e200})
    EXPECT_EQ(with_kernel("gauss", width).find("the width of the kernel is "), 0U) << width;
  EXPECT_EQ(with_kernel("gauss", 0.5), "");
  EXPECT_EQ(with_kernel("linear", 0), "");
  EXPECT_EQ(refusal(kernel_sum_model(), [](ModelParts& p) { p.tensor("scale").values[1] = 0; }),
            "tensor 'scale': number 2 is 0, expected more than 0");
  EXPECT_EQ(refusal(kernel_sum_model(),
                    [](ModelParts& p) {
                      p.tensor("coefficients").shape = {3, 1};
                    }),
            "tensor 'coefficients': the shape is [3, 1], expected [1, 3]");
  EXPECT_EQ(refusal(kernel_sum_model(),
                    [](ModelParts& p) {
                      p.document["classes"] = nlohmann::json::array();
                      p.document["task"] = "regression";
                    }),
            "a sum of kernels cannot do regression");
}

TEST(TamperedModel, ADecisionRuleThatDoesNotFitIsRefused) {
  EXPECT_EQ(refusal(decision_model(), [](ModelParts& p) { p.tensor("priors").values[1] = 0; }),
            "tensor 'priors': number 2 is 0, expected more than 0");
  EXPECT_EQ(refusal(decision_model(), [](ModelParts& p) { p.tensor("decision.prior_ratio").values[1] = -1; }),
            "tensor 'decision.prior_ratio': number 2 is -1, expected more than 0");
  EXPECT_EQ(refusal(decision_model(), [](ModelParts& p) { p.document["decision"]["threshold"] = 0.5; }),
            "decision: a threshold is for two classes, without costs and rejecting");
  EXPECT_EQ(refusal(decision_model(), [](ModelParts& p) { p.document["classes"][0] = "undecided"; }),
            "decision: rejecting, and a class is called 'undecided'");
  EXPECT_EQ(refusal(decision_model(), [](ModelParts& p) { p.document["predictor"]["link"] = "none"; }),
            "a decision rule without probabilities to decide by");
  EXPECT_EQ(refusal(decision_model(), [](ModelParts& p) { p.document["decision"]["cost"] = false; }),
            "the tensor 'decision.cost' is unknown");
}

TEST(TamperedModel, StatisticsThatAreNoNumbersAreRefused) {
  Model model = two_class_model();
  model.statistics = {{"weights", {2}, {3, 4}}, {"low", {1}, {std::numeric_limits<double>::infinity()}}};
  EXPECT_EQ(refusal(model, [](ModelParts&) {}), "");
  EXPECT_EQ(refusal(model, [](ModelParts& p) { p.tensor("statistic.weights").values[0] = std::nan(""); }),
            "tensor 'statistic.weights': a number is NaN");
  EXPECT_EQ(refusal(model, [](ModelParts& p) { p.tensor("statistic.weights").values[1] = -4; }),
            "tensor 'statistic.weights': number 2 is -4, expected 0 or more");
}

TEST(TamperedModel, AmountsBelowZeroAreRefusedWhereverTheyAre) {
  Model model = two_class_model();
  model.statistics = {{"scatter", {1, 2, 2}, {4, 0, -1, 3}},
                      {"columns", {1, 5}, {8, -2, 5, -3, 7}},
                      {"counts", {3}, {8, 8, 2}},
                      {"online_weights", {2, 1}, {-1, 1}}};
  EXPECT_EQ(refusal(model, [](ModelParts&) {}), "");
  const auto with = [&](const char* name, std::size_t at) {
    return refusal(model, [&](ModelParts& p) { p.tensor(name).values[at] = -5; });
  };
  EXPECT_EQ(with("statistic.scatter", 3), "tensor 'statistic.scatter': number 4 is -5, expected 0 or more");
  EXPECT_EQ(with("statistic.scatter", 1), "");
  EXPECT_EQ(with("statistic.columns", 2), "tensor 'statistic.columns': number 3 is -5, expected 0 or more");
  EXPECT_EQ(with("statistic.columns", 1), "");
  EXPECT_EQ(with("statistic.counts", 0), "tensor 'statistic.counts': number 1 is -5, expected 0 or more");
  EXPECT_EQ(with("statistic.online_weights", 0), "");
}

TEST(TamperedModel, ANetworkWhoseLayersDoNotFitIsRefused) {
  const auto with = [](const auto& change) { return refusal(network_model(), change); };
  const auto with_units = [&](const nlohmann::json& units) {
    return with([&](ModelParts& p) { p.document["predictor"]["units"] = units; });
  };
  EXPECT_EQ(with([](ModelParts& p) {
              p.tensor("layer.1.weights").shape = {3, 2};
            }),
            "tensor 'layer.1.weights': the shape is [3, 2], expected [3, 3]");
  EXPECT_EQ(with([](ModelParts& p) { p.tensor("layer.2.bias").name = "layer.3.bias"; }),
            "the tensor 'layer.2.bias' is missing");
  EXPECT_EQ(with([](ModelParts& p) { p.tensor("center").name = "bias"; }), "the tensor 'center' is missing");
  EXPECT_EQ(with([](ModelParts& p) { p.document["predictor"]["slope"] = 0; }),
            "the slope of the units is 0, expected a number above 0");
  EXPECT_NE(with([](ModelParts& p) {
              p.document["predictor"]["link"] = "logistic";
            }).find("the link logistic needs two classes"),
            std::string::npos);
  EXPECT_NE(with_units({"relu", "logistic"}).find("is not linear"), std::string::npos);
  EXPECT_EQ(with_units({"relu", "linear"}), "tensor 'layer.1.weights': the shape is [2, 3], expected [3, 3]");
  EXPECT_NE(with_units({"relu", "sine", "linear"}).find("one of linear, relu"), std::string::npos);
  EXPECT_NE(with_units(std::vector<std::string>(102, "linear")).find("more than 101 layers"),
            std::string::npos);
  EXPECT_NE(with_units(nlohmann::json::array()).find("is not linear"), std::string::npos);
}

TEST(TamperedModel, AScaleThatIsNotPositiveIsRefused) {
  for (const double scale : {0.0, -0.0, -1.0})
    EXPECT_NE(refusal(quadratic_model(), [&](ModelParts& p) { p.tensor("step.0.scale").values[1] = scale; })
                  .find("tensor 'step.0.scale': number 2 is"),
              std::string::npos);
}

TEST(TamperedModel, AFillValueThatIsNoLevelIsRefused) {
  for (const double code : {-1.0, 0.5, 3.0, 1e300})
    EXPECT_NE(refusal(many_steps_model(), [&](ModelParts& p) { p.tensor("step.0.fill").values[1] = code; })
                  .find("expected the index of one of 3 levels"),
              std::string::npos)
        << code;
  EXPECT_EQ(refusal(many_steps_model(), [](ModelParts& p) { p.tensor("step.0.fill").values[0] = -1e300; }),
            "");
}

TEST(TamperedModel, LevelsThatAreNotThoseOfTheOneHotStepAreRefused) {
  EXPECT_EQ(refusal(many_steps_model(),
                    [](ModelParts& p) {
                      p.document["steps"][1]["levels"] = {0, 4, 0};
                    }),
            "step 1: one-hot with 4 levels for column 2, which has 3");
  EXPECT_EQ(refusal(many_steps_model(),
                    [](ModelParts& p) {
                      p.document["steps"][1]["levels"] = {0, 3};
                    }),
            "step 1: one-hot for 2 columns, the input has 3");
  EXPECT_EQ(
      refusal(many_steps_model(), [](ModelParts& p) { p.document["steps"][1]["levels"][1] = 2000000000; }),
      "step 1: one-hot with 2000000000 levels for column 2, which has 3");
  EXPECT_EQ(refusal(many_steps_model(), [](ModelParts& p) { p.document["steps"][1]["drop_first"] = false; }),
            "tensor 'step.2.center': the shape is [4], expected [5]");
}

TEST(TamperedModel, IndicatorsOfColumnsThatAreNotThereAreRefused) {
  const auto with = [](const nlohmann::json& columns) {
    return refusal(indicators_model(),
                   [&](ModelParts& p) { p.document["steps"][0]["indicators"] = columns; });
  };
  EXPECT_EQ(with({0, 1}), "");
  EXPECT_EQ(with({0, 3}), "step 0: column 2 is the number 3, expected ascending numbers below 3");
  EXPECT_EQ(with({1, 1}), "step 0: column 2 is the number 1, expected ascending numbers below 3");
  EXPECT_EQ(with({1}), "step 1: one-hot for 5 columns, the input has 4");
  EXPECT_EQ(with(nlohmann::json::array()),
            "model document: steps[0].indicators: a step without indicators has no such member");
  EXPECT_EQ(refusal(indicators_model(), [](ModelParts& p) { p.document["steps"][1]["levels"][4] = 2; }),
            "step 1: one-hot with levels for feature 5, which is an indicator");
}

TEST(TamperedModel, APoolThatIsNoLevelIsRefused) {
  EXPECT_EQ(refusal(indicators_model(), [](ModelParts& p) { p.document["input"]["columns"][1]["pool"] = 3; }),
            "model document: input.columns[1].pool: expected a whole number from 0 to 2, found 3");
  EXPECT_EQ(refusal(indicators_model(), [](ModelParts& p) { p.document["input"]["columns"][0]["pool"] = 0; }),
            "model document: input.columns[0]: the member 'pool' is unknown");
}

TEST(TamperedModel, StepsInASenselessOrderAreRefused) {
  const auto move = [](std::size_t from, std::size_t to) {
    return refusal(many_steps_model(),
                   [=](ModelParts& p) { std::swap(p.document["steps"][from], p.document["steps"][to]); });
  };
  EXPECT_EQ(move(0, 1), "step 1: impute must be the first step");
  EXPECT_EQ(move(1, 4), "step 1: text columns are not encoded yet");
  EXPECT_EQ(refusal(many_steps_model(), [](ModelParts& p) { p.document["steps"] = nlohmann::json::array(); }),
            "text columns without a one-hot step");
  EXPECT_EQ(refusal(odd_texts_model(), [](ModelParts& p) { p.document["steps"] = nlohmann::json::array(); }),
            "text columns without a one-hot step");
  EXPECT_EQ(refusal(odd_texts_model(),
                    [](ModelParts& p) { p.document["steps"].push_back(p.document["steps"][0]); }),
            "step 1: one-hot without text columns to encode");
}

TEST(TamperedModel, ABasisOfTooManyMonomialsIsRefusedBeforeItIsBuilt) {
  EXPECT_EQ(refusal(regression_model(), [](ModelParts& p) { p.document["steps"][0]["degree"] = 4; }),
            "step 0: monomials up to degree 4 of 2 features are more than the 9 features of the predictor");
  EXPECT_EQ(refusal(regression_model(),
                    [](ModelParts& p) {
                      p.document["steps"][0]["degree"] = 100;
                      p.document["input"]["numbered"] = 2000000000;
                    }),
            "step 0: monomials up to degree 100 of 2000000000 features are more than the 9 features of the "
            "predictor");
  EXPECT_EQ(refusal(regression_model(), [](ModelParts& p) { p.document["steps"][0]["distinct"] = true; }),
            "the input and its steps make 3 features, the predictor has 9");
  const auto endless = [](ModelParts& p) {
    for (int i = 0; i < 10000; ++i) p.document["steps"].push_back(p.document["steps"][1]);
  };
  EXPECT_EQ(refusal(regression_model(), endless), "10002 steps, expected at most 64");
}

TEST(TamperedModel, BasesThatDoNotFitTheirTensorsAreRefused) {
  const auto refused = [](const Change& change) { return refusal(bases_model(), change); };
  EXPECT_EQ(refused([](ModelParts& p) {
              p.document["steps"][1]["columns"] = {0, 9};
            }),
            "step 1: column 2 is the number 9, expected ascending numbers below 5");
  EXPECT_EQ(refused([](ModelParts& p) {
              p.document["steps"][1]["columns"] = {4, 0};
            }),
            "step 1: column 2 is the number 0, expected ascending numbers below 5");
  EXPECT_EQ(refused([](ModelParts& p) { p.document["steps"][2]["counts"] = {3}; }),
            "tensor 'step.2.points': the shape is [2], expected [3]");
  EXPECT_EQ(refused([](ModelParts& p) { p.document["steps"][2]["counts"] = {1}; }),
            "tensor 'step.2.points': the shape is [2], expected [1]");
  EXPECT_EQ(refused([](ModelParts& p) {
              p.document["steps"][3]["counts"] = {1, 1, 1};
            }),
            "step 3: counts of 3 columns, expected 2");
  EXPECT_EQ(refused([](ModelParts& p) { p.tensor("step.2.widths").values[1] = 0; }),
            "tensor 'step.2.widths': number 2 is 0, expected more than 0");
  EXPECT_EQ(refused([](ModelParts& p) {
              p.document["steps"][4]["columns"] = {5, 6};
            }),
            "tensor 'step.4.centers': the shape is [2, 3], expected [2, 2]");
  EXPECT_EQ(refused([](ModelParts& p) { p.tensor("step.4.scale").values[0] = -1; }),
            "tensor 'step.4.scale': number 1 is -1, expected more than 0");
  EXPECT_EQ(refused([](ModelParts& p) { p.document["steps"][5].erase("columns"); }),
            "tensor 'step.5.frequencies': the shape is [3, 2], expected [3, 8]");
}

// 100,000 levels of a column whose name has a megabyte would be 100 GB of feature names.
TEST(TamperedModel, NamesThatMultiplyIntoGigabytesAreRefused) {
  Model model = odd_texts_model();
  const auto change = [](ModelParts& p) {
    auto& column = p.document["input"]["columns"][3];
    column["name"] = std::string(1'000'000, 'x');
    column["levels"] = nlohmann::json::array();
    for (int i = 0; i < 100'000; ++i) column["levels"].push_back(std::to_string(i));
    p.document["steps"][0]["levels"][3] = 100'000;
    p.tensor("weights").values.resize(100'007);
    p.tensor("weights").shape = {1, 100'007};
  };
  EXPECT_EQ(refusal(model, change),
            "the names of the columns are too long for the number of features that carry them");
}

TEST(TamperedModel, HugeCountsNeedNeitherMemoryNorTime) {
  const Index huge = 2000000000;
  const std::vector<Change> changes = {
      [=](ModelParts& p) {
        p.document["input"] = {{"numbered", huge}};
      },
      [=](ModelParts& p) {
        p.document["input"] = {{"numbered", huge}}, p.document["steps"].erase(1);
      },
      [=](ModelParts& p) { p.document["samples"] = huge; },
      [=](ModelParts& p) { p.document["steps"][3]["degree"] = 100; },
      [=](ModelParts& p) {
        p.document["steps"][1]["levels"] = {huge, huge, huge};
      },
  };
  const long before = peak_kilobytes();
  const auto start = std::chrono::steady_clock::now();
  for (const auto& change : changes) refusal(many_steps_model(), change);
  EXPECT_LT(peak_kilobytes() - before, 50'000);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

}  // namespace
}  // namespace discern::model_tampering_test
