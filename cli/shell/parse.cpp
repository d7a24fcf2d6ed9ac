// The only translation unit that includes CLI11, which takes the compiler ten seconds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/shell/arguments.hpp"
#include "cli/shell/nearest.hpp"
#include "discern/base/error.hpp"

namespace discern::cli {
namespace {

std::string option_names(const Flag& flag) {
  std::string names;
  if (flag.letter != 0) names = fmt::format("-{}", flag.letter);
  if (!flag.name.empty()) names += fmt::format("{}--{}", names.empty() ? "" : ",", flag.name);
  return names;
}

bool is_flag_like(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

std::string owner_of(std::string_view name) {
  for (const Command& command : commands())
    if (command.find(name) != nullptr) return command.name;
  return "";
}

[[noreturn]] void refuse_flag(const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  std::vector<std::string> known;
  for (const Flag& flag : command.flags)
    if (!flag.name.empty()) known.push_back(flag.name);
  const auto hint = nearest(bare, known);
  std::string advice;
  // A flag that exists elsewhere was meant as it is spelt.
  if (const auto owner = owner_of(bare); !owner.empty())
    advice = fmt::format("; it belongs to `discern {}`", owner);
  else if (!hint.empty())
    advice = fmt::format(", did you mean '--{}'?", hint);
  throw Error(Code::usage, fmt::format("unknown flag '{}' for `discern {}`{}", name, command.name, advice));
}

// The flag that is spelled so: --name or -n.
const Flag* flag_of(const Command& command, std::string_view spelling) {
  for (const Flag& flag : command.flags)
    if (spelling == "--" + flag.name || (spelling.size() == 2 && spelling[1] == flag.letter)) return &flag;
  return nullptr;
}

[[noreturn]] void refuse_extras(const Command& command, const std::vector<std::string>& extras) {
  for (const std::string& word : extras)
    if (is_flag_like(word) && word != "--") refuse_flag(command, word);
  throw Error(Code::usage,
              fmt::format("unexpected argument '{}' for `discern {}`", extras.front(), command.name));
}

// "--target --model lda" forgot a value; the parser alone would take "--model" for it.
void check_values(const Command& command, const Flag& flag, const std::vector<std::string>& given) {
  for (const std::string& value : given) {
    if (flag.file && value.empty())
      throw Error(Code::usage, fmt::format("{}: expected the name of a file, got ''", flag.spelling()));
    const std::string name = value.starts_with("--") ? value.substr(2, value.find('=') - 2) : "";
    if (name.empty() || command.find(name) == nullptr) continue;
    throw Error(Code::usage,
                fmt::format("{} needs a value ({}), but '{}' follows", flag.spelling(), flag.metavar, value));
  }
}

// "--target=" has no value, "--json=yes" and "-q=yes" have one that nobody asks for.
void check_words(const Command& command, std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || !word.starts_with('-')) continue;
    const Flag* flag = flag_of(command, word.substr(0, equals));
    if (flag == nullptr) continue;
    if (flag->is_switch())
      throw Error(Code::usage, fmt::format("{} takes no value, got '{}'", word.substr(0, equals),
                                           word.substr(equals + 1)));
    if (equals + 1 == word.size())
      throw Error(Code::usage, fmt::format("'{}' is followed by no value", word));
  }
}

}  // namespace

Arguments parse(const Command& command, std::span<const std::string> words) {
  check_words(command, words);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, std::int64_t> counts;
  for (const Flag& flag : command.flags) {
    if (flag.is_switch())
      app.add_flag(option_names(flag), counts[flag.key()]);
    else
      app.add_option(option_names(flag), values[flag.key()])->allow_extra_args(false);
  }
  std::vector<std::string> given(command.positionals.size());
  std::vector<CLI::Option*> places;
  for (std::size_t i = 0; i < given.size(); ++i)
    places.push_back(app.add_option(command.positionals[i].name, given[i]));

  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ArgumentMismatch& mismatch) {
    const std::string last = words.empty() ? "" : words.back();
    throw Error(Code::usage, fmt::format("{} needs a value", is_flag_like(last) ? last : mismatch.what()));
  } catch (const CLI::ParseError& error) {
    throw Error(Code::usage, error.what());
  }
  std::erase_if(values, [](const auto& item) { return item.second.empty(); });
  for (const auto& [key, list] : values) check_values(command, *command.find(key), list);
  if (app.remaining_size() > 0) refuse_extras(command, app.remaining());
  for (const auto& [key, count] : counts)
    if (count > 0) values[key] = {};
  std::vector<std::string> positionals;
  for (std::size_t i = 0; i < given.size() && places[i]->count() > 0; ++i) positionals.push_back(given[i]);
  return Arguments(command, std::move(positionals), std::move(values));
}

}  // namespace discern::cli
