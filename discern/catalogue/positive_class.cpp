#include "discern/catalogue/positive_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"

namespace discern {
namespace {

constexpr std::array<std::string_view, 8> yes_words{"+", "yes", "y", "true", "t", "1", "positive", "pos"};
constexpr std::array<std::string_view, 8> no_words{"-", "no", "n", "false", "f", "0", "negative", "neg"};

// In small letters, without the blanks around it.
std::string plain_word(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::string word(text);
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

template <std::size_t n>
bool is_among(const std::array<std::string_view, n>& words, const std::string& name) {
  return std::find(words.begin(), words.end(), plain_word(name)) != words.end();
}

}  // namespace

Index class_that_says_yes(const std::vector<std::string>& classes) {
  if (classes.size() != 2) return -1;
  for (const std::size_t k : {std::size_t{1}, std::size_t{0}})
    if (is_among(yes_words, classes[k]) && is_among(no_words, classes[1 - k])) return static_cast<Index>(k);
  return -1;
}

Index positive_class(const std::vector<std::string>& classes, const std::string& wanted, bool by_name) {
  if (wanted.empty()) return by_name && class_that_says_yes(classes) == 0 ? 0 : 1;
  if (classes.size() != 2)
    throw Error(Code::usage, fmt::format("`positive` is for two classes, and there are {}", classes.size()));
  const auto found = std::find(classes.begin(), classes.end(), wanted);
  if (found == classes.end())
    throw Error(Code::usage, fmt::format("`positive`: expected {}, got '{}'", join(classes, " or "), wanted));
  return found - classes.begin();
}

}  // namespace discern
