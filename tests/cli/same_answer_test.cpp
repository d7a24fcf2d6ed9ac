// The same input gives the same bytes: whatever the threads, the locale, the spelling of the labels or the
// order of the rows' labels; and labels come back exactly as they went in.
#include <set>

#include "harness.hpp"

namespace discern::cli_test::same_answer_test {
namespace {

using SameAnswer = InFolder;

TEST_F(SameAnswer, OnOneThreadAndOnSeveral) {
  ASSERT_EQ(run({"generate", "gaussians", "--rows", "20000", "--features", "8", "--classes", "3", "-o",
                 path("d.csv")})
                .exit,
            0);
  for (const char* model : {"logistic", "least-squares", "lda", "qda"}) {
    std::string models[3], outputs[3];
    const char* threads[] = {"1", "2", "7"};
    for (int i = 0; i < 3; ++i) {
      const Outcome fit = run({"fit", path("d.csv"), "--target", "class", "--model", model, "--threads",
                               threads[i], "-o", path("m")});
      ASSERT_EQ(fit.exit, 0) << fit.err;
      models[i] = read_file(path("m"));
      outputs[i] =
          run({"predict", path("m"), path("d.csv"), "--threads", threads[i], "--output", "scores"}).out;
    }
    EXPECT_TRUE(models[0] == models[1] && models[1] == models[2]) << model;
    EXPECT_TRUE(outputs[0] == outputs[1] && outputs[1] == outputs[2]) << model;
    EXPECT_FALSE(outputs[0].empty());
  }
}

TEST_F(SameAnswer, WhenTextAndMissingCellsAreInvolved) {
  std::string rows = "n,t,y\n";
  for (int i = 0; i < 5000; ++i)
    rows += (i % 11 == 0 ? std::string("?") : std::to_string(i % 97)) + "," +
            (i % 7 == 0 ? "" : std::string(1, static_cast<char>('a' + i % 5))) + "," +
            (i % 3 == 0 ? "u" : "v") + "\n";
  const std::string table = write("t.csv", rows);
  ASSERT_EQ(run({"fit", table, "--target", "y", "--threads", "1", "-o", path("1")}).exit, 0);
  ASSERT_EQ(run({"fit", table, "--target", "y", "--threads", "2", "-o", path("2")}).exit, 0);
  EXPECT_EQ(read_file(path("1")), read_file(path("2")));
}

TEST_F(SameAnswer, InAnyLocale) {
  const std::string iris = data_file("iris.csv");
  const auto fit_in = [&](const std::string& locale) {
    Settings settings;
    settings.variables = {{"LC_ALL", locale}, {"LANG", locale}};
    EXPECT_EQ(run({"fit", iris, "--target", "class", "-o", path("m")}, settings).exit, 0);
    return read_file(path("m")) + run({"predict", path("m"), iris, "--output", "proba"}, settings).out +
           run({"inspect", path("m")}, settings).out +
           run({"evaluate", path("m"), iris, "--json"}, settings).out;
  };
  const std::string plain = fit_in("C");
  EXPECT_EQ(fit_in("de_DE.UTF-8"), plain);
  EXPECT_EQ(fit_in("pt_PT.UTF-8"), plain);
}

// Labels of every spelling give the same weights and come back to the letter.
TEST_F(SameAnswer, WhateverTheClassesAreCalled) {
  const double x[] = {1, 2, 3, 2.5, 4, 5, 1.5, 3.5};
  const bool positive[] = {false, false, true, false, true, true, true, false};
  Json reference;
  const std::pair<std::string, std::string> spellings[] = {{"-1", "+1"},    {"0", "1"},    {"1", "2"},
                                                           {"01", "02"},    {"no", "yes"}, {"7", "300"},
                                                           {"-1.0", "1e0"}, {" a b ", "c"}};
  for (const auto& [low, high] : spellings) {
    std::string rows = "x,y\n";
    for (int i = 0; i < 8; ++i) rows += std::to_string(x[i]) + ",\"" + (positive[i] ? high : low) + "\"\n";
    const std::string table = write("t.csv", rows);
    ASSERT_EQ(run({"fit", table, "--target", "y", "-o", path("m")}).exit, 0) << low;
    const Json model = run({"inspect", path("m"), "--json"}).json();
    EXPECT_EQ(model["classes"], (Words{low, high}));
    if (reference.is_null()) reference = model;
    EXPECT_EQ(model["weights"], reference["weights"]) << low;
    EXPECT_EQ(model["bias"], reference["bias"]) << low;
    const Json said = run({"predict", path("m"), table, "--json"}).json();
    std::set<std::string> labels;
    for (const Json& label : said["prediction"]) labels.insert(label.get<std::string>());
    EXPECT_EQ(labels, (std::set<std::string>{low, high}));
    EXPECT_EQ(run({"evaluate", path("m"), table}).exit, 0) << low;
  }
}

TEST_F(SameAnswer, WhicheverClassComesFirstInTheFile) {
  const std::string one = write("a.csv", "x,y\n1,b\n2,a\n3,b\n4,a\n5,c\n0,c\n2.2,b\n");
  const std::string two = write("b.csv", "x,y\n5,c\n0,c\n2,a\n1,b\n3,b\n4,a\n2.2,b\n");
  ASSERT_EQ(run({"fit", one, "--target", "y", "-o", path("1")}).exit, 0);
  ASSERT_EQ(run({"fit", two, "--target", "y", "-o", path("2")}).exit, 0);
  const Json a = run({"inspect", path("1"), "--json"}).json(),
             b = run({"inspect", path("2"), "--json"}).json();
  EXPECT_EQ(a["classes"], b["classes"]);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(a["weights"][k][0].get<double>(), b["weights"][k][0].get<double>(), 1e-9);
}

TEST_F(SameAnswer, FromTheSameSeed) {
  const auto data = [](const char* seed) {
    return run({"generate", "moons", "--rows", "50", "--seed", seed}).out;
  };
  EXPECT_EQ(data("7"), data("7"));
  EXPECT_NE(data("7"), data("8"));
  EXPECT_EQ(lines_of(data("7")).size(), 51U);
}

}  // namespace
}  // namespace discern::cli_test::same_answer_test
