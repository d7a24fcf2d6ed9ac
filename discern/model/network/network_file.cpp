#include "discern/model/network/network_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/io/file/file.hpp"

namespace discern {
namespace {

using Json = nlohmann::json;

class NetworkReader {
 public:
  explicit NetworkReader(const std::string& path) : path_(path) {}

  Network read() const {
    const FileContent content(path_, Access::copy);
    const Json json = Json::parse(content.text(), nullptr, false);
    if (json.is_discarded()) fail("the file is not valid JSON");
    expect_members(json, "the file", {"layers", "slope", "center", "scale"});
    if (!json.contains("layers") || !json["layers"].is_array() || json["layers"].empty())
      fail("expected a list \"layers\" with a layer at least");
    Network network;
    for (std::size_t l = 0; l < json["layers"].size(); ++l)
      network.layers.push_back(layer_of(json["layers"][l], l, l + 1 == json["layers"].size()));
    for (std::size_t l = 1; l < network.layers.size(); ++l)
      if (network.layers[l].weights.cols() != network.layers[l - 1].weights.rows())
        fail(fmt::format("layer {} has weights for {} inputs, and layer {} has {} units", l + 1,
                         network.layers[l].weights.cols(), l, network.layers[l - 1].weights.rows()));
    if (json.contains("slope")) network.slope = number_of(json["slope"], "slope");
    if (!(network.slope > 0)) fail(fmt::format("found the slope {}, expected more than 0", network.slope));
    set_scaling(json, network);
    return network;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(Code::data, problem, {path_, 0, ""});
  }

  void expect_members(const Json& json, const std::string& where, std::vector<std::string_view> names) const {
    if (!json.is_object()) fail(fmt::format("{}: expected an object with {}", where, join(names, ", ")));
    for (const auto& [name, unused] : json.items())
      if (std::find(names.begin(), names.end(), name) == names.end())
        fail(fmt::format("{}: found the member '{}', expected {}", where, name.substr(0, 40),
                         join(names, ", ")));
  }

  double number_of(const Json& json, const std::string& where) const {
    if (!json.is_number() || !std::isfinite(json.get<double>()))
      fail(fmt::format("{}: found {}, expected a number", where, json.dump(-1, ' ', true).substr(0, 40)));
    return json.get<double>();
  }

  Vector list_of(const Json& json, const std::string& where, Index size) const {
    if (!json.is_array() || static_cast<Index>(json.size()) != size)
      fail(fmt::format("{}: found {}, expected a list of {} numbers", where,
                       json.is_array() ? fmt::format("a list of {}", json.size()) : "no list", size));
    Vector list(size);
    for (Index k = 0; k < size; ++k) list[k] = number_of(json[static_cast<std::size_t>(k)], where);
    return list;
  }

  Layer layer_of(const Json& json, std::size_t l, bool last) const {
    const std::string where = fmt::format("layer {}", l + 1);
    expect_members(json, where, {"weights", "bias", "activation"});
    if (!json.contains("weights") || !json["weights"].is_array() || json["weights"].empty() ||
        !json["weights"][0].is_array() || json["weights"][0].empty())
      fail(where + ": expected \"weights\", a list with a list of numbers for each unit");
    const auto units = static_cast<Index>(json["weights"].size());
    const auto inputs = static_cast<Index>(json["weights"][0].size());
    Layer layer;
    layer.weights.resize(units, inputs);
    for (Index k = 0; k < units; ++k)
      layer.weights.row(k) = list_of(json["weights"][static_cast<std::size_t>(k)],
                                     fmt::format("{}, unit {}", where, k + 1), inputs)
                                 .transpose();
    layer.bias.setZero(units);
    if (json.contains("bias")) layer.bias = list_of(json["bias"], where + ", bias", units);
    layer.unit = unit_of(json, where);
    if (last && layer.unit != UnitKind::linear)
      fail(where + ": the last layer gives the scores and has no activation");
    return layer;
  }

  UnitKind unit_of(const Json& json, const std::string& where) const {
    if (!json.contains("activation")) return UnitKind::linear;
    const auto names = value_names(UnitKind{});
    const auto found = json["activation"].is_string()
                           ? std::find(names.begin(), names.end(), json["activation"].get<std::string>())
                           : names.end();
    if (found == names.end())
      fail(fmt::format("{}: found the activation {}, expected one of {}", where,
                       json["activation"].dump(-1, ' ', true).substr(0, 40), join(names, ", ")));
    return static_cast<UnitKind>(found - names.begin());
  }

  void set_scaling(const Json& json, Network& network) const {
    if (json.contains("center") != json.contains("scale"))
      fail("expected both \"center\" and \"scale\", or neither");
    if (!json.contains("center")) return;
    network.center = list_of(json["center"], "center", network.features());
    network.scale = list_of(json["scale"], "scale", network.features());
    if (!(network.scale.array() > 0).all()) fail("scale: expected numbers above 0");
  }

  const std::string& path_;
};

}  // namespace

Network read_network(const std::string& path) { return NetworkReader(path).read(); }

}  // namespace discern
