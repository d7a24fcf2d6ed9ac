#include "cli/flags/files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "discern/base/error.hpp"
#include "discern/io/file/file.hpp"

namespace discern::cli {

void check_writable(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  const bool special = std::filesystem::exists(status) && std::filesystem::is_other(status);
  if (path == "-" || special) return;  // opening a pipe or a device may have effects
  const FileWriter probe(path);
}

bool same_file(const std::string& one, const std::string& other) {
  std::error_code failure;
  return !one.empty() && !other.empty() && std::filesystem::equivalent(one, other, failure);
}

void check_different(const std::string& input, const std::string& output) {
  std::error_code failure;
  if (input == "-" || output == "-" || !std::filesystem::is_regular_file(output, failure)) return;
  if (std::filesystem::equivalent(input, output, failure))
    throw Error(Code::usage, fmt::format("'{}' would overwrite the file that is read", output));
}

void check_two_files(const std::string& flag, const std::string& file, const std::string& other_flag,
                     const std::string& other) {
  if (file.empty() || other.empty()) return;
  std::error_code failure;
  const auto place = [&](const std::string& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name, failure), failure);
  };
  if (file == other || std::filesystem::equivalent(file, other, failure) || place(file) == place(other))
    throw Error(Code::usage, fmt::format("{} and {} would both write '{}'", flag, other_flag, file));
}

}  // namespace discern::cli
