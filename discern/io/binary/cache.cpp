#include "discern/io/binary/cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/binary/cache_check.hpp"
#include "discern/io/binary/safetensors.hpp"
#include "discern/io/file/utf8.hpp"
#include "discern/io/table/select.hpp"

namespace discern {
namespace {

using Json = nlohmann::json;

constexpr std::string_view format_name = "discern-table";
constexpr std::string_view cache_version = "1";

// A column's description: its name, its levels when it is text, what was noticed.
Json describe(const std::string& name, const std::vector<std::string>* levels, const Noticed& noticed) {
  Json column = {{"name", to_utf8(name)}};
  if (levels != nullptr) {
    Json texts = Json::array();
    for (const auto& level : *levels) texts.push_back(to_utf8(level));
    column["levels"] = std::move(texts);
    std::vector<Index> lines = noticed.level_line;
    lines.resize(levels->size());
    column["level_lines"] = std::move(lines);
  }
  if (noticed.missing > 0) {
    column["missing"] = noticed.missing;
    column["first_missing_line"] = noticed.first_missing_line;
  }
  return column;
}

template <class T>
void count_missing(const DenseMatrix<T>& x, std::vector<Noticed>& noticed) {
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j)
      noticed[static_cast<std::size_t>(j)].missing += std::isnan(x.values[i * x.cols + j]);
}

template <class T>
void count_missing(const SparseMatrix<T>& x, std::vector<Noticed>& noticed) {
  for (Index e = 0; e < x.values.size(); ++e) noticed[x.columns[e]].missing += std::isnan(x.values[e]);
}

// What a reader noticed, or, for a table that a program made, what a reader would have.
std::vector<Noticed> noticed_of(const Table& table) {
  if (!table.noticed.empty() || (table.schema.is_numbered() && is_sparse(table.x))) return table.noticed;
  std::vector<Noticed> noticed(static_cast<std::size_t>(table.schema.size()));
  std::visit([&](const auto& x) { count_missing(x, noticed); }, table.x);
  const bool any =
      std::any_of(noticed.begin(), noticed.end(), [](const Noticed& n) { return n.missing > 0; });
  return any ? noticed : std::vector<Noticed>{};
}

std::string describe(const Table& table) {
  Json json = {{"rows", table.rows()}, {"side", Json::array()}};
  const Schema& schema = table.schema;
  const std::vector<Noticed> noticed = noticed_of(table);
  if (schema.is_numbered() && noticed.empty()) {
    json["columns"] = schema.size();
  } else {
    json["columns"] = Json::array();
    for (Index j = 0; j < schema.size(); ++j)
      json["columns"].push_back(describe(schema.name(j),
                                         schema.categorical(j) ? &schema.column(j).levels : nullptr,
                                         noticed.empty() ? Noticed{} : noticed[static_cast<std::size_t>(j)]));
  }
  for (const SideColumn& side : table.side)
    json["side"].push_back(describe(side.name, side.text ? &side.levels : nullptr, side.noticed));
  return json.dump();
}

template <class T>
void add_tensors(const DenseMatrix<T>& x, std::vector<Tensor>& tensors) {
  tensors.push_back(make_tensor("x", {x.rows, x.cols}, x.values.data()));
}

template <class T>
void add_tensors(const SparseMatrix<T>& x, std::vector<Tensor>& tensors) {
  tensors.push_back(make_tensor("x.values", {x.values.size()}, x.values.data()));
  tensors.push_back(make_tensor("x.columns", {x.columns.size()}, x.columns.data()));
  tensors.push_back(make_tensor("x.starts", {x.starts.size()}, x.starts.data()));
}

// Takes the description apart; anything unexpected is damage.
class Description {
 public:
  explicit Description(const Container& container) : file_(container.file) {
    const auto found = container.metadata.find("table");
    if (found == container.metadata.end()) fail();
    json_ = Json::parse(found->second, nullptr, false);
    if (!json_.is_object()) fail();
  }

  Index rows() const { return count(json_, "rows"); }
  bool numbered() const { return member(json_, "columns").is_number(); }
  Index columns() const {
    return numbered() ? count(json_, "columns") : static_cast<Index>(list("columns").size());
  }
  const Json& list(const char* name) const {
    const Json& items = member(json_, name);
    if (!items.is_array()) fail();
    return items;
  }

  Column column(const Json& json, Noticed& noticed) const {
    if (!json.is_object()) fail();
    Column column;
    column.name = text(member(json, "name"));
    column.categorical = json.contains("levels");
    if (column.categorical) {
      if (!json["levels"].is_array() || !member(json, "level_lines").is_array()) fail();
      for (const Json& level : json["levels"]) column.levels.push_back(text(level));
      for (const Json& line : json["level_lines"]) noticed.level_line.push_back(number(line));
    }
    if (json.contains("missing")) {
      noticed.missing = count(json, "missing");
      noticed.first_missing_line = count(json, "first_missing_line");
    }
    return column;
  }

  [[noreturn]] void fail() const {
    throw Error(Code::data, "the file is damaged: its description of the table cannot be read",
                {file_, 0, ""});
  }

 private:
  const Json& member(const Json& object, const char* name) const {
    const auto found = object.find(name);
    if (found == object.end()) fail();
    return *found;
  }
  Index number(const Json& json) const {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > (std::uint64_t{1} << 62)) fail();
    return json.get<Index>();
  }
  Index count(const Json& object, const char* name) const { return number(member(object, name)); }
  std::string text(const Json& json) const {
    if (!json.is_string()) fail();
    return from_utf8(json.get_ref<const std::string&>());
  }

  std::string file_;
  Json json_;
};

template <class T>
Features sparse_features(const Container& container, Index rows, Index cols) {
  if (rows == INT64_MAX) throw Error(Code::data, "impossible number of rows", {container.file, 0, ""});
  SparseMatrix<T> x;
  x.values = container.values<T>("x.values", {-1});
  x.columns = container.values<std::uint32_t>("x.columns", {x.values.size()});
  x.starts = container.values<std::int64_t>("x.starts", {rows + 1});
  x.rows = rows;
  x.cols = cols;
  return x;
}

Features features(const Container& container, Index rows, Index cols) {
  if (const Tensor* x = container.find("x")) {
    if (x->type == TensorType::f32)
      return DenseMatrix<float>{container.values<float>("x", {rows, cols}), rows, cols};
    return DenseMatrix<double>{container.values<double>("x", {rows, cols}), rows, cols};
  }
  const Tensor* values = container.find("x.values");
  if (values != nullptr && values->type == TensorType::f32)
    return sparse_features<float>(container, rows, cols);
  return sparse_features<double>(container, rows, cols);
}

template <class T>
Buffer<T> copied(const Buffer<T>& from) {
  constexpr Index at_a_time = Index{1} << 18;
  Buffer<T> to(from.size());
  parallel_for((from.size() + at_a_time - 1) / at_a_time, [&](Index k) {
    const Index first = k * at_a_time, last = std::min(from.size(), first + at_a_time);
    std::copy(from.begin() + first, from.begin() + last, to.data() + first);
  });
  return to;
}

// Numbers may stay in the mapped file. What is used as an index, the places of sparse entries and the codes
// of text cells, is copied before it is checked: it must not change afterwards.
template <class T>
void own_indices(DenseMatrix<T>& x, bool has_codes) {
  if (has_codes) x.values = copied(x.values);
}

template <class T>
void own_indices(SparseMatrix<T>& x, bool has_codes) {
  x.columns = copied(x.columns);
  x.starts = copied(x.starts);
  if (has_codes) x.values = copied(x.values);
}

void check_kind(const Container& container) {
  const auto found = [&](const char* key) {
    const auto place = container.metadata.find(key);
    return place == container.metadata.end() ? std::string() : place->second;
  };
  if (found("format") != format_name)
    throw Error(Code::data, "this is not a data cache", {container.file, 0, ""});
  if (found("version") != cache_version)
    throw Error(Code::data,
                fmt::format("version {} of the data cache is not known (this program reads {})",
                            found("version"), cache_version),
                {container.file, 0, ""});
}

void read_columns(const Description& description, Table& table) {
  if (description.numbered()) {
    table.schema = Schema::numbered(description.columns());
    return;
  }
  std::vector<Column> columns;
  bool any = false;
  for (const Json& json : description.list("columns")) {
    columns.push_back(description.column(json, table.noticed.emplace_back()));
    any = any || columns.back().categorical || table.noticed.back().missing > 0;
  }
  table.schema = schema_of(std::move(columns), table.file);
  if (!any) table.noticed.clear();
}

}  // namespace

Table parse_cache(const FileContent& content, const std::string& file, const ReadOptions& options) {
  const Container container = read_container(content.text(), content.owner(), file, Code::data);
  check_kind(container);
  const Description description(container);
  Table table;
  table.file = file;
  read_columns(description, table);
  const Index rows = description.rows();
  table.x = features(container, rows, table.schema.size());
  if (content.may_change())
    std::visit([&](auto& x) { own_indices(x, table.schema.any_categorical()); }, table.x);
  for (const Json& json : description.list("side")) {
    SideColumn side;
    Column column = description.column(json, side.noticed);
    side.name = column.name;
    side.text = column.categorical;
    side.levels = std::move(column.levels);
    const auto values = container.values<double>(fmt::format("side.{}", table.side.size()), {rows});
    side.values.assign(values.begin(), values.end());
    table.side.push_back(std::move(side));
  }
  check_table(table);
  return select_columns(std::move(table), options);
}

Table read_cache(const std::string& path, const ReadOptions& options) {
  return parse_file(path, [&](const FileContent& content, const std::string& name) {
    return parse_cache(content, name, options);
  });
}

void write_cache(const Table& table, const std::string& path) {
  std::vector<Tensor> tensors;
  std::visit([&](const auto& x) { add_tensors(x, tensors); }, table.x);
  for (std::size_t k = 0; k < table.side.size(); ++k)
    tensors.push_back(make_tensor(fmt::format("side.{}", k), {table.rows()}, table.side[k].values.data()));
  FileWriter writer(path);
  write_container(writer,
                  {{"format", std::string(format_name)},
                   {"version", std::string(cache_version)},
                   {"table", describe(table)}},
                  std::move(tensors));
  writer.commit();
}

}  // namespace discern
