#include "discern/io/binary/safetensors.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>

#include "discern/base/threads.hpp"
#include "discern/io/binary/safetensors_header.hpp"
#include "discern/io/file/utf8.hpp"

namespace discern {
namespace {

using safetensors::header_opening;

constexpr std::size_t alignment = 64;
constexpr std::size_t checksum_digits = 16;
constexpr std::size_t checksum_place = 8 + header_opening.size();
constexpr std::string_view no_checksum = "0000000000000000";
constexpr std::size_t hashed_at_a_time = std::size_t{1} << 24;

// The hash of the concatenated parts: of the hashes of its pieces.
std::string checksum(const std::vector<std::string_view>& parts) {
  std::size_t total = 0;
  for (const auto part : parts) total += part.size();
  std::vector<XXH64_canonical_t> hashes((total + hashed_at_a_time - 1) / hashed_at_a_time);
  parallel_for(static_cast<Index>(hashes.size()), [&](Index k) {
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                                XXH3_freeState);
    if (!state) throw Error(Code::memory, "no memory for a checksum");
    XXH3_64bits_reset(state.get());
    const std::size_t begin = static_cast<std::size_t>(k) * hashed_at_a_time;
    const std::size_t end = std::min(total, begin + hashed_at_a_time);
    std::size_t place = 0;
    for (const auto part : parts) {
      const std::size_t first = std::max(begin, place), last = std::min(end, place + part.size());
      if (first < last) XXH3_64bits_update(state.get(), part.data() + (first - place), last - first);
      place += part.size();
    }
    XXH64_canonicalFromHash(&hashes[static_cast<std::size_t>(k)], XXH3_64bits_digest(state.get()));
  });
  return fmt::format("{:016x}", XXH3_64bits(hashes.data(), hashes.size() * sizeof hashes[0]));
}

std::string escaped(const std::string& text) { return nlohmann::json(to_utf8(text)).dump(); }

// Everything before the data, with the digits of the checksum still zero.
std::string make_front(const Metadata& metadata, const std::vector<Tensor>& tensors) {
  std::string json(header_opening);
  json += no_checksum;
  json += '"';
  for (const auto& [key, value] : metadata) json += fmt::format(",{}:{}", escaped(key), escaped(value));
  json += '}';
  std::size_t place = 0;
  for (const Tensor& tensor : tensors) {
    std::string shape;
    for (const Index n : tensor.shape) shape += fmt::format("{}{}", shape.empty() ? "" : ",", n);
    json += fmt::format(R"(,{}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", escaped(tensor.name),
                        safetensors::name_of(tensor.type), shape, place, place + tensor.bytes.size());
    place += tensor.bytes.size();
  }
  json += '}';
  json.resize((8 + json.size() + alignment - 1) / alignment * alignment - 8, ' ');
  if (json.size() > safetensors::longest_header)
    throw Error(Code::usage,
                fmt::format("names and texts of {} bytes are too long for the file", json.size()));
  std::string front;
  for (int k = 0; k < 8; ++k) front += static_cast<char>(json.size() >> (8 * k) & 0xFF);
  return front + json;
}

// The parts of the file in order. Wide numbers come first, so that all are aligned without gaps.
std::vector<std::string_view> arrange(const Metadata& metadata, std::vector<Tensor>& tensors,
                                      std::string& front) {
  std::stable_sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) {
    return safetensors::width_of(a.type) > safetensors::width_of(b.type);
  });
  front = make_front(metadata, tensors);
  std::vector<std::string_view> parts{front};
  for (const Tensor& tensor : tensors) parts.push_back(tensor.bytes);
  const std::string digits = checksum(parts);
  std::copy(digits.begin(), digits.end(), front.begin() + checksum_place);
  return parts;
}

[[noreturn]] void damaged(const std::string& why, const std::string& file, Code code) {
  throw Error(code, fmt::format("the file is damaged: {}", why), {file, 0, ""});
}

void check_checksum(std::string_view bytes, const std::string& file, Code code) {
  const std::string_view found = bytes.substr(checksum_place, checksum_digits);
  const std::string_view rest = bytes.substr(checksum_place + checksum_digits);
  if (checksum({bytes.substr(0, checksum_place), no_checksum, rest}) != found)
    damaged("its checksum does not match its content", file, code);
}

// Every tensor's bytes lie inside the data, one after the other, and are as many as its shape says.
void place_tensors(Container& container, std::vector<safetensors::Entry>& entries, std::string_view data) {
  const auto fail = [&](const std::string& name, const char* why) {
    damaged(fmt::format("the tensor '{}' {}", name, why), container.file, container.code);
  };
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
  std::uint64_t place = 0;
  for (const auto& entry : entries) {
    if (entry.begin != place || entry.end < entry.begin || entry.end > data.size())
      fail(entry.name, "is not where it should be");
    std::uint64_t size = safetensors::width_of(entry.type);
    for (const std::uint64_t n : entry.shape)
      if (__builtin_mul_overflow(size, n, &size) || n > INT64_MAX)
        fail(entry.name, "has an impossible shape");
    if (size != entry.end - entry.begin) fail(entry.name, "has a shape that does not match its bytes");
    if ((reinterpret_cast<std::uintptr_t>(data.data()) + place) % safetensors::width_of(entry.type) != 0)
      fail(entry.name, "is not aligned");
    place = entry.end;
    container.tensors.push_back(
        {entry.name, entry.type, {entry.shape.begin(), entry.shape.end()}, data.substr(entry.begin, size)});
  }
  if (place != data.size()) damaged("bytes follow the last tensor", container.file, container.code);
}

}  // namespace

const Tensor* Container::find(std::string_view name) const {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& tensor) { return tensor.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

const Tensor& Container::require(std::string_view name, TensorType type,
                                 const std::vector<Index>& shape) const {
  const Tensor* tensor = find(name);
  if (tensor == nullptr) damaged(fmt::format("the tensor '{}' is missing", name), file, code);
  bool fits = tensor->type == type && tensor->shape.size() == shape.size();
  for (std::size_t k = 0; fits && k < shape.size(); ++k) fits = shape[k] < 0 || shape[k] == tensor->shape[k];
  if (!fits) damaged(fmt::format("the tensor '{}' has the wrong type or shape", name), file, code);
  return *tensor;
}

std::string write_container(const Metadata& metadata, std::vector<Tensor> tensors) {
  std::string front, bytes;
  for (const auto part : arrange(metadata, tensors, front)) bytes += part;
  return bytes;
}

void write_container(FileWriter& writer, const Metadata& metadata, std::vector<Tensor> tensors) {
  std::string front;
  for (const auto part : arrange(metadata, tensors, front)) writer.write(part);
}

Container read_container(std::string_view bytes, std::shared_ptr<void> owner, const std::string& file,
                         Code code) {
  Container container;
  container.file = file;
  container.code = code;
  container.owner = std::move(owner);
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0) {
    container.owner = allocate_bytes(bytes.size());
    std::memcpy(container.owner.get(), bytes.data(), bytes.size());
    bytes = {static_cast<const char*>(container.owner.get()), bytes.size()};
  }
  if (bytes.size() < checksum_place + checksum_digits ||
      bytes.substr(8, header_opening.size()) != header_opening)
    throw Error(code, "this file was not written by Discern", {file, 0, ""});
  std::uint64_t length = 0;
  for (std::size_t k = 8; k-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[k]);
  if (length > bytes.size() - 8) damaged("it is cut short", file, code);
  if (length > safetensors::longest_header) damaged("its header is too long", file, code);
  check_checksum(bytes, file, code);
  safetensors::Header header = safetensors::parse_header(bytes.substr(8, length), file, code);
  for (const auto& [key, value] : header.metadata)
    if (key != "checksum") container.metadata.emplace(from_utf8(key), from_utf8(value));
  for (auto& entry : header.entries) entry.name = from_utf8(entry.name);
  place_tensors(container, header.entries, bytes.substr(8 + length));
  return container;
}

}  // namespace discern
