// What is wrong with a data file is refused with file, line and column, and no model is written.
#include "harness.hpp"

namespace discern::cli_test::input_test {
namespace {

class Input : public InFolder {
 protected:
  void expect_refused(const std::string& name, const std::string& content, const Words& words,
                      const Words& more = {}) {
    Words all{"fit", write(name, content), "--target", "y", "-o", path("m")};
    if (name.ends_with(".svm")) all.erase(all.begin() + 2, all.begin() + 4);
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.exit, 1) << content << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    for (const std::string& word : words)
      EXPECT_NE(outcome.err.find(word), std::string::npos) << content << word << "\n" << outcome.err;
    EXPECT_EQ(entries(), Words{name});
  }

  Json fitted(const std::string& content) {
    const Outcome outcome =
        run({"fit", write("t.csv", content), "--target", "y", "--model", "lda", "--json"});
    EXPECT_EQ(outcome.exit, 0) << content << outcome.err;
    return outcome.exit == 0 ? outcome.json() : Json{};
  }
};

TEST_F(Input, NotANumberIsRefusedByLineAndColumn) {
  for (const char* cell : {"inf", "-Infinity", "1e400"})
    expect_refused("t.csv", std::string("x,y\n1,a\n2,b\n") + cell + ",a\n4,b\n",
                   {"t.csv:4: column 'x'", cell});
}

// Among texts it is a text.
TEST_F(Input, ALabelThatIsNoNumberAmongNumbersIsRefusedByLine) {
  for (const char* label : {"-inf", "1e400"}) {
    const std::string rows = std::string("x,y\n1,0\n2,1\n3,") + label + "\n4,0\n5,1\n";
    expect_refused("t.csv", rows, {"t.csv:4: column 'y'", label});
  }
  EXPECT_EQ(fitted("x,y\n1,yes\n2,no\n3,inf\n4,yes\n5,no\n2,inf\n")["classes"], (Json{"inf", "no", "yes"}));
}

TEST_F(Input, TrailingJunkIsRefusedInANumericColumn) {
  expect_refused("t.csv", "x,y\n1,a\n2,b\n3.2abc,a\n4,b\n", {"t.csv:4: column 'x'", "3.2abc"},
                 {"--numeric", "x"});
  expect_refused("t.csv", "x,y\n1,a\n2,b\n0x1F,a\n4,b\n", {"t.csv:4: column 'x'", "0x1F"},
                 {"--numeric", "x"});
  expect_refused("t.csv", "x;y\n1,5;a\n2;b\n1.5;a\n4;b\n", {"t.csv:4: column 'x'", "1.5"},
                 {"--numeric", "x"});
}

TEST_F(Input, ARaggedRowIsRefusedByLine) {
  expect_refused("t.csv", "x,z,y\n1,2,a\n2,b\n3,4,a\n", {"t.csv:3"});
  expect_refused("t.csv", "x,z,y\n1,2,a\n2,3,b,c\n3,4,a\n", {"t.csv:3"});
}

TEST_F(Input, AnUnclosedQuoteIsRefusedByLine) {
  expect_refused("t.csv", "x,y\n1,a\n2,\"b\n3,a\n", {"t.csv:3"});
}

TEST_F(Input, ANulByteIsRefusedByLine) {
  expect_refused("t.csv", std::string("x,y\n1,a\n2,b\0\n3,a\n", 16), {"t.csv:3"});
}

TEST_F(Input, AnEmptyFileAndABareHeaderAreRefused) {
  expect_refused("t.csv", "", {"t.csv"});
  expect_refused("t.csv", "x,y\n", {"t.csv"});
}

TEST_F(Input, LineEndsMarksAndAMissingLastNewlineMakeNoDifference) {
  const std::string plain = "x,y\n1,a\n2,b\n3,a\n4,b\n";
  const Json reference = fitted(plain);
  EXPECT_EQ(reference["n_samples"], 4);
  std::string windows;
  for (const char c : plain) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& variant : {windows, "\xEF\xBB\xBF" + plain, plain.substr(0, plain.size() - 1)}) {
    const Json other = fitted(variant);
    EXPECT_EQ(other["n_samples"], 4);
    EXPECT_EQ(other["features"], Words{"x"});
    EXPECT_EQ(other["train"], reference["train"]);
  }
}

TEST_F(Input, ABadLibsvmIndexIsRefusedByLine) {
  for (const char* bad : {"0:1", "-1:1", "2:1 1:1", "2:1 2:1", "9223372036854775808:1"})
    expect_refused("t.svm", std::string("+1 1:1\n-1 ") + bad + "\n+1 2:1\n", {"t.svm:2"});
}

TEST_F(Input, WhatAFormatHasNoUseForIsRefused) {
  const std::string svm = write("t.svm", "1 1:1 2:3\n0 1:2\n1 1:0.5 2:2\n0 1:3\n");
  const std::string csv = write("t.csv", "x,y\n1,a\n2,b\n");
  for (const Words& words :
       {Words{"fit", svm, "--header"}, Words{"fit", svm, "--no-header"},
        Words{"fit", svm, "--separator", ";"}, Words{"fit", csv, "--target", "y", "--query", "SELECT"},
        Words{"fit", csv, "--target", "y", "-o", ""}}) {
    const Outcome said = run(words);
    EXPECT_EQ(said.exit, 2) << said.err;
    EXPECT_EQ(lines_of(said.err).size(), 1U) << said.err;
  }
}

// pandas names columns without names by their numbers, and its index by nothing.
TEST_F(Input, AColumnAskedForByNameTellsTheHeader) {
  const std::string rows = "0,0.1,0.5,0\n1,0.4,0.2,1\n2,0.2,0.9,0\n3,0.6,0.3,1\n";
  const Outcome said = run({"fit", write("t.csv", ",0,1,class\n" + rows), "--target", "class", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(said.json()["n_samples"], 4);
  EXPECT_EQ(said.json()["classes"], (Json{"0", "1"}));
  EXPECT_EQ(run({"fit", write("n.csv", rows), "--target", "4", "--json"}).json()["n_samples"], 4);
}

TEST_F(Input, ColumnsThatTheModelDoesNotKnowAreMentioned) {
  const std::string train = write("t.svm", "1 1:1 2:3\n0 1:2\n1 1:0.5 2:2\n0 1:3\n");
  ASSERT_EQ(run({"fit", train, "-o", path("m"), "--quiet"}).exit, 0);
  const Outcome said = run({"predict", path("m"), write("p.svm", "0 1:1 3:5\n1 2:1 4:1 9:2\n")});
  EXPECT_EQ(said.exit, 0);
  EXPECT_NE(said.err.find("3 values of columns beyond the 2 that the model knows were left out"),
            std::string::npos)
      << said.err;
}

TEST_F(Input, OneFormatInTheClothesOfAnotherIsRefused) {
  expect_refused("t.svm", "x,z,y\n1,2,a\n3,4,b\n", {"t.svm"});
  const std::string svm = "+1 1:0.5 3:2\n-1 2:1\n+1 1:1 3:1\n";
  const Outcome outcome = run({"fit", write("t.csv", svm), "--target", "y", "-o", path("m")});
  EXPECT_NE(outcome.exit, 0);
  EXPECT_EQ(entries(), (Words{"t.csv", "t.svm"}));
}

TEST_F(Input, MissingMarksAreImputedAndCounted) {
  const Json json = fitted("x,z,y\n1,?,a\n2,3,b\n,4,a\n4,NA,b\n5,1,a\n");
  const std::string warnings = json["warnings"].dump();
  EXPECT_NE(warnings.find("3 cells: x 1, z 2"), std::string::npos) << warnings;
}

TEST_F(Input, GzipZstdAndStandardInputReadTheSame) {
  const std::string iris = data_file("iris.csv");
  const Words fit{"--target", "class", "--model", "lda", "--quiet", "-o"};
  const auto model_of = [&](const std::string& data, const Settings& settings = {}) {
    Words words{"fit", data};
    words.insert(words.end(), fit.begin(), fit.end());
    words.push_back(path("m"));
    EXPECT_EQ(run(words, settings).exit, 0) << data;
    return read_file(path("m"));
  };
  const std::string reference = model_of(iris);
  for (const char* name : {"i.csv.gz", "i.csv.zst", "i.tsv", "i.sqlite"}) {
    ASSERT_EQ(run({"convert", iris, path(name), "--quiet"}).exit, 0) << name;
    EXPECT_EQ(model_of(path(name)), reference) << name;
  }
  Settings settings;
  settings.input = read_file(iris);
  EXPECT_EQ(model_of("-", settings), reference);
}

TEST_F(Input, ConvertKeepsEveryNumber) {
  const std::string table =
      write("t.csv", "x,z,y\n0.1,1e-300,a\n123456789.123456789,-0.0,b\n1e22,5e-324,a\n");
  ASSERT_EQ(run({"convert", table, path("a.tsv")}).exit, 0);
  ASSERT_EQ(run({"convert", path("a.tsv"), path("b.csv")}).exit, 0);
  ASSERT_EQ(run({"convert", table, path("c.csv")}).exit, 0);
  EXPECT_EQ(read_file(path("b.csv")), read_file(path("c.csv")));
}

}  // namespace
}  // namespace discern::cli_test::input_test
