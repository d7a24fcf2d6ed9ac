#include "discern/io/binary/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/io/binary/raw_numbers.hpp"
#include "discern/io/file/text_blocks.hpp"
#include "discern/io/number/number.hpp"
#include "discern/io/table/select.hpp"

namespace discern {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct NpyHeader {
  std::string descr;
  bool fortran = false;
  std::vector<Index> shape;
  std::size_t data_start = 0;
};

// The header is a Python dictionary with three known keys, e.g.
// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  void parse(NpyHeader& header) {
    expect('{');
    int seen = 0;
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !(seen & 1)) {
        header.descr = quoted();
        seen |= 1;
      } else if (key == "fortran_order" && !(seen & 2)) {
        header.fortran = boolean();
        seen |= 2;
      } else if (key == "shape" && !(seen & 4)) {
        header.shape = tuple();
        seen |= 4;
      } else {
        fail(fmt::format("unexpected key {}", quoted_for_message(key)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (seen != 7 || !rest_.empty()) fail("expected descr, fortran_order and shape");
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(Code::data, fmt::format("damaged NPY header: {}", why), {file_, 0, ""});
  }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool accept(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}', found {}", c, quoted_for_message(rest_.substr(0, 10))));
  }
  std::string quoted() {
    if (accept('[')) throw Error(Code::data, "an NPY array of records is not supported", {file_, 0, ""});
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const auto end = rest_.find(quote);
    if (end == std::string_view::npos) fail("a quote is not closed");
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool boolean() {
    skip_blanks();
    const bool value = rest_.starts_with("True");
    if (!value && !rest_.starts_with("False")) fail("expected True or False");
    rest_.remove_prefix(value ? 4 : 5);
    return value;
  }
  std::vector<Index> tuple() {
    std::vector<Index> items;
    expect('(');
    while (!accept(')')) {
      items.push_back(whole_number());
      accept('L');  // Python 2 wrote long integers this way
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return items;
  }
  Index whole_number() {
    skip_blanks();
    Index number = 0;
    std::size_t digits = 0;
    while (digits < rest_.size() && digits < 18 && decimal::is_digit(rest_[digits]))
      number = 10 * number + (rest_[digits++] - '0');
    if (digits == 0 || digits == 18) fail("expected a size in the shape");
    rest_.remove_prefix(digits);
    return number;
  }

  std::string_view rest_;
  const std::string& file_;
};

NpyHeader read_npy_header(std::string_view bytes, const std::string& file) {
  const auto fail = [&](const char* why) { throw Error(Code::data, why, {file, 0, ""}); };
  if (!bytes.starts_with(magic)) fail("this is not an NPY file: it does not begin with \\x93NUMPY");
  if (bytes.size() < 12) fail("the NPY header is cut short");
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) fail("this version of NPY is not known (1 to 3 are)");
  const std::size_t start = version == 1 ? 10 : 12;
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > bytes.size() - start) fail("the NPY header is cut short");
  NpyHeader header;
  HeaderParser(bytes.substr(start, length), file).parse(header);
  header.data_start = start + length;
  return header;
}

// "<f8" and the like: byte order, kind, width.
void set_type(RawMatrix& raw, const std::string& descr, const std::string& file) {
  const char order = descr.size() == 3 ? descr[0] : '?';
  const char kind = descr.size() == 3 ? descr[1] : '?';
  const int width = descr.size() == 3 ? descr[2] - '0' : 0;
  const bool sound_width = width == 1 || width == 2 || width == 4 || width == 8;
  const bool sound_kind = kind == 'f' ? width >= 4 : kind == 'b' ? width == 1 : kind == 'i' || kind == 'u';
  if (std::string_view("<>|=").find(order) == std::string_view::npos || !sound_width || !sound_kind)
    throw Error(Code::data,
                fmt::format("NPY numbers of type {} are not supported (floats of 4 or 8 bytes, integers and "
                            "booleans are)",
                            quoted_for_message(descr)),
                {file, 0, ""});
  raw.kind = kind == 'f'   ? NumberKind::real
             : kind == 'i' ? NumberKind::signed_integer
                           : NumberKind::unsigned_integer;
  raw.width = width;
  raw.big_endian = order == '>';
}

std::string shape_text(const std::vector<Index>& shape) {
  std::string text;
  for (const Index n : shape) text += fmt::format("{}{}", text.empty() ? "" : " x ", n);
  return text;
}

void set_shape(RawMatrix& raw, const NpyHeader& header, std::size_t available, const std::string& file) {
  const auto fail = [&](const std::string& why) { throw Error(Code::data, why, {file, 0, ""}); };
  if (header.shape.empty()) fail("the NPY file holds a single number, not a matrix");
  if (header.shape.size() > 2)
    fail(fmt::format("expected a matrix, found an array of {} dimensions ({})", header.shape.size(),
                     shape_text(header.shape)));
  raw.rows = header.shape[0];
  raw.cols = header.shape.size() == 2 ? header.shape[1] : 1;
  raw.by_columns = header.fortran;
  if (raw.rows == 0 || raw.cols == 0) fail(fmt::format("the matrix is empty ({})", shape_text(header.shape)));
  const Index bytes = checked_bytes(raw.rows, raw.cols, raw.width, available);
  if (bytes != static_cast<Index>(available))
    fail(fmt::format("the NPY header says {} numbers of {} bytes, but {} bytes follow it",
                     shape_text(header.shape), raw.width, available));
}

// The columns of an NPY file: the features and then the side columns.
class MatrixWriter {
 public:
  explicit MatrixWriter(const Table& table) : table_(table), cols_(table.schema.size()) {
    if (is_sparse(table.x) && cols_ > widest_dense)
      refuse(fmt::format("NPY is dense; {} sparse columns are too many for it", cols_), "");
    for (Index j = 0; table.schema.any_categorical() && j < table.schema.size(); ++j)
      if (table.schema.categorical(j))
        refuse("NPY holds numbers only; this column is text", table.schema.name(j));
    floats_ = table.x.index() % 2 == 1;
    for (const SideColumn& side : table.side) add(side);
  }

  void write(FileWriter& writer) const { floats_ ? write_as<float>(writer) : write_as<double>(writer); }

 private:
  static constexpr Index widest_dense = 10'000'000;

  [[noreturn]] static void refuse(const std::string& why, const std::string& column) {
    throw Error(Code::usage, why, {"", 0, column});
  }

  void add(const SideColumn& side) {
    std::vector<double> numbers = side.values;
    if (side.text)
      for (double& value : numbers) {
        if (std::isnan(value)) continue;
        const std::string& level = side.levels[static_cast<std::size_t>(value)];
        const auto number = number_of(level);
        if (!number)
          refuse(fmt::format("NPY holds numbers only, found {}", quoted_for_message(level)), side.name);
        value = *number;
      }
    for (const double value : numbers) floats_ = floats_ && fits_float(value);
    side_.push_back(std::move(numbers));
  }

  template <class T>
  void write_as(FileWriter& writer) const {
    writer.write(header(sizeof(T) == 4 ? "<f4" : "<f8"));
    write_rows(writer, table_.rows(), [this](Index i, std::string& out) { append_row<T>(i, out); });
  }

  // Padded so that the numbers begin at a multiple of 64 bytes.
  std::string header(std::string_view descr) const {
    std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                         descr, table_.rows(), cols_ + static_cast<Index>(side_.size()));
    dictionary.resize((10 + dictionary.size() + 1 + 63) / 64 * 64 - 11, ' ');
    dictionary += '\n';
    std::string text(magic);
    text += '\x01';
    text += '\0';
    text += static_cast<char>(dictionary.size() & 0xFF);
    text += static_cast<char>(dictionary.size() >> 8);
    return text + dictionary;
  }

  template <class T>
  void append_row(Index i, std::string& out) const {
    std::vector<T> row(static_cast<std::size_t>(cols_) + side_.size());
    const auto put = [&](Index j, double value, const std::string& name) {
      if (std::isnan(value)) refuse(fmt::format("NPY cannot hold a missing cell (row {})", i + 1), name);
      row[static_cast<std::size_t>(j)] = static_cast<T>(value);
    };
    std::visit(
        [&](const auto& rows) {
          for_each(rows.row(0),
                   [&](Index j, double v) { put(j, v, std::isnan(v) ? table_.schema.name(j) : ""); });
        },
        rows_of(table_.x, i, 1));
    for (std::size_t k = 0; k < side_.size(); ++k)
      put(cols_ + static_cast<Index>(k), side_[k][static_cast<std::size_t>(i)], table_.side[k].name);
    out.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(T));
  }

  const Table& table_;
  Index cols_;
  bool floats_ = false;
  std::vector<std::vector<double>> side_;
};

}  // namespace

Table parse_npy(const FileContent& content, const std::string& file, const ReadOptions& options) {
  const std::string_view bytes = content.text();
  const NpyHeader header = read_npy_header(bytes, file);
  RawMatrix raw;
  raw.bytes = bytes.substr(header.data_start);
  raw.owner = content.owner();
  set_type(raw, header.descr, file);
  set_shape(raw, header, raw.bytes.size(), file);
  Table table;
  table.file = file;
  table.schema = Schema::numbered(raw.cols);
  table.x = features_of(raw, file);
  return select_columns(std::move(table), options);
}

Table read_npy(const std::string& path, const ReadOptions& options) {
  return parse_file(path, [&](const FileContent& content, const std::string& name) {
    return parse_npy(content, name, options);
  });
}

void write_npy(const Table& table, const std::string& path) {
  static_assert(std::endian::native == std::endian::little);
  const MatrixWriter matrix(table);
  FileWriter writer(path);
  matrix.write(writer);
  writer.commit();
}

}  // namespace discern
