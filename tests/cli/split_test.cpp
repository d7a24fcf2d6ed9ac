// discern split: every row in one of two files, as it stood.
#include <algorithm>
#include <set>

#include "harness.hpp"

namespace discern::cli_test::split_test {
namespace {

class Split : public InFolder {
 protected:
  Outcome split(const std::string& table, const Words& more = {}) {
    Words words{"split", table, "-o", path("train.csv"), path("test.csv")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::vector<std::string> lines(const std::string& name) const { return lines_of(read_file(path(name))); }
};

// Quotes, blanks, a line end inside a cell, zeros before and behind, spellings of missing cells.
constexpr const char* odd =
    "id; \"na;me\" ;v\r\n007;\"a;b\";1.500\r\n008; c ;NA\r\n\r\n009;\"two\r\nlines\";12345678901234567891\r\n"
    "010;'d';1e3\r\n011;\"say \"\"x\"\"\";?\r\n012;f;-0";

TEST_F(Split, EveryRowIsInOneFileWithEveryByte) {
  const std::string table = write("t.csv", odd);
  ASSERT_EQ(split(table, {"--test", "2", "--header"}).exit, 0);
  const std::string train = read_file(path("train.csv")), test = read_file(path("test.csv"));
  const std::string head = "id; \"na;me\" ;v\r\n";
  EXPECT_EQ(train.rfind(head, 0), 0U);
  EXPECT_EQ(test.rfind(head, 0), 0U);
  std::size_t bytes = 0;
  for (const char* row :
       {"007;\"a;b\";1.500\r\n", "008; c ;NA\r\n", "009;\"two\r\nlines\";12345678901234567891\r\n",
        "010;'d';1e3\r\n", "011;\"say \"\"x\"\"\";?\r\n", "012;f;-0\r\n"}) {
    EXPECT_NE(train.find(row) == std::string::npos, test.find(row) == std::string::npos) << row;
    bytes += std::string(row).size();
  }
  EXPECT_EQ(train.size() + test.size(), bytes + 2 * head.size());
}

TEST_F(Split, RowsKeepTheirOrderAndTheSeedDecides) {
  std::string text = "x,y\n";
  for (int i = 0; i < 200; ++i) text += std::to_string(i) + "," + (i % 4 == 0 ? "a" : "b") + "\n";
  const std::string table = write("t.csv", text);
  const auto numbers = [&](const std::string& name) {
    std::vector<int> result;
    const auto all = lines(name);
    for (std::size_t i = 1; i < all.size(); ++i) result.push_back(std::stoi(all[i]));
    return result;
  };
  ASSERT_EQ(split(table).exit, 0);
  const auto first = numbers("test.csv"), train = numbers("train.csv");
  EXPECT_EQ(first.size(), 50U);
  EXPECT_EQ(train.size(), 150U);
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  EXPECT_TRUE(std::is_sorted(train.begin(), train.end()));
  ASSERT_EQ(split(table, {"--threads", "1"}).exit, 0);
  EXPECT_EQ(numbers("test.csv"), first);
  ASSERT_EQ(split(table, {"--seed", "1"}).exit, 0);
  EXPECT_NE(numbers("test.csv"), first);
}

TEST_F(Split, StratifiedPartsHaveTheSameShares) {
  const Json told = [&] {
    const Outcome outcome = split(data_file("iris.csv"), {"--stratify", "class", "--test", "0.2", "--json"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.json();
  }();
  EXPECT_EQ(told["n_samples"], 150);
  EXPECT_EQ(told["test"]["n_samples"], 30);
  for (const auto& [name, count] : told["test"]["strata"].items()) EXPECT_EQ(count, 10) << name;
  EXPECT_EQ(told["byte_for_byte"], true);
  EXPECT_EQ(lines("test.csv").size(), 31U);
}

TEST_F(Split, NoGroupIsOnBothSides) {
  std::string text = "who,x\n";
  for (int i = 0; i < 90; ++i) text += "p" + std::to_string(i % 30) + "," + std::to_string(i) + "\n";
  ASSERT_EQ(split(write("t.csv", text), {"--group", "who"}).exit, 0);
  std::set<std::string> train, test;
  const auto who = [](const std::string& line) { return line.substr(0, line.find(',')); };
  for (const auto& line : lines("train.csv")) train.insert(who(line));
  for (const auto& line : lines("test.csv")) test.insert(who(line));
  for (const auto& one : test) EXPECT_EQ(train.count(one), one == "who" ? 1U : 0U) << one;
  EXPECT_NEAR(static_cast<double>(lines("test.csv").size()), 23.5, 3);
}

TEST_F(Split, TheLastInTimeAreTheTest) {
  const std::string table = write("t.csv", "day,x\n2024-03-01,1\n2023-12-31,2\n2024-02-01,3\n2024-01-15,4\n");
  ASSERT_EQ(split(table, {"--time", "day", "--test", "2"}).exit, 0);
  EXPECT_EQ(lines("test.csv"), (Words{"day,x", "2024-03-01,1", "2024-02-01,3"}));
  EXPECT_EQ(lines("train.csv"), (Words{"day,x", "2023-12-31,2", "2024-01-15,4"}));
  // Letter by letter 9 would come after 10.
  ASSERT_EQ(split(write("n.csv", "t,x\n9,1\n10,2\n8,3\n11,4\n"), {"--time", "t", "--test", "2"}).exit, 0);
  EXPECT_EQ(lines("test.csv"), (Words{"t,x", "10,2", "11,4"}));
}

TEST_F(Split, TimesWhoseLettersAreInAnotherOrderAreRefused) {
  const std::string table = write("t.csv", "day,x\n31/01/2024,1\n01/02/2024,2\n15/03/2024,3\n");
  const Outcome outcome = split(table, {"--time", "day", "--test", "1"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("2024-01-31"), std::string::npos) << outcome.err;
  EXPECT_EQ(entries(), Words{"t.csv"});
}

TEST_F(Split, OtherFormatsKeepNumbersAndTexts) {
  ASSERT_EQ(
      run({"split", data_file("heart_scale.svm"), "-o", path("a.svm"), path("b.svm"), "--stratify", "label"})
          .exit,
      0);
  std::vector<std::string> before = lines_of(read_file(data_file("heart_scale.svm"))), after;
  for (const char* name : {"a.svm", "b.svm"})
    for (const std::string& line : lines_of(read_file(path(name)))) after.push_back(line);
  ASSERT_EQ(after.size(), before.size());
  for (std::string& line : before) line.erase(line.find_last_not_of(' ') + 1);
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  EXPECT_EQ(after, before);

  const std::string table = write("t.csv", "x,t\n0.1,a\n0.30000000000000004,b\n3,NAN\n4,d\n");
  ASSERT_EQ(run({"split", table, "-o", path("a.arff"), path("b.arff"), "--test", "1"}).exit, 0);
  ASSERT_EQ(run({"convert", path("a.arff"), path("a.csv")}).exit, 0);
  ASSERT_EQ(run({"convert", path("b.arff"), path("b.csv")}).exit, 0);
  std::multiset<std::string> rows;
  for (const char* name : {"a.csv", "b.csv"})
    for (const std::string& line : lines(name)) rows.insert(line);
  EXPECT_EQ(rows,
            (std::multiset<std::string>{"0.1,a", "0.30000000000000004,b", "3,NAN", "4,d", "x,t", "x,t"}));
}

TEST_F(Split, CompressedTextIsSplitAsItIs) {
  std::string text = "x,y\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(i) + ",a\n";
  ASSERT_EQ(run({"split", write("t.csv", text), "-o", path("a.csv.gz"), path("b.csv.zst")}).exit, 0);
  EXPECT_EQ(run({"describe", path("a.csv.gz"), "--json"}).json()["n_samples"], 30);
  EXPECT_EQ(run({"describe", path("b.csv.zst"), "--json"}).json()["n_samples"], 10);
}

TEST_F(Split, BothFilesAreWrittenOrNeither) {
  std::string text = "x,y\n";
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + ",aaaaaaaaaaaaaaaaaaaaaaaa\n";
  const std::string table = write("t.csv", text);
  write("train.csv", "as it was");
  Settings small;
  small.file_size_limit = 300000;  // enough for the one of 5,000 rows
  const Words words{"split", table, "-o", path("train.csv"), path("test.csv")};
  for (const char* test : {"0.25", "0.75"}) {
    Words all = words;
    all.insert(all.end(), {"--test", test});
    EXPECT_NE(run(all, small).exit, 0);
    EXPECT_EQ(entries(), (Words{"t.csv", "train.csv"})) << test;
    EXPECT_EQ(read_file(path("train.csv")), "as it was");
  }
}

TEST_F(Split, RefusesWhatCannotBe) {
  const std::string table = write("t.csv", "x,y\n1,a\n2,b\n3,a\n");
  EXPECT_EQ(run({"split", table, path("b.csv")}).exit, 2);                       // no -o
  EXPECT_EQ(run({"split", table, "-o", path("a.csv")}).exit, 2);                 // no TEST
  EXPECT_EQ(run({"split", table, "-o", path("a.csv"), path("a.csv")}).exit, 2);  // one file twice
  EXPECT_EQ(run({"split", table, "-o", table, path("a.csv")}).exit, 2);          // the file that is read
  EXPECT_EQ(run({"split", table, "-o", path("a.csv"), "-"}).exit, 2);            // not standard output
  EXPECT_EQ(split(table, {"--test", "3"}).exit, 2);
  EXPECT_EQ(split(table, {"--test", "1.5"}).exit, 2);
  EXPECT_EQ(split(table, {"--time", "x", "--group", "y"}).exit, 2);
  EXPECT_EQ(split(table, {"--stratify", "nothing"}).exit, 2);
  EXPECT_EQ(entries(), Words{"t.csv"});
}

}  // namespace
}  // namespace discern::cli_test::split_test
