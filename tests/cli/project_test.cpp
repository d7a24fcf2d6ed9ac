// discern project, and weights as pictures.
#include <cmath>

#include "harness.hpp"

namespace discern::cli_test::project_test {
namespace {

using Project = InFolder;

TEST_F(Project, WritesTheCoordinatesOfEveryRowWithItsClass) {
  const Outcome said = run({"project", data_file("wine.csv"), "--target", "class", "--components", "1", "-o",
                            path("out.csv"), "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const auto lines = lines_of(read_file(path("out.csv")));
  ASSERT_EQ(lines.size(), 179U);
  EXPECT_EQ(lines[0], "z1,class");
  EXPECT_TRUE(lines[1].ends_with(",class_0"));
  const Json json = said.json();
  EXPECT_EQ(json["components"], 1);
  EXPECT_NEAR(json["explained"][0], 0.6874788878860784, 1e-10);
  EXPECT_EQ(json["directions"][0].size(), 13U);
  EXPECT_TRUE(json["mean_difference"].is_null());
  // MASS 7.3-58.2: predict(lda(class ~ ., wine))$x[1, 1] has this size.
  EXPECT_NEAR(std::fabs(std::stod(lines[1])), 4.70024401, 1e-7);
}

TEST_F(Project, PutsTheDifferenceOfTheMeansBesideFishersDirection) {
  const Outcome said = run({"project", data_file("banknote.csv"), "--target", "class", "-o", "-", "-q"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(lines_of(said.out)[0], "z1,mean_difference,class");
  const Json json = run({"project", data_file("banknote.csv"), "--target", "class", "--json"}).json();
  EXPECT_GT(json["ratios"][0], json["mean_difference_ratio"]);
}

TEST_F(Project, ShowsDirectionsRatiosAndMeans) {
  const Outcome said = run({"project", data_file("iris.csv"), "--target", "class"});
  ASSERT_EQ(said.exit, 0) << said.err;
  for (const char* text :
       {"z1", "z2", "between / within", "99.12 %", "petal_width_cm", "class means", "setosa"})
    EXPECT_NE(said.out.find(text), std::string::npos) << text;
}

TEST_F(Project, PixelsBecomePictures) {
  ASSERT_EQ(run({"project", data_file("digits.csv"), "--target", "class", "--components", "2", "--pixels",
                 "8x8", "--images", path("d"), "-q"})
                .exit,
            0);
  EXPECT_EQ(entries(), (std::vector<std::string>{"d-z1.pgm", "d-z2.pgm"}));
  const std::string picture = read_file(path("d-z1.pgm"));
  EXPECT_TRUE(picture.starts_with("P5\n8 8\n255\n"));
  ASSERT_EQ(picture.size(), 11U + 64U);
  // The largest weight is white or black.
  bool extreme = false;
  for (std::size_t i = 11; i < picture.size(); ++i)
    extreme |= picture[i] == '\0' || static_cast<unsigned char>(picture[i]) == 255;
  EXPECT_TRUE(extreme);
}

TEST_F(Project, InspectShowsTheWeightsOfEachClassAsPictures) {
  ASSERT_EQ(
      run({"fit", data_file("digits.csv"), "--target", "class", "--model", "fisher", "-o", path("m"), "-q"})
          .exit,
      0);
  ASSERT_EQ(run({"inspect", path("m"), "--pixels", "8x8", "--images", path("w"), "-q"}).exit, 0);
  EXPECT_EQ(entries().size(), 11U);
  EXPECT_EQ(entries()[1], "w-0.pgm");
}

TEST_F(Project, RefusesWhatDoesNotFit) {
  const std::string file = data_file("digits.csv");
  for (const Words& more :
       {Words{"--pixels", "8x9"}, Words{"--pixels", "64"}, Words{"--pixels", "x8"}, Words{"--images", "p"},
        Words{"--components", "10"}, Words{"--components", "x"}}) {
    Words words{"project", file, "--target", "class"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome said = run(words);
    EXPECT_EQ(said.exit, 2) << more[0] << " " << more[1];
    EXPECT_NE(said.err.find(more[0]), std::string::npos) << said.err;
  }
  EXPECT_TRUE(entries().empty());
}

}  // namespace
}  // namespace discern::cli_test::project_test
