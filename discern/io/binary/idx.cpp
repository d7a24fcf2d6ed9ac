#include "discern/io/binary/idx.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "discern/base/error.hpp"
#include "discern/io/binary/raw_numbers.hpp"
#include "discern/io/table/select.hpp"

namespace discern {
namespace {

[[noreturn]] void fail(const std::string& why, const std::string& file) {
  throw Error(Code::data, why, {file, 0, ""});
}

Index big_endian_32(std::string_view bytes) {
  Index number = 0;
  for (const char c : bytes.substr(0, 4)) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

void set_type(RawMatrix& raw, unsigned char type, const std::string& file) {
  raw.big_endian = true;
  raw.kind = type >= 0x0D ? NumberKind::real : NumberKind::signed_integer;
  switch (type) {
    case 0x08:
      raw.kind = NumberKind::unsigned_integer, raw.width = 1;
      break;
    case 0x09:
      raw.width = 1;
      break;
    case 0x0B:
      raw.width = 2;
      break;
    case 0x0C:
      raw.width = 4;
      break;
    case 0x0D:
      raw.width = 4;
      break;
    case 0x0E:
      raw.width = 8;
      break;
    default:
      fail(fmt::format("the type 0x{:02x} is not one of IDX's", type), file);
  }
}

// pixel_0_0, pixel_0_1, ...: the place of each column in the dimensions after the first.
Schema pixel_schema(const std::vector<Index>& dims, Index cols) {
  if (dims.size() < 3) return Schema::numbered(cols);
  std::vector<Column> columns;
  columns.reserve(static_cast<std::size_t>(cols));
  for (Index j = 0; j < cols; ++j) {
    std::string place;
    Index rest = j;
    for (std::size_t d = dims.size(); d-- > 1; rest /= dims[d])
      place = fmt::format("_{}{}", rest % dims[d], place);
    columns.push_back({"pixel" + place, false, {}});
  }
  return Schema(std::move(columns));
}

// The name of the label file that belongs to a file of images, if it exists.
std::optional<std::string> label_file(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  for (const std::string separator : {"-", "."}) {
    const std::string images = "images" + separator + "idx3";
    const auto found = path.find(images, name);
    if (found == std::string::npos) continue;
    std::string labels = path;
    labels.replace(found, images.size(), "labels" + separator + "idx1");
    const std::string plain(without_compression(labels));
    for (const std::string& candidate : {labels, plain, plain + ".gz", plain + ".zst"})
      if (::access(candidate.c_str(), F_OK) == 0) return candidate;
  }
  return std::nullopt;
}

SideColumn read_labels(const std::string& path, Index rows, const std::string& images) {
  const Table table = parse_file(path, parse_idx);
  if (table.schema.size() != 1) fail("expected labels, one number each", path);
  if (table.rows() != rows)
    fail(fmt::format("{} labels for the {} images of '{}'", table.rows(), rows, images), path);
  SideColumn labels;
  labels.name = "label";
  std::visit([&](const auto& m) { labels.values.assign(m.values.begin(), m.values.end()); }, table.x);
  make_text(labels);
  return labels;
}

}  // namespace

Table parse_idx(const FileContent& content, const std::string& file) {
  const std::string_view bytes = content.text();
  if (bytes.size() < 4 || bytes[0] != 0 || bytes[1] != 0)
    fail("this is not an IDX file: it does not begin with two zero bytes", file);
  RawMatrix raw;
  set_type(raw, static_cast<unsigned char>(bytes[2]), file);
  const auto dimensions = static_cast<std::size_t>(static_cast<unsigned char>(bytes[3]));
  if (dimensions == 0 || bytes.size() < 4 + 4 * dimensions) fail("the IDX header is cut short", file);
  raw.bytes = bytes.substr(4 + 4 * dimensions);
  raw.owner = content.owner();
  std::vector<Index> dims;
  raw.cols = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    dims.push_back(big_endian_32(bytes.substr(4 + 4 * d)));
    if (dims[d] == 0) fail("the IDX header has a dimension of size 0", file);
    // Bounded by the file, so that nothing overflows and nothing large is allocated for a lie.
    if (d > 0 && checked_bytes(raw.cols, dims[d], 1, raw.bytes.size()) < 0)
      fail(fmt::format("the IDX header says more than the {} bytes that follow it", raw.bytes.size()), file);
    if (d > 0) raw.cols *= dims[d];
  }
  raw.rows = dims[0];
  if (checked_bytes(raw.rows, raw.cols, raw.width, raw.bytes.size()) != static_cast<Index>(raw.bytes.size()))
    fail(fmt::format("the IDX header says {} rows of {} numbers of {} bytes, but {} bytes follow it",
                     raw.rows, raw.cols, raw.width, raw.bytes.size()),
         file);
  Table table;
  table.file = file;
  table.schema = pixel_schema(dims, raw.cols);
  table.x = features_of(raw, file);
  return table;
}

Table read_idx(const std::string& path, const ReadOptions& options) {
  Table table = parse_file(path, parse_idx);
  if (const auto labels = label_file(path)) table.side.push_back(read_labels(*labels, table.rows(), path));
  return select_columns(std::move(table), options);
}

}  // namespace discern
