// The small pieces that texts for people are made of.
#include "cli/text/text.hpp"

#include <gtest/gtest.h>

#include "cli/shell/nearest.hpp"

namespace discern::cli {
namespace {

TEST(Text, GroupsDigitsInThrees) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(32561), "32,561");
  EXPECT_EQ(grouped(-123456), "-123,456");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2000, "row"), "2,000 rows");
}

TEST(Text, NeverRoundsAFlawAway) {
  EXPECT_EQ(percent(1), "100.00 %");
  EXPECT_EQ(percent(0.999999), "> 99.99 %");
  EXPECT_EQ(percent(0.000001), "< 0.01 %");
  EXPECT_EQ(percent(0), "0.00 %");
  EXPECT_EQ(percent(0.8531), "85.31 %");
}

TEST(Text, WrapsBetweenWordsAndIndentsTheRest) {
  EXPECT_EQ(wrap("one two three", 7, 0), "one two\nthree");
  EXPECT_EQ(wrap("one two", 6, 2), "one\n  two");
  EXPECT_EQ(wrap("incomprehensible", 4, 0), "incomprehensible");
}

TEST(Text, CountsColumnsOfTheTerminalNotBytes) {
  EXPECT_EQ(display_width("\xC3\xA4\xE2\x82\xAC"), 2U);  // a-umlaut, euro sign
  EXPECT_EQ(display_width("\x1b[1mbold\x1b[0m"), 4U);
  TextTable table({Align::left, Align::right});
  table.row({"\xC3\xA4", "1"});
  table.row({"ab", "10"});
  EXPECT_EQ(table.text(), "\xC3\xA4    1\nab  10\n");
}

TEST(Text, ShowsNoControlCharactersOfAFile) {
  EXPECT_EQ(shown("a\x1b[2Jb\n"), "a\\x1b[2Jb\\n");
  EXPECT_EQ(shown("\x1b\x1b", 5), "\\x1b...");
  EXPECT_EQ(visible("\t\x7f \xc2\x9b \xc2\xa0 \xc3\xa9"), "\\t\\x7f \\u009b \xc2\xa0 \xc3\xa9");
  EXPECT_EQ(visible_report("\x1b[1mbold\x1b[0m\n\x1b[2J\x1b]0;title\x07"),
            "\x1b[1mbold\x1b[0m\n\\x1b[2J\\x1b]0;title\\x07");
  EXPECT_EQ(shown("abcdef", 3), "abc...");
}

TEST(Nearest, CountsASwapOfNeighboursAsOneEdit) {
  EXPECT_EQ(edit_distance("target", "target"), 0U);
  EXPECT_EQ(edit_distance("traget", "target"), 1U);
  EXPECT_EQ(edit_distance("taget", "target"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

TEST(Nearest, SuggestsNothingThatIsFarAway) {
  const std::vector<std::string> names{"fit", "predict", "evaluate"};
  EXPECT_EQ(nearest("pedict", names), "predict");
  EXPECT_EQ(nearest("eval", names), "evaluate");
  EXPECT_EQ(nearest("zzzzzz", names), "");
}

}  // namespace
}  // namespace discern::cli
