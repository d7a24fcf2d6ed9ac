#include "discern/model/linear/solver_choice.hpp"

#include <gtest/gtest.h>

#include "discern/base/error.hpp"
#include "tests/support/fitting.hpp"

namespace discern::solver_choice_test {
namespace {

using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;
using support::Request;
using Options = std::vector<std::pair<std::string, std::string>>;

// The usage error of a fit to iris; empty when there is none.
std::string refusal(const char* model, const Options& options, const char* file = "iris.csv") {
  try {
    fit_file(data_file(file), {.model = model, .options = options});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::usage) << error.message();
    return error.message();
  }
  return "";
}

void expect_refusal(const char* model, const Options& options, const std::vector<std::string>& words) {
  const std::string message = refusal(model, options);
  for (const std::string& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << word << ": " << message;
}

TEST(SolverChoice, NamesWhatTheSolverAskedForLacks) {
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg", "gd"})
    expect_refusal("logistic", {{"solver", solver}, {"l1", "1"}}, {"`solver`", solver, "`l1`"});
  for (const char* solver : {"newton-cg", "lbfgs", "cg"})
    expect_refusal("svm", {{"solver", solver}}, {solver, "kink"});
  expect_refusal("svm", {{"solver", "gd"}}, {"gd", "`learning_rate`", "kink"});
  expect_refusal("svm", {{"solver", "cd"}}, {"cd", "smooth convex loss"});
  expect_refusal("svm", {{"solver", "newton"}, {"l2", "0"}}, {"newton", "`l2` above 0"});
  expect_refusal("svm", {{"solver", "newton"}, {"l1", "1"}}, {"newton", "no `l1`"});
  expect_refusal("svm", {{"solver", "dual-cd"}, {"l2", "0"}}, {"dual-cd", "`l2` above 0"});
  expect_refusal("svm", {{"l1", "1"}}, {"hinge", "squared-hinge"});
  expect_refusal("svm", {{"l2", "0"}}, {"hinge", "`l2` above 0"});
  expect_refusal("logistic", {{"solver", "dual-cd"}}, {"dual-cd", "two-class"});  // iris has three
  expect_refusal("ridge", {{"solver", "dual-cd"}}, {"dual-cd", "hinge"});
  expect_refusal("least-squares", {{"solver", "newton"}, {"activation", "tanh"}}, {"newton", "convex"});
  expect_refusal("least-squares", {{"solver", "cd"}, {"activation", "tanh"}}, {"cd", "convex"});
  expect_refusal("logistic", {{"solver", "closed-form"}}, {"closed-form", "squared loss"});
  for (const Options& more : {Options{{"l1", "1"}}, {{"activation", "tanh"}}, {{"penalize-bias", "true"}}})
    expect_refusal("least-squares", {{"solver", "closed-form"}, more[0]},
                   {"closed-form", option_name(more[0].first)});
  expect_refusal("logistic", {{"no-bias", "true"}, {"penalize-bias", "true"}},
                 {"`no_bias`", "`penalize_bias`"});
}

TEST(SolverChoice, RefusesFlagsThatOnlyOtherSolversKnow) {
  for (const auto& [flag, value] : Options{{"epochs", "5"},
                                           {"batch-size", "2"},
                                           {"schedule", "inverse"},
                                           {"average", "true"},
                                           {"order", "given"}}) {
    for (const char* solver : {"auto", "newton", "lbfgs", "gd", "cd"})
      expect_refusal("logistic", {{"solver", solver}, {flag, value}}, {option_name(flag), "sgd"});
    EXPECT_EQ(refusal("logistic", {{"solver", "sgd"}, {flag, value}}), "");
    expect_refusal("least-squares", {{flag, value}}, {option_name(flag), "closed-form, which auto chose"});
  }
  for (const auto& [flag, value] : Options{{"learning-rate", "0.1"}, {"normalize-weights", "true"}}) {
    expect_refusal("logistic", {{flag, value}}, {option_name(flag), "gd", "newton, which auto chose"});
    EXPECT_EQ(refusal("logistic", {{"solver", "gd"}, {flag, value}}), "");
  }
  expect_refusal("logistic", {{"solver", "sgd"}, {"max-iter", "5"}}, {"`max_iter`", "`epochs`"});
}

TEST(SolverChoice, AutoSaysWhatItChoseAndWhy) {
  struct Choice {
    const char* model;
    Options options;
    const char *solver, *reason;
  };
  const std::vector<Choice> choices{
      {"logistic", {}, "newton", "small enough to factorise"},
      {"logistic", {{"l1", "1"}}, "cd", "l1"},
      {"svm", {}, "newton", "interior points"},
      {"svm", {{"loss", "squared-hinge"}}, "newton", "small enough"},
      {"lasso", {}, "cd", "l1"},
      {"least-squares", {}, "closed-form", "QR"},
      {"least-squares", {{"activation", "logistic"}}, "lbfgs", "not convex"},
  };
  for (const Choice& choice : choices) {
    const Summary summary =
        fit_file(data_file("iris.csv"), {.model = choice.model, .options = choice.options}).model.summary;
    EXPECT_EQ(summary.solver, choice.solver) << choice.model;
    EXPECT_NE(summary.reason.find(choice.reason), std::string::npos) << choice.model << summary.reason;
  }
}

// One row a class and 6,000 features: a Hessian of 6,001 x 6,001 is not worth it.
TEST(SolverChoice, AutoFactorisesNoLargeHessian) {
  std::vector<std::vector<double>> rows(4, std::vector<double>(6000, 0.0));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][i] = 1;
  const auto table = support::as_sparse(make_table(rows, {"a", "b", "a", "b"}));
  EXPECT_EQ(fit_table(table, {.model = "logistic"}).model.summary.solver, "newton-cg");
  EXPECT_EQ(fit_table(table, {.model = "svm"}).model.summary.solver, "dual-cd");
}

TEST(SolverChoice, TheCertificateIsThatOfTheProblem) {
  const auto kind = [](const char* model, const Options& options) {
    return fit_file(data_file("banknote.csv"), {.model = model, .options = options})
        .model.summary.certificate.kind;
  };
  EXPECT_EQ(kind("svm", {}), "relative-duality-gap");
  EXPECT_EQ(kind("svm", {{"loss", "squared-hinge"}, {"solver", "dual-cd"}}), "relative-duality-gap");
  EXPECT_EQ(kind("svm", {{"loss", "squared-hinge"}}), "relative-gradient-norm");
  EXPECT_EQ(kind("logistic", {{"l1", "2"}}), "relative-gradient-norm");
}

// Not converging is never silent, whoever the solver is.
TEST(SolverChoice, EverySolverThatStopsAtItsLimitSaysSo) {
  const auto stopped = [](const char* model, const Options& options, const char* words) {
    const Summary summary =
        fit_file(data_file("breast_cancer_wdbc.csv"), {.model = model, .options = options}).model.summary;
    EXPECT_FALSE(summary.converged) << summary.solver;
    EXPECT_GT(summary.certificate.value, summary.tolerance) << summary.solver;
    ASSERT_FALSE(summary.warnings.empty()) << summary.solver;
    EXPECT_NE(summary.warnings.back().find(words), std::string::npos) << summary.warnings.back();
  };
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg", "gd", "dual-cd"})
    stopped("logistic", {{"solver", solver}, {"max-iter", "1"}}, "limit of 1 iterations");
  stopped("logistic", {{"l1", "0.01"}, {"max-iter", "1"}}, "limit of 1 iterations");
  stopped("svm", {{"max-iter", "2"}}, "limit of 2 iterations");
  stopped("svm", {{"solver", "dual-cd"}, {"max-iter", "2"}}, "limit of 2 iterations");
  stopped("logistic", {{"solver", "sgd"}, {"epochs", "1"}}, "raise `epochs`");
}

}  // namespace
}  // namespace discern::solver_choice_test
