// --targets: the targets of least-squares classification, named or from a file.
#include "harness.hpp"

namespace discern::cli_test::targets_test {
namespace {

class Targets : public InFolder {
 protected:
  std::string data() { return write("d.csv", "x,y\n0,a\n1,a\n3,b\n4,b\n6,b\n"); }
  Outcome fit(const std::string& targets, const Words& more = {}) {
    Words words{"fit",           data(),      "--target", "y",  "--model",
                "least-squares", "--targets", targets,    "-o", path("m")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  Json plane() { return run({"inspect", path("m"), "--json"}).json(); }
};

TEST_F(Targets, FromAFileAreTheNamedOnesWhenTheyHoldTheSameNumbers) {
  ASSERT_EQ(fit("pm1").exit, 0);
  const Json named = plane();
  ASSERT_EQ(fit(write("b.csv", "b\n1\n1\n1\n1\n1\n")).exit, 0);
  EXPECT_EQ(plane()["weights"], named["weights"]);
  ASSERT_EQ(fit("fisher").exit, 0);
  const Json fisher = plane();
  ASSERT_EQ(
      fit(write("f.csv", "2.5\n2.5\n1.6666666666666667\n1.6666666666666667\n1.6666666666666667\n")).exit, 0);
  EXPECT_NEAR(plane()["weights"][0][0], fisher["weights"][0][0], 1e-14);
  EXPECT_NEAR(plane()["bias"][0], fisher["bias"][0], 1e-14);
  EXPECT_NE(fisher["weights"], named["weights"]);
}

TEST_F(Targets, ThatDoNotFitGetOneClearError) {
  const auto refused = [&](const std::string& content, const std::string& expected) {
    const Outcome said = fit(write("bad.csv", content));
    EXPECT_EQ(said.exit, 1) << content;
    EXPECT_EQ(lines_of(said.err).size(), 1U) << said.err;
    EXPECT_NE(said.err.find("bad.csv"), std::string::npos) << said.err;
    EXPECT_NE(said.err.find(expected), std::string::npos) << said.err;
  };
  refused("b\n1\n1\n1\n", "found 3 targets, expected 5");
  refused("b\n1\n1\nNaN\n1\n1\n", "bad.csv:4: column 'b': the cell is empty, expected a number above 0");
  refused("b,c\n1,2\n1,2\n1,2\n1,2\n1,2\n", "found 2 columns");
  refused("b\n1\n1\n-1\n1\n1\n", "row 3: found the target -1, expected a number above 0");
  const Outcome missing = fit(path("nothing.csv"));
  EXPECT_EQ(missing.exit, 1);
  EXPECT_EQ(fit("fisher", {"--l1", "1"}).exit, 2);
  EXPECT_EQ(entries(), (Words{"bad.csv", "d.csv"}));
}

}  // namespace
}  // namespace discern::cli_test::targets_test
