// The words of one command line, sorted into what the command declared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/command.hpp"

namespace discern::cli {

class Arguments {
 public:
  Arguments(const Command& command, std::vector<std::string> positionals,
            std::map<std::string, std::vector<std::string>> values);

  const Command& command() const { return *command_; }
  bool has(std::string_view flag) const { return values_.contains(std::string(flag)); }
  // The value given, or `standard`. A value that is none of the flag's choices is Code::usage.
  std::string text(std::string_view flag, std::string_view standard = "") const;
  std::vector<std::string> list(std::string_view flag) const;  // empty when not given
  // Whole numbers and numbers between low and high, ends included; otherwise Code::usage.
  std::optional<std::int64_t> whole(std::string_view flag, std::int64_t low, std::int64_t high) const;
  std::optional<double> number(std::string_view flag, double low, double high) const;
  // A number of bytes between low and 2^62, ends included: 65536, 64kB, 1.5GB, 2GiB.
  std::optional<std::size_t> size(std::string_view flag, std::size_t low) const;
  std::uint64_t seed() const;
  int threads() const;

  std::size_t positionals() const { return positionals_.size(); }
  const std::string& positional(std::size_t i) const { return positionals_[i]; }
  // Throws Code::usage naming the first required positional that was not given.
  void require_positionals() const;

 private:
  const Flag& flag(std::string_view key) const;

  const Command* command_;
  std::vector<std::string> positionals_;
  std::map<std::string, std::vector<std::string>> values_;  // by Flag::key()
};

// Sorts the words that follow the command's name. Throws Code::usage with a suggestion for an unknown flag.
Arguments parse(const Command& command, std::span<const std::string> words);

}  // namespace discern::cli
