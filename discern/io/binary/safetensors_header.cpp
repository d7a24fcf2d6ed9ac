#include "discern/io/binary/safetensors_header.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace discern::safetensors {
namespace {

struct TypeRow {
  TensorType type;
  std::string_view name;
  std::size_t width;
};

constexpr std::array<TypeRow, 5> types = {{{TensorType::f32, "F32", 4},
                                           {TensorType::f64, "F64", 8},
                                           {TensorType::i32, "I32", 4},
                                           {TensorType::i64, "I64", 8},
                                           {TensorType::u32, "U32", 4}}};

// Receives the JSON event by event and accepts only the structure of the format; nothing is
// built from a header that is not one, however deep or long.
class HeaderEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  Header header;
  std::string problem = "its header is not JSON";

  bool start_object(std::size_t) override {
    if (depth_ == 0) return ++depth_ == 1;
    if (depth_ != 1 || in_array_) return refuse();
    ++depth_;
    in_metadata_ = key_ == "__metadata__";
    if (in_metadata_) return true;
    header.entries.emplace_back().name = key_;
    fields_ = 0;
    return true;
  }
  bool end_object() override {
    if (depth_ == 2 && !in_metadata_ && fields_ != 7) return refuse();
    --depth_;
    return true;
  }
  bool key(std::string& key) override {
    key_ = key;
    if (depth_ == 1 && !names_.insert(key).second) {
      problem = fmt::format("the name '{}' appears twice", key);
      return false;
    }
    return true;
  }
  bool string(std::string& value) override {
    if (depth_ != 2 || in_array_) return refuse();
    if (in_metadata_) {
      if (header.metadata.emplace(key_, value).second) return true;
      problem = fmt::format("the metadata '{}' appear twice", key_);
      return false;
    }
    if (key_ != "dtype") return refuse();
    for (const TypeRow& row : types) {
      if (row.name != value) continue;
      header.entries.back().type = row.type;
      return once(1);
    }
    problem = fmt::format("tensors of type '{}' are not known", value);
    return false;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_metadata_ || in_array_) return refuse();
    in_array_ = true;
    numbers_.clear();
    return key_ == "shape" || key_ == "data_offsets" || refuse();
  }
  bool number_unsigned(std::uint64_t value) override {
    constexpr std::size_t most_dimensions = 8;
    if (!in_array_ || numbers_.size() == most_dimensions) return refuse();
    numbers_.push_back(value);
    return true;
  }
  bool end_array() override {
    in_array_ = false;
    Entry& entry = header.entries.back();
    if (key_ == "shape") {
      entry.shape = numbers_;
      return once(2);
    }
    if (numbers_.size() != 2) return refuse();
    entry.begin = numbers_[0];
    entry.end = numbers_[1];
    return once(4);
  }
  bool null() override { return refuse(); }
  bool boolean(bool) override { return refuse(); }
  bool number_integer(std::int64_t) override { return refuse(); }
  bool number_float(double, const std::string&) override { return refuse(); }
  bool binary(binary_t&) override { return refuse(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool refuse() {
    problem = fmt::format("its header holds something unexpected at '{}'", key_);
    return false;
  }
  // Marks a field of a tensor as seen; false when it was.
  bool once(int field) {
    if ((fields_ & field) != 0) return refuse();
    fields_ |= field;
    return true;
  }

  int depth_ = 0;
  bool in_metadata_ = false;
  bool in_array_ = false;
  int fields_ = 0;
  std::string key_;
  std::set<std::string> names_;
  std::vector<std::uint64_t> numbers_;
};

const TypeRow& row_of(TensorType type) {
  std::size_t k = 0;
  while (types[k].type != type) ++k;
  return types[k];
}

}  // namespace

std::string_view name_of(TensorType type) { return row_of(type).name; }
std::size_t width_of(TensorType type) { return row_of(type).width; }

Header parse_header(std::string_view json, const std::string& file, Code code) {
  HeaderEvents events;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &events))
    throw Error(code, fmt::format("the file is damaged: {}", events.problem), {file, 0, ""});
  return std::move(events.header);
}

}  // namespace discern::safetensors
