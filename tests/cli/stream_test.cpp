// Learning from rows as they come, and answering them as they come.
#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "harness.hpp"

namespace discern::cli_test::stream_test {
namespace {

Settings typed(std::string input) {
  Settings settings;
  settings.input = std::move(input);
  return settings;
}

class Stream : public InFolder {
 protected:
  // Two features on very different scales, a text column and two classes, some labels wrong.
  static std::string rows(int count, int from = 0) {
    std::string text;
    for (int i = from; i < from + count; ++i) {
      const int a = (i * 37) % 101, b = (i * 53) % 97;
      const bool yes = (a - 50) + (b - 48) + (i % 5 == 0 ? 30 : 0) > 0;
      text += fmt::format("{},{},{},{}\n", 1e6 + 1000 * a, 0.001 * b, i % 5 == 0 ? "red" : "blue",
                          yes == (i % 50 != 0) ? "yes" : "no");
    }
    return text;
  }
  static inline const std::string header = "big,small,colour,class\n";
};

TEST_F(Stream, LearnsFromAPipeAndPredicts) {
  const Outcome fit = run({"fit", "-", "--target", "class", "--stream", "-o", path("m"), "--json"},
                          typed(header + rows(4000)));
  ASSERT_EQ(fit.exit, 0) << fit.err;
  const Json json = fit.json();
  EXPECT_EQ(json["solver"], "stream");
  EXPECT_EQ(json["converged"], false);
  EXPECT_EQ(json["n_samples"], 4000);
  EXPECT_EQ(json["certificate"]["kind"], "progressive-loss");
  EXPECT_GT(json["facts"]["progressive_accuracy"].get<double>(), 0.9);
  EXPECT_EQ(json["facts"]["progressive_loss"], json["certificate"]["value"]);
  EXPECT_EQ(json["features"], Json({"big", "small", "colour=red", "colour=blue"}));
  const Outcome judged = run({"evaluate", path("m"), write("t.csv", header + rows(1000, 4000)), "--json"});
  EXPECT_GT(judged.json()["accuracy"].get<double>(), 0.95) << judged.err;
}

TEST_F(Stream, TwoHalvesEqualTheWholeBitForBit) {
  for (const char* extra :
       {"--average", "--no-bias", "--model=svm", "--model=perceptron", "--batch-size=20"}) {
    const Words options{"--target", "class", "--stream", extra};
    const auto fit = [&](const std::string& file, const std::string& model, Words more) {
      Words words{"fit", file, "-o", path(model), "--quiet"};
      words.insert(words.end(), more.begin(), more.end());
      const Outcome outcome = run(words);
      ASSERT_EQ(outcome.exit, 0) << outcome.err;
    };
    fit(write("all.csv", header + rows(3000)), "all", options);
    fit(write("one.csv", header + rows(1600)), "one", options);
    fit(write("two.csv", header + rows(1400, 1600)), "two", {"--continue", path("one")});
    const Json whole = run({"inspect", path("all"), "--json"}).json();
    const Json halves = run({"inspect", path("two"), "--json"}).json();
    for (const char* member : {"weights", "bias", "n_samples", "classes", "features"})
      EXPECT_EQ(whole[member], halves[member]) << extra << ' ' << member;
    EXPECT_EQ(whole["facts"]["progressive_loss"], halves["facts"]["progressive_loss"]) << extra;
  }
}

TEST_F(Stream, ANewClassGetsAScoreAndAGivenListRefusesIt) {
  const std::string data = "x,y\n1,a\n2,b\n3,a\n4,b\n9,c\n1,a\n9,c\n";
  const Outcome fit = run({"fit", "-", "--target", "y", "--stream", "-o", path("m"), "--json"}, typed(data));
  ASSERT_EQ(fit.exit, 0) << fit.err;
  EXPECT_EQ(fit.json()["classes"], Json({"a", "b", "c"}));
  const Outcome refused = run({"fit", "-", "--target", "y", "--stream", "--classes", "a,b"}, typed(data));
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("standard input:6: column 'y': found the label 'c', expected one of a, b"),
            std::string::npos)
      << refused.err;
}

TEST_F(Stream, ABadCellIsAnErrorAtItsLine) {
  std::string data = header + rows(30000);
  const auto bad = data.find('\n', data.size() - 2000) + 1;
  const auto line = std::count(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(bad), '\n') + 1;
  data.insert(bad, "12,oops,red,yes\n");
  const Outcome fit = run({"fit", "-", "--target", "class", "--stream", "-o", path("m")}, typed(data));
  EXPECT_EQ(fit.exit, 1);
  EXPECT_NE(
      fit.err.find(fmt::format("standard input:{}: column 'small': expected a number, found 'oops'", line)),
      std::string::npos)
      << fit.err;
  EXPECT_TRUE(entries().empty());
}

TEST_F(Stream, HashingLearnsTextsWithoutEndAndIsTheSameEachTime) {
  std::string data = "id,word,class\n";
  for (int i = 0; i < 3000; ++i)
    data += fmt::format("{},{}{},{}\n", i, i % 2 == 0 ? "even" : "odd", i % 7, i % 2 == 0 ? "e" : "o");
  const Words fit{"fit", "-", "--target", "class", "--stream", "--hash", "6", "--ignore", "id", "-o"};
  for (const char* name : {"one", "two"}) {
    Words words = fit;
    words.push_back(path(name));
    const Outcome outcome = run(words, typed(data));
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
  }
  EXPECT_EQ(read_file(path("one")), read_file(path("two")));
  // A text that training did not have has features as well.
  const Outcome said = run({"predict", path("one"), "-"}, typed("word\neven3\nodd4\nnever seen\n"));
  EXPECT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(lines_of(said.out)[1], "e");
  EXPECT_EQ(lines_of(said.out)[2], "o");
  EXPECT_EQ(lines_of(said.out).size(), 4U);
}

TEST_F(Stream, TheTableDoublesItsRows) {
  const Outcome fit = run({"fit", "-", "--target", "class", "--stream"}, typed(header + rows(10)));
  ASSERT_EQ(fit.exit, 0) << fit.err;
  const auto lines = lines_of(fit.err);
  ASSERT_GE(lines.size(), 6U);
  for (std::size_t k = 0; k < 5; ++k) {
    constexpr int rows_then[] = {1, 2, 4, 8, 10};
    EXPECT_EQ(std::stoi(lines[k + 1]), rows_then[k]) << fit.err;
  }
  EXPECT_TRUE(
      run({"fit", "-", "--target", "class", "--stream", "--quiet"}, typed(header + rows(10))).err.empty());
}

TEST_F(Stream, AnInterruptLeavesAModelThatPredicts) {
  Running fit({"fit", "-", "--target", "class", "--stream", "-o", path("m")});
  fit.say(header + rows(2000));
  ASSERT_TRUE(fit.wait_for("1,024"));
  fit.signal(SIGINT);
  EXPECT_EQ(fit.wait(), 130);
  const Outcome said = run({"predict", path("m"), "-"}, typed(header + rows(5)));
  EXPECT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(lines_of(said.out).size(), 6U);
}

// So few that nothing has been decided about the columns yet.
TEST_F(Stream, AnInterruptOfAFewRowsLearnsThem) {
  Running fit({"fit", "-", "--target", "class", "--stream", "-o", path("m")});
  fit.say(header + rows(20) + "1,2,re");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it waits for more
  fit.signal(SIGINT);
  EXPECT_EQ(fit.wait(), 130);
  EXPECT_EQ(run({"inspect", path("m"), "--json"}).json()["n_samples"], 20) << fit.err();
}

TEST_F(Stream, EveryRowIsAnsweredBeforeTheNextIsThere) {
  ASSERT_EQ(run({"fit", "-", "--target", "class", "--stream", "-o", path("m"), "--quiet"},
                typed(header + rows(2000)))
                .exit,
            0);
  const std::string three = rows(3);
  const Outcome file =
      run({"predict", path("m"), write("three.csv", header + three), "--output", "proba", "--quiet"});
  Running predict({"predict", path("m"), "-", "--output", "proba"}, Running::Output::kept);
  predict.say(header);
  const auto expected = lines_of(file.out), asked = lines_of(three);
  for (std::size_t k = 0; k < 3; ++k) {
    predict.say(asked[k] + "\n");
    if (k == 0) {
      EXPECT_EQ(predict.answer(), expected[0]);
    }
    EXPECT_EQ(predict.answer(), expected[k + 1]);
  }
  predict.end_input();
  EXPECT_EQ(predict.wait(), 0);
}

TEST_F(Stream, LibsvmRowsAndCompressedFilesAreStreams) {
  std::string data;
  for (int i = 0; i < 500; ++i)
    data += fmt::format("{} {}:1 7:{}\n", i % 2 == 0 ? "+1" : "-1", 1 + i % 2, i % 3);
  write("d.svm", data);
  ASSERT_EQ(run({"convert", path("d.svm"), path("d.libsvm.gz"), "--quiet"}).exit, 0);
  ASSERT_EQ(run({"convert", path("d.svm"), path("d.libsvm.zst"), "--quiet"}).exit, 0);
  Json weights;
  for (const char* name : {"d.svm", "d.libsvm.gz", "d.libsvm.zst"}) {
    const Outcome fit = run({"fit", path(name), "--stream", "-o", path("m"), "--quiet"});
    ASSERT_EQ(fit.exit, 0) << fit.err;
    const Json found = run({"inspect", path("m"), "--json"}).json()["weights"];
    EXPECT_EQ(found[0].size(), 7U);
    if (!weights.is_null()) {
      EXPECT_EQ(found, weights) << name;
    }
    weights = found;
  }
  const Outcome said = run({"predict", path("m"), "-", "--format", "libsvm"}, typed("0 1:1\n0 2:1\n"));
  EXPECT_EQ(said.out, "prediction\n+1\n-1\n") << said.err;
}

TEST_F(Stream, GoesOnWithIndicesThatNoRowBeforeHad) {
  const std::string first = "+1 1:1\n-1 2:1\n", second = "+1 3:2\n-1 1:1 4:1\n+1 1:1 3:1\n";
  write("first.svm", first);
  write("second.svm", second);
  write("both.svm", first + second);
  ASSERT_EQ(run({"fit", path("first.svm"), "--stream", "-o", path("m"), "--quiet"}).exit, 0);
  const Outcome on = run({"fit", path("second.svm"), "--continue", path("m"), "-o", path("on"), "--quiet"});
  ASSERT_EQ(on.exit, 0) << on.err;
  ASSERT_EQ(run({"fit", path("both.svm"), "--stream", "-o", path("whole"), "--quiet"}).exit, 0);
  const Json found = run({"inspect", path("on"), "--json"}).json();
  EXPECT_EQ(found["weights"][0].size(), 4U);
  EXPECT_EQ(found["weights"], run({"inspect", path("whole"), "--json"}).json()["weights"]);
}

TEST_F(Stream, OnlyWhatLearnsOnlineGoesOn) {
  const std::string data = write("d.csv", header + rows(400));
  const auto fit = [&](Words more) {
    Words words{"fit", data, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  ASSERT_EQ(fit({"--target", "class", "--solver", "sgd", "--epochs", "3", "-o", path("sgd")}).exit, 0);
  ASSERT_EQ(fit({"--target", "class", "-o", path("newton")}).exit, 0);
  const Outcome on = fit({"--continue", path("sgd"), "-o", path("on"), "--json"});
  ASSERT_EQ(on.exit, 0) << on.err;
  EXPECT_EQ(on.json()["n_samples"], 800);
  EXPECT_GT(on.json()["facts"]["progressive_accuracy"].get<double>(), 0.93);
  const Outcome lda = fit({"--target", "class", "--model", "lda", "--stream"});
  EXPECT_EQ(lda.exit, 2);
  EXPECT_NE(lda.err.find("those that do are logistic, svm, least-squares and perceptron"), std::string::npos)
      << lda.err;
}

TEST_F(Stream, RowsBeforeABadCellAreAnswered) {
  ASSERT_EQ(run({"fit", "-", "--target", "class", "--stream", "-o", path("m"), "--quiet"},
                typed(header + rows(500)))
                .exit,
            0);
  const std::string good = rows(40), more = rows(40, 40);
  const Outcome whole = run({"predict", path("m"), "-", "--quiet"}, typed(header + good));
  for (const auto& [bad, said] :
       {std::pair<std::string, std::string>{"1,oops,red,yes\n",
                                            ":42: column 'small': expected a number, found 'oops'"},
        {"1,2,green,yes\n", ":42: column 'colour'"}}) {
    const Outcome some =
        run({"predict", path("m"), "-", "--unseen", "error"}, typed(header + good + bad + more));
    EXPECT_EQ(some.exit, 1);
    EXPECT_EQ(some.out, whole.out);
    EXPECT_NE(some.err.find(said), std::string::npos) << some.err;
    // A file is whole or not there.
    EXPECT_EQ(
        run({"predict", path("m"), "-", "--unseen", "error", "-o", path("out")}, typed(header + good + bad))
            .exit,
        1);
    EXPECT_EQ(entries(), std::vector<std::string>{"m"});
  }
  const Outcome missing =
      run({"predict", path("m"), "-", "--missing", "error"}, typed(header + good + "1,,red,yes\n" + more));
  EXPECT_EQ(missing.out, whole.out);
  EXPECT_NE(missing.err.find(":42: column 'small'"), std::string::npos) << missing.err;
}

TEST_F(Stream, WhatIsSaidOfClassesIsCheckedAsSoonAsTheyAreKnown) {
  const auto fit = [&](Words more, const std::string& data) {
    Words words{"fit", "-", "--target", "class", "--stream", "-o", path("m")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words, typed(data));
  };
  const auto refused = [&](Words more, const std::string& data, const std::string& message) {
    const Outcome outcome = fit(std::move(more), data);
    EXPECT_EQ(outcome.exit, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_TRUE(entries().empty());
  };
  refused({"--classes", "u,u"}, header, "--classes: expected different classes, got 'u' twice");
  refused({"--classes", "1,2,1.0"}, header, "got '1.0' twice");
  // Of a stream that has no row yet.
  refused({"--classes", "yes,no", "--positive", "maybe"}, header,
          "--positive: expected one of two classes, and they are yes, no, got 'maybe'");
  refused(
      {"--classes", "yes,no", "--class-weight", "yes=2,maybe=3"}, header,
      "--class-weight: expected balanced or LABEL=WEIGHT,... with labels yes, no and weights above 0, got "
      "'maybe=3'");
  refused({"--positive", "maybe"}, header + rows(100), "they are");
  refused({"--class-weight", "maybe=3"}, header + rows(100), "got 'maybe=3'");
  const Outcome weighted = fit({"--class-weight", "yes=3"}, header + rows(100));
  EXPECT_EQ(weighted.exit, 0) << weighted.err;
}

TEST_F(Stream, AnInterruptBeforeTheSecondClassLeavesNothingAndSaysSo) {
  Running fit({"fit", "-", "--target", "y", "--stream", "-o", path("m")});
  std::string data = "x,y\n";
  for (int i = 0; i < 2000; ++i) data += fmt::format("{},only\n", i % 7);
  fit.say(data);
  ASSERT_TRUE(fit.wait_for("1,024"));
  fit.signal(SIGINT);
  EXPECT_EQ(fit.wait(), 130);
  EXPECT_NE(fit.err().find("interrupted, and there is no model yet: all rows so far have the label 'only'"),
            std::string::npos)
      << fit.err();
  EXPECT_TRUE(entries().empty());
}

TEST_F(Stream, AFitStartsAtTheWeightsOfAnother) {
  const std::string first = write("a.csv", header + rows(400)),
                    second = write("b.csv", header + rows(300, 400));
  for (const Words& model :
       {Words{}, Words{"--model", "svm", "--loss", "squared-hinge"}, Words{"--model", "mlp", "--layers", "3"},
        Words{"--model", "lasso", "--l1", "2"}, Words{"--model", "ho-kashyap"}}) {
    Words words{"fit", first, "--target", "class", "-o", path("m"), "--quiet"};
    words.insert(words.end(), model.begin(), model.end());
    ASSERT_EQ(run(words).exit, 0);
    const Outcome on = run({"fit", second, "--continue", path("m"), "-o", path("on"), "--json"});
    ASSERT_EQ(on.exit, 0) << on.err;
    EXPECT_EQ(on.json()["n_samples"], 300);
    EXPECT_EQ(on.json()["facts"]["start"],
              "the weights of a model of 400 rows; this is the fit of the new rows alone");
    const Outcome traced =
        run({"fit", second, "--continue", path("m"), "--trace", path("t"), "--max-iter", "3"});
    EXPECT_EQ(traced.exit, 0) << traced.err;
  }
  const Outcome refused = run({"fit", second, "--continue", path("m"), "--margin", "2"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("--margin: --continue takes it from the model; leave it out"), std::string::npos)
      << refused.err;
}

// What a stream learned from, and what its model reads later, is read in one form.
TEST_F(Stream, AModelKeepsHowNumbersAreWritten) {
  std::string data = "day;x;y\n";
  for (int i = 0; i < 40; ++i)
    data += "2024-01-" + std::to_string(10 + i % 20) + ";" + std::to_string(1 + i % 7) + ".200,5;" +
            (i % 2 == 0 ? "a" : "b") + "\n";
  ASSERT_EQ(run({"fit", "-", "--target", "y", "--stream", "-o", path("m"), "--quiet"}, typed(data)).exit, 0);
  const Outcome one =
      run({"predict", path("m"), "-", "--output", "scores", "--quiet"}, typed("day;x\n2024-01-15;7.000\n"));
  const Outcome other =
      run({"predict", path("m"), "-", "--output", "scores", "--quiet"}, typed("day;x\n2024-01-15;7000\n"));
  EXPECT_EQ(one.exit, 0) << one.err;
  EXPECT_EQ(one.out, other.out);
}

// A bad row is left out and counted when that is asked for, and the rows around it are answered.
TEST_F(Stream, BadRowsAreLeftOutAndCounted) {
  const std::string good = "1,2,red,yes\n", bad = "oops\n";
  const Words fit{"fit", "-", "--target", "class", "--stream", "-o", path("m"), "--quiet"};
  ASSERT_EQ(run(fit, typed(header + rows(500))).exit, 0);
  const Outcome said =
      run({"predict", path("m"), "-", "--bad-rows", "skip"}, typed(header + good + bad + bad + good));
  EXPECT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(lines_of(said.out).size(), 3U);
  EXPECT_NE(said.err.find("2 rows that cannot be read are left out; the first: standard input:3"),
            std::string::npos)
      << said.err;
  write("t.csv", header + good + bad + good);
  const Outcome file = run({"predict", path("m"), path("t.csv"), "--bad-rows", "skip"});
  EXPECT_EQ(lines_of(file.out).size(), 3U);
  EXPECT_NE(file.err.find("1 row that cannot be read is left out"), std::string::npos) << file.err;
}

}  // namespace
}  // namespace discern::cli_test::stream_test
