#include "cli/text/flag_names.hpp"

#include <algorithm>

#include "cli/shell/command.hpp"

namespace discern::cli {
namespace {

bool is_flag(const std::string& name) {
  return std::any_of(commands().begin(), commands().end(),
                     [&](const Command& command) { return command.find(name) != nullptr; });
}

// The flag that an option stands for; empty: none.
std::string flag_of(std::string_view option) {
  std::string name(option);
  std::replace(name.begin(), name.end(), '_', '-');
  return name.size() > 1 && is_flag(name) ? "--" + name : "";
}

}  // namespace

std::string with_flags(std::string_view message) {
  std::string text;
  while (true) {
    const auto open = message.find('`');
    const auto close = open == std::string_view::npos ? open : message.find('`', open + 1);
    if (close == std::string_view::npos) return text.append(message);
    const std::string flag = flag_of(message.substr(open + 1, close - open - 1));
    text += message.substr(0, open);
    text += flag.empty() ? message.substr(open, close + 1 - open) : std::string_view(flag);
    message.remove_prefix(close + 1);
  }
}

std::vector<std::string> with_flags(const std::vector<std::string>& messages) {
  std::vector<std::string> texts;
  for (const std::string& message : messages) texts.push_back(with_flags(message));
  return texts;
}

}  // namespace discern::cli
