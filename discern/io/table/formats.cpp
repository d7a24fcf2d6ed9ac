#include "discern/io/table/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "discern/base/error.hpp"
#include "discern/io/arff/arff.hpp"
#include "discern/io/binary/cache.hpp"
#include "discern/io/binary/idx.hpp"
#include "discern/io/binary/npy.hpp"
#include "discern/io/csv/csv.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/libsvm/libsvm.hpp"
#include "discern/io/sqlite/sqlite.hpp"

namespace discern {
namespace {

std::string known_formats() {
  std::string list;
  for (const Format& format : formats()) list += fmt::format("{}{}", list.empty() ? "" : ", ", format.name);
  return list;
}

bool has_extension(std::string_view path, const Format& format) {
  std::string lower(path);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(format.extensions.begin(), format.extensions.end(),
                     [&](std::string_view extension) { return lower.ends_with(extension); });
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> table = {
      {"csv", {".csv", ".txt", ".data"}, "delimited text, separator detected", read_csv, write_csv, true},
      {"tsv", {".tsv", ".tab"}, "text delimited by tabs", read_tsv, write_tsv, true},
      {"arff", {".arff"}, "Weka's attribute-relation text", read_arff, write_arff},
      {"libsvm",
       {".libsvm", ".svmlight", ".svm"},
       "LIBSVM / SVMlight text, sparse",
       read_libsvm,
       write_libsvm},
      {"npy", {".npy"}, "NumPy array of numbers", read_npy, write_npy},
      {"idx", {"-ubyte", ".idx"}, "IDX, the format of MNIST", read_idx, nullptr},
      {"sqlite",
       {".sqlite", ".sqlite3", ".db"},
       "SQLite database: a query, or its only table",
       read_sqlite,
       write_sqlite,
       false,
       true},
      {"cache",
       {".dcache", ".cache"},
       "Discern's binary cache, read without parsing",
       read_cache,
       write_cache},
  };
  return table;
}

std::vector<std::string> written_formats() {
  std::vector<std::string> names;
  for (const Format& format : formats())
    if (format.write != nullptr) names.emplace_back(format.name);
  return names;
}

const Format& format_of(const std::string& path, const std::string& name) {
  const bool by_name = !name.empty() || path == "-";
  const std::string_view wanted = name.empty() ? "csv" : std::string_view(name);
  const auto plain = without_compression(path);
  for (const Format& format : formats())
    if (by_name ? format.name == wanted : has_extension(plain, format)) return format;
  if (by_name)
    throw Error(Code::usage, fmt::format("unknown format '{}' (known: {})", wanted, known_formats()));
  throw Error(Code::usage, fmt::format("the format of '{}' is not known from its name; give one of: {}", path,
                                       known_formats()));
}

}  // namespace discern
