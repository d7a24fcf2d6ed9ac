#include "discern/persist/truth_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "discern/base/error.hpp"
#include "discern/io/file.hpp"
#include "discern/persist/plain_locale.hpp"

namespace discern {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "discern-truth";
constexpr int newest_version = 1;

Json list_of(const Vector& values) { return std::vector<double>(values.begin(), values.end()); }

Json rows_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) rows.push_back(list_of(matrix.row(i).transpose()));
  return rows;
}

// A document that may hold anything.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(Code::data, problem, {file_, 0, ""});
  }

  const Json& member(const Json& object, const char* name) const {
    if (!object.is_object() || !object.contains(name))
      fail(fmt::format("found no member '{}', which the truth about data has", name));
    return object[name];
  }
  double number(const Json& value, const char* what) const {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      fail(fmt::format("{}: expected a finite number", what));
    return value.get<double>();
  }
  Vector vector(const Json& value, Index size, const char* what) const {
    if (!value.is_array() || static_cast<Index>(value.size()) != size)
      fail(fmt::format("{}: expected a list of {} numbers", what, size));
    Vector v(size);
    for (Index i = 0; i < size; ++i) v[i] = number(value[static_cast<std::size_t>(i)], what);
    return v;
  }
  Matrix symmetric(const Json& value, Index size, const char* what) const {
    if (!value.is_array() || static_cast<Index>(value.size()) != size)
      fail(fmt::format("{}: expected {} rows", what, size));
    Matrix m(size, size);
    for (Index i = 0; i < size; ++i)
      m.row(i) = vector(value[static_cast<std::size_t>(i)], size, what).transpose();
    if ((m - m.transpose()).cwiseAbs().maxCoeff() > 1e-9 * m.cwiseAbs().maxCoeff())
      fail(fmt::format("{}: expected a symmetric matrix", what));
    return (m + m.transpose()) / 2;
  }
  std::vector<std::string> names(const Json& value, const char* what) const {
    std::vector<std::string> list;
    const auto is_text = [](const Json& one) { return one.is_string(); };
    if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_text))
      fail(fmt::format("{}: expected a list of texts", what));
    for (const Json& one : value) list.push_back(one.get<std::string>());
    for (std::size_t i = 0; i < list.size(); ++i)
      if (std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) !=
          list.begin() + static_cast<std::ptrdiff_t>(i))
        fail(fmt::format("{}: '{}' is there twice", what, list[i]));
    return list;
  }
  // Shares of a whole.
  void check_shares(const Vector& shares, const char* what) const {
    if (!(shares.minCoeff() > 0) || std::fabs(shares.sum() - 1) > 1e-9)
      fail(fmt::format("{}: expected numbers above 0 that add up to 1", what));
  }

 private:
  const std::string& file_;
};

std::vector<GaussianPart> read_parts(const Reader& read, const Json& json, Index features) {
  if (!json.is_array() || json.empty())
    read.fail("mixture: expected a list of Gaussian parts for every class");
  std::vector<GaussianPart> parts;
  Vector shares(static_cast<Index>(json.size()));
  for (const Json& one : json) {
    shares[static_cast<Index>(parts.size())] = read.number(read.member(one, "share"), "share");
    parts.push_back({read.number(one["share"], "share"),
                     read.vector(read.member(one, "mean"), features, "mean"),
                     read.symmetric(read.member(one, "covariance"), features, "covariance")});
  }
  read.check_shares(shares, "share");
  return parts;
}

void check_version(const Reader& read, const Json& json) {
  if (!json.is_object() || !json.contains("format") || json["format"] != format_name)
    read.fail(
        fmt::format("not the truth about data: expected an object with \"format\": \"{}\"", format_name));
  const Json& version = read.member(json, "version");
  if (!version.is_number_integer() || version.get<std::int64_t>() < 1)
    read.fail("version: expected a whole number");
  if (version.get<std::int64_t>() > newest_version)
    read.fail(fmt::format("the truth has version {}, this program reads versions up to {}", version.dump(),
                          newest_version));
}

}  // namespace

std::string truth_to_text(const Truth& truth) {
  const PlainLocale plain;
  Json json{{"format", format_name},           {"version", newest_version}, {"shape", truth.shape},
            {"features", truth.features},      {"classes", truth.classes},  {"priors", list_of(truth.priors)},
            {"label_noise", truth.label_noise}};
  if (truth.plane)
    json["plane"] = {{"weights", list_of(truth.plane->weights)}, {"bias", truth.plane->bias}};
  else
    json["mixture"] = Json::array();
  for (const auto& parts : truth.mixture) {
    Json list = Json::array();
    for (const GaussianPart& part : parts)
      list.push_back(
          {{"share", part.share}, {"mean", list_of(part.mean)}, {"covariance", rows_of(part.covariance)}});
    json["mixture"].push_back(std::move(list));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Truth truth_from_text(std::string_view text, const std::string& file) {
  const PlainLocale plain;
  const Reader read(file);
  const Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  if (json.is_discarded()) read.fail("not valid JSON");
  check_version(read, json);
  Truth truth;
  const Json& shape = read.member(json, "shape");
  if (!shape.is_string()) read.fail("shape: expected a text");
  truth.shape = shape.get<std::string>();
  truth.features = read.names(read.member(json, "features"), "features");
  truth.classes = read.names(read.member(json, "classes"), "classes");
  const auto features = static_cast<Index>(truth.features.size()),
             classes = static_cast<Index>(truth.classes.size());
  if (features < 1) read.fail("features: expected at least one");
  if (classes < 2) read.fail("classes: expected at least two");
  truth.priors = read.vector(read.member(json, "priors"), classes, "priors");
  read.check_shares(truth.priors, "priors");
  truth.label_noise = read.number(read.member(json, "label_noise"), "label_noise");
  if (!(truth.label_noise >= 0 && truth.label_noise < 1))
    read.fail("label_noise: expected a number from 0 to below 1");
  if (json.contains("plane")) {
    if (classes != 2) read.fail("plane: expected two classes");
    const Json& plane = json["plane"];
    truth.plane = Plane{read.vector(read.member(plane, "weights"), features, "weights"),
                        read.number(read.member(plane, "bias"), "bias")};
    return truth;
  }
  const Json& mixture = read.member(json, "mixture");
  if (!mixture.is_array() || static_cast<Index>(mixture.size()) != classes)
    read.fail(fmt::format("mixture: expected an entry for each of {} classes", classes));
  for (const Json& parts : mixture) truth.mixture.push_back(read_parts(read, parts, features));
  return truth;
}

void save_truth(const Truth& truth, const std::string& path) {
  FileWriter writer(path);
  writer.write(truth_to_text(truth));
  writer.commit();
}

Truth load_truth(const std::string& path) {
  const FileContent content(path);
  return truth_from_text(content.text(), path);
}

}  // namespace discern
