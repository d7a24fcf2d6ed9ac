#include "discern/persist/model_document.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "discern/base/error.hpp"
#include "tests/persist/sample_models.hpp"
#include "tests/support/fitting.hpp"
#include "tests/support/schema_check.hpp"

namespace discern::model_document_test {
namespace {

using Json = nlohmann::json;

// The message that the document is refused with after a change; empty when it is not refused.
std::string refusal(const Model& model, const std::function<void(Json&)>& change) {
  Json document = Json::parse(document_of(model));
  change(document);
  const auto outline = attempt([&] { return outline_of(document.dump(), "m"); });
  if (outline) return "";
  EXPECT_EQ(outline.error().code(), Code::model);
  EXPECT_EQ(outline.error().place().file, "m");
  return outline.error().message();
}

std::string refusal(const std::string& text) {
  const auto outline = attempt([&] { return outline_of(text, "m"); });
  return outline ? "" : outline.error().message();
}

std::set<std::string> names(const Json& object) {
  std::set<std::string> result;
  for (const auto& [name, unused] : object.items()) result.insert(name);
  return result;
}

Json published_schema() {
  std::ifstream file(support::docs_file("model-file.schema.json"));
  return Json::parse(file);
}

TEST(ModelDocument, HasExactlyTheMembersOfThePublishedSchema) {
  const Json schema = published_schema();
  for (const auto& sample : sample_models()) {
    const Json document = Json::parse(document_of(sample.model));
    EXPECT_EQ(names(document), names(schema["properties"])) << sample.name;
    EXPECT_EQ(names(document["summary"]), names(schema["$defs"]["summary"]["properties"])) << sample.name;
    EXPECT_TRUE(support::SchemaCheck(schema).matches(schema, document)) << sample.name;
  }
}

TEST(ModelDocument, TheExampleInTheDescriptionIsReal) {
  std::ostringstream description;
  description << std::ifstream(support::docs_file("model-file.md")).rdbuf();
  const std::string text = description.str();
  const auto begin = text.find("\n    {\n"), end = text.find("\n    }\n");
  ASSERT_LT(begin, end);
  EXPECT_EQ(Json::parse(text.substr(begin, end + 6 - begin)), Json::parse(document_of(two_class_model())));
}

TEST(ModelDocument, EveryMemberIsRequiredAndNoOtherIsTaken) {
  for (const auto& sample : sample_models()) {
    const Json document = Json::parse(document_of(sample.model)).flatten();
    for (const auto& [pointer, unused] : document.items()) {
      const Json::json_pointer path(pointer);
      if (path.parent_pointer().empty() || std::isdigit(static_cast<unsigned char>(path.back()[0])) != 0)
        continue;
      const auto without = [&](Json& d) { d[path.parent_pointer()].erase(path.back()); };
      const auto renamed = [&](Json& d) { d[path.parent_pointer()]["other"] = 1; };
      // Levels are what makes a column a text column: without them it is a numeric one. Few have a pool.
      if (path.back() != "levels" && path.back() != "pool") {
        EXPECT_NE(refusal(sample.model, without), "") << sample.name << pointer;
      }
      EXPECT_NE(refusal(sample.model, renamed), "") << sample.name << pointer;
    }
    EXPECT_EQ(refusal(sample.model, [](Json& d) { d["other"] = 1; }),
              "model document: the member 'other' is unknown");
    for (const auto& name : names(published_schema()["properties"]))
      EXPECT_NE(refusal(sample.model, [&](Json& d) { d.erase(name); }).find(name), std::string::npos) << name;
  }
}

TEST(ModelDocument, AMemberOfAnotherTypeIsRefusedByName) {
  const std::vector<Json> others = {
      nullptr, true, 7, -7, 1.5, "text", Json::array({1}), Json::array({Json()}), Json::object({{"a", 1}})};
  for (const auto& name : names(published_schema()["properties"]))
    for (const auto& other : others) {
      const Json own = Json::parse(document_of(two_class_model()))[name];
      if (own.type() == other.type() || (own.is_number() && other == 7)) continue;
      const auto message = refusal(two_class_model(), [&](Json& d) { d[name] = other; });
      EXPECT_NE(message.find("model document: " + name), std::string::npos)
          << name << ' ' << other << ": " << message;
    }
}

TEST(ModelDocument, ANewerVersionIsRefusedNamingBoth) {
  // Even when nothing else is as it was.
  EXPECT_EQ(
      refusal(R"({"format": "discern-model", "version": 6, "new": []})"),
      "the model has version 6 of the file format, this program reads versions up to 5; a newer Discern is "
      "needed");
}

// How the numbers of a column are written comes back, and only what is possible is taken.
TEST(ModelDocument, FormsOfColumnsAreKeptAndChecked) {
  const Model model = quadratic_model();
  const Schema input = outline_of(document_of(model), "m").input;
  EXPECT_EQ(input.column(0).form, model.pipeline.input().column(0).form);
  EXPECT_EQ(input.column(1).form.kind, NumberForm::Kind::date);
  const auto changed = [&](const char* member, const Json& value) {
    return refusal(model, [&](Json& d) { d["input"]["columns"][0]["form"][member] = value; });
  };
  for (const char* mark : {"", ";", "..", "x"}) EXPECT_NE(changed("decimal", mark), "") << mark;
  for (const char* mark : {"x", ",,", ","}) EXPECT_NE(changed("group", mark), "") << mark;
  EXPECT_NE(changed("kind", "roman"), "");
  EXPECT_NE(changed("more", 1), "");
  EXPECT_EQ(changed("unit", ""), "");
  EXPECT_NE(refusal(model,
                    [](Json& d) {
                      d["input"]["columns"][1]["form"] = {{"kind", "date"}, {"unit", ""}};
                    }),
            "");
  EXPECT_NE(refusal(model,
                    [](Json& d) {
                      d["input"]["columns"][0]["form"] = {
                          {"kind", "number"}, {"decimal", "."}, {"group", ""}, {"unit", ""}};
                    }),
            "");
}

TEST(ModelDocument, OfVersion2HasNoDecisionReductionAndInference) {
  EXPECT_EQ(refusal(two_class_model(),
                    [](Json& d) {
                      d["version"] = 2;
                      for (const char* member : {"decision", "reduction", "inference"}) d.erase(member);
                    }),
            "");
  EXPECT_EQ(refusal(two_class_model(), [](Json& d) { d["version"] = 2; }),
            "model document: the member 'decision' is unknown");
}

TEST(ModelDocument, ADecisionOutOfItsRangeIsRefused) {
  EXPECT_EQ(refusal(decision_model(), [](Json& d) { d["decision"]["threshold"] = 1.5; }),
            "model document: decision.threshold: expected null or a number from 0 to 1, found 1.5");
  EXPECT_EQ(refusal(decision_model(), [](Json& d) { d["decision"]["reject"] = "Infinity"; }),
            "model document: decision.reject: expected null or a finite number, found \"Infinity\"");
}

TEST(ModelDocument, CountsOutOfRangeAreRefused) {
  const auto refused = [](const char* pointer, const Json& value) {
    return !refusal(two_class_model(), [&](Json& d) { d[Json::json_pointer(pointer)] = value; }).empty();
  };
  EXPECT_TRUE(refused("/version", 0));
  EXPECT_TRUE(refused("/positive", 2));
  EXPECT_TRUE(refused("/positive", -1));
  EXPECT_TRUE(refused("/input/numbered", -5));
  EXPECT_TRUE(refused("/input/numbered", 3.0));
  EXPECT_TRUE(refused("/input/numbered", 18446744073709551615u));
  EXPECT_TRUE(refused("/samples", -1));
  EXPECT_TRUE(refused("/summary/iterations", -1));
  EXPECT_TRUE(refused("/summary/rank", -1));
  EXPECT_FALSE(refused("/summary/rank", 0));
}

TEST(ModelDocument, ABasisHasADegreeFrom1To100) {
  for (const int degree : {0, -1, 101, 2000000000})
    EXPECT_EQ(refusal(regression_model(), [&](Json& d) { d["steps"][0]["degree"] = degree; }),
              "model document: steps[0].degree: expected a whole number from 1 to 100, found " +
                  std::to_string(degree));
}

TEST(ModelDocument, EqualClassesLevelsAndColumnsAreRefused) {
  EXPECT_EQ(refusal(two_class_model(),
                    [](Json& d) {
                      d["classes"] = {"a", "a"};
                    }),
            "model document: classes: two entries are equal");
  EXPECT_EQ(refusal(many_steps_model(), [](Json& d) { d["input"]["columns"][1]["levels"][2] = "blue"; }),
            "model document: input.columns[1].levels: two entries are equal");
  EXPECT_EQ(refusal(many_steps_model(), [](Json& d) { d["input"]["columns"][2]["name"] = "length"; }),
            "model document: input.columns: two columns have the name 'length' (numbers 1 and 3)");
  // The same bytes, written in two ways.
  EXPECT_EQ(refusal(two_class_model(),
                    [](Json& d) {
                      d["classes"] = {"a", {{"hex", "61"}}};
                    }),
            "model document: classes: two entries are equal");
}

TEST(ModelDocument, HexadecimalThatIsNoneIsRefused) {
  for (const Json& hex : {Json("f"), Json("FF"), Json("zz"), Json(1)})
    EXPECT_NE(refusal(two_class_model(),
                      [&](Json& d) {
                        d["target"] = {{"hex", hex}};
                      })
                  .find("target"),
              std::string::npos);
}

TEST(ModelDocument, TextThatIsNotJsonIsRefused) {
  for (const char* text :
       {"", "{", "[]", "null", "{\"format\"}", "{\"format\": nan}", "{} {}", "\xFF", "{\"a\": 1e999}"})
    EXPECT_NE(refusal(text).find("model document"), std::string::npos) << text;
}

TEST(ModelDocument, DeepNestingIsRefusedAtOnce) {
  EXPECT_EQ(refusal(std::string(10'000'000, '[')), "model document: it is nested deeper than 12 levels");
}

TEST(ModelDocument, AMemberThatIsThereTwiceIsRefused) {
  std::string document = document_of(two_class_model());
  document.insert(1, "\"samples\": 1, ");
  EXPECT_EQ(refusal(document), "model document: it has the member 'samples' twice");
}

TEST(ModelDocument, AnObjectOfVeryManyMembersIsRefusedAtOnce) {
  std::string document = "{";
  for (int i = 0; i < 1'000'000; ++i) document += fmt::format("\"{}\": 0, ", i);
  EXPECT_EQ(refusal(document), "model document: it has an object with more than 64 members");
}

TEST(ModelDocument, TimeGrowsWithTheLengthOfAListAndNotWithItsSquare) {
  std::string document = R"({"format": "discern-model", "version": 1, "steps": [{})";
  for (int i = 0; i < 1'000'000; ++i) document += ",{}";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(refusal(document + "]}"), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(ModelDocument, ReadableTextStaysReadable) {
  const std::string document = document_of(odd_texts_model());
  EXPECT_NE(document.find("na\xC3\xAFve"), std::string::npos);
  EXPECT_NE(document.find(R"({"hex":"fffe"})"), std::string::npos);
}

}  // namespace
}  // namespace discern::model_document_test
