#include "discern/persist/truth_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "discern/base/error.hpp"
#include "discern/io/file/file.hpp"
#include "discern/persist/json_reader.hpp"
#include "discern/persist/plain_locale.hpp"

namespace discern {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* format_name = "discern-truth";
constexpr int newest_version = 1;

OrderedJson list_of(const Vector& values) { return std::vector<double>(values.begin(), values.end()); }

OrderedJson rows_of(const Matrix& matrix) {
  OrderedJson rows = OrderedJson::array();
  for (Index i = 0; i < matrix.rows(); ++i) rows.push_back(list_of(matrix.row(i).transpose()));
  return rows;
}

Vector read_vector(const JsonReader& json, Index size) {
  if (static_cast<Index>(json.list_size()) != size) json.refuse(fmt::format("a list of {} numbers", size));
  Vector v(size);
  Index i = 0;
  json.for_each([&](const JsonReader& item) { v[i++] = item.finite(); });
  return v;
}

Matrix read_symmetric(const JsonReader& json, Index size) {
  if (static_cast<Index>(json.list_size()) != size) json.refuse(fmt::format("{} rows", size));
  Matrix m(size, size);
  Index i = 0;
  json.for_each([&](const JsonReader& row) { m.row(i++) = read_vector(row, size).transpose(); });
  if ((m - m.transpose()).cwiseAbs().maxCoeff() > 1e-9 * m.cwiseAbs().maxCoeff())
    json.fail("expected a symmetric matrix");
  return (m + m.transpose()) / 2;
}

std::vector<std::string> read_names(const JsonReader& json) {
  std::vector<std::string> names;
  json.for_each([&](const JsonReader& item) {
    const std::string name = item.text();
    if (std::find(names.begin(), names.end(), name) != names.end())
      json.fail(fmt::format("'{}' is there twice", name));
    names.push_back(name);
  });
  return names;
}

// Shares of a whole.
void check_shares(const JsonReader& json, const Vector& shares) {
  if (!(shares.minCoeff() > 0) || std::fabs(shares.sum() - 1) > 1e-9)
    json.fail("expected numbers above 0 that add up to 1");
}

std::vector<GaussianPart> read_parts(const JsonReader& json, Index features) {
  if (json.list_size() == 0) json.fail("expected a list of Gaussian parts for every class");
  std::vector<GaussianPart> parts;
  Vector shares(static_cast<Index>(json.list_size()));
  json.for_each([&](const JsonReader& one) {
    const double share = one["share"].finite();
    shares[static_cast<Index>(parts.size())] = share;
    parts.push_back({share, read_vector(one["mean"], features), read_symmetric(one["covariance"], features)});
  });
  check_shares(json, shares);
  return parts;
}

void check_version(const JsonReader& json, const nlohmann::json& document) {
  if (!json.has("format") || document["format"] != format_name)
    json.fail(fmt::format("expected an object with \"format\": \"{}\"", format_name));
  const std::int64_t version = json["version"].integer(1);
  if (version > newest_version)
    json.fail(
        fmt::format("it has version {}, this program reads versions up to {}", version, newest_version));
}

}  // namespace

std::string truth_to_text(const Truth& truth) {
  const PlainLocale plain;
  OrderedJson json{
      {"format", format_name},           {"version", newest_version}, {"shape", truth.shape},
      {"features", truth.features},      {"classes", truth.classes},  {"priors", list_of(truth.priors)},
      {"label_noise", truth.label_noise}};
  if (truth.plane)
    json["plane"] = {{"weights", list_of(truth.plane->weights)}, {"bias", truth.plane->bias}};
  else
    json["mixture"] = OrderedJson::array();
  for (const auto& parts : truth.mixture) {
    OrderedJson list = OrderedJson::array();
    for (const GaussianPart& part : parts)
      list.push_back(
          {{"share", part.share}, {"mean", list_of(part.mean)}, {"covariance", rows_of(part.covariance)}});
    json["mixture"].push_back(std::move(list));
  }
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

Truth truth_from_text(std::string_view text, const std::string& file) {
  const PlainLocale plain;
  const JsonOrigin origin{file, "the truth about data", Code::data};
  const nlohmann::json document = parse_json(text, origin);
  const JsonReader json(document, origin);
  check_version(json, document);
  Truth truth;
  truth.shape = json["shape"].text();
  truth.features = read_names(json["features"]);
  truth.classes = read_names(json["classes"]);
  const auto features = static_cast<Index>(truth.features.size()),
             classes = static_cast<Index>(truth.classes.size());
  if (features < 1) json["features"].fail("expected at least one");
  if (classes < 2) json["classes"].fail("expected at least two");
  truth.priors = read_vector(json["priors"], classes);
  check_shares(json["priors"], truth.priors);
  truth.label_noise = json["label_noise"].finite();
  if (!(truth.label_noise >= 0 && truth.label_noise < 1))
    json["label_noise"].fail("expected a number from 0 to below 1");
  if (json.has("plane")) {
    if (classes != 2) json["plane"].fail("expected two classes");
    truth.plane = Plane{read_vector(json["plane"]["weights"], features), json["plane"]["bias"].finite()};
    return truth;
  }
  const JsonReader mixture = json["mixture"];
  if (static_cast<Index>(mixture.list_size()) != classes)
    mixture.refuse(fmt::format("an entry for each of {} classes", classes));
  mixture.for_each([&](const JsonReader& parts) { truth.mixture.push_back(read_parts(parts, features)); });
  return truth;
}

void save_truth(const Truth& truth, const std::string& path) {
  FileWriter writer(path);
  writer.write(truth_to_text(truth));
  writer.commit();
}

Truth load_truth(const std::string& path) {
  const FileContent content(path, Access::copy);
  return truth_from_text(content.text(), path);
}

}  // namespace discern
