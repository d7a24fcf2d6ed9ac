// The geometry of planes as inspect shows it.
#include <cmath>

#include "harness.hpp"

namespace discern::cli_test::geometry_test {
namespace {

class GeometryOf : public InFolder {
 protected:
  // The plane 2 x1 + 2 x2 = 3 of AND, by the procedure that separates.
  std::string corners() { return write("and.csv", "x1,x2,y\n0,0,0\n0,1,0\n1,0,0\n1,1,1\n"); }
  Json inspected(const Words& more = {}) {
    EXPECT_EQ(run({"fit", corners(), "--target", "y", "--model", "ho-kashyap", "-o", path("m")}).exit, 0);
    Words words{"inspect", path("m"), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words).json();
  }
};

TEST_F(GeometryOf, APlaneHasAFootThatLiesOnItAndIsNearestToTheOrigin) {
  const Json object = inspected();
  const double w1 = object["weights"][0][0], w2 = object["weights"][0][1], b = object["bias"][0];
  const double f1 = object["origin_foot"][0][0], f2 = object["origin_foot"][0][1];
  EXPECT_NEAR(w1 * f1 + w2 * f2 + b, 0, 1e-12);
  EXPECT_NEAR(w1 * f2 - w2 * f1, 0, 1e-12);
  EXPECT_NEAR(std::hypot(f1, f2), std::fabs(object["origin_distance"][0].get<double>()), 1e-12);
  EXPECT_LT(object["origin_distance"][0].get<double>(), 0);  // the origin is on the side of class 0
}

TEST_F(GeometryOf, LabelledRowsAreListedByTheirSignedDistance) {
  const Json object = inspected({"--data", corners()});
  const double norm = object["norm"][0], b = object["bias"][0];
  const Json& margins = object["margins"];
  EXPECT_EQ(margins["wrong"], 0);
  ASSERT_EQ(margins["nearest"].size(), 4U);
  EXPECT_EQ(margins["margin"], margins["nearest"][0]["distance"]);
  EXPECT_EQ(margins["nearest"][3]["row"], 1);
  EXPECT_NEAR(margins["nearest"][3]["distance"], -b / norm, 1e-12);
  // A row with the other label is on the wrong side by as much.
  const std::string wrong = write("wrong.csv", "x1,x2,y\n0,0,1\n1,1,1\n");
  const Json other = run({"inspect", path("m"), "--json", "--data", wrong}).json()["margins"];
  EXPECT_EQ(other["wrong"], 1);
  EXPECT_EQ(other["nearest"][0]["row"], 1);
  EXPECT_NEAR(other["margin"], b / norm, 1e-12);
  const Outcome text = run({"inspect", path("m"), "--data", wrong});
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_NE(text.out.find("1 row on the wrong side"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("nearest to the origin"), std::string::npos) << text.out;
}

TEST_F(GeometryOf, DistancesOfManyClassesAreThoseToThePlaneBetweenTwo) {
  ASSERT_EQ(run({"fit", data_file("iris.csv"), "--target", "class", "-o", path("i")}).exit, 0);
  const Json object = run({"inspect", path("i"), "--json", "--data", data_file("iris.csv")}).json();
  const Json& margins = object["margins"];
  const Outcome judged = run({"evaluate", path("i"), data_file("iris.csv"), "--json"});
  EXPECT_NEAR(margins["wrong"].get<double>() / 150, judged.json()["error"], 1e-12);
  EXPECT_EQ(margins["nearest"].size(), 20U);
}

TEST_F(GeometryOf, WhatIsNoPlaneHasNoDistances) {
  ASSERT_EQ(run({"fit", data_file("iris.csv"), "--target", "class", "--model", "qda", "-o", path("q")}).exit,
            0);
  EXPECT_EQ(run({"inspect", path("q"), "--json"}).json()["origin_foot"], nullptr);
  const Outcome said = run({"inspect", path("q"), "--data", data_file("iris.csv")});
  EXPECT_EQ(said.exit, 2);
  EXPECT_NE(said.err.find("is no linear classifier"), std::string::npos) << said.err;
}

using Densities = InFolder;

TEST_F(Densities, JsonHasTheWidthsAndPointsOfKernels) {
  const std::string table = write("t.csv", "x,z,y\n1,0,a\n2,1,a\n2,2,a\n5,4,b\n7,4.5,b\n8,6,b\n");
  ASSERT_EQ(run({"fit", table, "--target", "y", "--model", "naive-bayes", "--density", "x=kde", "--bandwidth",
                 "0.5", "--positive", "a", "-o", path("m"), "--quiet"})
                .exit,
            0);
  const Json json = run({"inspect", path("m"), "--json"}).json();
  ASSERT_EQ(json["kernels"].size(), 1U) << json;
  const Json& kernel = json["kernels"][0];
  EXPECT_EQ(kernel["feature"], "x");
  EXPECT_EQ(kernel["widths"], (Json{0.5, 0.5}));
  EXPECT_EQ(kernel["points"], (Json{{1, 2}, {5, 7, 8}}));
  EXPECT_NEAR(kernel["weights"][0][1], 2.0 / 3, 1e-15);
  EXPECT_TRUE(json["means"][0][0].is_null());
  EXPECT_TRUE(json["weights"][0][0].is_null());
  EXPECT_EQ(json["means"][0][1], 1);
  EXPECT_TRUE(json["deviations"][1][1].is_number());
}

class InfluenceOf : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    ASSERT_EQ(run({"fit", pima_, "--target", "type", "--l2", "0", "--quiet", "-o", path("m")}).exit, 0);
  }
  std::string pima_ = data_file("pima_tr.csv");
};

// R's cooks.distance(glm(type ~ ., binomial)) has rows 111, 175, 9 and 132 at the top.
TEST_F(InfluenceOf, TheRowsOfTheFitAreListedByCooksDistance) {
  const Json found =
      run({"inspect", path("m"), "--data", pima_, "--influence", "--json"}).json()["influence"];
  ASSERT_EQ(found["rows"].size(), 20U);
  EXPECT_EQ(found["rows"][0]["row"], 111);
  EXPECT_EQ(found["rows"][0]["truth"], "No");
  EXPECT_NEAR(found["rows"][0]["cook"], 0.06067032526820648, 1e-10);
  EXPECT_EQ(found["rows"][1]["row"], 175);
  EXPECT_EQ(found["rows"][2]["marks"], "hf");
  const Outcome text =
      run({"inspect", path("m"), "--data", pima_, "--influence", "--influence-csv", path("all.csv")});
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_NE(text.out.find("the largest Cook's distances first"), std::string::npos) << text.out;
  const auto lines = lines_of(read_file(path("all.csv")));
  ASSERT_EQ(lines.size(), 201U);
  EXPECT_EQ(lines[0], "row,type,pearson,deviance,standardized,studentized,leverage,dffits,cook");
  EXPECT_EQ(lines[111].substr(0, 14), "111,No,-1.8878");
}

TEST_F(InfluenceOf, RefusalsSayWhy) {
  const auto refused = [&](const Words& words, int exit, const std::string& why) {
    const Outcome said = run(words);
    EXPECT_EQ(said.exit, exit) << said.err;
    EXPECT_NE(said.err.find(why), std::string::npos) << said.err;
  };
  refused({"inspect", path("m"), "--influence"}, 2, "--influence needs --data FILE");
  refused({"inspect", path("m"), "--data", pima_, "--sample-weight", "age"}, 2, "is for --influence");
  refused({"inspect", path("m"), "--data", data_file("pima_te.csv"), "--influence"}, 1,
          "the model was fitted on 200");
  refused({"inspect", path("m"), "--data", pima_, "--influence", "--influence-csv", pima_}, 2,
          "would overwrite");
  std::string bare;
  for (const std::string& line : lines_of(read_file(pima_))) bare += line.substr(0, line.rfind(',')) + "\n";
  refused({"inspect", path("m"), "--data", write("bare.csv", bare), "--influence"}, 1, "type");
  ASSERT_EQ(run({"fit", pima_, "--target", "type", "--model", "lda", "--quiet", "-o", path("l")}).exit, 0);
  refused({"inspect", path("l"), "--data", pima_, "--influence"}, 2, "and this is lda");
}

TEST_F(InfluenceOf, WhatIsNotDefinedIsADashAndTheFooterSaysWhy) {
  const auto influence = [&](const std::string& table, const Words& more) {
    Words fit{"fit",     table,           "--target", "y",       "--task", "regression",
              "--model", "least-squares", "-o",       path("r"), "--quiet"};
    Words inspect{"inspect", path("r"), "--data", table, "--influence"};
    if (!more.empty() && more[0] == "--sample-weight") fit.insert(fit.end(), more.begin(), more.end());
    inspect.insert(inspect.end(), more.begin(), more.end());
    EXPECT_EQ(run(fit).exit, 0);
    return run(inspect);
  };
  const std::string exact = write("exact.csv", "x,y\n0,0.3\n1,0.4\n2,0.5\n3,0.6\n4,0.7\n5,0.8\n");
  EXPECT_NE(influence(exact, {}).out.find("the fit is exact"), std::string::npos);
  const Json row = influence(exact, {"--json"}).json()["influence"]["rows"][0];
  EXPECT_TRUE(row["studentized"].is_null());
  EXPECT_TRUE(row["cook"].is_null());
  EXPECT_TRUE(row["leverage"].is_number());
  const Outcome three = influence(write("three.csv", "x,y\n1,1\n2,3\n4,2\n"), {});
  EXPECT_NE(three.out.find("n - p is not above 1"), std::string::npos) << three.out;
  const Outcome light =
      influence(write("light.csv", "x,w,y\n1,0.3,1\n2,0.3,3\n4,0.2,2\n5,0.2,4\n"), {"--sample-weight", "w"});
  EXPECT_EQ(light.exit, 1);
  EXPECT_NE(light.err.find("n = 1 (the sum of the sample weights)"), std::string::npos) << light.err;
}

TEST_F(InfluenceOf, TheWeightCannotBeAFeature) {
  const Outcome said = run({"inspect", path("m"), "--data", pima_, "--influence", "--sample-weight", "glu"});
  EXPECT_EQ(said.exit, 2);
  EXPECT_NE(said.err.find("'glu' cannot be both a feature"), std::string::npos) << said.err;
}

TEST_F(InfluenceOf, TooCorrectRowsAreAWarningOfTheFit) {
  ASSERT_EQ(run({"generate", "outliers", "--rows", "80", "--seed", "2", "-o", path("o.csv")}).exit, 0);
  const Json bent =
      run({"fit", path("o.csv"), "--target", "class", "--model", "least-squares", "--json"}).json();
  ASSERT_EQ(bent["warnings"].size(), 1U) << bent["warnings"];
  EXPECT_NE(bent["warnings"][0].get<std::string>().find("too correct"), std::string::npos);
  EXPECT_EQ(
      run({"fit", path("o.csv"), "--target", "class", "--model", "svm", "--json"}).json()["warnings"].size(),
      0U);
}

}  // namespace
}  // namespace discern::cli_test::geometry_test
