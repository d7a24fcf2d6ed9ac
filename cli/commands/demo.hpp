// The demonstrations of `discern demo`: short stories with the library's own fits.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/shell/console.hpp"

namespace discern::cli {

struct Demo {
  std::string_view name;
  std::string_view summary;                  // one line
  std::string (*story)(const Paint& paint);  // the same every time
};

std::span<const Demo> demos();

// The stories, by subject: truth tables of logic, and fits of generated points.
std::string or_story(const Paint& paint);
std::string and_story(const Paint& paint);
std::string xor_story(const Paint& paint);
std::string separable_story(const Paint& paint);
std::string outlier_story(const Paint& paint);
std::string learning_rate_story(const Paint& paint);

}  // namespace discern::cli
