#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "discern/base/random.hpp"
#include "discern/io/binary/safetensors.hpp"
#include "discern/persist/model_file.hpp"
#include "fuzz/checksum.hpp"
#include "fuzz/fuzz.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace discern {
namespace {

using Json = nlohmann::json;

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// What was loaded can be saved, loads again as the same, and predicts rows of any kind or refuses them.
void examine_model(const Model& model) {
  const std::string bytes = model_to_bytes(model);
  if (model_to_bytes(model_from_bytes(bytes)) != bytes) __builtin_trap();
  Table table;
  table.schema = model.pipeline.input();
  const Index rows = 3, cols = table.schema.size();
  Buffer<double> cells(rows * cols);
  for (Index j = 0; j < cols; ++j) {
    const auto levels = static_cast<Index>(table.schema.column(j).levels.size());
    cells[j] = 0;
    cells[cols + j] = levels > 0 ? static_cast<double>(levels - 1) : 1e300;
    cells[2 * cols + j] = std::nan("");
    table.noticed.push_back({1, 4, std::vector<Index>(static_cast<std::size_t>(levels), 2)});
  }
  const bool imputes =
      !model.pipeline.steps().empty() && std::holds_alternative<Impute>(model.pipeline.steps()[0]);
  table.x = DenseMatrix<double>{cells, imputes ? rows : 2, cols};
  // Rows whose scores leave the range of double are refused as data; nothing else is.
  const auto prediction = attempt([&] { return predict(model, table); });
  if (prediction ? !prediction.value().scores.allFinite() : prediction.error().code() != Code::data)
    __builtin_trap();
}

// ---- changes that keep the file a container and its document JSON, so that they get past the parsers

Json odd_value(Random& random) {
  const std::vector<Json> values = {Json(),
                                    true,
                                    0,
                                    1,
                                    -1,
                                    2,
                                    3,
                                    100,
                                    2000000000,
                                    -5,
                                    9223372036854775807,
                                    0.5,
                                    1e308,
                                    "",
                                    "NaN",
                                    "x",
                                    Json::array(),
                                    Json::object(),
                                    {{"hex", "ff"}}};
  return values[random.below(values.size())];
}

Json* random_node(Json& node, Random& random) {
  if (!node.is_structured() || node.empty() || random.below(5) == 0) return &node;
  auto child = node.begin();
  std::advance(child, static_cast<std::ptrdiff_t>(random.below(node.size())));
  return random_node(*child, random);
}

void change_document(Json& document, Random& random) {
  Json& node = *random_node(document, random);
  switch (random.below(4)) {
    case 0:
      node = odd_value(random);
      break;
    case 1: {
      const Json other = *random_node(document, random);
      node = other;
      break;
    }
    case 2:
      if (node.is_array() && !node.empty()) node.push_back(node[random.below(node.size())]);
      if (node.is_number_unsigned())
        node = node.get<std::uint64_t>() + (random.below(2) == 0 ? 1U : ~std::uint64_t{0});
      break;
    default:
      if (node.is_array() && !node.empty()) node.erase(random.below(node.size()));
      if (node.is_object() && !node.empty()) node.erase(node.begin());
  }
}

// Keeps the bytes as many as the shape says, most of the time.
void change_tensor(Tensor& tensor, std::string& bytes, Random& random) {
  bytes = tensor.bytes;
  if (random.below(2) == 0 && !bytes.empty()) {
    bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
  } else if (!tensor.shape.empty()) {
    Index& length = tensor.shape[random.below(tensor.shape.size())];
    length = static_cast<Index>(random.below(6));
    std::size_t count = sizeof(double);
    for (const Index n : tensor.shape) count *= static_cast<std::size_t>(n);
    if (count < 65536 && random.below(4) != 0) bytes.resize(count);
  }
  tensor.bytes = bytes;
}

std::string changed(std::string_view input, Random& random) {
  const std::string valid = with_checksum(input);
  Container container = read_container(valid, nullptr, "", Code::model);
  std::string& text = container.metadata["discern"];
  std::string bytes;
  Json document = Json::parse(text, nullptr, false);
  const auto choice = random.below(4);
  if (choice == 0 && !container.tensors.empty()) {
    change_tensor(container.tensors[random.below(container.tensors.size())], bytes, random);
  } else if (choice > 1 && !document.is_discarded()) {
    for (std::uint64_t n = random.below(3) + 1; n > 0; --n) change_document(document, random);
    text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  } else {
    std::vector<std::uint8_t> buffer(text.begin(), text.end());
    buffer.resize(text.size() + 64);
    const std::size_t size = LLVMFuzzerMutate(buffer.data(), text.size(), buffer.size());
    text.assign(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
  }
  return write_container(container.metadata, container.tensors);
}

}  // namespace
}  // namespace discern

// The input is a container whose checksum is put right first; otherwise nothing would get past it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace discern;
  const std::string bytes = with_checksum(text_of(data, size));
  with_threads(1, [&] {
    const auto loaded = attempt([&] { return model_from_bytes(bytes, "input"); });
    if (loaded) examine_model(loaded.value());
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  using namespace discern;
  Random random(seed);
  if (random.below(4) != 0) {
    try {
      const std::string bytes = changed(text_of(data, size), random);
      if (bytes.size() <= most) return bytes.copy(reinterpret_cast<char*>(data), bytes.size());
    } catch (const Error&) {
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}
